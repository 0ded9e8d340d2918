//! `GET /api/dashboard/users/total` and `GET /api/dashboard/users/new`.

use super::Trend;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::LogsRead;
use claimsmith_storage::users;
use claimsmith_storage::users::activity::DAY_MS;
use claimsmith_storage::users::list::Filter;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
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
    responses((status = 200, description = "The count", body = TotalUsers), AccessRefused),
)]
pub(super) async fn count_users(management: Management<LogsRead>) -> Result<Json<TotalUsers>, ApiError> {
    let total_user_count = users::list::count(&mut management.read().await?, &Filter::default()).await?;
    Ok(Json(TotalUsers { total_user_count }))
}

/// Counts the users who were created lately and are still there.
#[utoipa::path(
    get, path = "/api/dashboard/users/new", tag = "Dashboard", summary = "Count new users",
    responses((status = 200, description = "The counts", body = NewUsers), AccessRefused),
)]
pub(super) async fn count_new_users(management: Management<LogsRead>) -> Result<Json<NewUsers>, ApiError> {
    let today = management.now().div_euclid(DAY_MS);
    let mut tx = management.read().await?;
    let day = users::activity::new_users(&mut tx, today, today).await?;
    let day_before = users::activity::new_users(&mut tx, today - 1, today - 1).await?;
    let week = users::activity::new_users(&mut tx, today - 6, today).await?;
    let week_before = users::activity::new_users(&mut tx, today - 13, today - 7).await?;
    Ok(Json(NewUsers { today: Trend::new(day, day_before), last7_days: Trend::new(week, week_before) }))
}
