//! What this node has yet to write: failures of plugins, the calls beside them, and probes that have ended. Its size does
//! not depend on the number of calls or users.

use super::party::{Callee, Party};
use super::verdict::EndedProbe;
use claimsmith_runtime::{BreakerSettings, Kind};
use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Users with failures that are kept for one version between two writes: more than open a breaker.
const MAX_TALLIES: usize = 64;
/// Applications whose other calls are counted for one version.
const MAX_CALLERS: usize = 64;

/// What is to be written.
#[derive(Default)]
pub(crate) struct Work {
    pending: Mutex<Vec<Pending>>,
    /// Whether `pending` has anything: as long as no plugin fails, calls are not counted.
    fails: AtomicBool,
    ended: Mutex<Vec<EndedProbe>>,
    wake: Notify,
}

/// The calls of one version since they were last taken, from its first failure on.
struct Pending {
    plugin: Arc<str>,
    digest: Arc<str>,
    kind: Kind,
    settings: BreakerSettings,
    callers: Option<usize>,
    /// Unix milliseconds.
    last_failure: i64,
    failures: HashMap<(String, String), u64>,
    successes: HashMap<String, u64>,
    last: (&'static str, String),
}

/// The calls of one version that were taken.
#[derive(Debug)]
pub(crate) struct FailureCounts {
    /// The plugin.
    pub(crate) plugin: Arc<str>,
    /// `sha256:…` of the version.
    pub(crate) digest: Arc<str>,
    /// What it is for.
    pub(crate) kind: Kind,
    /// Of its breaker.
    pub(crate) settings: BreakerSettings,
    /// How many applications or hooks its settings name; `None` for all.
    pub(crate) callers: Option<usize>,
    /// Failures by caller and subject.
    pub(crate) failures: Vec<((String, String), u64)>,
    /// Other calls by caller.
    pub(crate) successes: Vec<(String, u64)>,
    /// The last failure: a word for it, and what it said.
    pub(crate) last: (&'static str, String),
}

impl Work {
    /// Counts a failure.
    pub(super) fn fail(&self, callee: &Callee<'_>, party: &Party<'_>, last: (&'static str, String), now: i64) {
        let key = (party.caller.to_owned(), party.subject(callee.plugin));
        let mut pending = lock(&self.pending);
        let place = pending.iter().position(|one| one.is(callee)).unwrap_or_else(|| {
            pending.push(Pending::new(callee, now));
            pending.len() - 1
        });
        if let Some(one) = pending.get_mut(place) {
            (one.settings, one.callers) = (callee.settings, callee.callers);
            (one.last_failure, one.last) = (now, last);
            let has_room = one.failures.len() < MAX_TALLIES;
            match one.failures.get_mut(&key) {
                Some(count) => *count += 1,
                None if has_room => _ = one.failures.insert(key, 1),
                None => {}
            }
        }
        self.fails.store(true, Ordering::Relaxed);
        drop(pending);
        self.wake.notify_one();
    }

    /// Counts another call, if the plugin has failed lately.
    pub(super) fn succeed(&self, callee: &Callee<'_>, party: &Party<'_>, now: i64) {
        if !self.fails.load(Ordering::Relaxed) {
            return;
        }
        let mut counted = lock(&self.pending);
        let Some(place) = counted.iter().position(|one| one.is(callee)) else { return };
        if counted.get(place).is_some_and(|one| one.is_over(now)) {
            counted.swap_remove(place);
            self.fails.store(!counted.is_empty(), Ordering::Relaxed);
        } else if let Some(one) = counted.get_mut(place) {
            // Further ones are counted as one.
            let is_known = one.successes.len() < MAX_CALLERS || one.successes.contains_key(party.caller);
            let known = if is_known { party.caller } else { "" };
            match one.successes.get_mut(known) {
                Some(count) => *count += 1,
                None => _ = one.successes.insert(known.to_owned(), 1),
            }
        }
    }

    pub(super) fn end(&self, ended: EndedProbe) {
        lock(&self.ended).push(ended);
        self.wake.notify_one();
    }

    /// Takes the calls of versions that have failed.
    pub(super) fn take_failures(&self, now: i64) -> Vec<FailureCounts> {
        if !self.fails.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let mut pending = lock(&self.pending);
        let failed = pending.iter_mut().filter(|one| !one.failures.is_empty());
        let taken = failed.map(Pending::take).collect();
        pending.retain(|one| !one.is_over(now));
        self.fails.store(!pending.is_empty(), Ordering::Relaxed);
        taken
    }

    pub(super) fn take_ended(&self) -> Vec<EndedProbe> {
        mem::take(&mut *lock(&self.ended))
    }

    /// Adds calls that could not be written. The next round writes them; nobody is woken.
    pub(super) fn give_back_failures(&self, counts: FailureCounts, now: i64) {
        let mut pending = lock(&self.pending);
        let is_it = |one: &Pending| one.plugin == counts.plugin && one.digest == counts.digest;
        let place = pending.iter().position(is_it).unwrap_or_else(|| {
            pending.push(Pending::of(&counts, now));
            pending.len() - 1
        });
        if let Some(one) = pending.get_mut(place) {
            for (key, count) in counts.failures {
                if one.failures.len() < MAX_TALLIES || one.failures.contains_key(&key) {
                    *one.failures.entry(key).or_default() += count;
                }
            }
            for (caller, count) in counts.successes {
                let is_known = one.successes.len() < MAX_CALLERS || one.successes.contains_key(&caller);
                *one.successes.entry(if is_known { caller } else { String::new() }).or_default() += count;
            }
        }
        self.fails.store(true, Ordering::Relaxed);
    }

    /// Adds a probe that could not be written.
    pub(super) fn give_back_ended(&self, ended: EndedProbe) {
        lock(&self.ended).push(ended);
    }

    /// Waits until there is something to write or to read.
    pub(super) async fn until_woken(&self) {
        self.wake.notified().await;
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }
}

impl Pending {
    fn new(callee: &Callee<'_>, now: i64) -> Self {
        Self {
            plugin: Arc::clone(callee.plugin),
            digest: Arc::clone(callee.digest),
            kind: callee.kind,
            settings: callee.settings,
            callers: callee.callers,
            last_failure: now,
            failures: HashMap::new(),
            successes: HashMap::new(),
            last: ("", String::new()),
        }
    }

