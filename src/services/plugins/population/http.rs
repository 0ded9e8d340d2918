//! The HTTP requests of a run over all users: refused and counted, or sent at the rate that was allowed for the run.

use claimsmith_runtime::{HttpFailure, HttpFuture, HttpRequest, HttpSender};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Sends the requests of a run, or none.
pub(super) struct RunRequests {
    allowed: Option<Allowed>,
    sent: AtomicU64,
    refused: AtomicU64,
}

/// What sends them, and how often.
struct Allowed {
    sender: Arc<dyn HttpSender>,
    interval: Duration,
    /// When what was sent so far is within the rate.
    settled: Mutex<Instant>,
}

impl RunRequests {
    /// At a rate per second; without one, or without a sender, none is sent.
    pub(super) fn new(sender: Option<&Arc<dyn HttpSender>>, per_second: Option<u32>) -> Self {
        let allowed = sender.zip(per_second).map(|(sender, per_second)| Allowed {
            sender: Arc::clone(sender),
            interval: Duration::from_secs(1) / per_second.max(1),
            settled: Mutex::new(Instant::now()),
        });
        Self { allowed, sent: AtomicU64::new(0), refused: AtomicU64::new(0) }
    }

    /// Whether any is sent.
    pub(super) fn is_allowed(&self) -> bool {
        self.allowed.is_some()
    }

    /// Waits until what was sent is within the rate. Before a call, so that the wait is not part of its deadline.
    pub(super) async fn settle(&self) {
        if let Some(allowed) = &self.allowed {
            let settled = *allowed.settled.lock().unwrap_or_else(PoisonError::into_inner);
            tokio::time::sleep_until(settled).await;
        }
    }

    /// Counts requests that were refused before they came here: they are not granted.
    pub(super) fn count_refused(&self, count: u32) {
        self.refused.fetch_add(count.into(), Ordering::Relaxed);
    }

    /// Those that were sent and those that were refused since this was last asked.
    pub(super) fn take(&self) -> (u64, u64) {
        (self.sent.swap(0, Ordering::Relaxed), self.refused.swap(0, Ordering::Relaxed))
    }
}

impl HttpSender for RunRequests {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let Some(allowed) = &self.allowed else {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let message = "a run over all users sends no requests unless they are allowed for it".to_owned();
            return Box::pin(async move { Err(HttpFailure { message, received: 0 }) });
        };
        self.sent.fetch_add(1, Ordering::Relaxed);
        let mut settled = allowed.settled.lock().unwrap_or_else(PoisonError::into_inner);
        *settled = (*settled).max(Instant::now()) + allowed.interval;
        drop(settled);
        allowed.sender.send(request)
    }
}

impl fmt::Debug for RunRequests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunRequests").field("allowed", &self.is_allowed()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_runtime::HttpResponse;

    #[derive(Debug)]
    struct Answers;

    impl HttpSender for Answers {
        fn send(&self, _: HttpRequest) -> HttpFuture<'_> {
            Box::pin(async { Ok(HttpResponse { status: 200, headers: Vec::new(), body: Vec::new() }) })
        }
    }

    fn request() -> HttpRequest {
        HttpRequest {
            method: "GET".to_owned(),
            url: "https://api.example.com/".to_owned(),
            headers: Vec::new(),
            filled: Vec::new(),
            secrets: None,
            body: None,
            time: Duration::from_secs(1),
            response_bytes: 1024,
        }
    }

    #[tokio::test]
    async fn requests_are_refused_and_counted_or_keep_to_the_rate() {
        let sender: Arc<dyn HttpSender> = Arc::new(Answers);
        for refusing in [RunRequests::new(Some(&sender), None), RunRequests::new(None, Some(5))] {
            assert!(refusing.send(request()).await.is_err() && !refusing.is_allowed());
            refusing.settle().await;
            assert_eq!((refusing.take(), refusing.take()), ((0, 1), (0, 0)));
        }
        let sending = RunRequests::new(Some(&sender), Some(50));
        let began = Instant::now();
        for _ in 0..6 {
            sending.settle().await;
            assert!(sending.send(request()).await.is_ok());
        }
        assert!(began.elapsed() >= Duration::from_millis(100), "five intervals of 20 ms");
        assert_eq!(sending.take(), (6, 0));
    }
}
