//! `DELETE /api/users/{userId}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::UsersWrite;
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Deletes a user with all that hangs on them. Their tokens are refused from now on.
#[utoipa::path(
    delete, path = "/api/users/{userId}", tag = "Users", summary = "Delete a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The user is the caller", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user is the last who administers the server", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_user(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
) -> Result<StatusCode, ApiError> {
    if id == *management.id() {
        let message = "You cannot delete yourself.";
        return Err(ApiError::new(ApiCode::UserCannotDeleteSelf, message));
    }
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    accounts::keep_administrator(&mut tx, &id).await?;
    accounts::delete(&mut tx, &id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
