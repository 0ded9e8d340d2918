//! Trying hooks: the event catalogue, `GET /api/hooks/events`, and `POST /api/hooks/{id}/test`, which sends a sample
//! payload of each event, at once and without retries.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::hooks::{HookEvent, TestHook};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::{HooksRead, HooksWrite};
use claimsmith_services::webhooks::delivery::{PreparedDelivery, Receiver, WebhookResponse};
use claimsmith_services::webhooks::{sample, signing_key};
use claimsmith_storage::hooks;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use futures_util::future::join_all;
use serde_json::json;
use std::collections::BTreeSet;

/// Sends made-up payloads, signed with the hook's key, to the address of the request.
#[utoipa::path(
    post, path = "/api/hooks/{id}/test", tag = "Hooks",
    params(("id" = String, Path, description = "The hook")),
    request_body = TestHook,
    responses(
        (status = 204, description = "The receiver took every one"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
        (status = 422, description = "The receiver answered with an error, or could not be reached", body = ApiErrorBody),
    ),
)]
pub(super) async fn test_hook(
    management: Management<HooksWrite>,
    Id(id): Id<HookId>,
    JsonBody(body): JsonBody<TestHook>,
) -> Result<StatusCode, ApiError> {
    let events: BTreeSet<EventType> = body.events.into_iter().collect();
    if events.is_empty() {
        return Err(super::missing_events());
    }
    super::check(&body.config)?;
    let hook = hooks::find(&mut management.read().await?, &id).await?;
    let hook = hook.ok_or_else(|| ApiError::not_found("hook", &id))?;
    let now = management.now();
    let keys = signing_key::valid(&management.app.cipher, &hook, now)?;
    let receiver = Receiver { config: body.config, keys, timeout: management.app.config.webhooks.timeout };

    let mut payloads = Vec::with_capacity(events.len());
    for event in events {
        let prepared = PreparedDelivery::untransformed(sample::trial(event, now)?, &hook.id);
        payloads.push((format!("msg_{}", management.app.random.id(21)?), prepared));
    }
    let ways = (&*management.app.delivery.egress, &management.app.delivery.receivers);
    let replies = join_all(payloads.iter().map(|(id, prepared)| receiver.tell(ways, id, prepared, now))).await;

    let mut tx = management.begin().await?;
    tx.audit(AuditKey::ManagementHookTest, json!({ "hookId": id })).await?;
    tx.commit().await?;
    match replies.into_iter().find(|reply| !reply.is_success()) {
        Some(reply) => Err(refused(reply)),
        None => Ok(StatusCode::NO_CONTENT),
    }
}

fn refused(reply: WebhookResponse) -> ApiError {
    let Some(answered) = reply.status else {
        let message = format!("The test could not be sent to the receiver: {}.", reply.error.unwrap_or_default());
        return ApiError::new(ApiCode::HookSendTestPayloadFailed, message);
    };
    let data = json!({ "responseStatus": answered, "responseBody": reply.body.unwrap_or_default() });
    let message = format!("The receiver answered with status {answered}.");
    ApiError::new(ApiCode::HookEndpointRespondedWithError, message).with_data(data)
}

/// Lists every event, with an example of what receivers read.
#[utoipa::path(
    get, path = "/api/hooks/events", tag = "Hooks",
    responses((status = 200, description = "The events", body = Vec<HookEvent>), AccessRefused),
)]
pub(super) async fn list_hook_events(_: Management<HooksRead>) -> Result<Json<Vec<HookEvent>>, ApiError> {
    let shown = |event: &EventType| {
        let family = event.family().filter(|_| !event.is_beside_its_family()).map(|family| format!("{family}.*"));
        Ok(HookEvent { event: *event, family, example: sample::example(*event)? })
    };
    EventType::ALL.iter().map(shown).collect::<Result<_, ApiError>>().map(Json)
}
