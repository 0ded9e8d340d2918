//! The clock: the only place that reads the system time, so that tests can set it. Responses that are delayed to a
//! deadline use it as well.

use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A time in Unix milliseconds as ISO 8601 in UTC, with milliseconds; times before 1970 become 1970.
#[must_use]
pub fn iso8601(ms: i64) -> String {
    let time = UNIX_EPOCH + Duration::from_millis(u64::try_from(ms).unwrap_or_default());
    humantime::format_rfc3339_millis(time).to_string()
}

/// The clock. Clones share the time.
#[derive(Clone, Debug)]
pub struct Clock(ClockSource);

#[derive(Clone, Debug)]
enum ClockSource {
    System,
    Fixed(Arc<Mutex<FixedTime>>),
}

#[derive(Debug, Default)]
struct FixedTime {
    now: i64,
    /// Whether responses wait until the clock is moved.
    holds: bool,
    /// All deadlines, past and pending.
    deadlines: Vec<i64>,
    /// Tasks that wait for the clock to be moved.
    waiting: Vec<Waker>,
}

/// A start time, by this clock and by the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    at: i64,
    instant: Instant,
}

impl Clock {
    /// The system clock.
    #[must_use]
    pub const fn system() -> Self {
        Self(ClockSource::System)
    }

    /// A clock that stays at `now_ms` until [`Clock::advance`] moves it.
    #[must_use]
    pub fn fixed(now_ms: i64) -> Self {
        Self(ClockSource::Fixed(Arc::new(Mutex::new(FixedTime { now: now_ms, ..FixedTime::default() }))))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.fixed_time().map_or_else(system_ms, |fixed| fixed.now)
    }

    /// Moves a fixed clock and all its clones forward; has no effect on the system clock.
    pub fn advance(&self, by: Duration) {
        self.move_by(whole_ms(by));
    }

    /// Sets a fixed clock and all its clones back, as when an administrator corrects the system time.
    pub fn set_back(&self, by: Duration) {
        self.move_by(-whole_ms(by));
    }

    /// The start time of an operation whose response is delayed to a deadline.
    #[must_use]
    pub fn begin(&self) -> Beginning {
        Beginning { at: self.now_ms(), instant: Instant::now() }
    }

    /// Waits until a whole number of periods, at least one, has passed since `beginning`, so that the response time
    /// does not reveal how long the work took. A fixed clock records the deadline and waits only after [`Clock::hold`];
    /// the system clock waits with `sleep`, the timer of the caller.
    pub async fn wait_for_period<F: Future<Output = ()>>(
        &self,
        beginning: Beginning,
        period: Duration,
        sleep: impl FnOnce(Duration) -> F,
    ) {
        let Some(deadline) = self.record_deadline(beginning, period) else {
            let elapsed = beginning.instant.elapsed();
            return sleep(next_multiple(elapsed, period).saturating_sub(elapsed)).await;
        };
        poll_fn(|context| match self.fixed_time() {
            Some(mut fixed) if fixed.holds && fixed.now < deadline => {
                fixed.waiting.push(context.waker().clone());
                Poll::Pending
            }
            _ => Poll::Ready(()),
        })
        .await;
    }

    /// The deadline by a fixed clock, which it records.
    fn record_deadline(&self, beginning: Beginning, period: Duration) -> Option<i64> {
        let mut fixed = self.fixed_time()?;
        let elapsed = Duration::from_millis((fixed.now - beginning.at).max(0).unsigned_abs());
        let deadline = beginning.at + whole_ms(next_multiple(elapsed, period));
        fixed.deadlines.push(deadline);
        Some(deadline)
    }

    /// Makes responses wait for their deadlines on a fixed clock and its clones.
    pub fn hold(&self) {
        if let Some(mut fixed) = self.fixed_time() {
            fixed.holds = true;
        }
    }

    /// The past and pending deadlines of a fixed clock, in the order in which waiting began.
    #[must_use]
    pub fn deadlines(&self) -> Vec<i64> {
        self.fixed_time().map(|fixed| fixed.deadlines.clone()).unwrap_or_default()
    }

    /// The state of a fixed clock.
    fn fixed_time(&self) -> Option<MutexGuard<'_, FixedTime>> {
        match &self.0 {
            ClockSource::System => None,
            ClockSource::Fixed(fixed) => Some(fixed.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn move_by(&self, ms: i64) {
        if let Some(mut fixed) = self.fixed_time() {
            fixed.now += ms;
            let waiting = mem::take(&mut fixed.waiting);
            drop(fixed);
            waiting.into_iter().for_each(Waker::wake);
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

/// The next whole multiple of the period, at least one.
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
    use std::future::pending;
    use std::task::Context;

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

    #[test]
    fn a_fixed_clock_holds_answers_until_it_is_moved() {
        let clock = Clock::fixed(1_000);
        let wait = || Box::pin(clock.wait_for_period(clock.begin(), Duration::from_millis(40), |_| pending::<()>()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(wait().as_mut().poll(&mut context).is_ready());
        clock.hold();
        let mut waiting = wait();
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        clock.advance(Duration::from_millis(39));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        clock.advance(Duration::from_millis(1));
        assert!(waiting.as_mut().poll(&mut context).is_ready());
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
