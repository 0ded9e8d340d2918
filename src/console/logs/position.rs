//! How far a live view has read the audit log.

use claimsmith_api::logs::LogView;
use std::collections::HashSet;

/// The read position of a live view.
pub(super) struct Position {
    /// Start time of the view; older entries are not shown.
    begin: i64,
    /// Time of the newest entry read.
    pub(super) newest: i64,
    /// Ids of the entries of the last two polls; the shared entries may be up to a second old. Compared by id instead
    /// of time, because the entry of a slow transaction appears late with an older time.
    read: [HashSet<String>; 2],
}

impl Position {
    /// The position after these entries.
    pub(super) fn behind(entries: &[LogView]) -> Self {
        let newest = entries.iter().map(|entry| entry.created_at).max().unwrap_or_default();
        Self { begin: newest, newest, read: [ids(entries), HashSet::new()] }
    }

    /// Whether an entry has not been shown yet.
    pub(super) fn is_new(&self, entry: &LogView) -> bool {
        entry.created_at >= self.begin && !self.read.iter().any(|read| read.contains(&entry.id))
    }

    /// Records that these entries, and everything up to `newest`, were read.
    pub(super) fn advance(&mut self, entries: &[LogView], newest: i64) {
        let times = entries.iter().map(|entry| entry.created_at).chain([newest, self.newest]);
        self.newest = times.max().unwrap_or_default();
        self.read.swap(0, 1);
        self.read[0] = ids(entries);
    }
}

fn ids(entries: &[LogView]) -> HashSet<String> {
    entries.iter().map(|entry| entry.id.clone()).collect()
}
