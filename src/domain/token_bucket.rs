//! Token buckets, for the rate limits of this server. The caller stores the state.

/// Credits per token: one token per second is one credit per millisecond.
const CREDITS: i64 = 1000;
/// Maximum elapsed time counted for a refill, in milliseconds; even a slow bucket is full by then.
const MAX_PAUSE_MS: i64 = 3_600_000;

/// A rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Sustained tokens per second.
    per_second: i64,
    /// Capacity in thousandths of a token.
    capacity: i64,
}

impl Rate {
    /// A rate of tokens per second with a burst.
    #[must_use]
    pub const fn new(per_second: i64, burst: i64) -> Self {
        Self { per_second, capacity: burst * CREDITS }
    }

    /// The rate and burst multiplied by `count`.
    #[must_use]
    pub const fn times(self, count: i64) -> Self {
        Self { per_second: self.per_second * count, capacity: self.capacity * count }
    }

    /// A rate with a burst of a tenth of a second or one token, so that no second much exceeds the rate.
    #[must_use]
    pub fn even(per_second: i64) -> Self {
        let per_second = per_second.max(1);
        Self { per_second, capacity: CREDITS.max(per_second * 100) }
    }
}

/// The state of a bucket at a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBucket {
    rate: Rate,
    /// Credit in thousandths of a token.
    credit: i64,
    /// Time of the state, milliseconds.
    at: i64,
}

impl TokenBucket {
    /// A full bucket at `now` (milliseconds).
    #[must_use]
    pub const fn full(rate: Rate, now: i64) -> Self {
        Self { rate, credit: rate.capacity, at: now }
    }

    /// The state with a credit at `at` (milliseconds).
    #[must_use]
    pub const fn left(rate: Rate, credit: i64, at: i64) -> Self {
        Self { rate, credit, at }
    }

    /// Adds the tokens for the elapsed time. If the clock went back, nothing is added.
    #[must_use]
    pub fn refilled(self, now: i64) -> Self {
        let gained = now.saturating_sub(self.at).clamp(0, MAX_PAUSE_MS) * self.rate.per_second;
        Self { credit: (self.credit.max(0) + gained).min(self.rate.capacity), at: now, ..self }
    }

    /// The number of whole tokens.
    #[must_use]
    pub const fn tokens(self) -> i64 {
        self.credit / CREDITS
    }

    /// Removes tokens without checking that they are available.
    #[must_use]
    pub const fn spend(self, tokens: i64) -> Self {
        Self { credit: self.credit - tokens * CREDITS, ..self }
    }

    /// Takes tokens at `now`, if enough are available.
    #[must_use]
    pub fn take(&mut self, tokens: i64, now: i64) -> bool {
        *self = self.refilled(now);
        let are_there = tokens <= self.tokens();
        if are_there {
            *self = self.spend(tokens);
        }
        are_there
    }

    /// The credit to store, in thousandths of a token.
    #[must_use]
    pub const fn credit(self) -> i64 {
        self.credit
    }

    /// Milliseconds until a token is available.
    #[must_use]
    pub fn wait(self) -> u64 {
        let missing = (CREDITS - self.credit).max(0);
        missing.unsigned_abs().div_ceil(self.rate.per_second.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_sees_an_even_rate_and_little_more() {
        for rate in [1, 3, 10, 200] {
            let (mut bucket, mut begun) = (TokenBucket::left(Rate::even(rate), 0, 0), 0);
            for now in (10..=5_000).step_by(10) {
                bucket = bucket.refilled(now);
                begun += bucket.tokens();
                bucket = bucket.spend(bucket.tokens());
            }
            assert!((rate * 5 - 1..=rate * 5 + 1).contains(&begun), "{rate}: {begun}");
        }
    }

    #[test]
    fn rest_does_not_gather_and_a_clock_that_goes_back_gives_nothing() {
        let even = |rate, credit, at, now| TokenBucket::left(Rate::even(rate), credit, at).refilled(now);
        assert_eq!(even(50, 0, 0, 1_000_000).tokens(), 5);
        assert_eq!(even(1, 0, 0, 1_000_000).tokens(), 1);
        assert_eq!(even(50, 999, 1_000_000, 0).tokens(), 0);
        assert_eq!(even(50, 0, 0, 0).wait(), 20);
        assert_eq!(even(1, 0, 0, 400).wait(), 600);
    }

    #[test]
    fn nothing_is_taken_of_which_there_is_too_little() {
        let mut bucket = TokenBucket::full(Rate::new(10, 300), 0);
        assert!(bucket.take(299, 0) && !bucket.take(2, 0) && bucket.take(1, 0));
        assert!(!bucket.take(11, 1000) && bucket.take(10, 1000));
    }
}
