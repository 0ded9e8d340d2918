//! `PATCH /api/users/{userId}`.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::{AvatarUrl, Email, OrEmpty, Phone, Username};
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::UsersWrite;
use claimsmith_domain::profile::Profile;
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, UserView};
use claimsmith_json::present;
use claimsmith_storage::users::User;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What is to change; what is left out stays. Null and the empty text take a value away.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a value are three things")]
#[schema(example = json!({
    "name": "Ada Lovelace", "primaryPhone": "4915112345678", "customData": { "plan": "gold" }
}))]
pub(super) struct UpdateUser {
    /// Unique.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 128)]
    username: Option<Option<OrEmpty<Username>>>,
    /// Unique.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 128)]
    primary_email: Option<Option<OrEmpty<Email>>>,
    /// An international number, unique however it is written; kept as its digits.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 32)]
    primary_phone: Option<Option<OrEmpty<Phone>>>,
    /// Display name.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 128)]
    name: Option<Option<Text<0, 128>>>,
    /// An http or https URL.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    avatar: Option<Option<AvatarUrl>>,
    /// Takes the place of all of it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    custom_data: Option<Map<String, Value>>,
    /// Takes the place of all of it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    profile: Option<Profile>,
}

impl UpdateUser {
    fn is_empty(&self) -> bool {
        self.username.is_none()
            && self.primary_email.is_none()
            && self.primary_phone.is_none()
            && self.name.is_none()
            && self.avatar.is_none()
            && self.custom_data.is_none()
            && self.profile.is_none()
    }

    fn apply(self, user: &mut User) -> Result<(), accounts::AccountRefusal> {
        if let Some(username) = self.username {
            user.username = username.and_then(OrEmpty::into_text);
        }
        if let Some(email) = self.primary_email {
            user.primary_email = email.and_then(OrEmpty::into_text);
        }
        if let Some(phone) = self.primary_phone {
            let written = phone.and_then(OrEmpty::into_value).map(String::from);
            user.primary_phone = written.as_deref().map(accounts::phone).transpose()?;
        }
        if let Some(name) = self.name {
            user.name = name.map(Into::into);
        }
        if let Some(avatar) = self.avatar {
            user.avatar = avatar.map(Into::into);
        }
        if let Some(data) = self.custom_data {
            user.custom_data.0 = Value::Object(data);
        }
        if let Some(profile) = self.profile {
            user.profile.0 = profile.into();
        }
        Ok(())
    }
}

/// Changes a user.
#[utoipa::path(
    patch, path = "/api/users/{userId}", tag = "Users", summary = "Change a user",
    params(("userId" = String, Path, description = "The user")),
    request_body = UpdateUser,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "User name, email address or phone number is in use, the number is impossible, or \
            nothing is to change", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_user(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<UpdateUser>,
) -> Result<Json<UserView>, ApiError> {
    let mut tx = management.begin().await?;
    let mut update = accounts::begin_update(&mut tx, &id).await?;
    if body.is_empty() {
        return Err(ApiError::new(ApiCode::EntityInvalidInput, "Invalid input. Value list must not be empty."));
    }
    privilege_guard::check_user(&management, update.work(), &id).await?;
    body.apply(&mut update.user)?;
    let view = update.save(AuditOperation::UserUpdate, json!({}), 200).await?;
    tx.commit().await?;
    Ok(Json(view))
}
