//! `DELETE /api/users/{userId}`.

use crate::domain::event::EventType;
use crate::domain::management::UsersWrite;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Management;
use crate::http::management::refusals::Refused;
use crate::http::management::views::UserFields;
use crate::storage::users;
use crate::webhooks::Event;
use axum::http::StatusCode;
use serde_json::json;

/// Deletes a user with all that hangs on them. Their tokens are refused from now on.
#[utoipa::path(
    delete, path = "/api/users/{userId}", tag = "Users", summary = "Delete a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The user is the caller", body = ApiErrorBody),
        Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_user(management: Management<UsersWrite>, Id(id): Id) -> Result<StatusCode, ApiError> {
    if id == management.caller_id {
        let message = "You cannot delete yourself.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "user.cannot_delete_self", message));
    }
    let mut tx = management.begin().await?;
    let user = users::find(&mut tx, &id).await?.ok_or_else(|| ApiError::unknown_user(&id))?;
    users::delete(&mut tx, &id).await?;
    management.audit(&mut tx, "Management.User.Delete", json!({ "userId": id })).await?;
    let event = Event::new(EventType::UserDeleted, StatusCode::NO_CONTENT).data(&UserFields::from(user))?;
    management.emit(&mut tx, &event).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
