//! Plugins, their versions and sources, as the API returns them.

use crate::caller::segment;
use crate::plugins::home;
use crate::plugins::page;
use claimsmith_api::plugins::{PluginStatus, PluginView, VersionView};
use claimsmith_domain::documents::plugin::{Origin, State};
use serde::Deserialize;
use serde_json::Value;
use std::ops::Deref;

/// A plugin, with its `ETag` for `If-Match`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Plugin {
    #[serde(flatten)]
    pub view: PluginView,
    #[serde(skip)]
    pub etag: String,
}

impl Deref for Plugin {
    type Target = PluginStatus;

    fn deref(&self) -> &PluginStatus {
        &self.view.status
    }
}

impl Plugin {
    /// Whether it is a file of the plugin folder, which the console cannot change.
    pub(super) fn is_file(&self) -> bool {
        self.source == Origin::Folder
    }

    /// Whether it is a WebAssembly component without source text.
    pub(super) fn is_component(&self) -> bool {
        self.language.as_deref() == Some("wasm")
    }

    /// Whether it computes claims, or may.
    pub(super) fn computes_claims(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| kind == "claims")
    }

    /// Whether a version of it can be tried beside the active one.
    pub(super) fn has_rollouts(&self) -> bool {
        self.kind.as_deref() != Some("message")
    }

    /// Whether a version of it is called.
    pub(super) fn serves(&self) -> bool {
        self.state == State::Active
    }

    /// Whether its calls can be recorded.
    pub(super) fn is_recordable(&self) -> bool {
        self.kind.as_deref() != Some("message")
    }

    pub(super) fn href(&self) -> String {
        home(&self.name)
    }

    /// The label of the plugin kind.
    pub(super) fn kind_title(&self) -> &'static str {
        kind_title(self.kind.as_deref().unwrap_or_default())
    }

    /// The label of the state, and the CSS class of its badge.
    pub(super) fn state_badge(&self) -> (&'static str, &'static str) {
        match self.state {
            State::Active if self.breaker.is_open() => ("not called", "bad"),
            State::Active if self.last_hour.is_failing => ("failing", "bad"),
            State::Active if self.last_error.is_some() => ("older version serves", "warn"),
            State::Active => ("active", "good"),
            State::Loading => ("being loaded", "warn"),
            State::Failed => ("failed", "bad"),
            State::Disabled => ("disabled", ""),
        }
    }

    /// Whether it needs attention.
    pub(super) fn needs_attention(&self) -> bool {
        self.last_error.is_some()
            || self.state == State::Failed
            || self.refuses_tokens
            || self.holds_deliveries
            || self.breaker.is_open()
            || self.fails()
    }

    /// Whether it serves, and at least half of its calls within the last hour denied or failed.
    pub(super) fn fails(&self) -> bool {
        self.state == State::Active && self.last_hour.is_failing
    }

    /// What its calls within the last hour came to, in a sentence.
    pub(super) fn calls_in_words(&self) -> String {
        let skips = matches!(self.on_error.as_str(), "skip" | "original");
        self.last_hour.in_words(&self.name, self.kind.as_deref(), skips)
    }

    /// Whom its circuit breaker is open for, and why, in a sentence.
    pub(super) fn breaker_in_words(&self) -> Option<String> {
        self.breaker.in_words(&self.name, self.kind.as_deref())
    }

    /// Why the previous version would not answer while the breaker is open, although the settings ask for it.
    pub(super) fn standby_problem(&self) -> Option<&str> {
        self.breaker.previous_version_problem.as_deref()
    }

    /// The version to which a rollback leads.
    pub(super) fn previous_version(&self) -> Option<&str> {
        self.view.deployment.as_ref()?.previous_version.as_deref()
    }

    /// The active version of an uploaded plugin.
    pub(super) fn active_version(&self) -> Option<&str> {
        self.view.deployment.as_ref()?.active_version.as_deref()
    }

    /// Median duration of a call (p50); the mean if it is unknown.
    pub(super) fn typical(&self) -> String {
        match (self.statistics.p50_us, self.statistics.calls) {
            (Some(median), _) => duration(median),
            (None, 0) => String::new(),
            (None, _) => format!("{:.1} ms", self.statistics.mean_ms),
        }
    }

    /// Duration of the slowest calls (p99); the maximum if it is unknown.
    pub(super) fn slow(&self) -> String {
        match (self.statistics.p99_us, self.statistics.calls) {
            (Some(slow), _) => duration(slow),
            (None, 0) => String::new(),
            (None, _) => format!("{:.1} ms", self.statistics.max_ms),
        }
    }
}

/// The label of a plugin kind.
pub(super) fn kind_title(kind: &str) -> &'static str {
    match kind {
        "claims" => "Claims",
        "webhook-transform" => "Webhook transform",
        "message" => "Messages",
        _ => "",
    }
}

/// The display name of a language.
pub(super) fn language_title(language: &str) -> &'static str {
    match language {
        "javascript" => "JavaScript",
        "typescript" => "TypeScript",
        "wasm" => "component",
        _ => "",
    }
}

/// Formats a duration given in microseconds.
pub(super) fn duration(microseconds: u64) -> String {
    let (whole, tenths) = (microseconds / 1000, microseconds % 1000 / 100);
    match whole {
        0 => format!("{microseconds} µs"),
        1..10 => format!("{whole}.{tenths} ms"),
        _ => format!("{whole} ms"),
    }
}

/// What screens say of a version.
pub(super) trait VersionFacts {
    fn language_title(&self) -> &'static str;
    fn href(&self, plugin: &str) -> String;
    /// The interfaces that it imports.
    fn imports(&self) -> Vec<&str>;
    /// Instructions executed by its golden cases.
    fn instructions(&self) -> Option<u64>;
}

impl VersionFacts for VersionView {
    fn language_title(&self) -> &'static str {
        language_title(&self.language)
    }

    fn href(&self, plugin: &str) -> String {
        page(plugin, &format!("versions/{}", segment(&self.id)))
    }

    fn imports(&self) -> Vec<&str> {
        self.facts["imports"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    fn instructions(&self) -> Option<u64> {
        self.facts["instructions"]["total"].as_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        assert_eq!(duration(812), "812 µs");
        assert_eq!(duration(1_250), "1.2 ms");
        assert_eq!(duration(48_999), "48 ms");
    }
}
