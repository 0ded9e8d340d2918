//! Counts the calls of a plugin by version since the heartbeat last took them, with the last one that did not succeed.

use claimsmith_runtime::{CallError, in_one_line};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The versions of one plugin that are counted between two heartbeats; calls of further ones count for the last.
const MAX_VERSIONS: usize = 8;
/// The maximum characters of a stored error.
const MAX_ERROR_CHARS: usize = 300;

/// Calls of one version of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionCalls {
    /// `sha256:…` of its source; empty if none has loaded.
    pub digest: Arc<str>,
    /// All calls.
    pub calls: u64,
    /// Those that denied.
    pub denied: u64,
    /// Those that failed.
    pub failed: u64,
    /// The last one that did not succeed.
    pub last: Option<FailedCall>,
}

/// A call that denied or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// A word of [`CallError::outcome`].
    pub outcome: &'static str,
    /// What it said, in one line with its place, without secrets.
    pub error: String,
    /// The request during which it was called.
    pub request_id: Option<String>,
}

/// The calls of one plugin.
#[derive(Debug, Default)]
pub(super) struct RecentCalls(Mutex<Vec<VersionCalls>>);

impl RecentCalls {
    /// Counts a call.
    pub(super) fn count(&self, digest: &Arc<str>, last: Option<FailedCall>) {
        let is_denied = last.as_ref().is_some_and(|last| last.outcome == "denied");
        let is_failed = last.is_some() && !is_denied;
        self.add(VersionCalls {
            digest: Arc::clone(digest),
            calls: 1,
            denied: is_denied.into(),
            failed: is_failed.into(),
            last,
        });
    }

    /// Adds calls; the last one of them is now the last one.
    pub(super) fn add(&self, more: VersionCalls) {
        let mut versions = self.versions();
        let known = versions.iter().position(|known| known.digest == more.digest);
        let place = known.or_else(|| (versions.len() >= MAX_VERSIONS).then(|| versions.len() - 1));
        match place.and_then(|place| versions.get_mut(place)) {
            Some(version) => {
                version.calls += more.calls;
                version.denied += more.denied;
                version.failed += more.failed;
                version.last = more.last.or(version.last.take());
            }
            None => versions.push(more),
        }
    }

    /// The calls since they were last taken.
    pub(super) fn read(&self) -> Vec<VersionCalls> {
        self.versions().clone()
    }

    /// The same, which are then counted from zero.
    pub(super) fn take(&self) -> Vec<VersionCalls> {
        std::mem::take(&mut *self.versions())
    }

    fn versions(&self) -> MutexGuard<'_, Vec<VersionCalls>> {
        // No code panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a call in one line; `mask` removes secrets.
pub(super) fn error_line(error: &CallError, mask: impl FnOnce(&str) -> String) -> String {
    let text = match error {
        CallError::Denied(message) => message.clone(),
        error => error.to_string(),
    };
    let line = in_one_line(&mask(&text));
    // PostgreSQL stores no NUL.
    line.chars().take(MAX_ERROR_CHARS).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_version_until_they_are_taken() {
        let recent = RecentCalls::default();
        let (old, new): (Arc<str>, Arc<str>) = ("sha256:1".into(), "sha256:2".into());
        let failed = |outcome| FailedCall { outcome, error: "no".to_owned(), request_id: None };
        recent.count(&old, None);
        recent.count(&old, Some(failed("failed")));
        recent.count(&old, Some(failed("denied")));
        recent.count(&old, None);
        recent.count(&new, None);
        let taken = recent.take();
        let counts = |calls: &VersionCalls| (calls.calls, calls.denied, calls.failed);
        assert_eq!(taken.iter().map(counts).collect::<Vec<_>>(), [(4, 1, 1), (1, 0, 0)]);
        assert_eq!(taken.first().and_then(|calls| calls.last.clone()), Some(failed("denied")));
        assert!(recent.read().is_empty());
        taken.iter().cloned().for_each(|calls| recent.add(calls));
        assert_eq!(recent.read(), taken);
    }

    #[test]
    fn versions_beyond_the_maximum_count_for_the_last_one() {
        let recent = RecentCalls::default();
        for number in 0..3 * MAX_VERSIONS {
            recent.count(&format!("sha256:{number}").into(), None);
        }
        let counted = recent.take();
        assert_eq!((counted.len(), counted.iter().map(|calls| calls.calls).sum::<u64>()), (MAX_VERSIONS, 24));
    }

    #[test]
    fn an_error_is_one_line_without_secrets() {
        let error = CallError::Failed("Error: key 123\n    at f (a.js:3:7)".to_owned());
        assert_eq!(error_line(&error, |text| text.replace("123", "***")), "Error: key *** a.js:3:7");
        assert_eq!(error_line(&CallError::Denied("Name\tthe ticket.".to_owned()), str::to_owned), "Name the ticket.");
    }
}
