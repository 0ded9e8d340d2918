//! `/api/users/{userId}/password`, `…/password/expiration`, `…/password/verify` and `…/has-password`.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::users::UserView;
use claimsmith_api::users::sign_in::{HasPassword, Password, PasswordExpired};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{Recent, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, NewPassword};
use claimsmith_identity::interaction::administrators::administers;
use claimsmith_services::passwords::HashTicket;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Gives a user a new password.
#[utoipa::path(
    patch, path = "/api/users/{userId}/password", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = Password,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn set_password(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<Password>,
) -> Result<Json<UserView>, ApiError> {
    // Checked before hashing, which is expensive, and again in the transaction.
    super::find(&mut management.read().await?, &id).await?;
    privilege_guard::check_user(&management, &mut management.read().await?, &id).await?;
    let (given, ticket) = (NewPassword::Plain(body.password.into()), HashTicket::of_management(management.client()));
    let digest = accounts::digest(&management.app.passwords, &ticket, given).await?;
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    let view = accounts::set_password(&mut tx, &id, digest).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Expires the password of a user, who resets it before the next sign-in with it, or withdraws that.
///
/// Passwords must expire (`passwordExpiration` of the settings of sign-in). Those of administrators do not.
#[utoipa::path(
    patch, path = "/api/users/{userId}/password/expiration", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = PasswordExpired,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn set_password_expiration(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<PasswordExpired>,
) -> Result<Json<UserView>, ApiError> {
    let mut tx = management.begin().await?;
    let user = super::find(&mut tx, &id).await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    let not_enabled = |message: &str| ApiError::new(ApiCode::SignInExperiencesPasswordExpirationNotEnabled, message);
    if !EXPERIENCE.find(&mut tx).await?.password_expiration.is_on() {
        return Err(not_enabled("Passwords do not expire: enable passwordExpiration in the settings of sign-in."));
    }
    if administers(&management.app, &mut tx, &id).await? {
        return Err(not_enabled("Passwords of administrators do not expire."));
    }
    if user.password_digest.is_none() {
        return Err(ApiError::new(ApiCode::RequestInvalidInput, "The user has no password."));
    }
    let view = accounts::set_password_expired(&mut tx, &id, body.is_expired).await?;
    let details = json!({ "userId": id, "isExpired": body.is_expired });
    tx.audit(AuditKey::ManagementUserExpirePassword, details).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Says whether this is the password of a user.
///
/// A digest of an older kind is replaced when it is.
#[utoipa::path(
    post, path = "/api/users/{userId}/password/verify", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = Password,
    responses(
        (status = 204, description = "It is"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "It is not", body = ApiErrorBody),
    ),
)]
pub(super) async fn verify_password(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<Password>,
) -> Result<StatusCode, ApiError> {
    let user = super::find(&mut management.read().await?, &id).await?;
    let (app, ticket) = (&management.app, HashTicket::of_attempt(management.client()));
    accounts::verify_password(&app.db, &app.passwords, &ticket, Some(&user), body.password.as_str()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Says whether a user has a password.
#[utoipa::path(
    get, path = "/api/users/{userId}/has-password", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "Whether they have", body = HasPassword),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn has_password(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<HasPassword>, ApiError> {
    let user = super::find(&mut management.read().await?, &id).await?;
    Ok(Json(HasPassword { has_password: user.password_digest.is_some() }))
}
