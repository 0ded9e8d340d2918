//! The newest entries of the audit log, which the server reads once for all live views, whatever their filters.

use serde::Deserialize;
use serde_json::Value;

/// An entry, as the API shows it.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Entry {
    pub id: String,
    pub key: String,
    pub payload: Value,
    pub created_at: i64,
}

/// The newest entries.
pub struct RecentEntries {
    /// The newest first.
    pub(crate) entries: Vec<Entry>,
    /// Whether the log has no others.
    is_all: bool,
}

impl RecentEntries {
    /// Of id, key, payload and time (Unix milliseconds), the newest first; `is_all` if the log has no others.
    pub fn new(entries: impl IntoIterator<Item = (String, String, Value, i64)>, is_all: bool) -> Self {
        let entries = entries.into_iter().map(|(id, key, payload, created_at)| Entry { id, key, payload, created_at });
        Self { entries: entries.collect(), is_all }
    }

    /// Whether every entry from this time on is here.
    pub(crate) fn has_all_since(&self, time: i64) -> bool {
        self.is_all || self.entries.last().is_some_and(|oldest| oldest.created_at < time)
    }

    /// The time of the newest entry.
    pub(crate) fn newest(&self) -> i64 {
        self.entries.first().map_or(0, |entry| entry.created_at)
    }
}
