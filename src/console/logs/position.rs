//! How far a live view has read the audit log.

use super::entry::Entry;
use std::collections::HashSet;

/// How far a view has read.
pub(super) struct Position {
    /// When the view began: nothing older is shown.
    begin: i64,
    /// The time of the newest entry that was read.
    pub(super) newest: i64,
    /// The entries of the last look, and of the one before: what was read for all views may be a second old. They are
    /// told apart by their ids, since a transaction that takes longer brings an older entry later.
    read: [HashSet<String>; 2],
}

impl Position {
    /// Behind these entries.
    pub(super) fn behind(entries: &[Entry]) -> Self {
        let newest = entries.iter().map(|entry| entry.created_at).max().unwrap_or_default();
        Self { begin: newest, newest, read: [ids(entries), HashSet::new()] }
    }

    /// Whether an entry is to be shown.
    pub(super) fn is_new(&self, entry: &Entry) -> bool {
        entry.created_at >= self.begin && !self.read.iter().any(|read| read.contains(&entry.id))
    }

    /// These were read, and everything up to this time.
    pub(super) fn advance(&mut self, entries: &[Entry], newest: i64) {
        let times = entries.iter().map(|entry| entry.created_at).chain([newest, self.newest]);
        self.newest = times.max().unwrap_or_default();
        self.read.swap(0, 1);
        self.read[0] = ids(entries);
    }
}

fn ids(entries: &[Entry]) -> HashSet<String> {
    entries.iter().map(|entry| entry.id.clone()).collect()
}
