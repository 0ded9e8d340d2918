//! `GET /api/dashboard/users/total` and `GET /api/dashboard/users/new`.

use super::Trend;
use crate::http::error::ApiError;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::activity::{self, DAY};
use crate::storage::user_list::{self, Filter};
use axum::Json;
use serde::Serialize;

/// How many users there are.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "totalUserCount": 1204 }))]
pub(super) struct TotalUsers {
    total_user_count: i64,
}

/// How many users are new.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "today": { "count": 4, "delta": 1 }, "last7Days": { "count": 23, "delta": -2 } }))]
pub(super) struct NewUsers {
    /// Today, compared with yesterday.
    today: Trend,
    /// The last seven days with today, compared with the seven before.
    last7_days: Trend,
}

/// Counts the users.
#[utoipa::path(
    get, path = "/api/dashboard/users/total", tag = "Dashboard", summary = "Count users",
    responses((status = 200, description = "The count", body = TotalUsers), Refused),
    security(("oauth2" = ["all", "logs:read"])),
)]
pub(super) async fn count_users(caller: Caller) -> Result<Json<TotalUsers>, ApiError> {
    let management = caller.require("logs:read")?;
    let total_user_count = user_list::count(&mut management.read().await?, &Filter::default()).await?;
    Ok(Json(TotalUsers { total_user_count }))
}

/// Counts the users who were created lately and are still there.
#[utoipa::path(
    get, path = "/api/dashboard/users/new", tag = "Dashboard", summary = "Count new users",
    responses((status = 200, description = "The counts", body = NewUsers), Refused),
    security(("oauth2" = ["all", "logs:read"])),
)]
pub(super) async fn count_new_users(caller: Caller) -> Result<Json<NewUsers>, ApiError> {
    let management = caller.require("logs:read")?;
    let today = management.now().div_euclid(DAY);
    let mut tx = management.read().await?;
    let day = activity::new_users(&mut tx, today, today).await?;
    let day_before = activity::new_users(&mut tx, today - 1, today - 1).await?;
    let week = activity::new_users(&mut tx, today - 6, today).await?;
    let week_before = activity::new_users(&mut tx, today - 13, today - 7).await?;
    Ok(Json(NewUsers { today: Trend::new(day, day_before), last7_days: Trend::new(week, week_before) }))
}
