//! `/api/plugins/{name}/breaker/close`: closes the circuit breaker of a plugin by hand.

use super::change::{ChangeScope, check_connectors};
use super::view::{self, ShownPlugin, tagged};
use crate::refusals::{AccessRefused, NotThere};
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{PluginsWrite, Recent};
use claimsmith_services::deployments;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;

/// Closes the circuit breaker of a plugin, for all whom it is open for.
///
/// The plugin is called again: on this node when the answer comes, on all others within moments. If it still fails, the
/// breaker opens again. Without an open breaker, nothing changes.
#[utoipa::path(
    post, path = "/api/plugins/{name}/breaker/close", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(ShownPlugin, AccessRefused, NotThere),
)]
pub(super) async fn close_breaker(
    management: Management<Recent<PluginsWrite>>,
    Id(name): Id,
) -> Result<Response, ApiError> {
    if view::find(&management, &name).await?.is_none() {
        return Err(ApiError::nothing_to_change("plugin", &name));
    }
    let mut tx = management.begin().await?;
    check_connectors(&management, &mut tx, &name, ChangeScope::Serving).await?;
    let closed = deployments::close_all(&mut tx, &name).await?;
    if closed > 0 {
        tx.audit(AuditKey::ManagementPluginCloseBreaker, json!({ "plugin": name, "closed": closed })).await?;
    }
    tx.commit().await?;
    follow_breakers(&management).await;
    let found = view::find(&management, &name).await?;
    let (plugin, tag) = found.ok_or_else(|| ApiError::not_found("plugin", &name))?;
    Ok(tagged(StatusCode::OK, &tag, plugin))
}

/// Reads on this node that breakers were closed.
pub(super) async fn follow_breakers(management: &Caller) {
    if let Err(error) = management.app.breakers.look().await {
        tracing::warn!(%error, "a circuit breaker was closed, but this node could not read it yet; it will try again");
    }
}
