//! `[capabilities.cache]`: how much a plugin may keep for its later calls. Without it, nothing.

use serde::{Deserialize, Serialize};

/// The highest value of each key: together they bound the memory that one plugin takes of a node.
const MAX_VALUES: [(&str, u32); 2] = [("entries", 10_000), ("kib", 16 << 10)];

/// How much a plugin may keep between its calls, on each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CacheCapability {
    /// Entries at one time. Default 1000.
    pub entries: u32,
    /// KiB of all keys and values together. Default 1024.
    pub kib: u32,
    /// Whether there may be entries that the calls of all users and applications share. Default false.
    pub everybody: bool,
}

impl Default for CacheCapability {
    fn default() -> Self {
        Self { entries: 1000, kib: 1024, everybody: false }
    }
}

impl CacheCapability {
    /// What both this capability and `granted` allow.
    #[must_use]
    pub fn intersect(&self, granted: &Self) -> Self {
        Self {
            entries: self.entries.min(granted.entries),
            kib: self.kib.min(granted.kib),
            everybody: self.everybody && granted.everybody,
        }
    }

    /// What the types cannot say. The error is a key and what is wrong with it.
    pub fn check(&self) -> Result<(), (String, String)> {
        for ((key, most), value) in MAX_VALUES.into_iter().zip([self.entries, self.kib]) {
            if !(1..=most).contains(&value) {
                return Err((key.to_owned(), format!("must be from 1 to {most}, not {value}")));
            }
        }
        Ok(())
    }
}
