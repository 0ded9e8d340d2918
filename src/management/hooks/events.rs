//! `GET /api/hooks/events`: the event catalogue.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::event::EventType;
use claimsmith_domain::management::HooksRead;
use claimsmith_services::webhooks::sample;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use serde_json::Value;

/// An event that hooks can be told of.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "event": "Role.Deleted", "family": "Role.*",
    "example": {
        "event": "Role.Deleted", "createdAt": "2026-11-21T10:36:46.123Z", "userAgent": "node",
        "path": "/roles/p4x8k2m6t0a9", "method": "DELETE", "status": 204, "params": { "id": "p4x8k2m6t0a9" },
        "matchedRoute": "/roles/:id", "hookId": "y5u0i3o8p1l6k9j4h7g2f"
    }
}))]
pub(super) struct HookEvent {
    event: EventType,
    /// The family that names it and its like; null for events of a sign-in.
    family: Option<String>,
    /// The body of a delivery.
    #[schema(value_type = Object)]
    example: Value,
}

/// Lists every event, with an example of what receivers read.
#[utoipa::path(
    get, path = "/api/hooks/events", tag = "Hooks", summary = "List the events that hooks can be told of",
    responses((status = 200, description = "The events", body = Vec<HookEvent>), AccessRefused),
)]
pub(super) async fn list_hook_events(_: Management<HooksRead>) -> Result<Json<Vec<HookEvent>>, ApiError> {
    let shown = |event: &EventType| {
        let family = event.family().map(|family| format!("{family}.*"));
        Ok(HookEvent { event: *event, family, example: sample::example(*event)? })
    };
    EventType::ALL.iter().map(shown).collect::<Result<_, ApiError>>().map(Json)
}
