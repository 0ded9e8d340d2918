//! Charts of the server's recent activity.

use crate::chart::{Chart, ChartKind, Series, number, value};
use claimsmith_api::dashboard::{ActivityView, Series as Counted};

/// CSS classes of the line colours.
const COLOURS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// A time range of the charts.
pub(super) struct Range {
    /// Value of the query parameter.
    pub name: &'static str,
    /// The label.
    pub title: &'static str,
    /// Length in milliseconds.
    length: i64,
    /// The step in which the API counts.
    step: &'static str,
    /// Number of API steps per chart step.
    group: usize,
}

const HOUR_MS: i64 = 3_600_000;

/// The available ranges. Charts have between 24 and 60 steps.
pub(super) const RANGES: [Range; 4] = [
    Range { name: "1h", title: "1 hour", length: HOUR_MS, step: "minute", group: 1 },
    Range { name: "24h", title: "24 hours", length: 24 * HOUR_MS, step: "hour", group: 1 },
    Range { name: "7d", title: "7 days", length: 7 * 24 * HOUR_MS, step: "hour", group: 6 },
    Range { name: "30d", title: "30 days", length: 30 * 24 * HOUR_MS, step: "day", group: 1 },
];

impl Range {
    /// The range with this name; one day by default.
    pub(super) fn find(name: Option<&str>) -> &'static Self {
        let [_, day, ..] = &RANGES;
        RANGES.iter().find(|range| Some(range.name) == name).unwrap_or(day)
    }

    /// The API path of the activity in this range.
    pub(super) fn path(&self, now: Option<i64>) -> String {
        let from = now.map(|now| format!("&from={}", now - self.length)).unwrap_or_default();
        format!("/api/dashboard/activity?step={}{from}", self.step)
    }
}

/// A row of the plugin table.
pub(super) struct PluginRow {
    pub name: String,
    pub calls: i64,
    pub failures: i64,
    pub mean: Option<f64>,
    pub max: Option<f64>,
    /// The mean duration of each step, for the sparkline.
    pub line: Vec<Option<f64>>,
}

/// The charts in the order of the page.
pub(super) fn charts(activity: &ActivityView, range: &Range) -> Vec<Chart> {
    vec![sign_ins(activity, range), tokens(activity, range), deliveries(activity, range)]
}

/// The rows of the plugin table: most failures first, then most calls.
pub(super) fn plugins(activity: &ActivityView, range: &Range) -> Vec<PluginRow> {
    let mut rows: Vec<_> = of(activity, "plugins").map(|plugin| row(plugin, range.group)).collect();
    rows.sort_by(|one, other| other.failures.cmp(&one.failures).then(other.calls.cmp(&one.calls)));
    rows
}

fn sign_ins(activity: &ActivityView, range: &Range) -> Chart {
    let registrations: i64 = of(activity, "registrations").map(|series| series.total.count).sum();
    let [done, failed] = totals(activity, "signIns");
    let about = format!("{done} signed in, {failed} failed; {registrations} registered.");
    outcomes(activity, "Sign-ins", about, "signIns", ["Signed in", "Failed"], range)
}

fn deliveries(activity: &ActivityView, range: &Range) -> Chart {
    let [done, failed] = totals(activity, "deliveries");
    let [messages, not_sent] = totals(activity, "messages");
    let about = format!("{done} arrived, {failed} failed; {messages} e-mails and texts sent, {not_sent} not.");
    outcomes(activity, "Deliveries of webhooks", about, "deliveries", ["Arrived", "Failed"], range)
}

fn tokens(activity: &ActivityView, range: &Range) -> Chart {
    let series = of(activity, "tokens").zip(COLOURS.iter().cycle()).map(|(series, class)| Series {
        name: grant(&series.name).to_owned(),
        class,
        values: sums(&series.count, range.group),
    });
    let [issued, refused] = totals(activity, "tokens");
    Chart {
        title: "Tokens by grant",
        about: format!("{issued} issued, {refused} refused."),
        kind: ChartKind::Lines,
        times: steps(activity, range),
        series: series.collect(),
    }
}

