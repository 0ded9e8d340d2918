//! Metrics of deliveries.

use ::metrics::{counter, describe_counter, describe_histogram, histogram};

const ATTEMPTS: &str = "claimsmith_webhook_attempts_total";
const SECONDS: &str = "claimsmith_webhook_attempt_seconds";

pub(super) fn describe() {
    describe_counter!(ATTEMPTS, "Attempts to deliver events, by outcome");
    describe_histogram!(SECONDS, ::metrics::Unit::Seconds, "Wall-clock time of attempts");
}

/// One that a transform dropped took no time, which says nothing about how long attempts take.
pub(super) fn attempt(outcome: &'static str, duration_ms: Option<i64>) {
    counter!(ATTEMPTS, "outcome" => outcome).increment(1);
    if let Some(duration_ms) = duration_ms {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of an attempt are few")]
        histogram!(SECONDS).record(duration_ms as f64 / 1000.0);
    }
}
