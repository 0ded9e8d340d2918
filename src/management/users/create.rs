//! `POST /api/users`.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::{AvatarUrl, Email, PasswordAlgorithm, Phone, Username};
use claimsmith_domain::management::UsersWrite;
use claimsmith_domain::profile::Profile;
use claimsmith_identity::accounts::{self, NewPassword, NewUser, PasswordDigest, UserView};
use claimsmith_json::present;
use claimsmith_services::passwords::HashTicket;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A new user; everything is optional. A password comes as it is, or as a digest that was made elsewhere.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "username": "ada", "primaryEmail": "ada@example.com", "password": "correct horse battery staple",
    "name": "Ada Lovelace", "customData": { "plan": "gold" },
    "profile": { "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" }
}))]
pub(super) struct CreateUser {
    /// Unique.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 128, pattern = r"^[A-Za-z_]\w*$")]
    username: Option<Username>,
    /// Unique.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    primary_email: Option<Email>,
    /// An international number, unique however it is written; kept as its digits.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 32, pattern = r"^\+?[\d\-( )]+$")]
    primary_phone: Option<Phone>,
    /// Stored as its Argon2id digest.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256, write_only)]
    password: Option<Text<1, 256>>,
    /// Instead of a password: its digest, in the encoding of `passwordAlgorithm`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256, write_only)]
    password_digest: Option<Text<1, 256>>,
    /// How `passwordDigest` was made.
    #[serde(default, deserialize_with = "present")]
    #[schema(required = false)]
    password_algorithm: Option<PasswordAlgorithm>,
    /// Display name.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 128)]
    name: Option<Text<0, 128>>,
    /// An http or https URL, an empty text, or null.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 2048)]
    avatar: Option<AvatarUrl>,
    /// The integrator's own data.
    #[serde(default)]
    #[schema(value_type = Object)]
    custom_data: Map<String, Value>,
    /// Standard claims: `familyName`, `givenName`, `middleName`, `nickname`, `preferredUsername`, `profile`,
    /// `website`, `gender`, `birthdate`, `zoneinfo`, `locale`, and an `address` of `formatted`, `streetAddress`,
    /// `locality`, `region`, `postalCode`, `country`.
    #[serde(default)]
    #[schema(value_type = Object)]
    profile: Profile,
}

/// Creates a user, who gets every role that is marked as a default. No email domain lets them in: nobody has verified
/// the address.
#[utoipa::path(
    post, path = "/api/users", tag = "Users", summary = "Create a user",
    request_body = CreateUser,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 422, body = ApiErrorBody,
            description = "User name, email address or phone number is in use, the number is impossible, or the digest asks for too much work"),
    ),
)]
pub(super) async fn create_user(
    management: Management<UsersWrite>,
    JsonBody(body): JsonBody<CreateUser>,
) -> Result<Json<UserView>, ApiError> {
    let new = new_user(&management, body, Plain::Digested).await?;
    let mut tx = management.begin().await?;
    let view = accounts::create(&mut tx, new).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// How a plaintext password is handled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// It is hashed.
    Digested,
    /// It is dropped: no user is created.
    LeftOut,
}

/// The user of a request body.
pub(super) async fn new_user(management: &Caller, body: CreateUser, plain: Plain) -> Result<NewUser, ApiError> {
    let password = match (body.password, body.password_digest, body.password_algorithm) {
        (Some(_), Some(_), _) => {
            let message = "Give either a password or a password digest.";
            return Err(ApiError::new(ApiCode::UserPasswordAndDigest, message));
        }
        (None, Some(_), None) => {
            let message = "A password digest needs the algorithm that made it.";
            return Err(ApiError::new(ApiCode::UserPasswordAlgorithmRequired, message));
        }
        (Some(password), None, _) => Some(NewPassword::Plain(password.into())),
        (None, Some(digest), Some(algorithm)) => {
            Some(NewPassword::Digest(PasswordDigest { digest: digest.into(), algorithm }))
        }
        (None, None, _) => None,
    };
    let is_left_out = |password: &NewPassword| plain == Plain::LeftOut && matches!(password, NewPassword::Plain(_));
    let password = password.filter(|password| !is_left_out(password));
    // Before the transaction, since hashing takes time.
    let ticket = HashTicket::of_management(management.client());
    let password = match password {
        Some(password) => Some(accounts::digest(&management.app.passwords, &ticket, password).await?),
        None => None,
    };
    Ok(NewUser {
        username: body.username.map(Into::into),
        primary_email: body.primary_email.map(Into::into),
        primary_phone: body.primary_phone.map(Into::into),
        password,
        name: body.name.map(Into::into),
        avatar: body.avatar.map(Into::into),
        custom_data: body.custom_data,
        profile: body.profile.into(),
        application_id: None,
        is_suspended: false,
        identities: Vec::new(),
    })
}
