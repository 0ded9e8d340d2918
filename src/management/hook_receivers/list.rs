//! `GET /api/hook-receivers`.

use super::HookReceiverView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::HooksRead;
use claimsmith_storage::hooks::receivers;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;

/// Lists the receivers that are there, newest first.
#[utoipa::path(
    get, path = "/api/hook-receivers", tag = "Hooks", summary = "List receivers to try hooks out",
    responses((status = 200, description = "The receivers", body = Vec<HookReceiverView>), AccessRefused),
)]
pub(super) async fn list_hook_receivers(
    management: Management<HooksRead>,
) -> Result<Json<Vec<HookReceiverView>>, ApiError> {
    let found = receivers::list(&mut management.read().await?, management.now()).await?;
    Ok(Json(found.into_iter().map(|receiver| HookReceiverView::of(&management, receiver)).collect()))
}
