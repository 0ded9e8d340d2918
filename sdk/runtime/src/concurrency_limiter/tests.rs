//! The concurrency limiter: round-robin order, shares, eviction and cancellation.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use tokio::task::yield_now;

fn plugin(name: &str) -> Arc<str> {
    name.into()
}

async fn acquire(limiter: &Arc<ConcurrencyLimiter>, name: &str) -> Result<CallPermit, CallError> {
    limiter.acquire(&plugin(name), Kind::Claims).await
}

#[tokio::test]
async fn a_plugin_runs_half_of_the_calls_and_another_the_rest() {
    let limiter = ConcurrencyLimiter::new(4, 8);
    let held = [acquire(&limiter, "a").await.unwrap(), acquire(&limiter, "a").await.unwrap()];
    let waiting = tokio::spawn({
        let limiter = Arc::clone(&limiter);
        async move { acquire(&limiter, "a").await }
    });
    yield_now().await;
    let neighbour = [acquire(&limiter, "b").await.unwrap(), acquire(&limiter, "b").await.unwrap()];
    drop(neighbour);
    yield_now().await;
    assert!(!waiting.is_finished(), "what the neighbour gave back is not its own");
    drop(held);
    drop(waiting.await.unwrap().unwrap());
    let state = limiter.lock();
    assert_eq!((state.running, state.waiting, state.plugins.len()), (0, 0, 0));
}

#[tokio::test]
async fn plugins_take_turns_whatever_the_length_of_their_queues() {
    let limiter = ConcurrencyLimiter::new(1, 16);
    let held = acquire(&limiter, "a").await.unwrap();
    let served = Arc::new(Mutex::new(Vec::new()));
    let mut calls = Vec::new();
    for name in ["a", "a", "a", "b", "c", "b"] {
        let (limiter, served) = (Arc::clone(&limiter), Arc::clone(&served));
        calls.push(tokio::spawn(async move {
            let _slot = acquire(&limiter, name).await.unwrap();
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
async fn where_the_queues_are_full_the_longest_gives_way() {
    let limiter = ConcurrencyLimiter::new(1, 3);
    let held = acquire(&limiter, "a").await.unwrap();
    let enqueue = |name: &'static str| {
        let limiter = Arc::clone(&limiter);
        tokio::spawn(async move { acquire(&limiter, name).await.map(drop) })
    };
    let mut flood = Vec::new();
    for _ in 0..3 {
        flood.push(enqueue("a"));
        yield_now().await;
    }
    let too_many = Err(CallError::Unavailable(QUEUE_FULL.to_owned()));
    assert_eq!(acquire(&limiter, "a").await.map(drop), too_many);
    let neighbour = enqueue("b");
    assert_eq!(flood.pop().unwrap().await.unwrap(), too_many, "the last of the longest queue");
    drop(held);
    assert_eq!(neighbour.await.unwrap(), Ok(()));
    for call in flood {
        assert_eq!(call.await.unwrap(), Ok(()));
    }
}

#[tokio::test]
async fn a_call_that_gives_up_leaves_the_queue() {
    let limiter = ConcurrencyLimiter::new(1, 1);
    let held = acquire(&limiter, "a").await.unwrap();
    let waiting = tokio::spawn({
        let limiter = Arc::clone(&limiter);
        async move { acquire(&limiter, "b").await.map(drop) }
    });
    yield_now().await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert_eq!(limiter.lock().waiting, 0);
    drop(held);
    assert!(acquire(&limiter, "b").await.is_ok());
}

#[tokio::test]
async fn deliveries_and_messages_leave_half_of_the_calls_to_tokens() {
    let limiter = ConcurrencyLimiter::new(4, 8);
    let behind = async |name: &str, kind: Kind| limiter.acquire(&plugin(name), kind).await.unwrap();
    let _held = [behind("a", Kind::WebhookTransform).await, behind("b", Kind::Message).await];
    let third = tokio::spawn({
        let limiter = Arc::clone(&limiter);
        async move { limiter.acquire(&plugin("c"), Kind::WebhookTransform).await.map(drop) }
    });
    yield_now().await;
    assert!(!third.is_finished());
    let _token = [acquire(&limiter, "d").await.unwrap(), acquire(&limiter, "d").await.unwrap()];
    third.abort();
}
