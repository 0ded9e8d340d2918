//! What is counted of deliveries.

use super::delivery::Outcome;
use ::metrics::{counter, describe_counter, describe_histogram, histogram};

const ATTEMPTS: &str = "claimsmith_webhook_attempts_total";
const SECONDS: &str = "claimsmith_webhook_attempt_seconds";

pub(super) fn describe() {
    describe_counter!(ATTEMPTS, "Attempts to deliver events, by outcome");
    describe_histogram!(SECONDS, ::metrics::Unit::Seconds, "Wall-clock time of attempts");
}

pub(super) fn attempt(outcome: &Outcome, duration_ms: i64) {
    let outcome = match outcome {
        Outcome::Delivered => "delivered",
        Outcome::Failed { .. } => "failed",
        Outcome::Dropped(_) => "dropped",
    };
    counter!(ATTEMPTS, "outcome" => outcome).increment(1);
    // A precision of milliseconds is enough for what takes seconds.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of an attempt are few")]
    histogram!(SECONDS).record(duration_ms as f64 / 1000.0);
}
