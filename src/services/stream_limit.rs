//! How many endless responses (server-sent events) one session or one client has open at a time on this node, and how
//! many there are in total.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Streams of one session or client: a browser has a few tabs.
const MAX_PER_KEY: usize = 4;
/// Streams in total. Each checks its rights again and again.
const MAX_IN_ALL: usize = 256;

/// Counts open streams. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct StreamLimit(Arc<Mutex<HashMap<String, usize>>>);

/// An open stream. It counts until this is dropped.
#[derive(Debug)]
pub struct StreamPermit {
    limit: StreamLimit,
    key: String,
}

impl StreamLimit {
    /// Opens one more; `None` if the maximum is reached.
    #[must_use]
    pub fn open(&self, key: String) -> Option<StreamPermit> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = open.get(&key).is_none_or(|count| *count < MAX_PER_KEY);
        if !has_room || open.values().sum::<usize>() >= MAX_IN_ALL {
            return None;
        }
        *open.entry(key.clone()).or_default() += 1;
        drop(open);
        Some(StreamPermit { limit: self.clone(), key })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.limit.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_a_few_and_all_have_many() {
        let limit = StreamLimit::default();
        let open: Vec<_> = (0..MAX_PER_KEY).map(|_| limit.open("a".to_owned())).collect();
        assert!(open.iter().all(Option::is_some) && limit.open("a".to_owned()).is_none());
        assert!(limit.open("b".to_owned()).is_some(), "others have theirs");
        drop(open);
        let many: Vec<_> = (0..MAX_IN_ALL).map(|number| limit.open(number.to_string())).collect();
        assert!(many.iter().all(Option::is_some) && limit.open("a".to_owned()).is_none());
        drop(many);
        assert!(limit.open("a".to_owned()).is_some());
        assert!(
            limit.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty(),
            "nothing is left of what was closed"
        );
    }
}
