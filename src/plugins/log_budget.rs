//! The rate limit of plugin logs: a token bucket by bytes. Lines beyond it are dropped and counted, and the count is
//! logged with the next line that fits.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Bytes a second.
const BYTES_PER_SECOND: f64 = 65_536.0;

/// The burst: as much as four calls may write.
const BURST_BYTES: f64 = 4.0 * BYTES_PER_SECOND;

/// What a line costs in addition to its text.
const LINE_OVERHEAD_BYTES: usize = 64;

/// One plugin's.
#[derive(Debug)]
pub(super) struct LogBudget(Mutex<Bucket>);

#[derive(Debug)]
struct Bucket {
    left: f64,
    filled: Instant,
    dropped: u64,
}

impl Default for LogBudget {
    fn default() -> Self {
        Self(Mutex::new(Bucket { left: BURST_BYTES, filled: Instant::now(), dropped: 0 }))
    }
}

impl LogBudget {
    /// Takes the tokens for a line of this length; returns how many lines were dropped before it, or none if it must be
    /// dropped as well.
    pub(super) fn take(&self, length: usize) -> Option<u64> {
        self.take_at(Instant::now(), length)
    }

    fn take_at(&self, now: Instant, length: usize) -> Option<u64> {
        let mut bucket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(bucket.filled).as_secs_f64();
        bucket.left = (bucket.left + BYTES_PER_SECOND * passed).min(BURST_BYTES);
        bucket.filled = now;
        // No line is longer than a call's log.
        let cost = f64::from(u32::try_from(length.saturating_add(LINE_OVERHEAD_BYTES)).unwrap_or(u32::MAX));
        if bucket.left < cost {
            bucket.dropped += 1;
            return None;
        }
        bucket.left -= cost;
        Some(std::mem::take(&mut bucket.dropped))
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
