//! Who may call now: a bounded number of calls at once, and a bounded line before them.

use crate::CallError;
use std::time::Duration;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

pub(crate) struct Permits {
    line: Semaphore,
    running: Semaphore,
}

/// A place among the running calls, and the place in line that led there.
pub(crate) struct Permit<'a> {
    _line: SemaphorePermit<'a>,
    _running: SemaphorePermit<'a>,
}

impl Permits {
    pub(crate) fn new(concurrency: usize, queue: usize) -> Self {
        let most = Semaphore::MAX_PERMITS;
        let running = concurrency.clamp(1, most);
        Self { line: Semaphore::new(running.saturating_add(queue).min(most)), running: Semaphore::new(running) }
    }

    /// Waits for a place until `deadline`, which is `patience` from now.
    pub(crate) async fn take(&self, deadline: Instant, patience: Duration) -> Result<Permit<'_>, CallError> {
        let line =
            self.line.try_acquire().map_err(|_| CallError::Unavailable("too many calls wait already".to_owned()))?;
        match timeout_at(deadline, self.running.acquire()).await {
            Ok(Ok(running)) => Ok(Permit { _line: line, _running: running }),
            Ok(Err(_)) => Err(CallError::Unavailable("the host is closed".to_owned())),
            Err(_) => Err(CallError::Unavailable(format!("no place came free within {} ms", patience.as_millis()))),
        }
    }
}
