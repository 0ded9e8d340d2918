//! `/api/users/{userId}/password`, `…/password/verify` and `…/has-password`.

use crate::domain::event::EventType;
use crate::domain::management::{UsersRead, UsersWrite};
use crate::domain::text::Text;
use crate::domain::user::PasswordAlgorithm;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::json::JsonBody;
use crate::http::extract::management::{Caller, Management};
use crate::http::management::refusals::{BodyRefused, Refused};
use crate::http::management::views::UserView;
use crate::passwords::{PasswordError, Verified};
use crate::storage::users::{self, User};
use crate::webhooks::Event;
use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A password.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "password": "correct horse battery staple" }))]
pub(super) struct Password {
    #[schema(value_type = String, min_length = 1, max_length = 256, write_only)]
    password: Text<1, 256>,
}

/// Whether a user has a password.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "hasPassword": true }))]
pub(super) struct HasPassword {
    has_password: bool,
}

/// Gives a user a new password.
#[utoipa::path(
    patch, path = "/api/users/{userId}/password", tag = "Users", summary = "Set the password of a user",
    params(("userId" = String, Path, description = "The user")),
    request_body = Password,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn set_password(
    management: Management<UsersWrite>,
    Id(id): Id,
    JsonBody(body): JsonBody<Password>,
) -> Result<Json<UserView>, ApiError> {
    // Before the digest, which is expensive.
    find(&management, &id).await?;
    let digest = management.app.passwords.digest(body.password.into(), management.client());
    let digest = digest.await.map_err(failure)?;

    let mut tx = management.begin().await?;
    let mut user = users::find_to_change(&mut tx, &id).await?.ok_or_else(|| ApiError::unknown_user(&id))?;
    user.password_digest = Some(digest);
    user.password_algorithm = Some(PasswordAlgorithm::Argon2id.as_str().to_owned());
    user.updated_at = management.now();
    users::update(&mut tx, &user).await?;
    management.audit(&mut tx, "Management.User.SetPassword", json!({ "userId": id })).await?;
    let view = UserView::from(user);
    management.emit(&mut tx, &Event::new(EventType::UserDataUpdated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Says whether this is the password of a user. A digest of an older kind is replaced when it is.
#[utoipa::path(
    post, path = "/api/users/{userId}/password/verify", tag = "Users", summary = "Verify the password of a user",
    params(("userId" = String, Path, description = "The user")),
    request_body = Password,
    responses(
        (status = 204, description = "It is"),
        BodyRefused, Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "It is not", body = ApiErrorBody),
    ),
)]
pub(super) async fn verify_password(
    management: Management<UsersWrite>,
    Id(id): Id,
    JsonBody(body): JsonBody<Password>,
) -> Result<StatusCode, ApiError> {
    let user = find(&management, &id).await?;
    let wrong = || ApiError::unprocessable("session.invalid_credentials", "The password is not the user's.");
    let algorithm = user.password_algorithm.as_deref().and_then(PasswordAlgorithm::parse);
    let (Some(digest), Some(algorithm)) = (user.password_digest, algorithm) else { return Err(wrong()) };
    let client = management.client();
    let verified = management.app.passwords.verify(body.password.as_str(), &digest, algorithm, client);
    match verified.await.map_err(failure)? {
        Verified::No => return Err(wrong()),
        Verified::Never(excess) => {
            tracing::warn!(user = id, %excess, "the digest of a password asks for too much work: it is not verified");
            let message = format!("The password cannot be verified, set a new one. Of its digest: {excess}.");
            return Err(ApiError::unprocessable("session.invalid_credentials", message));
        }
        Verified::Yes => {}
        Verified::Outdated => {
            let renewed = match management.app.passwords.digest(body.password.into(), client).await {
                // It is verified; another time will do.
                Err(PasswordError::Busy) => return Ok(StatusCode::NO_CONTENT),
                renewed => renewed?,
            };
            let mut tx = management.begin().await?;
            users::renew_digest(&mut tx, &id, &digest, &renewed).await?;
            tx.commit().await?;
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Says whether a user has a password.
#[utoipa::path(
    get, path = "/api/users/{userId}/has-password", tag = "Users", summary = "Say whether a user has a password",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "Whether they have", body = HasPassword),
        Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn has_password(management: Management<UsersRead>, Id(id): Id) -> Result<Json<HasPassword>, ApiError> {
    let user = find(&management, &id).await?;
    Ok(Json(HasPassword { has_password: user.password_digest.is_some() }))
}

/// Why there is no digest of a password.
pub(super) fn failure(error: PasswordError) -> ApiError {
    match error {
        PasswordError::Busy => {
            ApiError::unavailable("user.password_busy", "Too many passwords wait to be digested; try again.", 1)
        }
        other => other.into(),
    }
}

async fn find(management: &Caller, id: &str) -> Result<User, ApiError> {
    users::find(&mut management.read().await?, id).await?.ok_or_else(|| ApiError::unknown_user(id))
}
