//! The rate limit of a hook: a token bucket.

/// One delivery, in the unit of credits.
const CREDITS_PER_DELIVERY: i64 = 1000;

/// The token bucket of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TokenBucket {
    /// Deliveries a second.
    rate: i64,
    /// Thousandths of a delivery.
    credit: i64,
}

impl TokenBucket {
    /// Creates the bucket from the rate and from what was left at another time, Unix milliseconds. Its capacity is a
    /// tenth of a second, so that no second has much more deliveries than the rate.
    #[must_use]
    pub(super) fn new(rate: i64, credit: i64, at: i64, now: i64) -> Self {
        let rate = rate.max(1);
        let most = CREDITS_PER_DELIVERY.max(rate * 100);
        // If the clock went back, nothing is added.
        let gained = now.saturating_sub(at).clamp(0, 1000) * rate;
        Self { rate, credit: (credit.max(0) + gained).min(most) }
    }

    /// How many may begin.
    #[must_use]
    pub(super) fn allowed(self) -> i64 {
        self.credit / CREDITS_PER_DELIVERY
    }

    /// What is left when so many have begun.
    #[must_use]
    pub(super) fn spend(self, count: i64) -> Self {
        Self { credit: self.credit - count * CREDITS_PER_DELIVERY, ..self }
    }

    /// Thousandths of a delivery.
    #[must_use]
    pub(super) fn credit(self) -> i64 {
        self.credit
    }

    /// Milliseconds until the next one may begin.
    #[must_use]
    pub(super) fn wait(self) -> u64 {
        let missing = (CREDITS_PER_DELIVERY - self.credit).max(0);
        (missing.unsigned_abs()).div_ceil(self.rate.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_sees_the_rate_and_little_more() {
        for rate in [1, 3, 10, 200] {
            let (mut credit, mut at, mut begun) = (0, 0, 0);
            for now in (10..=5_000).step_by(10) {
                let bucket = TokenBucket::new(rate, credit, at, now);
                begun += bucket.allowed();
                (credit, at) = (bucket.spend(bucket.allowed()).credit(), now);
            }
            assert!((rate * 5 - 1..=rate * 5 + 1).contains(&begun), "{rate}: {begun}");
        }
    }

    #[test]
    fn rest_does_not_gather_and_a_clock_that_goes_back_gives_nothing() {
        assert_eq!(TokenBucket::new(50, 0, 0, 1_000_000).allowed(), 5);
        assert_eq!(TokenBucket::new(1, 0, 0, 1_000_000).allowed(), 1);
        assert_eq!(TokenBucket::new(50, 999, 1_000_000, 0).allowed(), 0);
        assert_eq!(TokenBucket::new(50, 0, 0, 0).wait(), 20);
        assert_eq!(TokenBucket::new(1, 0, 0, 400).wait(), 600);
    }
}
