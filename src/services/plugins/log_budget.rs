//! The rate limit of plugin logs: a token bucket by bytes. Lines beyond it are dropped and counted, and the count is
//! logged with the next line that fits.

use claimsmith_domain::token_bucket::{Rate, TokenBucket};
use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Bytes a second.
const BYTES_PER_SECOND: i64 = 65_536;

/// The burst is as much as four calls may write.
const RATE: Rate = Rate::new(BYTES_PER_SECOND, 4 * BYTES_PER_SECOND);

/// What a line costs in addition to its text.
const LINE_OVERHEAD_BYTES: usize = 64;

/// One plugin's.
#[derive(Debug)]
pub(super) struct LogBudget {
    /// The zero of the bucket's time.
    began: Instant,
    state: Mutex<BudgetState>,
}

#[derive(Debug)]
struct BudgetState {
    bucket: TokenBucket,
    /// Lines that were dropped since one fitted.
    dropped: u64,
}

impl Default for LogBudget {
    fn default() -> Self {
        let state = BudgetState { bucket: TokenBucket::full(RATE, 0), dropped: 0 };
        Self { began: Instant::now(), state: Mutex::new(state) }
    }
}

impl LogBudget {
    /// Takes the tokens for a line of this length; returns how many lines were dropped before it, or `None` if it must
    /// be dropped as well.
    pub(super) fn take(&self, length: usize) -> Option<u64> {
        self.take_at(Instant::now(), length)
    }

    fn take_at(&self, now: Instant, length: usize) -> Option<u64> {
        let now = i64::try_from(now.saturating_duration_since(self.began).as_millis()).unwrap_or(i64::MAX);
        // No line is longer than a call's log.
        let cost = i64::try_from(length.saturating_add(LINE_OVERHEAD_BYTES)).unwrap_or(i64::MAX);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.bucket.take(cost, now) {
            state.dropped += 1;
            return None;
        }
        Some(std::mem::take(&mut state.dropped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_flood_is_cut_to_the_rate_limit_and_dropped_lines_are_reported_once() {
        let (budget, start) = (LogBudget::default(), Instant::now());
        let written = (0..10_000).filter(|_| budget.take_at(start, 1000).is_some()).count();
        assert_eq!(written, (256 << 10) / 1064);
        let later = start + Duration::from_secs(1);
        assert_eq!(budget.take_at(later, 1000), Some(10_000 - 246));
        assert_eq!(budget.take_at(later, 1000), Some(0));
        let written = (0..10_000).filter(|_| budget.take_at(later, 1000).is_some()).count();
        assert_eq!(written + 2, (64 << 10) / 1064, "what one second brings");
    }
}
