//! The clock: the only place that reads the system time, so that tests can set the time. Answers that come at a deadline
//! wait by it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::time::Instant;

/// A time in Unix milliseconds as ISO 8601 in UTC, with milliseconds; what lies before 1970 is 1970.
#[must_use]
pub fn iso8601(ms: i64) -> String {
    let time = UNIX_EPOCH + Duration::from_millis(u64::try_from(ms).unwrap_or_default());
    humantime::format_rfc3339_millis(time).to_string()
}

/// The clock. Clones have the same time.
#[derive(Clone, Debug)]
pub struct Clock(Hand);

#[derive(Clone, Debug)]
enum Hand {
    System,
    Set(Arc<SetTime>),
}

#[derive(Debug)]
struct SetTime {
    now: watch::Sender<i64>,
    /// Whether answers wait until the clock is moved.
    holds: AtomicBool,
    /// Until when answers waited or wait.
    deadlines: Mutex<Vec<i64>>,
}

/// When something began, by the time and by a clock that nobody sets.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    at: i64,
    instant: Instant,
}

impl Clock {
    /// The clock of the machine.
    #[must_use]
    pub const fn system() -> Self {
        Self(Hand::System)
    }

    /// A clock that stands at `now_ms` until [`Clock::advance`] moves it.
    #[must_use]
    pub fn fixed(now_ms: i64) -> Self {
        let (now, holds) = (watch::Sender::new(now_ms), AtomicBool::new(false));
        Self(Hand::Set(Arc::new(SetTime { now, holds, deadlines: Mutex::default() })))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        match &self.0 {
            Hand::System => system_ms(),
            Hand::Set(set) => *set.now.borrow(),
        }
    }

    /// Moves a fixed clock and all its clones on; the clock of the machine moves by itself alone.
    pub fn advance(&self, by: Duration) {
        if let Hand::Set(set) = &self.0 {
            set.now.send_modify(|now| *now += whole_ms(by));
        }
    }

    /// Sets a fixed clock and all its clones back, as an administrator would.
    pub fn set_back(&self, by: Duration) {
        if let Hand::Set(set) = &self.0 {
            set.now.send_modify(|now| *now -= whole_ms(by));
        }
    }

    /// Now, for what is answered at a deadline.
    #[must_use]
    pub fn begin(&self) -> Beginning {
        Beginning { at: self.now_ms(), instant: Instant::now() }
    }

    /// Waits until a whole number of periods has passed since a beginning, one at least: what is late is not answered at
    /// once, so that how late it was does not show. A fixed clock notes the deadline, and waits only if it was told to.
    pub async fn wait_for_period(&self, beginning: Beginning, period: Duration) {
        match &self.0 {
            Hand::System => {
                let elapsed = beginning.instant.elapsed();
                tokio::time::sleep_until(beginning.instant + next_multiple(elapsed, period)).await;
            }
            Hand::Set(set) => {
                let elapsed = Duration::from_millis((self.now_ms() - beginning.at).max(0).unsigned_abs());
                let deadline = beginning.at + whole_ms(next_multiple(elapsed, period));
                set.deadlines.lock().unwrap_or_else(PoisonError::into_inner).push(deadline);
                if set.holds.load(Ordering::SeqCst) {
                    // The sender lives as long as this clock.
                    let _ = set.now.subscribe().wait_for(|now| *now >= deadline).await;
                }
            }
        }
    }

    /// Makes answers of a fixed clock and its clones wait for their deadlines.
    pub fn hold(&self) {
        if let Hand::Set(set) = &self.0 {
            set.holds.store(true, Ordering::SeqCst);
        }
    }

    /// The deadlines that answers had or have by a fixed clock, in the order in which they began to wait.
    #[must_use]
    pub fn deadlines(&self) -> Vec<i64> {
        match &self.0 {
            Hand::System => Vec::new(),
            Hand::Set(set) => set.deadlines.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that may")]
fn system_ms() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => whole_ms(since),
        Err(before) => -whole_ms(before.duration()),
    }
}

/// The next whole number of periods, one at least.
fn next_multiple(elapsed: Duration, period: Duration) -> Duration {
    let period_ns = period.as_nanos().max(1);
    let periods = elapsed.as_nanos().div_ceil(period_ns).max(1);
    Duration::from_nanos(u64::try_from(periods.saturating_mul(period_ns)).unwrap_or(u64::MAX))
}

fn whole_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_advances_with_its_clones() {
        let clock = Clock::fixed(1_000);
        let clone = clock.clone();
        assert_eq!(clone.now_ms(), 1_000);
        clock.advance(Duration::from_millis(2_500));
        assert_eq!((clock.now_ms(), clone.now_ms()), (3_500, 3_500));
        clone.set_back(Duration::from_millis(500));
        assert_eq!(clock.now_ms(), 3_000);
    }

    #[test]
    fn a_late_answer_comes_at_the_next_deadline() {
        let millis = Duration::from_millis;
        for (elapsed, expected) in [(0, 40), (1, 40), (40, 40), (41, 80), (80, 80), (119, 120)] {
            assert_eq!(next_multiple(millis(elapsed), millis(40)), millis(expected), "{elapsed}");
        }
        assert_eq!(next_multiple(millis(5), Duration::ZERO), millis(5));
    }

    #[tokio::test]
    async fn a_fixed_clock_holds_answers_until_it_is_moved() {
        let clock = Clock::fixed(1_000);
        let (beginning, period) = (clock.begin(), Duration::from_millis(40));
        clock.wait_for_period(beginning, period).await;
        clock.hold();
        let waiting = tokio::spawn({
            let clock = clock.clone();
            async move { clock.wait_for_period(beginning, period).await }
        });
        while clock.deadlines().len() < 2 {
            tokio::task::yield_now().await;
        }
        clock.advance(Duration::from_millis(39));
        assert!(!waiting.is_finished());
        clock.advance(Duration::from_millis(1));
        assert!(waiting.await.is_ok());
        assert_eq!(clock.deadlines(), [1_040, 1_040]);
    }

    #[test]
    fn the_clock_of_the_machine_is_not_moved() {
        let clock = Clock::system();
        let before = clock.now_ms();
        clock.advance(Duration::from_hours(24 * 365));
        let elapsed = clock.now_ms() - before;
        assert!(before > 1_700_000_000_000 && elapsed < 86_400_000, "{before} {elapsed}");
    }
}
