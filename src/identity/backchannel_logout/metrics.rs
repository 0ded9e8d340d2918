//! Metrics of back-channel logout.

use ::metrics::{counter, describe_counter, describe_histogram, histogram};
use std::time::Duration;

const ATTEMPTS: &str = "claimsmith_backchannel_logout_attempts_total";
const SECONDS: &str = "claimsmith_backchannel_logout_attempt_seconds";

pub(super) fn describe() {
    describe_counter!(ATTEMPTS, "Attempts to tell applications that a session has ended, by outcome");
    describe_histogram!(SECONDS, ::metrics::Unit::Seconds, "Wall-clock time of attempts");
}

pub(super) fn attempt(outcome: &'static str, duration: Duration) {
    counter!(ATTEMPTS, "outcome" => outcome).increment(1);
    histogram!(SECONDS).record(duration.as_secs_f64());
}
