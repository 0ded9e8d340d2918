//! Statistics of plugin calls since the server started: counts and durations by plugin name, over all versions.

use super::log_budget::LogBudget;
use super::recent_calls::RecentCalls;
use crate::activity::Counter;
use claimsmith_domain::documents::plugin::{CacheStatistics, Statistics};
use claimsmith_runtime::CacheCounts;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Counts the calls of one plugin.
#[derive(Debug, Default)]
pub(super) struct Counters {
    calls: AtomicU64,
    denied: AtomicU64,
    failed: AtomicU64,
    microseconds: AtomicU64,
    slowest: AtomicU64,
    /// Of the latest calls, in microseconds (exponential moving average).
    average: AtomicU64,
    /// The same since it was last taken.
    pub(super) recent: Counter,
    /// By version since they were last taken.
    pub(super) calls_of_versions: RecentCalls,
    /// How many calls took as long as each of [`bucket`].
    durations: Durations,
    /// What the calls did with their cache.
    pub(super) cache: CacheCounters,
    /// The log budget, shared by all versions.
    pub(super) log: LogBudget,
}

/// Counts what the calls of one plugin did with its cache.
#[derive(Debug, Default)]
pub(super) struct CacheCounters {
    hits: AtomicU64,
    misses: AtomicU64,
    writes: AtomicU64,
    evicted: AtomicU64,
    refused: AtomicU64,
}

impl CacheCounters {
    pub(super) fn count(&self, counts: CacheCounts) {
        if counts == CacheCounts::default() {
            return;
        }
        let CacheCounts { hits, misses, writes, evicted, refused } = counts;
        for (counter, count) in [
            (&self.hits, hits),
            (&self.misses, misses),
            (&self.writes, writes),
            (&self.evicted, evicted),
            (&self.refused, refused),
        ] {
            counter.fetch_add(count.into(), Ordering::Relaxed);
        }
    }

    fn read(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            writes: self.writes.load(Ordering::Relaxed),
            evicted: self.evicted.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
        }
    }
}

/// The weight of a call in the moving average is one part of so many.
const AVERAGED_CALLS: u64 = 8;

/// Buckets per doubling of the duration: none is wider than a quarter of its start.
const BUCKETS_PER_DOUBLING: u64 = 4;
/// Up to 2^25 microseconds, half a minute: no call lasts that long.
const BUCKETS: usize = 4 * 26;

/// A histogram of durations in buckets of relative width. Its size does not depend on the number of calls.
#[derive(Debug)]
struct Durations([AtomicU64; BUCKETS]);

impl Default for Durations {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Durations {
    fn count(&self, microseconds: u64) {
        if let Some(count) = self.0.get(bucket(microseconds)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn percentile(&self, percent: u64) -> Option<u64> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed)).enumerate();
        let counts: BTreeMap<usize, u64> = counts.filter(|(_, count)| *count > 0).collect();
        percentile(&counts, percent)
    }
}

/// The duration that so many percent of the calls did not exceed, of counts by bucket: the middle of its bucket.
pub(super) fn percentile(counts: &BTreeMap<usize, u64>, percent: u64) -> Option<u64> {
    let all: u64 = counts.values().sum();
    let wanted = (all * percent).div_ceil(100);
    let mut seen = 0;
    let found = counts.iter().find(|(_, count)| {
        seen += **count;
        seen >= wanted
    });
    let bucket = (*found?.0).min(BUCKETS - 1);
    (all > 0).then(|| u64::midpoint(start_of(bucket), start_of(bucket + 1)))
}

/// The bucket of a duration: four for each doubling.
pub(super) fn bucket(microseconds: u64) -> usize {
    let microseconds = microseconds.max(1);
    let doubling = u64::from(microseconds.ilog2());
    let within = ((microseconds << 2) >> doubling) & (BUCKETS_PER_DOUBLING - 1);
    usize::try_from(doubling * BUCKETS_PER_DOUBLING + within).unwrap_or(usize::MAX).min(BUCKETS - 1)
}

/// The microseconds at which a bucket begins.
fn start_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    let (doubling, within) = (bucket / BUCKETS_PER_DOUBLING, bucket % BUCKETS_PER_DOUBLING);
    ((BUCKETS_PER_DOUBLING + within) << doubling) >> 2
}

impl Counters {
    pub(super) fn count(&self, outcome: &str, duration: Duration) {
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
        self.slowest.fetch_max(microseconds, Ordering::Relaxed);
        self.recent.count(!matches!(outcome, "ok" | "denied"), duration);
        self.durations.count(microseconds);
        // Of two calls that end at once one may be lost, which an average tolerates.
        let average = self.average.load(Ordering::Relaxed);
        let average = average - average / AVERAGED_CALLS + microseconds / AVERAGED_CALLS;
        self.average.store(average, Ordering::Relaxed);
        match outcome {
            "ok" => {}
            "denied" => _ = self.denied.fetch_add(1, Ordering::Relaxed),
            _ => _ = self.failed.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The recent usual duration of a call; zero before the first one.
    pub(super) fn usual_duration(&self) -> Duration {
        Duration::from_micros(self.average.load(Ordering::Relaxed))
    }

    pub(super) fn read(&self) -> Statistics {
        let calls = self.calls.load(Ordering::Relaxed);
        let milliseconds = |microseconds: u64| Duration::from_micros(microseconds).as_secs_f64() * 1000.0;
        let total = milliseconds(self.microseconds.load(Ordering::Relaxed));
        Statistics {
            calls,
            denied: self.denied.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            // No server lives to see more calls than a u32 can count each millisecond of.
            mean_ms: if calls == 0 { 0.0 } else { total / f64::from(u32::try_from(calls).unwrap_or(u32::MAX)) },
            max_ms: milliseconds(self.slowest.load(Ordering::Relaxed)),
            p50_us: self.durations.percentile(50),
            p99_us: self.durations.percentile(99),
            cache: self.cache.read(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_duration_follows_the_latest_calls() {
        let counters = Counters::default();
        let usual = |calls: u32, milliseconds: u64| {
            (0..calls).for_each(|_| counters.count("ok", Duration::from_millis(milliseconds)));
            counters.usual_duration().as_millis()
        };
        assert_eq!(usual(0, 0), 0);
        assert_eq!(usual(1, 16), 2);
        assert_eq!(usual(40, 16), 15);
        assert_eq!(usual(40, 1), 1);
    }

    #[test]
    fn percentiles_are_told_to_within_an_eighth() {
        let counters = Counters::default();
        assert_eq!((counters.read().p50_us, counters.read().p99_us), (None, None));
        for microseconds in 1..=10_000 {
            counters.count("ok", Duration::from_micros(microseconds));
        }
        let statistics = counters.read();
        for (told, exact) in [(statistics.p50_us, 5_000), (statistics.p99_us, 9_900)] {
            let told = told.unwrap_or_default();
            assert!(told.abs_diff(exact) * 8 <= exact, "{told} is not {exact}");
        }
    }

    #[test]
    fn every_duration_has_a_bucket_that_holds_it() {
        for microseconds in [0, 1, 2, 3, 4, 5, 7, 8, 1000, 123_456, 20_000_000, u64::MAX] {
            let bucket = bucket(microseconds);
            assert!(bucket < BUCKETS, "{microseconds}");
            if (4..20_000_001).contains(&microseconds) {
                assert!((start_of(bucket)..start_of(bucket + 1)).contains(&microseconds), "{microseconds}: {bucket}");
            }
        }
    }
}
