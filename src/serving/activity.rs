//! The activity of a connection: whether a request is in progress, and how long it has been idle.

use super::ConnectionLimits;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// The activity of a connection. Shared by its byte stream, its requests in progress and the loop that watches them.
#[derive(Debug)]
pub(super) struct ConnectionActivity(Mutex<Doing>);

#[derive(Debug)]
struct Doing {
    /// Requests whose responses have not been sent completely.
    requests: usize,
    /// Of these, those whose client does not read the response.
    unread: usize,
    /// When the first bytes of a request head came while no request was in progress.
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

    pub(super) fn verdict(&self, limits: &ConnectionLimits) -> Verdict {
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

    /// Whether no request is in progress.
    pub(super) fn rests(&self) -> bool {
        self.lock().requests == 0
    }
}

/// A request in progress.
#[derive(Debug)]
pub(super) struct UnderWay {
    activity: Arc<ConnectionActivity>,
    is_unread: bool,
}

impl UnderWay {
    /// A part of the response was passed on for sending (`true`), or the next one is requested.
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
