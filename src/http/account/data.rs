//! `GET` and `PATCH /api/my-account`.

use axum::Json;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::AvatarUrl;
use claimsmith_identity::own_account::profile::{self, ProfileChange};
use claimsmith_identity::own_account::proof::has_method;
use claimsmith_json::present;
use claimsmith_services::tokens::context::sso_identity;
use claimsmith_storage::Document as _;
use claimsmith_storage::users::{User, sso_identities};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::{OwnAccount, OwnChange};
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The members to change; omitted ones stay unchanged. Null and the empty string remove a value.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a value are three things")]
pub(super) struct ChangeAccount {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 128)]
    name: Option<Option<Text<0, 128>>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    avatar: Option<Option<AvatarUrl>>,
    /// The username policy validates it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    username: Option<Option<Text<0, 256>>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    custom_data: Option<Map<String, Value>>,
}

/// Shows the account.
pub(super) async fn show(account: OwnAccount) -> Result<Json<Value>, ApiError> {
    let user = account.owner.user(&mut account.owner.read().await?).await?;
    Ok(Json(view(&account, user).await?))
}

/// Changes the account.
pub(super) async fn change(
    account: OwnChange,
    JsonBody(body): JsonBody<ChangeAccount>,
) -> Result<Json<Value>, ApiError> {
    account.demand("profile")?;
    if body.custom_data.is_some() {
        account.demand("custom_data")?;
    }
    let text = |value: String| Some(value).filter(|value| !value.is_empty());
    let change = ProfileChange {
        name: body.name.map(|name| name.map(String::from).and_then(text)),
        avatar: body.avatar.map(|avatar| avatar.map(String::from).and_then(text)),
        username: body.username.map(|username| username.map(String::from).and_then(text)),
        custom_data: body.custom_data,
    };
    let user = profile::change(&account.owner, change).await?;
    Ok(Json(view(&account, user).await?))
}

/// The members that the token's scopes and the settings show.
async fn view(account: &OwnAccount, user: User) -> Result<Value, ApiError> {
    let companies = if account.shows("identities", Field::Social) {
        sso_identities::of_user(&mut account.owner.read().await?, &user.id).await?
    } else {
        Vec::new()
    };
    let has_method = has_method(&user);
    let readable = |stored: Value| if stored.is_unreadable() { json!({}) } else { stored };
    let mut shown = Map::new();
    let mut put = |is_shown: bool, name: &str, value: Value| {
        if is_shown {
            shown.insert(name.to_owned(), value);
        }
    };
    put(true, "id", json!(user.id));
    for (field, name, value) in [
        (Field::Username, "username", json!(user.username)),
        (Field::Name, "name", json!(user.name)),
        (Field::Avatar, "avatar", json!(user.avatar)),
    ] {
        put(account.shows("profile", field), name, value);
    }
    put(account.shows("email", Field::Email), "primaryEmail", json!(user.primary_email));
    put(account.shows("phone", Field::Phone), "primaryPhone", json!(user.primary_phone));
    let mut profile = readable(user.profile.0).as_object().cloned().unwrap_or_default();
    let address = profile.remove("address");
    if !account.has("profile") {
        profile = Map::new();
    }
    profile.extend(address.filter(|_| account.has("address")).map(|address| ("address".to_owned(), address)));
    let shows_profile = account.has("profile") || account.has("address");
    put(shows_profile && account.settings.fields.shows(Field::Profile), "profile", Value::Object(profile));
    put(account.shows("custom_data", Field::CustomData), "customData", readable(user.custom_data.0));
    put(account.shows("identities", Field::Social), "identities", readable(user.identities.0));
    put(account.shows("identities", Field::Social), "ssoIdentities", companies.iter().map(sso_identity).collect());
    for (name, value) in [
        ("lastSignInAt", json!(user.last_sign_in_at)),
        ("createdAt", json!(user.created_at)),
        ("updatedAt", json!(user.updated_at)),
        ("applicationId", json!(user.application_id)),
        ("isSuspended", json!(user.is_suspended)),
    ] {
        put(account.has("profile"), name, value);
    }
    put(account.settings.fields.shows(Field::Password), "hasPassword", json!(user.password_digest.is_some()));
    put(true, "hasSecurityVerificationMethod", json!(has_method));
    Ok(Value::Object(shown))
}