/// A bar chart of successes and failures.
fn outcomes(
    activity: &ActivityView,
    title: &'static str,
    about: String,
    kind: &str,
    names: [&str; 2],
    range: &Range,
) -> Chart {
    let sum = |counts: fn(&Counted) -> &Vec<i64>| -> Vec<i64> {
        let all = 0..activity.times.len();
        all.map(|at| of(activity, kind).filter_map(|series| counts(series).get(at)).sum()).collect()
    };
    let (all, failed) = (sum(|series| &series.count), sum(|series| &series.failures));
    let done: Vec<_> = all.iter().zip(&failed).map(|(all, failed)| all - failed).collect();
    let [name_done, name_failed] = names.map(str::to_owned);
    Chart {
        title,
        about,
        kind: ChartKind::Bars,
        times: steps(activity, range),
        series: vec![
            Series { name: name_failed, class: "bad", values: sums(&failed, range.group) },
            Series { name: name_done, class: "first", values: sums(&done, range.group) },
        ],
    }
}

fn of<'a>(activity: &'a ActivityView, kind: &'a str) -> impl Iterator<Item = &'a Counted> {
    activity.series.iter().filter(move |series| series.kind == kind)
}

/// Total successes and failures of a kind.
fn totals(activity: &ActivityView, kind: &str) -> [i64; 2] {
    let all: i64 = of(activity, kind).map(|series| series.total.count).sum();
    let failed: i64 = of(activity, kind).map(|series| series.total.failures).sum();
    [all - failed, failed]
}

fn steps(activity: &ActivityView, range: &Range) -> Vec<i64> {
    activity.times.iter().step_by(range.group).copied().collect()
}

fn row(plugin: &Counted, group: usize) -> PluginRow {
    // The mean of the steps that have calls; a step without calls has no duration.
    let mean = |steps: &[Option<f64>]| {
        let (count, sum) = steps.iter().flatten().fold((0.0, 0.0), |(count, sum), time| (count + 1.0, sum + time));
        (count > 0.0).then(|| sum / count)
    };
    PluginRow {
        name: plugin.name.clone(),
        calls: plugin.total.count,
        failures: plugin.total.failures,
        mean: plugin.total.mean_ms,
        max: plugin.total.max_ms,
        line: plugin.mean_ms.chunks(group).map(mean).collect(),
    }
}

impl PluginRow {
    pub(super) fn mean_text(&self) -> String {
        milliseconds(self.mean)
    }

    pub(super) fn max_text(&self) -> String {
        milliseconds(self.max)
    }
}

fn milliseconds(time: Option<f64>) -> String {
    time.map_or_else(|| "–".to_owned(), |time| format!("{} ms", number(time)))
}

fn sums(values: &[i64], group: usize) -> Vec<Option<f64>> {
    values.chunks(group).map(|steps| Some(value(steps.iter().sum()))).collect()
}

/// The label of a grant type.
fn grant(name: &str) -> &str {
    match name {
        "authorization_code" => "Authorization code",
        "refresh_token" => "Refresh token",
        "client_credentials" => "Client credentials",
        "device_code" => "Device code",
        "token_exchange" => "Token exchange",
        "other" => "Other",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn failures_stand_apart_from_what_was_done() {
        let activity = json!({
            "from": 0, "to": 3, "step": "minute", "times": [0, 1, 2],
            "series": [{ "kind": "signIns", "name": "", "count": [3, 0, 1], "failures": [1, 0, 1],
                "meanMs": [null, null, null], "maxMs": [null, null, null], "total": { "count": 4, "failures": 2 } }]
        });
        let Ok(activity) = serde_json::from_value(activity) else { panic!("an answer of the API") };
        let range = Range { group: 2, ..RANGES[0] };
        let charts = charts(&activity, &range);
        let [sign_ins, tokens, ..] = &charts[..] else { panic!("three charts") };
        assert_eq!(sign_ins.about, "2 signed in, 2 failed; 0 registered.");
        assert_eq!(sign_ins.times, [0, 2]);
        let values: Vec<_> = sign_ins.series.iter().map(|series| series.values.clone()).collect();
        assert_eq!(values, [[Some(1.0), Some(1.0)], [Some(2.0), Some(0.0)]]);
        assert!(tokens.is_empty());
    }
}
