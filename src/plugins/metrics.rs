//! What is counted of plugins.

use ::metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use claimsmith_runtime::HttpCounts;
use std::{sync::Arc, time::Duration};

const CALLS: &str = "claimsmith_plugin_calls_total";
const SECONDS: &str = "claimsmith_plugin_call_seconds";
const REQUESTS: &str = "claimsmith_plugin_http_requests_total";
const RELOADS: &str = "claimsmith_plugin_reloads_total";
const LOST: &str = "claimsmith_plugin_log_lines_lost_total";
const ACTIVE: &str = "claimsmith_plugins_active";

pub(super) fn describe() {
    describe_counter!(CALLS, "Calls of plugins, by plugin and outcome");
    describe_histogram!(SECONDS, ::metrics::Unit::Seconds, "Wall-clock time of calls, by plugin");
    describe_counter!(REQUESTS, "Requests of plugins to other servers, by plugin and outcome");
    describe_counter!(RELOADS, "Versions of plugins that were accepted, refused, disabled or removed");
    describe_counter!(LOST, "Lines of plugins that were not kept, since too many came at once, by plugin");
    describe_gauge!(ACTIVE, "Plugins that serve");
}

pub(super) fn call(plugin: &Arc<str>, outcome: &'static str, duration: Duration) {
    counter!(CALLS, "plugin" => Arc::clone(plugin), "outcome" => outcome).increment(1);
    // One that was not called took no time, which says nothing about how long it takes.
    if !duration.is_zero() {
        histogram!(SECONDS, "plugin" => Arc::clone(plugin)).record(duration);
    }
}

pub(super) fn requests(plugin: &Arc<str>, counts: HttpCounts) {
    let HttpCounts { answered, refused, failed } = counts;
    for (outcome, count) in [("answered", answered), ("refused", refused), ("failed", failed)] {
        if count > 0 {
            counter!(REQUESTS, "plugin" => Arc::clone(plugin), "outcome" => outcome).increment(count.into());
        }
    }
}

pub(super) fn line_lost(plugin: &Arc<str>) {
    counter!(LOST, "plugin" => Arc::clone(plugin)).increment(1);
}

pub(super) fn reload(result: &'static str) {
    counter!(RELOADS, "result" => result).increment(1);
}

pub(super) fn active(count: usize) {
    gauge!(ACTIVE).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
}
