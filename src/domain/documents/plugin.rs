//! What is said of plugins: where they come from, whether they serve, and their calls, altogether and lately.

use serde::{Deserialize, Serialize};

/// Whether a plugin serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It serves.
    Active,
    /// The server has just started, and has not loaded it yet.
    Loading,
    /// Its settings say that it is not to run, or no version of it is active.
    Disabled,
    /// No version of it has loaded.
    Failed,
}

impl State {
    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Loading => "loading",
            Self::Disabled => "disabled",
            Self::Failed => "failed",
        }
    }
}

/// Where a plugin comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A file of the plugin folder.
    Folder,
    /// Uploaded, and kept in the database.
    Store,
}

/// How a recorded call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordedOutcome {
    /// It answered.
    Ok,
    /// It denied.
    Denied,
    /// Everything else.
    Failed,
}

impl RecordedOutcome {
    /// Of the word of a call's outcome.
    #[must_use]
    pub fn of(outcome: &str) -> Self {
        match outcome {
            "ok" => Self::Ok,
            "denied" => Self::Denied,
            _ => Self::Failed,
        }
    }
}

/// Whether a recording goes on, or why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordingState {
    /// It goes on.
    Recording,
    /// It has as many samples as were wanted.
    Complete,
    /// Its time is over.
    Ended,
    /// The samples of the plugin have as many bytes as they may.
    Full,
    /// Somebody ended it.
    Stopped,
}

impl RecordingState {
    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recording => "recording",
            Self::Complete => "complete",
            Self::Ended => "ended",
            Self::Full => "full",
            Self::Stopped => "stopped",
        }
    }
}

/// What one call may use.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusLimits {
    /// Wall-clock milliseconds.
    pub deadline_ms: u64,
    /// MiB of linear memory.
    pub memory_mib: usize,
    /// KiB of the JSON answer.
    pub output_kib: usize,
}

/// The calls of one plugin on this node since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// All calls.
    pub calls: u64,
    /// Those that said no.
    pub denied: u64,
    /// Those that failed.
    pub failed: u64,
    /// Mean wall-clock milliseconds of a call.
    pub mean_ms: f64,
    /// Wall-clock milliseconds of the slowest call.
    pub max_ms: f64,
    /// Wall-clock microseconds that half of the calls did not exceed, to within an eighth; null before the first one.
    pub p50_us: Option<u64>,
    /// The same of 99 in a hundred.
    pub p99_us: Option<u64>,
}

/// Calls from which on the share of those that failed says something.
const MIN_CALLS: u64 = 5;
/// The share of calls that did not succeed from which on a plugin is in trouble, in percent.
const FAILING_PERCENT: u64 = 50;

/// The calls of the active version of a plugin within the last hour, on all nodes. Other nodes report once a minute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LastHour {
    /// All calls.
    pub calls: u64,
    /// Those that denied.
    pub denied: u64,
    /// Those that failed.
    pub failed: u64,
    /// Whether the plugin is in trouble: at least half of at least five calls denied or failed.
    pub is_failing: bool,
    /// The last denial or failure: `denied`, or a word for the failure such as `failed` or `timed_out`.
    pub last_outcome: Option<String>,
    /// What it said, in one line with the position in the source, without secrets.
    pub last_error: Option<String>,
    /// The request during which it happened, which logs and the audit log name too.
    pub last_request_id: Option<String>,
}

impl LastHour {
    /// Whether a plugin with so many calls, of which so many denied or failed, is in trouble.
    #[must_use]
    pub fn is_trouble(calls: u64, refused: u64) -> bool {
        calls >= MIN_CALLS && u128::from(refused) * 100 >= u128::from(calls) * u128::from(FAILING_PERCENT)
    }

    /// In a sentence, such as "boom refused 7 of 7 tokens in the last hour: `TypeError` … boom.js:1:86". `kind` is the
    /// kind of the plugin, and `skips` says whether what it fails at goes on without it.
    #[must_use]
    pub fn in_words(&self, name: &str, kind: Option<&str>, skips: bool) -> String {
        let Self { calls, denied, failed, last_error, .. } = self;
        let counted = match kind {
            Some("webhook-transform") => "deliveries",
            Some("message") => "messages",
            _ => "tokens",
        };
        let refused = denied + failed;
        let verb = if counted == "tokens" && !(skips && *denied == 0) { "refused" } else { "failed for" };
        let without = if skips && *failed > 0 { ", which went on without it" } else { "" };
        let error = last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        format!("{name} {verb} {refused} of {calls} {counted} in the last hour{without}{error}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_in_trouble_from_half_of_five_calls_on() {
        for (calls, refused, is_trouble) in
            [(0, 0, false), (4, 4, false), (5, 2, false), (5, 3, true), (6, 3, true), (100, 49, false), (100, 50, true)]
        {
            assert_eq!(LastHour::is_trouble(calls, refused), is_trouble, "{refused} of {calls}");
        }
        assert!(LastHour::is_trouble(u64::MAX, u64::MAX));
    }

    #[test]
    fn trouble_is_told_in_a_sentence() {
        let hour = |denied, failed, error: &str| LastHour {
            calls: 7,
            denied,
            failed,
            last_error: Some(error.to_owned()).filter(|error| !error.is_empty()),
            ..LastHour::default()
        };
        for (hour, kind, skips, words) in [
            (
                hour(0, 7, "TypeError: no boom.js:1:86"),
                Some("claims"),
                false,
                "boom refused 7 of 7 tokens in the last hour: TypeError: no boom.js:1:86",
            ),
            (
                hour(5, 0, "Name the ticket."),
                None,
                true,
                "boom refused 5 of 7 tokens in the last hour: Name the ticket.",
            ),
            (
                hour(0, 7, ""),
                Some("claims"),
                true,
                "boom failed for 7 of 7 tokens in the last hour, which went on without it",
            ),
            (hour(0, 4, ""), Some("webhook-transform"), false, "boom failed for 4 of 7 deliveries in the last hour"),
            (hour(0, 4, ""), Some("message"), false, "boom failed for 4 of 7 messages in the last hour"),
        ] {
            assert_eq!(hour.in_words("boom", kind, skips), words);
        }
    }
}
