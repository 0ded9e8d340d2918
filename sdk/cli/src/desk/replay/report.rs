//! The result of a replay, as text and as JSON.

use crate::terminal::printable;
use crate::view;
use claimsmith_harness::{Class, ComparedRun, Comparison, Ending, Replayed, Sample, diff};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Requests that are listed by name.
const MAX_REQUESTS: usize = 100;

/// What came of all samples.
pub(super) struct ReplayReport {
    plugin: String,
    recordings: usize,
    pub(super) table: Comparison,
    /// Samples with nothing to compare.
    skipped: u64,
    /// Samples of an older contract.
    older: u64,
    /// The versions that had answered.
    versions: BTreeSet<String>,
    /// Requests that were not recorded, with their number.
    unrecorded: BTreeMap<String, u64>,
    /// Golden cases that were added.
    pub(super) cases: Option<usize>,
}

impl ReplayReport {
    pub(super) fn new(plugin: &str, recordings: usize) -> Self {
        Self {
            plugin: plugin.to_owned(),
            recordings,
            table: Comparison::default(),
            skipped: 0,
            older: 0,
            versions: BTreeSet::new(),
            unrecorded: BTreeMap::new(),
            cases: None,
        }
    }

    /// A sample that has nothing to be compared with.
    pub(super) fn skip(&mut self) {
        self.skipped += 1;
    }

    pub(super) fn add(&mut self, place: &str, sample: &Sample, replayed: Replayed) {
        let Replayed { expected, actual, difference, unrecorded, instructions, .. } = replayed;
        self.older += u64::from(sample.is_older());
        self.versions.extend(sample.version.clone());
        for request in unrecorded {
            if self.unrecorded.len() < MAX_REQUESTS || self.unrecorded.contains_key(&request) {
                *self.unrecorded.entry(request).or_default() += 1;
            }
        }
        self.table.add(place, (&expected, &actual), difference, sample.instructions.zip(instructions));
    }

    pub(super) fn as_json(&self) -> Value {
        json!({
            "plugin": self.plugin, "recordings": self.recordings, "samples": self.table.runs + self.skipped,
            "skipped": self.skipped, "olderContract": self.older, "versions": self.versions, "comparison": self.table,
            "unrecorded": self.unrecorded, "cases": self.cases,
        })
    }

    pub(super) fn as_text(&self) -> String {
        let mut text = String::new();
        for run in self.table.classes.iter().flat_map(|(class, row)| row.samples.iter().map(move |run| (*class, run))) {
            append_run(&mut text, run);
        }
        text.push_str(&self.classes());
        for section in [self.claims(), self.notes()].iter().filter(|section| !section.is_empty()) {
            text.push_str("\n\n");
            text.push_str(section);
        }
        text
    }

    fn classes(&self) -> String {
        let row = |name: &str, count: u64, share: String| vec![name.to_owned(), count.to_string(), share];
        let mut rows: Vec<_> = Class::ALL
            .into_iter()
            .map(|class| row(class.title(), self.table.count(class), percent(self.table.share(class))))
            .collect();
        if self.table.counted > 0 {
            rows.push(row("more instructions", self.table.more_instructions, String::new()));
        }
        view::table(&["ANSWER", "SAMPLES", "SHARE"], &rows)
    }

    fn claims(&self) -> String {
        let rows: Vec<Vec<String>> = self
            .table
            .claims
            .iter()
            .map(|(claim, counts)| {
                let counts = [counts.added, counts.removed, counts.changed].map(|count| count.to_string());
                [printable(claim)].into_iter().chain(counts).collect()
            })
            .collect();
        if rows.is_empty() { String::new() } else { view::table(&["CLAIM", "ADDED", "REMOVED", "CHANGED"], &rows) }
    }

    fn notes(&self) -> String {
        let mut lines = vec![format!("{}: {} samples of {} recordings", self.plugin, self.table.runs, self.recordings)];
        if self.table.other_claims > 0 {
            lines.push(format!("differences of further claims: {}", self.table.other_claims));
        }
        if !self.table.noise.is_empty() {
            let whole = |place: &str| if place.is_empty() { "the whole answer".to_owned() } else { printable(place) };
            let places: Vec<_> =
                self.table.noise.iter().map(|(place, count)| format!("{} ({count})", whole(place))).collect();
            lines.push(format!("noise, from the clock or random bytes: {}", places.join(", ")));
        }
        for (request, count) in &self.unrecorded {
            lines.push(format!("not recorded: {} ({count})", printable(request)));
        }
        if self.skipped > 0 {
            lines.push(format!("without an answer to compare with: {}", self.skipped));
        }
        if self.older > 0 {
            lines.push(format!("of an older plugin contract: {}", self.older));
        }
        if let Some(cases) = self.cases {
            lines.push(format!("golden cases added: {cases}"));
        }
        lines.join("\n")
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn append_run(text: &mut String, (class, run): (Class, &ComparedRun)) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:<16}{}", class.title().to_uppercase(), printable(&run.sample));
    for line in diff(&members(&run.expected), &members(&run.actual)).lines() {
        let _ = writeln!(text, "            {}", printable(line));
    }
}

/// Claims as they are; a denial or a failure under its outcome.
fn members(ending: &Ending) -> Map<String, Value> {
    match &ending.answer {
        Some(Value::Object(members)) => members.clone(),
        answer => {
            let message = ending.message.as_deref().map(Value::from);
            Map::from_iter([(ending.outcome.clone(), message.or_else(|| answer.clone()).unwrap_or_default())])
        }
    }
}
