//! `/console/webhooks`: webhooks, their deliveries, and test receivers.

mod create;
mod deliveries;
mod hook;
mod list;
mod model;
mod receivers;
mod transforms;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/webhooks", get(list::show_list))
        .route("/console/webhooks/new", get(create::ask).post(create::submit))
        .route("/console/webhooks/receivers", get(receivers::show_list).post(receivers::create))
        .route("/console/webhooks/receivers/{id}", get(receivers::show_requests).post(receivers::change))
        .route("/console/webhooks/receivers/{id}/delete", post(receivers::delete))
        .route("/console/webhooks/hooks/{id}", get(hook::show_hook).post(hook::save))
        .route("/console/webhooks/hooks/{id}/pause", post(hook::pause))
        .route("/console/webhooks/hooks/{id}/test", post(hook::test))
        .route("/console/webhooks/hooks/{id}/signing-key", post(hook::rotate))
        .route("/console/webhooks/hooks/{id}/transforms", post(transforms::bind))
        .route("/console/webhooks/hooks/{id}/delete", get(hook::ask_to_delete).post(hook::delete))
        .route("/console/webhooks/hooks/{id}/deliveries", get(deliveries::show_list))
        .route("/console/webhooks/hooks/{id}/deliveries/replay", post(deliveries::replay_failed))
        .route("/console/webhooks/hooks/{id}/deliveries/{delivery_id}", get(deliveries::show_delivery))
        .route("/console/webhooks/hooks/{id}/deliveries/{delivery_id}/replay", post(deliveries::replay))
}
