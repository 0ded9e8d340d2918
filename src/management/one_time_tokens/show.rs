//! `GET /api/one-time-tokens/{id}`.

use super::view::OneTimeTokenView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::UsersRead;
use claimsmith_storage::verification::one_time_tokens;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows a one-time token, without what was shown once.
#[utoipa::path(
    get, path = "/api/one-time-tokens/{id}", tag = "One-time tokens", summary = "Show a one-time token",
    params(("id" = String, Path, description = "The token's id")),
    responses(
        (status = 200, description = "The token", body = OneTimeTokenView),
        AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_one_time_token(
    management: Management<UsersRead>,
    Id(id): Id<String>,
) -> Result<Json<OneTimeTokenView>, ApiError> {
    let found = one_time_tokens::find(&mut management.read().await?, &id).await?;
    let row = found.ok_or_else(|| ApiError::not_found("one-time token", &id))?;
    Ok(Json(OneTimeTokenView::new(row, None, management.now())))
}
