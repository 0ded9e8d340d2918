//! `PATCH /api/users/{userId}/is-suspended`.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::UsersWrite;
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, UserView};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;

/// Whether a user is to be suspended.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "isSuspended": true }))]
pub(super) struct SetSuspended {
    /// `true` suspends, `false` reactivates.
    is_suspended: bool,
}

/// Suspends or reactivates a user. The tokens of a suspended user are refused from now on.
#[utoipa::path(
    patch, path = "/api/users/{userId}/is-suspended", tag = "Users", summary = "Suspend or reactivate a user",
    params(("userId" = String, Path, description = "The user")),
    request_body = SetSuspended,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user is the last who administers the server", body = ApiErrorBody),
    ),
)]
pub(super) async fn set_user_suspended(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<SetSuspended>,
) -> Result<Json<UserView>, ApiError> {
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    if body.is_suspended {
        accounts::keep_administrator(&mut tx, &id).await?;
    }
    let view = accounts::set_suspended(&mut tx, &id, body.is_suspended).await?;
    tx.commit().await?;
    Ok(Json(view))
}
