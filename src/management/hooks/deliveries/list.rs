//! `GET /api/hooks/{id}/deliveries` and `GET /api/hooks/{id}/deliveries/{deliveryId}`.

use super::view::{DeliveryDetails, DeliveryView, State};
use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use axum::Json;
use axum::response::Response;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{DeliveryId, HookId};
use claimsmith_domain::management::{HooksRead, HooksWrite};
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::deliveries::Filter;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Deserialize;

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
    get, path = "/api/hooks/{id}/deliveries", tag = "Hooks", summary = "List deliveries of a hook",
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
    super::hook_exists(&mut tx, &id).await?;
    let wanted = Filter {
        hook_id: id,
        states: query.state.iter().map(|state| state.name().to_owned()).collect(),
        kinds: query.event.iter().map(|event| event.as_str().to_owned()).collect(),
        from: query.start_time,
        to: query.end_time,
    };
    let total = hooks::deliveries::count(&mut tx, &wanted, Page::COUNT_LIMIT).await?;
    let found = hooks::deliveries::list(&mut tx, &wanted, page.slice()).await?;
    page.answer_capped(total, found.into_iter().map(DeliveryView::from).collect())
}

/// Shows a delivery: what is sent, and what came of every attempt.
#[utoipa::path(
    get, path = "/api/hooks/{id}/deliveries/{deliveryId}", tag = "Hooks", summary = "Show a delivery",
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
    Ok(Json(DeliveryDetails::new(delivery, attempts, management.holds::<HooksWrite>())?))
}
