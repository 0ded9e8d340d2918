//! `POST /api/hooks/{id}/deliveries/replay` and `POST /api/hooks/{id}/deliveries/{deliveryId}/replay`.

use super::view::State;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{DeliveryId, HookId};
use claimsmith_domain::management::HooksWrite;
use claimsmith_json::present;
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::deliveries::Filter;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::check_window;
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Maximum deliveries per call.
const MAX_DELIVERIES: usize = 10_000;
/// Maximum deliveries per transaction.
const DELIVERIES_PER_TRANSACTION: i64 = 1_000;

/// Which deliveries are to be sent once more.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "states": ["dead"], "events": ["User.Created"], "startTime": 1_760_000_000_000_i64 }))]
pub(super) struct ReplayDeliveries {
    /// In these states; those that were given up when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<State>, required = false)]
    states: Option<Vec<State>>,
    /// Of these events; of any when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<EventType>, required = false)]
    events: Option<Vec<EventType>>,
    /// Of events from this time on, Unix milliseconds.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i64, required = false)]
    start_time: Option<i64>,
    /// Of events until this time, Unix milliseconds.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i64, required = false)]
    end_time: Option<i64>,
}

/// What is sent once more.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "replayed": 42, "more": false }))]
pub(super) struct Replayed {
    /// How many deliveries.
    replayed: usize,
    /// Whether there may be more; the same call replays those.
    more: bool,
}

/// Sends deliveries once more, under their old ids, oldest first and at most 10,000 a call. Transforms run anew.
#[utoipa::path(
    post, path = "/api/hooks/{id}/deliveries/replay", tag = "Hooks", summary = "Replay deliveries of a hook",
    params(("id" = String, Path, description = "The hook")),
    request_body = ReplayDeliveries,
    responses(
        (status = 200, description = "How many are sent once more", body = Replayed),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn replay_deliveries(
    management: Management<HooksWrite>,
    Id(id): Id<HookId>,
    JsonBody(body): JsonBody<ReplayDeliveries>,
) -> Result<Json<Replayed>, ApiError> {
    check_window(body.start_time, body.end_time)?;
    super::hook_exists(&mut management.read().await?, &id).await?;
    let states = body.states.unwrap_or_else(|| vec![State::Dead]);
    let states = if states.is_empty() { State::ALL.to_vec() } else { states };
    let wanted = Filter {
        hook_id: id.clone(),
        states: states.into_iter().map(|state| state.name().to_owned()).collect(),
        kinds: body.events.into_iter().flatten().map(|event| event.as_str().to_owned()).collect(),
        from: body.start_time,
        to: body.end_time,
    };
    let (mut replayed, mut last, mut more) = (0, 0, true);
    while more && replayed < MAX_DELIVERIES {
        let mut tx = management.begin().await?;
        let batch =
            hooks::deliveries::replay(&mut tx, &wanted, last, management.now(), DELIVERIES_PER_TRANSACTION).await?;
        if !batch.is_empty() {
            let details = json!({ "hookId": id, "deliveries": batch.len() });
            tx.audit(AuditKey::ManagementHookReplay, details).await?;
        }
        tx.commit().await?;
        replayed += batch.len();
        // Deliveries that succeed before the next of these transactions begins are not replayed again.
        last = batch.iter().copied().max().unwrap_or(last);
        more = i64::try_from(batch.len()).is_ok_and(|count| count == DELIVERIES_PER_TRANSACTION);
    }
    Ok(Json(Replayed { replayed, more }))
}

/// Sends a delivery once more, under its old id, or attempts it now where it waits for a later attempt.
#[utoipa::path(
    post, path = "/api/hooks/{id}/deliveries/{deliveryId}/replay", tag = "Hooks", summary = "Replay a delivery",
    params(
        ("id" = String, Path, description = "The hook"),
        ("deliveryId" = String, Path, description = "The delivery: its `webhook-id`"),
    ),
    responses(
        (status = 204, description = "It is sent once more"),
        AccessRefused,
        (status = 404, description = "No such delivery", body = ApiErrorBody),
        (status = 409, description = "It is being attempted", body = ApiErrorBody),
    ),
)]
pub(super) async fn replay_delivery(
    management: Management<HooksWrite>,
    IdPair(id, delivery_id): IdPair<HookId, DeliveryId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let delivery = hooks::deliveries::find(&mut tx, &id, &delivery_id).await?;
    delivery.ok_or_else(|| ApiError::not_found("delivery", &delivery_id))?;
    if !hooks::deliveries::replay_one(&mut tx, &delivery_id, management.now()).await? {
        let message = "The delivery is being attempted right now: wait for its result.";
        return Err(ApiError::new(ApiCode::HookDeliveryInProgress, message));
    }
    let details = json!({ "hookId": id, "deliveryId": delivery_id });
    tx.audit(AuditKey::ManagementHookReplay, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
