//! The activity of a connection: whether a request is in progress, and how long it has been idle.

use super::ConnectionLimits;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// The activity of a connection. Shared by its byte stream, its requests in progress and the loop that watches them.
#[derive(Debug)]
pub(super) struct ConnectionActivity(Mutex<Doing>);

#[derive(Debug)]
struct Doing {
    /// Requests whose responses have not been sent completely.
    requests: usize,
    /// When unsent pieces of responses were passed on for sending, with their numbers.
    unread: BTreeSet<(Instant, u64)>,
    /// The number of the next piece.
    next_piece: u64,
    /// When the first bytes of a request head arrived while no request was in progress.
    head: Option<Instant>,
    /// When a request last began, ended or made progress.
    last: Instant,
    is_new: bool,
    is_http2: bool,
}

/// What to do with a connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Keep it, and check again at this time at the latest.
    Fine(Instant),
    /// Close it: it has been idle for too long.
    Idle,
    /// Close it: its client is too slow to send a request head, or to read a response.
    Stuck,
}

impl ConnectionActivity {
    pub(super) fn new() -> Arc<Self> {
        let doing = Doing {
            requests: 0,
            unread: BTreeSet::new(),
            next_piece: 0,
            head: None,
            last: Instant::now(),
            is_new: true,
            is_http2: false,
        };
        Arc::new(Self(Mutex::new(doing)))
    }

    fn lock(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records received bytes.
    pub(super) fn hear(&self, bytes: &[u8]) {
        let mut doing = self.lock();
        if doing.is_new && doing.head.is_none() {
            // The preface of HTTP/2, after which frames need not begin a request.
            doing.is_http2 = bytes.starts_with(b"PRI");
        }
        if doing.requests == 0 && doing.head.is_none() && !doing.is_http2 {
            doing.head = Some(Instant::now());
        }
    }

    /// Records the start of a request, which ends when the returned value is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        let mut doing = self.lock();
        doing.requests += 1;
        (doing.head, doing.last, doing.is_new) = (None, Instant::now(), false);
        drop(doing);
        UnderWay(Arc::clone(self))
    }

    pub(super) fn verdict(&self, limits: &ConnectionLimits) -> Verdict {
        self.verdict_at(limits, Instant::now())
    }

    fn verdict_at(&self, limits: &ConnectionLimits, now: Instant) -> Verdict {
        let doing = self.lock();
        let oldest = doing.unread.first().map(|(since, _)| *since);
        let (due, verdict) = match (&*doing, oldest) {
            // Takes precedence over other activity: unread responses take memory.
            (_, Some(since)) => (since + limits.unread_timeout, Verdict::Stuck),
            (Doing { requests: 1.., .. }, None) => return Verdict::Fine(now + limits.header_timeout),
            (Doing { head: Some(head), .. }, None) => (*head + limits.header_timeout, Verdict::Stuck),
            (Doing { is_new: true, last, .. }, None) => (*last + limits.header_timeout, Verdict::Stuck),
            (Doing { last, .. }, None) => (*last + limits.idle_timeout, Verdict::Idle),
        };
        // A request head may begin at any moment.
        if due <= now { verdict } else { Verdict::Fine(due.min(now + limits.header_timeout)) }
    }

    /// Whether no request is in progress.
    pub(super) fn rests(&self) -> bool {
        self.lock().requests == 0
    }
}

/// A request in progress.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<ConnectionActivity>);

impl UnderWay {
    /// Records a piece that was passed on for sending. It counts as unsent until the returned value is dropped.
    pub(super) fn pass_on(self: &Arc<Self>) -> UnsentPiece {
        let mut doing = self.0.lock();
        let piece = (Instant::now(), doing.next_piece);
        doing.next_piece += 1;
        doing.unread.insert(piece);
        drop(doing);
        UnsentPiece { request: Arc::clone(self), piece }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut doing = self.0.lock();
        doing.requests -= 1;
        doing.last = Instant::now();
    }
}

/// A piece of a response that is not sent yet.
#[derive(Debug)]
pub(super) struct UnsentPiece {
    request: Arc<UnderWay>,
    piece: (Instant, u64),
}

impl Drop for UnsentPiece {
    fn drop(&mut self) {
        self.request.0.lock().unread.remove(&self.piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_config::ServerConfig;
    use std::time::Duration;

    /// What becomes of a connection in so many seconds, by the default timeouts.
    fn after(activity: &ConnectionActivity, seconds: u64) -> Verdict {
        let now = Instant::now() + Duration::from_secs(seconds);
        activity.verdict_at(&ConnectionLimits::of(&ServerConfig::default()), now)
    }

    fn is_fine(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Fine(_))
    }

    #[test]
    fn an_idle_connection_outlives_the_timeout_of_load_balancers() {
        let activity = ConnectionActivity::new();
        drop(activity.begin());
        assert!(is_fine(&after(&activity, 70)), "load balancers keep connections for 60 s");
        assert_eq!(after(&activity, 80), Verdict::Idle);
    }

    #[test]
    fn a_slow_client_gets_no_more_time_for_it() {
        let new = ConnectionActivity::new();
        assert!(is_fine(&after(&new, 9)));
        assert_eq!(after(&new, 11), Verdict::Stuck, "nothing was sent");
        let slow = ConnectionActivity::new();
        drop(slow.begin());
        slow.hear(b"GET");
        assert!(is_fine(&after(&slow, 9)));
        assert_eq!(after(&slow, 11), Verdict::Stuck, "the head of the next request takes too long");
        let unread = ConnectionActivity::new();
        let request = Arc::new(unread.begin());
        let _piece = request.pass_on();
        assert!(is_fine(&after(&unread, 59)));
        assert_eq!(after(&unread, 61), Verdict::Stuck, "a response is not read");
    }
}
