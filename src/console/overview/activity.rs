//! Charts of the server's recent activity.

use crate::chart::{Chart, ChartKind, Series, number};
use serde::Deserialize;

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

/// The activity as the API returns it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Activity {
    times: Vec<i64>,
    series: Vec<Counted>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Counted {
    kind: String,
    name: String,
    count: Vec<f64>,
    failures: Vec<f64>,
    mean_ms: Vec<Option<f64>>,
    total: Total,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Total {
    count: f64,
    failures: f64,
    mean_ms: Option<f64>,
    max_ms: Option<f64>,
}

/// A row of the plugin table.
pub(super) struct PluginRow {
    pub name: String,
    pub calls: f64,
    pub failures: f64,
    pub mean: Option<f64>,
    pub max: Option<f64>,
    /// The mean duration of each step, for the sparkline.
    pub line: Vec<Option<f64>>,
}

impl Activity {
    /// The charts in the order of the page.
    pub(super) fn charts(&self, range: &Range) -> Vec<Chart> {
        vec![self.sign_ins(range), self.tokens(range), self.deliveries(range)]
    }

    /// The rows of the plugin table: most failures first, then most calls.
    pub(super) fn plugins(&self, range: &Range) -> Vec<PluginRow> {
        let mut rows: Vec<_> = self.of("plugins").map(|plugin| plugin.row(range.group)).collect();
        rows.sort_by(|one, other| other.failures.total_cmp(&one.failures).then(other.calls.total_cmp(&one.calls)));
        rows
    }

    fn sign_ins(&self, range: &Range) -> Chart {
        let registrations = sum(self.of("registrations").map(|series| series.total.count));
        let [done, failed] = self.totals("signIns");
        let about = format!("{done} signed in, {failed} failed; {registrations} registered.");
        self.outcomes("Sign-ins", about, "signIns", ["Signed in", "Failed"], range)
    }

    fn deliveries(&self, range: &Range) -> Chart {
        let [done, failed] = self.totals("deliveries");
        let [messages, not_sent] = self.totals("messages");
        let about = format!("{done} arrived, {failed} failed; {messages} e-mails and texts sent, {not_sent} not.");
        self.outcomes("Deliveries of webhooks", about, "deliveries", ["Arrived", "Failed"], range)
    }

    fn tokens(&self, range: &Range) -> Chart {
        let series = self.of("tokens").zip(COLOURS.iter().cycle()).map(|(series, class)| Series {
            name: grant(&series.name).to_owned(),
            class,
            values: sums(&series.count, range.group),
        });
        let [issued, refused] = self.totals("tokens");
        Chart {
            title: "Tokens by grant",
            about: format!("{issued} issued, {refused} refused."),
            kind: ChartKind::Lines,
            times: self.steps(range),
            series: series.collect(),
        }
    }

    /// A bar chart of successes and failures.
    fn outcomes(&self, title: &'static str, about: String, kind: &str, names: [&str; 2], range: &Range) -> Chart {
        let steps = self.times.len();
        let sum = |of: fn(&Counted) -> &Vec<f64>| -> Vec<f64> {
            (0..steps).map(|at| self.of(kind).filter_map(|series| of(series).get(at)).sum()).collect()
        };
        let (all, failed) = (sum(|series| &series.count), sum(|series| &series.failures));
        let done: Vec<_> = all.iter().zip(&failed).map(|(all, failed)| all - failed).collect();
        let [name_done, name_failed] = names.map(str::to_owned);
        Chart {
            title,
            about,
            kind: ChartKind::Bars,
            times: self.steps(range),
            series: vec![
                Series { name: name_failed, class: "bad", values: sums(&failed, range.group) },
                Series { name: name_done, class: "first", values: sums(&done, range.group) },
            ],
        }
    }

    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Counted> {
        self.series.iter().filter(move |series| series.kind == kind)
    }

    /// Total successes and failures of a kind.
    fn totals(&self, kind: &str) -> [f64; 2] {
        let all: f64 = self.of(kind).map(|series| series.total.count).fold(0.0, |sum, count| sum + count);
        let failed: f64 = self.of(kind).map(|series| series.total.failures).fold(0.0, |sum, count| sum + count);
        [all - failed, failed]
    }

    fn steps(&self, range: &Range) -> Vec<i64> {
        self.times.iter().step_by(range.group).copied().collect()
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

fn milliseconds(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{} ms", number(value)))
}

impl Counted {
    fn row(&self, group: usize) -> PluginRow {
        // The mean of the steps that have calls; a step without calls has no duration.
        let mean = |steps: &[Option<f64>]| {
            let (count, sum) = steps.iter().flatten().fold((0.0, 0.0), |(count, sum), time| (count + 1.0, sum + time));
            (count > 0.0).then(|| sum / count)
        };
        PluginRow {
            name: self.name.clone(),
            calls: self.total.count,
            failures: self.total.failures,
            mean: self.total.mean_ms,
            max: self.total.max_ms,
            line: self.mean_ms.chunks(group).map(mean).collect(),
        }
    }
}

/// Sums values. An empty sum is 0, while `Iterator::sum` returns -0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

fn sums(values: &[f64], group: usize) -> Vec<Option<f64>> {
    values.chunks(group).map(|steps| Some(steps.iter().sum())).collect()
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
        let activity: Activity = serde_json::from_value(json!({
            "times": [0, 1, 2],
            "series": [{ "kind": "signIns", "name": "", "count": [3, 0, 1], "failures": [1, 0, 1],
                "meanMs": [null, null, null], "total": { "count": 4, "failures": 2 } }]
        }))
        .unwrap_or_default();
        let range = Range { group: 2, ..RANGES[0] };
        let charts = activity.charts(&range);
        let [sign_ins, tokens, ..] = &charts[..] else { panic!("three charts") };
        assert_eq!(sign_ins.about, "2 signed in, 2 failed; 0 registered.");
        assert_eq!(sign_ins.times, [0, 2]);
        let values: Vec<_> = sign_ins.series.iter().map(|series| series.values.clone()).collect();
        assert_eq!(values, [[Some(1.0), Some(1.0)], [Some(2.0), Some(0.0)]]);
        assert!(tokens.is_empty());
    }
}
