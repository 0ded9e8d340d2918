//! A queue that is bounded in places and in bytes, for what follows a response. Nothing that a token or a delivery does
//! waits for it: what has no room is dropped, and the caller counts it.

use serde_json::{Map, Value};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc;

/// The end that is offered items. The receiver ends when this is dropped.
pub(super) struct ByteQueue<T> {
    places: mpsc::Sender<Queued<T>>,
    max_bytes: usize,
    queued: Arc<AtomicUsize>,
}

/// An item that waits, or is being worked on. Its bytes are given back when it is dropped.
pub(crate) struct Queued<T> {
    item: T,
    _bytes: QueuedBytes,
}

/// Bytes of a queue.
struct QueuedBytes {
    bytes: usize,
    queued: Arc<AtomicUsize>,
}

/// A queue with so many places, for so many bytes.
pub(super) fn byte_queue<T>(places: usize, max_bytes: usize) -> (ByteQueue<T>, mpsc::Receiver<Queued<T>>) {
    let (places, items) = mpsc::channel(places);
    (ByteQueue { places, max_bytes, queued: Arc::default() }, items)
}

impl<T> ByteQueue<T> {
    /// Whether a small item would be taken now: what is dropped anyway need not be copied.
    pub(super) fn has_room(&self) -> bool {
        self.places.capacity() > 0 && self.queued.load(Ordering::Relaxed) < self.max_bytes
    }

    /// Takes an item of so many bytes. `false` if there is no room for it; then it is not made.
    pub(super) fn offer(&self, bytes: usize, item: impl FnOnce() -> T) -> bool {
        let Some(bytes) = QueuedBytes::take(&self.queued, bytes, self.max_bytes) else { return false };
        let Ok(place) = self.places.try_reserve() else { return false };
        place.send(Queued { item: item(), _bytes: bytes });
        true
    }
}

impl<T> Deref for Queued<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

impl QueuedBytes {
    fn take(queued: &Arc<AtomicUsize>, bytes: usize, max_bytes: usize) -> Option<Self> {
        let before = queued.fetch_add(bytes, Ordering::Relaxed);
        // Given back at once, if there is no room.
        let taken = Self { bytes, queued: Arc::clone(queued) };
        (before.saturating_add(bytes) <= max_bytes).then_some(taken)
    }
}

impl Drop for QueuedBytes {
    fn drop(&mut self) {
        self.queued.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// About as many bytes as a value takes.
pub(super) fn bytes_of(value: &Value) -> usize {
    let parts = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(bytes_of).sum(),
        Value::Object(members) => bytes_of_members(members),
    };
    size_of::<Value>() + parts
}

/// About as many bytes as the members of an object take.
pub(super) fn bytes_of_members(members: &Map<String, Value>) -> usize {
    members.iter().map(|(name, value)| name.len() + bytes_of(value)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_has_no_place_is_dropped_and_not_made() {
        let (queue, mut items) = byte_queue(2, 100);
        assert!(queue.offer(1, || "first") && queue.has_room());
        assert!(queue.offer(1, || "second") && !queue.has_room());
        assert!(!queue.offer(1, || unreachable!("there is no place")));
        assert_eq!(queue.queued.load(Ordering::Relaxed), 2, "the bytes of what was dropped are given back");
        assert_eq!(items.try_recv().ok().map(|item| *item), Some("first"));
        assert!(queue.offer(1, || "third"));
    }

    #[test]
    fn the_bytes_of_a_queue_are_bounded_and_given_back_when_an_item_is_done() {
        let (queue, mut items) = byte_queue(10, 100);
        assert!(!queue.offer(101, || unreachable!("it is larger than the queue")));
        assert!(queue.offer(60, || 1) && queue.has_room() && !queue.offer(41, || 2));
        assert!(queue.offer(40, || 3) && !queue.has_room() && !queue.offer(1, || 4));
        let first = items.try_recv().ok();
        assert!(first.as_ref().is_some_and(|first| **first == 1) && !queue.has_room(), "it is still worked on");
        drop(first);
        assert!(queue.has_room() && queue.offer(60, || 5) && !queue.offer(1, || 6));
        drop(items);
        assert!(!queue.offer(0, || unreachable!("nobody reads the queue")));
    }

    #[test]
    fn texts_and_names_count_at_any_depth() {
        let text = "x".repeat(1000);
        let value = json!({ "text": [text, { text.as_str(): 1 }] });
        assert!((2004..2500).contains(&bytes_of(&value)), "{}", bytes_of(&value));
        assert!(bytes_of(&json!([1, 2, 3])) >= 4 * size_of::<Value>());
    }
}
