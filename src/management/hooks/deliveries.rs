//! `/api/hooks/{id}/deliveries`: the deliveries of a hook, done, pending and failed, and their replay.

use crate::describe::routes;
use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::hooks::{AttemptView, DeliveryDetails, DeliveryView, ReplayDeliveries, Replayed, State};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{DeliveryId, HookId};
use claimsmith_domain::management::{HooksRead, HooksWrite};
use claimsmith_services::app::App;
use claimsmith_services::webhooks::delivery::PreparedDelivery;
use claimsmith_storage::hooks::attempts::Attempt;
use claimsmith_storage::hooks::deliveries::{Delivery, Filter};
use claimsmith_storage::{Tx, hooks};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Deserialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_deliveries))
        .routes(routes!(self::show_delivery))
        .routes(routes!(self::replay_deliveries))
        .routes(routes!(self::replay_delivery))
}

async fn hook_exists(tx: &mut Tx, id: &HookId) -> Result<(), ApiError> {
    hooks::find(tx, id).await?.map(drop).ok_or_else(|| ApiError::not_found("hook", id))
}

/// Which deliveries are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DeliveriesQuery {
    /// In this state; `dead` for those that were given up.
    state: Option<State>,
    /// Of this event.
    event: Option<EventType>,
    /// Of events from this time on, Unix milliseconds.
    start_time: Option<i64>,
    /// Of events until this time, Unix milliseconds.
    end_time: Option<i64>,
}

/// Lists deliveries of a hook, newest first; more than 10,000 are not counted.
#[utoipa::path(
    get, path = "/api/hooks/{id}/deliveries", tag = "Hooks",
    params(("id" = String, Path, description = "The hook"), DeliveriesQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<DeliveryView>),
        (status = 400, description = "No such page, or the query is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_deliveries(
    management: Management<HooksRead>,
    Id(id): Id<HookId>,
    Filters(query): Filters<DeliveriesQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    check_window(query.start_time, query.end_time)?;
    let mut tx = management.read().await?;
    hook_exists(&mut tx, &id).await?;
    let wanted = Filter {
        hook_id: id,
        states: query.state.iter().map(|state| state.name().to_owned()).collect(),
        kinds: query.event.iter().map(|event| event.as_str().to_owned()).collect(),
        from: query.start_time,
        to: query.end_time,
    };
    let total = hooks::deliveries::count(&mut tx, &wanted, Page::COUNT_LIMIT).await?;
    let found = hooks::deliveries::list(&mut tx, &wanted, page.slice()).await?;
    page.answer_capped(total, found.into_iter().map(Delivery::into_view).collect())
}

/// Shows a delivery: what is sent, and what came of every attempt.
#[utoipa::path(
    get, path = "/api/hooks/{id}/deliveries/{deliveryId}", tag = "Hooks",
    params(
        ("id" = String, Path, description = "The hook"),
        ("deliveryId" = String, Path, description = "The delivery: its `webhook-id`"),
    ),
    responses(
        (status = 200, description = "The delivery", body = DeliveryDetails),
        AccessRefused,
        (status = 404, description = "No such delivery", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_delivery(
    management: Management<HooksRead>,
    IdPair(id, delivery_id): IdPair<HookId, DeliveryId>,
) -> Result<Json<DeliveryDetails>, ApiError> {
    let mut tx = management.read().await?;
    let delivery = hooks::deliveries::find(&mut tx, &id, &delivery_id).await?;
    let delivery = delivery.ok_or_else(|| ApiError::not_found("delivery", &delivery_id))?;
    let attempts = hooks::attempts::of_delivery(&mut tx, &delivery_id).await?;
    Ok(Json(details(delivery, attempts, management.holds::<HooksWrite>())?))
}

/// Maximum deliveries per call.
const MAX_DELIVERIES: usize = 10_000;
/// Maximum deliveries per transaction.
const DELIVERIES_PER_TRANSACTION: i64 = 1_000;

/// Sends deliveries once more, under their old ids, oldest first and at most 10,000 a call.
///
/// Transforms run anew.
#[utoipa::path(
    post, path = "/api/hooks/{id}/deliveries/replay", tag = "Hooks",
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
    check_window(body.start_time.0, body.end_time.0)?;
    hook_exists(&mut management.read().await?, &id).await?;
    let states = body.states.unwrap_or_else(|| vec![State::Dead]);
    let states = if states.is_empty() { State::ALL.to_vec() } else { states };
    let wanted = Filter {
        hook_id: id.clone(),
        states: states.into_iter().map(|state| state.name().to_owned()).collect(),
        kinds: body.events.into_iter().flatten().map(|event| event.as_str().to_owned()).collect(),
        from: body.start_time.0,
        to: body.end_time.0,
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
    post, path = "/api/hooks/{id}/deliveries/{deliveryId}/replay", tag = "Hooks",
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

impl IntoView<DeliveryView> for Delivery {
    fn into_view(self) -> DeliveryView {
        DeliveryView {
            id: self.id,
            hook_id: self.hook_id,
            event: self.kind,
            state: State::ALL.into_iter().find(|state| state.name() == self.state).unwrap_or(State::Pending),
            attempts: self.attempts,
            note: self.note,
            next_attempt_at: self.due_at.filter(|_| !self.leased),
            created_at: self.created_at,
            finished_at: self.finished_at,
        }
    }
}

/// `may_write`: whether the caller may change the hook, and therefore see the headers that transforms set.
fn details(
    mut delivery: Delivery,
    attempts: Vec<Attempt>,
    may_write: bool,
) -> Result<DeliveryDetails, serde_json::Error> {
    let payload = std::mem::take(&mut delivery.payload);
    let prepared = PreparedDelivery::stored(delivery.prepared.as_deref(), payload, &delivery.hook_id)?;
    let PreparedDelivery { body, mut headers, path, transforms } = prepared;
    if !may_write {
        for (_, value) in &mut headers {
            HIDDEN.clone_into(value);
        }
    }
    let log = attempts.into_iter().map(Attempt::into_view).collect();
    Ok(DeliveryDetails { delivery: delivery.into_view(), body: body.to_string(), headers, path, transforms, log })
}

impl IntoView<AttemptView> for Attempt {
    fn into_view(self) -> AttemptView {
        AttemptView {
            number: self.number,
            started_at: iso8601(self.started_at),
            duration_ms: self.duration_ms,
            status: self.status,
            response_body: self.response_body,
            error: self.error,
        }
    }
}
