//! Commit delay: a group commit waits for the writes of tokens that are being made when it begins, one or a few
//! milliseconds at most, and no longer than a millisecond without an arrival. Otherwise tokens that take a plugin's
//! time would be committed one by one, each at the full cost.
//!
//! At most one commit waits for a token, and none for one whose plugins usually take long, so that a slow plugin does
//! not delay other tokens.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// A token whose plugins usually take longer is not waited for.
pub(super) const MAX_USUAL_DURATION: Duration = Duration::from_millis(2);
/// How long a commit waits without an arrival; timers are no more exact than that.
const MAX_IDLE: Duration = Duration::from_millis(1);
/// The jobs that will be queued soon.
#[derive(Clone, Default)]
pub(super) struct Expected(Arc<CommitDelayState>);

#[derive(Default)]
struct CommitDelayState {
    counts: Mutex<BatchCounts>,
    all_arrived: Notify,
}

#[derive(Default)]
struct BatchCounts {
    /// How many batches began so far.
    batches: u64,
    /// The jobs that the current batch waits for: those expected since the previous batch.
    awaited: usize,
    /// The jobs that the next batch will wait for.
    expected: usize,
}

/// One job, expected until this is dropped.
pub(super) struct Arrival {
    expected: Expected,
    /// How many batches had begun before.
    batches: u64,
}

impl Expected {
    /// Expects one more job.
    pub(super) fn add(&self) -> Arrival {
        let mut counts = self.counts();
        counts.expected += 1;
        Arrival { batches: counts.batches, expected: self.clone() }
    }

    /// Begins a batch: waits until every job that is expected now has arrived, `max_waits` times [`MAX_IDLE`] at most,
    /// and no longer without arrivals. For one batch at a time.
    pub(super) async fn begin_batch(&self, max_waits: u32) {
        let mut awaited = {
            let mut counts = self.counts();
            counts.batches += 1;
            counts.awaited = std::mem::take(&mut counts.expected);
            counts.awaited
        };
        for _ in 0..max_waits {
            if awaited == 0 {
                return;
            }
            let _ = tokio::time::timeout(MAX_IDLE, self.all_arrived()).await;
            let missing = self.counts().awaited;
            if missing == awaited {
                // Late requests are not waited for.
                return;
            }
            awaited = missing;
        }
    }

    async fn all_arrived(&self) {
        while self.counts().awaited > 0 {
            self.0.all_arrived.notified().await;
        }
    }

    fn counts(&self) -> MutexGuard<'_, BatchCounts> {
        self.0.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Arrival {
    fn drop(&mut self) {
        let mut counts = self.expected.counts();
        if counts.batches == self.batches {
            counts.expected -= 1;
        } else if counts.batches == self.batches + 1 {
            counts.awaited -= 1;
            if counts.awaited == 0 {
                self.expected.0.all_arrived.notify_one();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    const MAX_WAITS: u32 = 4;

    /// Whether a batch that begins now begins at once.
    fn is_ready(expected: &Expected) -> bool {
        expected.begin_batch(MAX_WAITS).now_or_never().is_some()
    }

    #[tokio::test]
    async fn a_batch_waits_for_what_is_expected_when_it_begins() {
        let expected = Expected::default();
        assert!(is_ready(&expected), "nothing is expected");
        let (first, second) = (expected.add(), expected.add());
        let batch = expected.begin_batch(MAX_WAITS);
        tokio::pin!(batch);
        assert!(batch.as_mut().now_or_never().is_none());
        let later = expected.add();
        drop(first);
        assert!(batch.as_mut().now_or_never().is_none());
        drop(second);
        assert!(batch.now_or_never().is_some(), "what is expected later is for the next batch");
        assert!(!is_ready(&expected));
        drop(later);
        assert!(is_ready(&expected));
    }

    #[tokio::test]
    async fn a_batch_goes_on_waiting_while_jobs_arrive() {
        let expected = Expected::default();
        let (first, second, late) = (expected.add(), expected.add(), expected.add());
        let batch = expected.begin_batch(MAX_WAITS);
        tokio::pin!(batch);
        assert!(batch.as_mut().now_or_never().is_none());
        for arrived in [first, second] {
            drop(arrived);
            tokio::time::sleep(MAX_IDLE * 2).await;
            assert!(batch.as_mut().now_or_never().is_none(), "it waits for the next one");
        }
        tokio::time::sleep(MAX_IDLE * 2).await;
        assert!(batch.now_or_never().is_some(), "nothing arrived any more");
        drop(late);
    }

    #[tokio::test]
    async fn a_batch_waits_so_many_times_at_most() {
        let expected = Expected::default();
        let mut arriving: Vec<_> = (0..=MAX_WAITS).map(|_| expected.add()).collect();
        let batch = expected.begin_batch(MAX_WAITS);
        tokio::pin!(batch);
        for _ in 0..MAX_WAITS {
            assert!(batch.as_mut().now_or_never().is_none());
            arriving.pop();
            tokio::time::sleep(MAX_IDLE * 2).await;
        }
        assert!(batch.now_or_never().is_some(), "one did not arrive in time");
    }

    #[tokio::test]
    async fn one_batch_waits_for_what_is_late_and_only_for_a_moment() {
        let expected = Expected::default();
        let late = expected.add();
        assert!(!is_ready(&expected), "this batch was given up");
        assert!(is_ready(&expected), "the next one does not wait");
        let later = expected.add();
        // It ends although neither arrives.
        expected.begin_batch(MAX_WAITS).await;
        drop(later);
        assert!(is_ready(&expected), "the next one does not");
        let soon = expected.add();
        drop(late);
        assert!(!is_ready(&expected), "a late one counts for no other");
        drop(soon);
        assert!(is_ready(&expected));
    }
}
