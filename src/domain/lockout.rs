//! The rule of lock-outs: failures within a window are counted together, the last one that is allowed locks, and a
//! lock-out that follows another within a day lasts twice as long as that.

/// Lock-outs are forgotten so long after the last of them ended, in milliseconds.
pub const LOCKOUT_MEMORY_MS: i64 = 24 * 3_600_000;
/// More doublings than any lock-out has before it reaches its longest.
const MAX_DOUBLINGS: i64 = 16;

/// When attempts are refused.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// So many failures within the window are allowed.
    pub failures: i64,
    /// The window, which begins with the first failure, in milliseconds.
    pub window_ms: i64,
    /// How long nothing is allowed after the last of them, in milliseconds.
    pub lockout_ms: i64,
    /// How long at most, after many lock-outs, in milliseconds.
    pub longest_lockout_ms: i64,
}

/// What was counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// In the window.
    pub failures: i64,
    /// One after the other.
    pub lockouts: i64,
    /// When the failures are forgotten: at the end of the window, or of the lock-out. Unix milliseconds.
    pub expires_at: i64,
}

impl Failures {
    /// With one failure more. An attempt may go on when it is within the limit.
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

    /// Without one failure, because the attempt did not fail: nor did it lock.
    #[must_use]
    pub fn take_back(self, limit: Limit) -> Self {
        let locked = i64::from(self.failures == limit.failures);
        Self { failures: (self.failures - 1).max(0), lockouts: (self.lockouts - locked).max(0), ..self }
    }

    /// How many of them count now.
    #[must_use]
    pub const fn now(&self, now: i64) -> i64 {
        if self.expires_at > now { self.failures } else { 0 }
    }

    /// Whether the attempt that was counted last is one too many.
    #[must_use]
    pub fn exceed(&self, limit: Limit) -> bool {
        self.failures > limit.failures
    }
}

impl Limit {
    /// The same with so many times the failures, for a network of many clients.
    #[must_use]
    pub const fn times(self, count: i64) -> Self {
        Self { failures: self.failures.saturating_mul(count), ..self }
    }

    /// How long a lock-out lasts after so many others.
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

    /// Fails until it locks, from `now` on; when that ends.
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
            // Whatever is tried meanwhile changes nothing.
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
        let taken_back = two.count(LIMIT, 10).take_back(LIMIT);
        assert_eq!((taken_back.failures, taken_back.lockouts), (2, 0));
        let locked = taken_back.count(LIMIT, 20);
        assert_eq!(locked, Failures { failures: 3, lockouts: 1, expires_at: 70 });
        // What was refused meanwhile is not taken back.
        assert_eq!(locked.count(LIMIT, 30).take_back(LIMIT).lockouts, 1);
        assert_eq!(Failures::default().take_back(LIMIT), Failures::default());
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
