//! `GET /api/dashboard/activity`.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::dashboard::{ActivityView, Series, StepLength, Total};
use claimsmith_domain::management::LogsRead;
use claimsmith_services::activity::{ALWAYS, MINUTES_KEPT_MS};
use claimsmith_storage::statistics::activity::{self, Sample, TimeBucket};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Maximum points of a series: more than a day of minutes.
const MAX_POINTS: i64 = 1500;
/// The year 10000: later times are refused, which bounds all calculations.
const END_OF_TIME_MS: i64 = 253_402_300_800_000;
const HOUR_MS: i64 = 3_600_000;

/// Which time is looked at, and how closely.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ActivityQuery {
    /// From this time on, Unix milliseconds; the beginning of the step that it is in. An hour, a day or thirty days
    /// before the end when not given.
    from: Option<i64>,
    /// Before this time, Unix milliseconds; now when not given.
    to: Option<i64>,
    /// `minute`, `hour` or `day` (UTC). Minutes are kept for two days, hours for thirty.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    step: StepLength,
}

/// Shows sign-ins, registrations, tokens, plugin calls, webhook deliveries and messages over time, of all nodes, as
/// they were counted until a minute ago.
#[utoipa::path(
    get, path = "/api/dashboard/activity", tag = "Dashboard",
    params(ActivityQuery),
    responses(
        (status = 200, description = "The series", body = ActivityView),
        (status = 400, description = "Too many steps, or minutes that are not kept any more", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn show_activity(
    management: Management<LogsRead>,
    Filters(query): Filters<ActivityQuery>,
) -> Result<Json<ActivityView>, ApiError> {
    let (now, step) = (management.now(), query.step.ms());
    let to = query.to.unwrap_or(now);
    let from = query.from.unwrap_or_else(|| to.saturating_sub(query.step.span_ms()));
    if [from, to].iter().any(|time| !(0..END_OF_TIME_MS).contains(time)) {
        return Err(invalid("expected Unix milliseconds"));
    }
    check_window(Some(from), Some(to))?;
    let (from, to) = (from / step * step, (to + step - 1) / step * step);
    if (to - from) / step > MAX_POINTS {
        return Err(invalid(&format!("at most {MAX_POINTS} steps are shown")));
    }
    if query.step == StepLength::Minute && from < now - MINUTES_KEPT_MS - HOUR_MS {
        return Err(invalid("minutes are kept for two days"));
    }
    let steps = activity::by_step(&mut management.read().await?, from, to, step).await?;
    let times: Vec<i64> = (0..(to - from) / step).map(|index| from + index * step).collect();
    Ok(Json(ActivityView { from, to, step: query.step, series: series(steps, &times), times }))
}

fn invalid(why: &str) -> ApiError {
    ApiError::invalid_input("query", format!("Error in the time: {why}"))
}

fn series(steps: Vec<TimeBucket>, times: &[i64]) -> Vec<Series> {
    let mut found: BTreeMap<(String, String), BTreeMap<i64, Sample>> =
        ALWAYS.iter().map(|kind| (((*kind).to_owned(), String::new()), BTreeMap::new())).collect();
    for TimeBucket { at, sample } in steps {
        found.entry((sample.kind.clone(), sample.name.clone())).or_default().insert(at, sample);
    }
    let none = Sample::default();
    let one = |((kind, name), steps): ((String, String), BTreeMap<i64, Sample>)| {
        let in_order: Vec<&Sample> = times.iter().map(|at| steps.get(at).unwrap_or(&none)).collect();
        let sum = |of: fn(&Sample) -> i64| in_order.iter().map(|sample| of(sample)).sum::<i64>();
        let slowest = in_order.iter().map(|sample| sample.slowest).max().unwrap_or_default();
        let whole = Sample {
            count: sum(|sample| sample.count),
            failures: sum(|sample| sample.failures),
            microseconds: sum(|sample| sample.microseconds),
            slowest,
            ..Sample::default()
        };
        Series {
            kind,
            name,
            count: in_order.iter().map(|sample| sample.count).collect(),
            failures: in_order.iter().map(|sample| sample.failures).collect(),
            mean_ms: in_order.iter().map(|sample| mean_ms(sample)).collect(),
            max_ms: in_order.iter().map(|sample| max_ms(sample)).collect(),
            total: Total {
                count: whole.count,
                failures: whole.failures,
                mean_ms: mean_ms(&whole),
                max_ms: max_ms(&whole),
            },
        }
    };
    found.into_iter().map(one).collect()
}

fn mean_ms(sample: &Sample) -> Option<f64> {
    let is_measured = sample.microseconds > 0 && sample.count > 0;
    is_measured.then(|| milliseconds(sample.microseconds) / number(sample.count))
}

fn max_ms(sample: &Sample) -> Option<f64> {
    (sample.slowest > 0).then(|| milliseconds(sample.slowest))
}

fn milliseconds(microseconds: i64) -> f64 {
    number(microseconds) / 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "a chart shows no more digits")]
fn number(whole: i64) -> f64 {
    whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_has_a_point_for_each_step_and_a_mean_where_something_was_measured() {
        let sample = |kind: &str, count, microseconds, slowest| Sample {
            kind: kind.to_owned(),
            count,
            failures: 1,
            microseconds,
            slowest,
            ..Sample::default()
        };
        let steps = vec![
            TimeBucket { at: 20, sample: sample("deliveries", 2, 3000, 2000) },
            TimeBucket { at: 30, sample: sample("deliveries", 1, 3000, 3000) },
        ];
        let found = series(steps, &[10, 20, 30]);
        assert_eq!(found.iter().map(|one| one.kind.as_str()).collect::<Vec<_>>().len(), ALWAYS.len());
        let Some(one) = found.iter().find(|one| one.kind == "deliveries") else { unreachable!() };
        assert_eq!((&one.count[..], &one.failures[..]), (&[0, 2, 1][..], &[0, 1, 1][..]));
        assert_eq!((&one.mean_ms[..], one.max_ms[2]), (&[None, Some(1.5), Some(3.0)][..], Some(3.0)));
        assert_eq!((one.total.count, one.total.failures, one.total.mean_ms), (3, 2, Some(2.0)));
    }
}
