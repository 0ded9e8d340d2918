//! Lockout rule: failures within a window are counted, the last allowed one starts a lockout, and a lockout that
//! follows another within a day lasts twice as long.

/// Time after the end of the last lockout until lockouts are forgotten, in milliseconds.
pub const LOCKOUT_MEMORY_MS: i64 = 24 * 3_600_000;
/// Maximum number of doublings; any lockout reaches its maximum duration before.
const MAX_DOUBLINGS: i64 = 16;

/// The limit above which attempts are refused.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Number of failures allowed within the window.
    pub failures: i64,
    /// The window, which begins with the first failure, in milliseconds.
    pub window_ms: i64,
    /// Duration of the first lockout, in milliseconds.
    pub lockout_ms: i64,
    /// Maximum duration of a lockout, in milliseconds.
    pub longest_lockout_ms: i64,
}

/// The counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Failures in the window.
    pub failures: i64,
    /// Consecutive lockouts.
    pub lockouts: i64,
    /// When the failures are reset: at the end of the window or of the lockout. Unix milliseconds.
    pub expires_at: i64,
}

impl Failures {
    /// Counts one more failure. The attempt may proceed if the result is within the limit.
    #[must_use]
    pub fn count(self, limit: Limit, now: i64) -> Self {
        let is_over = self.expires_at <= now;
        let lockouts = if self.expires_at.saturating_add(LOCKOUT_MEMORY_MS) <= now { 0 } else { self.lockouts };
        let failures = if is_over { 1 } else { self.failures.saturating_add(1) };
        if failures == limit.failures {
            let expires_at = now.saturating_add(limit.lockout_after(lockouts));
            return Self { failures, lockouts: lockouts + 1, expires_at };
        }
        let expires_at = if is_over { now.saturating_add(limit.window_ms) } else { self.expires_at };
        Self { failures, lockouts, expires_at }
    }

    /// Removes the counted failure, and the lockout that it started, because the attempt succeeded.
    #[must_use]
    pub fn undo_failure(self, limit: Limit) -> Self {
        let locked = i64::from(self.failures == limit.failures);
        Self { failures: (self.failures - 1).max(0), lockouts: (self.lockouts - locked).max(0), ..self }
    }

    /// The number of failures that count at `now`.
    #[must_use]
    pub const fn now(&self, now: i64) -> i64 {
        if self.expires_at > now { self.failures } else { 0 }
    }

    /// Whether the attempt that was counted last exceeds the limit.
    #[must_use]
    pub fn exceed(&self, limit: Limit) -> bool {
        self.failures > limit.failures
    }
}

impl Limit {
    /// The limit with `count` times the failures, for a network of many clients.
    #[must_use]
    pub const fn times(self, count: i64) -> Self {
        Self { failures: self.failures.saturating_mul(count), ..self }
    }

    /// Duration of a lockout after this number of previous ones.
    fn lockout_after(&self, lockouts: i64) -> i64 {
        let doublings = u32::try_from(lockouts.clamp(0, MAX_DOUBLINGS)).unwrap_or_default();
        let longest = self.longest_lockout_ms.max(self.lockout_ms);
        self.lockout_ms.saturating_mul(1 << doublings).min(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Limit = Limit { failures: 3, window_ms: 100, lockout_ms: 50, longest_lockout_ms: 300 };

    /// Counts failures at `now` until the lockout.
    fn lock(mut failures: Failures, now: i64) -> Failures {
        for _ in 0..LIMIT.failures {
            failures = failures.count(LIMIT, now);
        }
        failures
    }

    #[test]
    fn each_lock_out_lasts_twice_as_long_as_the_one_before() {
        let (mut failures, mut now, mut lasted) = (Failures::default(), 1000, Vec::new());
        for _ in 0..5 {
            failures = lock(failures, now);
            lasted.push(failures.expires_at - now);
            // Attempts during a lockout do not extend it.
            let more = failures.count(LIMIT, now);
            assert!(more.exceed(LIMIT) && more.expires_at == failures.expires_at);
            now = failures.expires_at;
        }
        assert_eq!(lasted, [50, 100, 200, 300, 300]);
        let next_day = lock(failures, now + LOCKOUT_MEMORY_MS);
        assert_eq!((next_day.lockouts, next_day.expires_at - now - LOCKOUT_MEMORY_MS), (1, 50));
    }

    #[test]
    fn an_attempt_that_did_not_fail_locks_nothing() {
        let two = Failures::default().count(LIMIT, 0).count(LIMIT, 0);
        let undone = two.count(LIMIT, 10).undo_failure(LIMIT);
        assert_eq!((undone.failures, undone.lockouts), (2, 0));
        let locked = undone.count(LIMIT, 20);
        assert_eq!(locked, Failures { failures: 3, lockouts: 1, expires_at: 70 });
        // Removing a failure refused during a lockout keeps the lockout.
        assert_eq!(locked.count(LIMIT, 30).undo_failure(LIMIT).lockouts, 1);
        assert_eq!(Failures::default().undo_failure(LIMIT), Failures::default());
    }

    #[test]
    fn failures_are_counted_from_the_first_on() {
        let first = Failures::default().count(LIMIT, 0);
        assert_eq!(first, Failures { failures: 1, lockouts: 0, expires_at: 100 });
        let second = first.count(LIMIT, 99);
        assert_eq!((second.failures, second.expires_at), (2, 100));
        assert_eq!(second.count(LIMIT, 100), Failures { failures: 1, lockouts: 0, expires_at: 200 });
        let strict = Limit { failures: 1, ..LIMIT };
        let locked = Failures::default().count(strict, 7);
        assert!(!locked.exceed(strict) && locked.expires_at == 57);
    }
}
