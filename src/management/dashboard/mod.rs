//! `/api/dashboard`: numbers of total, new and active users, activity over time, and the health of the server. Days are
//! in UTC.

mod active;
mod activity;
mod health;
mod users;

use crate::describe::routes;
use claimsmith_services::app::App;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(users::count_users))
        .routes(routes!(users::count_new_users))
        .routes(routes!(active::count_active_users))
        .routes(routes!(activity::show_activity))
        .routes(routes!(health::show_health))
}

/// A count, compared with the same span of time before.
#[derive(Serialize, utoipa::ToSchema)]
struct Trend {
    count: i64,
    /// How many more than in the span before; negative when there are fewer.
    delta: i64,
}

impl Trend {
    fn new(count: i64, before: i64) -> Self {
        Self { count, delta: count - before }
    }
}
