//! The clock: the only place that reads the system time, so that tests can set the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    Set(Arc<AtomicI64>),
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
        Self(Hand::Set(Arc::new(AtomicI64::new(now_ms))))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        match &self.0 {
            Hand::System => system_ms(),
            Hand::Set(now) => now.load(Ordering::SeqCst),
        }
    }

    /// Moves a fixed clock and all its clones on; the clock of the machine moves by itself alone.
    pub fn advance(&self, by: Duration) {
        if let Hand::Set(now) = &self.0 {
            now.fetch_add(whole_ms(by), Ordering::SeqCst);
        }
    }

    /// Sets a fixed clock and all its clones back, as an administrator would.
    pub fn set_back(&self, by: Duration) {
        if let Hand::Set(now) = &self.0 {
            now.fetch_sub(whole_ms(by), Ordering::SeqCst);
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
    fn the_clock_of_the_machine_is_not_moved() {
        let clock = Clock::system();
        let before = clock.now_ms();
        clock.advance(Duration::from_hours(24 * 365));
        let elapsed = clock.now_ms() - before;
        assert!(before > 1_700_000_000_000 && elapsed < 86_400_000, "{before} {elapsed}");
    }
}
