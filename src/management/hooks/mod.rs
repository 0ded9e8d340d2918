//! `/api/hooks`: a file per operation or two; `deliveries` has the deliveries of a hook.

mod change;
mod create;
mod delete;
mod deliveries;
mod events;
mod list;
mod recent_logs;
mod settings;
mod trial;
mod view;

use crate::describe::routes;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::id::HookId;
use view::HookView;

use claimsmith_domain::documents::hook::HookConfig;
use claimsmith_services::app::App;
use claimsmith_services::webhooks::signing_key::HookSigningKey;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use utoipa_axum::router::OpenApiRouter;

pub use recent_logs::delivery_log;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_hook, list::list_hooks))
        .routes(routes!(events::list_hook_events))
        .routes(routes!(list::show_hook, change::update_hook, delete::delete_hook))
        .routes(routes!(change::rotate_signing_key))
        .routes(routes!(trial::test_hook))
        .routes(routes!(recent_logs::list_recent_logs))
        .merge(deliveries::router())
}

/// A new signing key for the hook with this id, encrypted.
fn new_signing_key(management: &Caller, id: &HookId) -> Result<String, ApiError> {
    Ok(HookSigningKey::generate()?.encrypt(&management.app.cipher, id)?)
}

fn missing_events() -> ApiError {
    ApiError::new(ApiCode::HookMissingEvents, "Name at least one event.")
}

/// Refuses headers that a request cannot have.
fn check(config: &HookConfig) -> Result<(), ApiError> {
    config.fault().map_or(Ok(()), |fault| Err(ApiError::invalid_input("body", fault)))
}
