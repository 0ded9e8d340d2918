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
    /// What they did with their cache.
    #[serde(default)]
    pub cache: CacheStatistics,
}

/// What the calls of one plugin did with its cache, on this node since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CacheStatistics {
    /// Entries that were found.
    pub hits: u64,
    /// Entries that were not there.
    pub misses: u64,
    /// Entries that were kept.
    pub writes: u64,
    /// Entries that made room for others before their end.
    pub evicted: u64,
    /// Calls that were refused: not granted, without an owner, or too large.
    pub refused: u64,
}

/// Whether the version that serves is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BreakerState {
    /// It is.
    #[default]
    Closed,
    /// It is not.
    Open,
    /// One call at a time probes whether it works again.
    HalfOpen,
}

/// The circuit breaker of the version that serves, over all nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Breaker {
    /// Whether the version is called.
    pub state: BreakerState,
    /// Whether it is open for everybody, and not only for some.
    pub is_for_everybody: bool,
    /// The client ids for which it is open, if not for everybody; of a webhook transform the ids of hooks. At most 20.
    pub only_for: Vec<String>,
    /// How many single users it is open for.
    pub users: u64,
    /// Since when, Unix milliseconds; null while it is closed.
    pub since: Option<i64>,
    /// A word for the last failure, such as `timed_out`.
    pub outcome: Option<String>,
    /// What the last failure said, in one line without secrets.
    pub reason: Option<String>,
    /// When the next call may probe whether the plugin works again, Unix milliseconds.
    pub next_probe_at: Option<i64>,
    /// Whether the version before the active one answers while it is open, as the settings ask for.
    pub previous_version_answers: bool,
    /// Why it does not, although they ask for it.
    pub previous_version_problem: Option<String>,
}

impl Breaker {
    /// Whether the plugin is not called for all or some.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state != BreakerState::Closed
    }

    /// In a sentence, such as "boom is not called for 2 users, since it kept failing: the plugin did not answer within
    /// 250 ms"; `None` while it is closed.
    #[must_use]
    pub fn in_words(&self, name: &str, kind: Option<&str>) -> Option<String> {
        if !self.is_open() {
            return None;
        }
        let noun = if kind == Some("webhook-transform") { "webhook" } else { "application" };
        let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let callers = (!self.only_for.is_empty()).then(|| counted(self.only_for.len(), noun));
        let users = (self.users > 0).then(|| counted(usize::try_from(self.users).unwrap_or(usize::MAX), "user"));
        let concerned = match (self.is_for_everybody, callers, users) {
            (true, ..) | (_, None, None) => String::new(),
            (_, Some(callers), Some(users)) => format!(" for {callers} and {users}"),
            (_, Some(some), None) | (_, None, Some(some)) => format!(" for {some}"),
        };
        let reason = self.reason.as_deref().filter(|reason| !reason.is_empty());
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let probing = if self.state == BreakerState::HalfOpen { " (being tried again)" } else { "" };
        let instead = if self.previous_version_answers { "; the previous version answers" } else { "" };
        Some(format!("{name} is not called{concerned}{probing}, since it kept failing{instead}{reason}"))
    }
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
    fn an_open_breaker_is_told_in_a_sentence() {
        let closed = Breaker::default();
        assert_eq!(closed.in_words("boom", None), None);
        let open = Breaker { state: BreakerState::Open, reason: Some("it hung".to_owned()), ..closed };
        let all = Breaker { is_for_everybody: true, previous_version_answers: true, ..open.clone() };
        let few = Breaker { only_for: vec!["a".to_owned()], users: 2, ..open.clone() };
        let user = Breaker { state: BreakerState::HalfOpen, users: 1, reason: None, ..open };
        for (breaker, kind, words) in [
            (&all, "claims", "boom is not called, since it kept failing; the previous version answers: it hung"),
            (&few, "claims", "boom is not called for 1 application and 2 users, since it kept failing: it hung"),
            (&few, "webhook-transform", "boom is not called for 1 webhook and 2 users, since it kept failing: it hung"),
            (&user, "claims", "boom is not called for 1 user (being tried again), since it kept failing"),
        ] {
            assert_eq!(breaker.in_words("boom", Some(kind)).as_deref(), Some(words));
        }
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
