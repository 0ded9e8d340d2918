//! How fast a run goes: at most at a fixed rate, and slower while the server is busy, which shows by timers that fire late.

use std::time::Duration;
use tokio::time::Instant;

/// Users per second: at most, at least, and at the start.
const MAX_PER_SECOND: f64 = 500.0;
const MIN_PER_SECOND: f64 = 20.0;
const FIRST_PER_SECOND: f64 = 200.0;
/// The shortest pause between two groups of users, by which lateness is measured.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
/// A timer that is later than this has waited for others.
const LATE: Duration = Duration::from_millis(4);
/// The rate after a timer that was late, and after one that was not.
const SLOWER: f64 = 0.6;
const FASTER: f64 = 1.03;

/// The pace of one run.
pub(super) struct Pace {
    per_second: f64,
    /// When the next users are due.
    next: Instant,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { per_second: FIRST_PER_SECOND, next: Instant::now() }
    }

    /// Waits until so many users are due.
    pub(super) async fn take(&mut self, users: usize) {
        let due = self.next.max(Instant::now() + SHORTEST_PAUSE);
        tokio::time::sleep_until(due).await;
        let now = Instant::now();
        self.adapt(now.saturating_duration_since(due));
        let users = u32::try_from(users).unwrap_or(u32::MAX);
        self.next = due + Duration::from_secs_f64(f64::from(users) / self.per_second);
    }

    fn adapt(&mut self, late: Duration) {
        let factor = if late > LATE { SLOWER } else { FASTER };
        self.per_second = (self.per_second * factor).clamp(MIN_PER_SECOND, MAX_PER_SECOND);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_busy_server_slows_a_run_down_and_an_idle_one_lets_it_recover() {
        let mut pace = Pace::new();
        for _ in 0..100 {
            pace.adapt(Duration::from_millis(20));
        }
        assert!((pace.per_second - MIN_PER_SECOND).abs() < f64::EPSILON);
        for _ in 0..1000 {
            pace.adapt(Duration::ZERO);
        }
        assert!((pace.per_second - MAX_PER_SECOND).abs() < f64::EPSILON);
        let began = Instant::now();
        for _ in 0..5 {
            pace.per_second = MAX_PER_SECOND;
            pace.take(10).await;
        }
        assert!(began.elapsed() >= Duration::from_millis(80), "four times 20 ms");
    }
}
