//! What the slots promise: turns, shares, and ends.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use tokio::task::yield_now;

fn plugin(name: &str) -> Arc<str> {
    name.into()
}

async fn take(slots: &Arc<Slots>, name: &str) -> Result<Slot, CallError> {
    slots.take(&plugin(name), Kind::Claims).await
}

#[tokio::test]
async fn a_plugin_has_half_of_the_slots_and_a_neighbour_the_rest() {
    let slots = Slots::new(4, 8);
    let held = [take(&slots, "a").await.unwrap(), take(&slots, "a").await.unwrap()];
    let waiting = tokio::spawn({
        let slots = Arc::clone(&slots);
        async move { take(&slots, "a").await }
    });
    yield_now().await;
    let neighbour = [take(&slots, "b").await.unwrap(), take(&slots, "b").await.unwrap()];
    drop(neighbour);
    yield_now().await;
    assert!(!waiting.is_finished(), "what the neighbour gave back is not its own");
    drop(held);
    drop(waiting.await.unwrap().unwrap());
    let state = slots.lock();
    assert_eq!((state.running, state.waiting, state.plugins.len()), (0, 0, 0));
}

#[tokio::test]
async fn plugins_take_turns_whatever_the_length_of_their_lines() {
    let slots = Slots::new(1, 16);
    let held = take(&slots, "a").await.unwrap();
    let served = Arc::new(Mutex::new(Vec::new()));
    let mut calls = Vec::new();
    for name in ["a", "a", "a", "b", "c", "b"] {
        let (slots, served) = (Arc::clone(&slots), Arc::clone(&served));
        calls.push(tokio::spawn(async move {
            let _slot = take(&slots, name).await.unwrap();
            served.lock().unwrap().push(name);
        }));
        yield_now().await;
    }
    drop(held);
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(*served.lock().unwrap(), ["a", "b", "c", "a", "b", "a"]);
}

#[tokio::test]
async fn where_the_lines_are_full_the_longest_gives_way() {
    let slots = Slots::new(1, 3);
    let held = take(&slots, "a").await.unwrap();
    let line_up = |name: &'static str| {
        let slots = Arc::clone(&slots);
        tokio::spawn(async move { take(&slots, name).await.map(drop) })
    };
    let mut flood = Vec::new();
    for _ in 0..3 {
        flood.push(line_up("a"));
        yield_now().await;
    }
    let too_many = Err(CallError::Unavailable(TOO_MANY.to_owned()));
    assert_eq!(take(&slots, "a").await.map(drop), too_many);
    let neighbour = line_up("b");
    assert_eq!(flood.pop().unwrap().await.unwrap(), too_many, "the last of the longest line");
    drop(held);
    assert_eq!(neighbour.await.unwrap(), Ok(()));
    for call in flood {
        assert_eq!(call.await.unwrap(), Ok(()));
    }
}

#[tokio::test]
async fn who_gives_up_leaves_its_place() {
    let slots = Slots::new(1, 1);
    let held = take(&slots, "a").await.unwrap();
    let waiting = tokio::spawn({
        let slots = Arc::clone(&slots);
        async move { take(&slots, "b").await.map(drop) }
    });
    yield_now().await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert_eq!(slots.lock().waiting, 0);
    drop(held);
    assert!(take(&slots, "b").await.is_ok());
}

#[tokio::test]
async fn transforms_leave_half_of_the_slots_to_tokens() {
    let slots = Slots::new(4, 8);
    let transform = async |name: &str| slots.take(&plugin(name), Kind::WebhookTransform).await.unwrap();
    let _held = [transform("a").await, transform("b").await];
    let third = tokio::spawn({
        let slots = Arc::clone(&slots);
        async move { slots.take(&plugin("c"), Kind::WebhookTransform).await.map(drop) }
    });
    yield_now().await;
    assert!(!third.is_finished());
    let _token = [take(&slots, "d").await.unwrap(), take(&slots, "d").await.unwrap()];
    third.abort();
}
