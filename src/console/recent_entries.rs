//! The newest entries of the audit log, which the server reads once for all live views, whatever their filters.

use claimsmith_api::logs::LogView;
use serde_json::Value;

/// The newest entries.
pub struct RecentEntries {
    /// Newest first.
    pub(crate) entries: Vec<LogView>,
    /// Whether these are all entries of the log.
    is_all: bool,
}

impl RecentEntries {
    /// Creates it from (id, key, payload, Unix milliseconds), newest first. `is_all`: the log has no other entries.
    pub fn new(entries: impl IntoIterator<Item = (String, String, Value, i64)>, is_all: bool) -> Self {
        let entries =
            entries.into_iter().map(|(id, key, payload, created_at)| LogView::new(id, key, payload, created_at));
        Self { entries: entries.collect(), is_all }
    }

    /// Whether it contains every entry since this time.
    pub(crate) fn has_all_since(&self, time: i64) -> bool {
        self.is_all || self.entries.last().is_some_and(|oldest| oldest.created_at < time)
    }

    /// The time of the newest entry; 0 if there is none.
    pub(crate) fn newest(&self) -> i64 {
        self.entries.first().map_or(0, |entry| entry.created_at)
    }
}
