//! Metrics of plugins.

use ::metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use claimsmith_runtime::{CacheCounts, HttpCounts};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

const CALLS: &str = "claimsmith_plugin_calls_total";
const SECONDS: &str = "claimsmith_plugin_call_seconds";
const REQUESTS: &str = "claimsmith_plugin_http_requests_total";
const CACHE: &str = "claimsmith_plugin_cache_total";
const RELOADS: &str = "claimsmith_plugin_reloads_total";
const LOST: &str = "claimsmith_plugin_log_lines_lost_total";
const ACTIVE: &str = "claimsmith_plugins_active";
const BREAKERS_OPEN: &str = "claimsmith_plugin_breakers_open";
const BREAKERS_OPENED: &str = "claimsmith_plugin_breakers_opened_total";
const NOT_CALLED: &str = "claimsmith_plugin_not_called_total";
const ROLLOUT_CALLS: &str = "claimsmith_plugin_rollout_calls_total";
const ROLLOUT_SECONDS: &str = "claimsmith_plugin_rollout_call_seconds";

/// The maximum number of plugins with their own series. Series are never removed, unlike plugins.
const MAX_SERIES: usize = 500;

/// The plugins with their own series.
static NAMES: RwLock<BTreeSet<Arc<str>>> = RwLock::new(BTreeSet::new());

pub(super) fn describe() {
    describe_counter!(CALLS, "Calls of plugins, by plugin and outcome");
    describe_histogram!(SECONDS, ::metrics::Unit::Seconds, "Wall-clock time of calls, by plugin");
    describe_counter!(REQUESTS, "Requests of plugins to other servers, by plugin and outcome");
    describe_counter!(CACHE, "What plugins did with their caches, by plugin: hit, miss, write, evicted or refused");
    describe_counter!(RELOADS, "Versions of plugins that were accepted, refused, disabled or removed");
    describe_counter!(LOST, "Plugin log lines that were dropped by the rate limit or by a full buffer, by plugin");
    describe_gauge!(ACTIVE, "Active plugins");
    describe_gauge!(BREAKERS_OPEN, "Open circuit breakers, by plugin; as this node last read them");
    describe_counter!(BREAKERS_OPENED, "Circuit breakers that this node opened, by plugin and scope");
    describe_counter!(NOT_CALLED, "Calls that an open circuit breaker spared, by plugin");
    describe_counter!(
        ROLLOUT_CALLS,
        "Calls of plugins with a rollout, by plugin, outcome and version: active, candidate or shadow"
    );
    describe_histogram!(
        ROLLOUT_SECONDS,
        ::metrics::Unit::Seconds,
        "Wall-clock time of such calls, by plugin and version"
    );
}

pub(super) fn call(plugin: &Arc<str>, outcome: &'static str, duration: Duration) {
    counter!(CALLS, "plugin" => label(plugin), "outcome" => outcome).increment(1);
    // A plugin that was not called has no duration.
    if !duration.is_zero() {
        histogram!(SECONDS, "plugin" => label(plugin)).record(duration);
    }
}

/// A call of a plugin with a rollout: of the `active` version, of the `candidate`, or of a `shadow`.
pub(super) fn rollout_call(plugin: &Arc<str>, version: &'static str, outcome: &'static str, duration: Duration) {
    counter!(ROLLOUT_CALLS, "plugin" => label(plugin), "version" => version, "outcome" => outcome).increment(1);
    if !duration.is_zero() {
        histogram!(ROLLOUT_SECONDS, "plugin" => label(plugin), "version" => version).record(duration);
    }
}

pub(super) fn requests(plugin: &Arc<str>, counts: HttpCounts) {
    let HttpCounts { answered, refused, failed } = counts;
    for (outcome, count) in [("answered", answered), ("refused", refused), ("failed", failed)] {
        if count > 0 {
            counter!(REQUESTS, "plugin" => label(plugin), "outcome" => outcome).increment(count.into());
        }
    }
}

pub(super) fn cache(plugin: &Arc<str>, counts: CacheCounts) {
    let CacheCounts { hits, misses, writes, evicted, refused } = counts;
    let all = [("hit", hits), ("miss", misses), ("write", writes), ("evicted", evicted), ("refused", refused)];
    for (outcome, count) in all {
        if count > 0 {
            counter!(CACHE, "plugin" => label(plugin), "outcome" => outcome).increment(count.into());
        }
    }
}

pub(super) fn line_lost(plugin: &Arc<str>) {
    counter!(LOST, "plugin" => label(plugin)).increment(1);
}

pub(super) fn reload(result: &'static str) {
    counter!(RELOADS, "result" => result).increment(1);
}

pub(super) fn breakers_open(plugin: &Arc<str>, count: usize) {
    gauge!(BREAKERS_OPEN, "plugin" => label(plugin)).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
}

/// `scope`: `everybody`, `application` or `user`.
pub(super) fn breaker_opened(plugin: &Arc<str>, scope: &'static str) {
    counter!(BREAKERS_OPENED, "plugin" => label(plugin), "scope" => scope).increment(1);
}

pub(super) fn not_called(plugin: &Arc<str>) {
    counter!(NOT_CALLED, "plugin" => label(plugin)).increment(1);
}

pub(super) fn active(count: usize) {
    gauge!(ACTIVE).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
}

/// A plugin's name, or `other` above the maximum.
fn label(plugin: &Arc<str>) -> Arc<str> {
    if NAMES.read().unwrap_or_else(PoisonError::into_inner).contains(plugin) {
        return Arc::clone(plugin);
    }
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    if names.len() >= MAX_SERIES && !names.contains(plugin) {
        return "other".into();
    }
    names.insert(Arc::clone(plugin));
    Arc::clone(plugin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_of_plugins_have_an_end() {
        let labels: BTreeSet<Arc<str>> =
            (0..2 * MAX_SERIES).map(|number| label(&format!("made-up-{number}").into())).collect();
        assert!(labels.len() <= MAX_SERIES + 1 && labels.contains("other"), "{}", labels.len());
        // Existing series keep their names.
        assert!(labels.iter().filter(|name| ***name != *"other").all(|name| label(name) == *name));
    }
}
