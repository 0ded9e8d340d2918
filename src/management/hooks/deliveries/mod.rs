//! `/api/hooks/{id}/deliveries`: the deliveries of a hook: done, pending and failed.

mod list;
mod replay;
mod view;

use crate::describe::routes;
use claimsmith_domain::id::HookId;
use claimsmith_services::app::App;
use claimsmith_storage::{Tx, hooks};
use claimsmith_web::error::ApiError;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_deliveries))
        .routes(routes!(list::show_delivery))
        .routes(routes!(replay::replay_deliveries))
        .routes(routes!(replay::replay_delivery))
}

async fn hook_exists(tx: &mut Tx, id: &HookId) -> Result<(), ApiError> {
    hooks::find(tx, id).await?.map(drop).ok_or_else(|| ApiError::not_found("hook", id))
}