    /// Without calls, of a version whose calls were taken.
    fn of(counts: &FailureCounts, now: i64) -> Self {
        Self {
            plugin: Arc::clone(&counts.plugin),
            digest: Arc::clone(&counts.digest),
            kind: counts.kind,
            settings: counts.settings,
            callers: counts.callers,
            last_failure: now,
            failures: HashMap::new(),
            successes: HashMap::new(),
            last: counts.last.clone(),
        }
    }

    fn is(&self, callee: &Callee<'_>) -> bool {
        self.plugin == *callee.plugin && self.digest == *callee.digest
    }

    /// Whether the window has passed since the last failure.
    fn is_over(&self, now: i64) -> bool {
        let window = i64::try_from(self.settings.window().as_millis()).unwrap_or(i64::MAX);
        now.saturating_sub(self.last_failure) > window
    }

    fn take(&mut self) -> FailureCounts {
        FailureCounts {
            plugin: Arc::clone(&self.plugin),
            digest: Arc::clone(&self.digest),
            kind: self.kind,
            settings: self.settings,
            callers: self.callers,
            failures: self.failures.drain().collect(),
            successes: self.successes.drain().collect(),
            last: self.last.clone(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code panics while it is locked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_from_the_first_failure_on_within_bounds() {
        let (plugin, digest): (Arc<str>, Arc<str>) = ("boom".into(), "sha256:1".into());
        let settings = BreakerSettings { window: Some(10), ..BreakerSettings::default() };
        let callee = Callee { plugin: &plugin, digest: &digest, kind: Kind::Claims, settings, callers: None };
        let work = Work::default();
        let party = Party::of_token("app", None);
        work.succeed(&callee, &party, 0);
        assert!(work.take_failures(0).is_empty());
        for number in 0..10 * MAX_TALLIES {
            let user = format!(r#"{{"id":"{number}"}}"#);
            work.fail(&callee, &Party::of_token("app", Some(&user)), ("failed", number.to_string()), 1_000);
            work.succeed(&callee, &Party::of_token(&user, None), 1_000);
        }
        let taken = work.take_failures(1_000);
        assert_eq!(taken.len(), 1);
        let taken = &taken[0];
        assert_eq!(taken.failures.len(), MAX_TALLIES);
        assert_eq!(taken.successes.len(), MAX_CALLERS + 1);
        assert_eq!(taken.successes.iter().map(|(_, count)| count).sum::<u64>(), 10 * 64);
        assert_eq!(taken.last.1, (10 * MAX_TALLIES - 1).to_string());
        // What works after the failures counts beside later ones, as long as the window lasts.
        work.succeed(&callee, &party, 2_000);
        assert!(work.take_failures(2_000).is_empty());
        work.fail(&callee, &party, ("failed", String::new()), 3_000);
        let taken = work.take_failures(3_000);
        assert_eq!((taken.len(), taken[0].failures.len(), taken[0].successes.len()), (1, 1, 1));
        // What could not be written is beside what came meanwhile.
        work.fail(&callee, &party, ("failed", "later".to_owned()), 3_000);
        for counts in taken {
            work.give_back_failures(counts, 3_000);
        }
        let taken = work.take_failures(3_000);
        assert_eq!((taken.len(), taken[0].failures[0].1, taken[0].last.1.as_str()), (1, 2, "later"));
        assert_eq!(taken[0].successes, [("app".to_owned(), 1)]);
        work.succeed(&callee, &party, 13_001);
        assert!(lock(&work.pending).is_empty() && !work.fails.load(Ordering::Relaxed));
    }
}
