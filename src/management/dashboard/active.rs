//! `GET /api/dashboard/users/active`.

use super::Trend;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::LogsRead;
use claimsmith_storage::users;
use claimsmith_storage::users::activity::{ActiveDay, DAY_MS};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};
use std::time::{Duration, UNIX_EPOCH};

/// Days of the curve, and of a month.
const DAYS_PER_MONTH: i64 = 30;
/// Days of a week.
const DAYS_PER_WEEK: i64 = 7;
/// 2000-01-01; there is no data for earlier days.
const EARLIEST_DAY: i64 = 10_957;

/// Which day is looked back from.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ActiveQuery {
    /// `YYYY-MM-DD`, today when not given.
    date: Option<String>,
}

/// How many users got a token.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "dauCurve": [{ "date": "2025-10-08", "count": 38 }, { "date": "2025-10-09", "count": 41 }],
    "dau": { "count": 41, "delta": 3 }, "wau": { "count": 120, "delta": -4 }, "mau": { "count": 310, "delta": 25 }
}))]
pub(super) struct ActiveUsers {
    /// Each of the thirty days until the date, oldest first.
    dau_curve: Vec<CurvePoint>,
    /// On the date, compared with the day before.
    dau: Trend,
    /// In the seven days until the date, compared with the seven before.
    wau: Trend,
    /// In the thirty days until the date, compared with the thirty before.
    mau: Trend,
}

/// A day of the curve.
#[derive(Serialize, utoipa::ToSchema)]
struct CurvePoint {
    /// `YYYY-MM-DD`.
    date: String,
    count: i64,
}

/// Counts the users for whom a token was issued.
#[utoipa::path(
    get, path = "/api/dashboard/users/active", tag = "Dashboard", summary = "Count active users",
    params(ActiveQuery),
    responses(
        (status = 200, description = "The counts", body = ActiveUsers),
        (status = 400, description = "Not a date", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn count_active_users(
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
        dau: Trend::new(count(&days, last), count(&days, last - 1)),
        wau: Trend::new(week, week_before),
        mau: Trend::new(month, month_before),
    }))
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
