//! `/api/dashboard`: numbers of total, new and active users, activity over time, and the health of the server. Days are
//! in UTC.

mod activity;
mod health;

use crate::describe::routes;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::dashboard::{ActiveUsers, CurvePoint, NewUsers, TotalUsers, Trend};
use claimsmith_domain::management::LogsRead;
use claimsmith_services::app::App;
use claimsmith_storage::users;
use claimsmith_storage::users::activity::{ActiveDay, DAY_MS};
use claimsmith_storage::users::list::Filter;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use std::time::{Duration, UNIX_EPOCH};
use utoipa_axum::router::OpenApiRouter;

/// Days of the curve, and of a month.
const DAYS_PER_MONTH: i64 = 30;
/// Days of a week.
const DAYS_PER_WEEK: i64 = 7;
/// 2000-01-01; there is no data for earlier days.
const EARLIEST_DAY: i64 = 10_957;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::count_users))
        .routes(routes!(self::count_new_users))
        .routes(routes!(self::count_active_users))
        .routes(routes!(activity::show_activity))
        .routes(routes!(health::show_health))
}

/// Counts the users.
#[utoipa::path(
    get, path = "/api/dashboard/users/total", tag = "Dashboard",
    responses((status = 200, description = "The count", body = TotalUsers), AccessRefused),
)]
async fn count_users(management: Management<LogsRead>) -> Result<Json<TotalUsers>, ApiError> {
    let total_user_count = users::list::count(&mut management.read().await?, &Filter::default()).await?;
    Ok(Json(TotalUsers { total_user_count }))
}

/// Counts the users who were created lately and are still there.
#[utoipa::path(
    get, path = "/api/dashboard/users/new", tag = "Dashboard",
    responses((status = 200, description = "The counts", body = NewUsers), AccessRefused),
)]
async fn count_new_users(management: Management<LogsRead>) -> Result<Json<NewUsers>, ApiError> {
    let today = management.now().div_euclid(DAY_MS);
    let mut tx = management.read().await?;
    let day = users::activity::new_users(&mut tx, today, today).await?;
    let day_before = users::activity::new_users(&mut tx, today - 1, today - 1).await?;
    let week = users::activity::new_users(&mut tx, today - 6, today).await?;
    let week_before = users::activity::new_users(&mut tx, today - 13, today - 7).await?;
    Ok(Json(NewUsers { today: trend(day, day_before), last7_days: trend(week, week_before) }))
}

/// Which day is looked back from.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ActiveQuery {
    /// `YYYY-MM-DD`, today when not given.
    date: Option<String>,
}

/// Counts the users for whom a token was issued.
#[utoipa::path(
    get, path = "/api/dashboard/users/active", tag = "Dashboard",
    params(ActiveQuery),
    responses(
        (status = 200, description = "The counts", body = ActiveUsers),
        (status = 400, description = "Not a date", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn count_active_users(
    management: Management<LogsRead>,
    Filters(query): Filters<ActiveQuery>,
) -> Result<Json<ActiveUsers>, ApiError> {
    let last = match query.date {
        None => management.now().div_euclid(DAY_MS),
        Some(date) => day_of(&date).ok_or_else(|| {
            ApiError::invalid_input("query", "Error in key path \"date\": expected a date as YYYY-MM-DD, from 2000 on")
        })?,
    };
    let mut tx = management.read().await?;
    let days = users::activity::by_day(&mut tx, last - DAYS_PER_MONTH + 1, last).await?;
    let week = users::activity::users(&mut tx, last - DAYS_PER_WEEK + 1, last).await?;
    let week_before = users::activity::users(&mut tx, last - 2 * DAYS_PER_WEEK + 1, last - DAYS_PER_WEEK).await?;
    let month = users::activity::users(&mut tx, last - DAYS_PER_MONTH + 1, last).await?;
    let month_before = users::activity::users(&mut tx, last - 2 * DAYS_PER_MONTH + 1, last - DAYS_PER_MONTH).await?;
    Ok(Json(ActiveUsers {
        dau_curve: (last - DAYS_PER_MONTH + 1..=last).map(|day| point(&days, day)).collect::<Result<_, _>>()?,
        dau: trend(count(&days, last), count(&days, last - 1)),
        wau: trend(week, week_before),
        mau: trend(month, month_before),
    }))
}

fn trend(count: i64, before: i64) -> Trend {
    Trend { count, delta: count - before }
}

fn count(days: &[ActiveDay], day: i64) -> i64 {
    days.iter().find(|active| active.day == day).map_or(0, |active| active.count)
}

fn point(days: &[ActiveDay], day: i64) -> Result<CurvePoint, ApiError> {
    let time = UNIX_EPOCH + Duration::from_millis(u64::try_from(day * DAY_MS)?);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    Ok(CurvePoint { date: text.chars().take_while(|character| *character != 'T').collect(), count: count(days, day) })
}

/// The day of a date, as days since 1970-01-01.
fn day_of(date: &str) -> Option<i64> {
    let is_plain = date.len() == 10 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let time = humantime::parse_rfc3339(&format!("{date}T00:00:00Z")).ok().filter(|_| is_plain)?;
    let day = i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()? / DAY_MS;
    (day >= EARLIEST_DAY).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_and_nothing_else_is() {
        assert_eq!(day_of("2000-01-01"), Some(EARLIEST_DAY));
        assert_eq!(day_of("2024-02-29"), Some(19_782));
        assert_eq!(day_of("9999-12-31"), Some(2_932_896));
        for bad in
            ["", "today", "1999-12-31", "2023-02-29", "2023-2-09", "2023-13-01", "20230101", "2023-01-01T", "٢٠٢٣-٠١"]
        {
            assert_eq!(day_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_point_names_its_day() {
        let days = [ActiveDay { day: 19_782, count: 3 }];
        let shown = [19_781, 19_782].map(|day| point(&days, day).ok().map(|point| (point.date, point.count)));
        assert_eq!(shown, [Some(("2024-02-28".to_owned(), 0)), Some(("2024-02-29".to_owned(), 3))]);
    }
}
