//! The activity of a connection: whether a request is in progress, and how long it has been idle.

use super::Limits;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// What a connection does. Shared by the wire, the requests under way and the loop that watches them.
#[derive(Debug)]
pub(super) struct Activity(Mutex<Doing>);

#[derive(Debug)]
struct Doing {
    /// Requests whose answers have not been handed over whole.
    requests: usize,
    /// Of these, those whose client has not taken what it was given.
    unread: usize,
    /// When the first bytes of a head came while nothing was under way.
    head: Option<Instant>,
    /// When a request last began, ended or went on.
    last: Instant,
    is_new: bool,
    is_http2: bool,
}

/// What is to become of a connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is looked at again then, at the latest.
    Fine(Instant),
    /// Nothing is under way, and has not been for long.
    Idle,
    /// Its client keeps the server waiting: for the rest of a head, or to be rid of an answer.
    Stuck,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        let doing = Doing { requests: 0, unread: 0, head: None, last: Instant::now(), is_new: true, is_http2: false };
        Arc::new(Self(Mutex::new(doing)))
    }

    fn lock(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes came.
    pub(super) fn hear(&self, bytes: &[u8]) {
        let mut doing = self.lock();
        if doing.is_new && doing.head.is_none() {
            // The first bytes of HTTP/2, after which there are frames that begin no request.
            doing.is_http2 = bytes.starts_with(b"PRI");
        }
        if doing.requests == 0 && doing.head.is_none() && !doing.is_http2 {
            doing.head = Some(Instant::now());
        }
    }

    /// A request began; it ends when what is returned is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        let mut doing = self.lock();
        doing.requests += 1;
        (doing.head, doing.last, doing.is_new) = (None, Instant::now(), false);
        drop(doing);
        UnderWay { activity: Arc::clone(self), is_unread: false }
    }

    pub(super) fn verdict(&self, limits: &Limits) -> Verdict {
        let (doing, now) = (self.lock(), Instant::now());
        let (due, verdict) = match *doing {
            Doing { requests: 1.., unread: 0, .. } => return Verdict::Fine(now + limits.header_timeout),
            Doing { requests: 1.., last, .. } => (last + limits.idle_timeout, Verdict::Stuck),
            Doing { head: Some(head), .. } => (head + limits.header_timeout, Verdict::Stuck),
            Doing { is_new: true, last, .. } => (last + limits.header_timeout, Verdict::Stuck),
            Doing { last, .. } => (last + limits.idle_timeout, Verdict::Idle),
        };
        // A head may begin at any moment.
        if due <= now { verdict } else { Verdict::Fine(due.min(now + limits.header_timeout)) }
    }

    /// Whether nothing is under way.
    pub(super) fn rests(&self) -> bool {
        self.lock().requests == 0
    }
}

/// A request that is under way.
#[derive(Debug)]
pub(super) struct UnderWay {
    activity: Arc<Activity>,
    is_unread: bool,
}

impl UnderWay {
    /// A part of the answer was handed over (`true`), or the next one is asked for.
    pub(super) fn set_unread(&mut self, is_unread: bool) {
        if is_unread != self.is_unread {
            let mut doing = self.activity.lock();
            doing.last = Instant::now();
            doing.unread = if is_unread { doing.unread + 1 } else { doing.unread - 1 };
            self.is_unread = is_unread;
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.set_unread(false);
        let mut doing = self.activity.lock();
        doing.requests -= 1;
        doing.last = Instant::now();
    }
}
