//! The gate that calls pass: whether the plugin is called, by what this node last read of the open breakers.

use super::party::{Callee, Party};
use super::probe::{Probe, ProbeRequest};
use super::state::OpenState;
use super::verdict::{CallVerdict, EndedProbe};
use super::work::{FailureCounts, Work};
use crate::plugins::metrics;
use arc_swap::ArcSwap;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::plugin::{Breaker, BreakerState};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// How long a call waits to hear whether it may probe: if not in time, it goes on as if another one probed.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(500);
/// Calls that wait to hear it; there is one for each open breaker.
const MAX_REQUESTS: usize = 64;
/// Applications that the status names.
const MAX_SHOWN: usize = 20;

/// The breakers of all plugins, on this node. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Breakers(Arc<Inner>);

/// The open breakers by plugin, those of most callers first.
type OpenBreakers = HashMap<Arc<str>, Vec<Arc<OpenState>>>;

struct Inner {
    clock: Clock,
    open: ArcSwap<OpenBreakers>,
    work: Arc<Work>,
    requests: mpsc::Sender<ProbeRequest>,
    /// Until the task that answers them takes it.
    receiver: Mutex<Option<mpsc::Receiver<ProbeRequest>>>,
}

/// A call that asks whether it may probe. When it has its answer, or goes away before, the next one may ask.
struct Asking<'s>(&'s AtomicBool);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Whether a version is called.
pub(crate) enum Gate {
    /// It is, as a probe or not.
    Called(Option<Probe>),
    /// It is not.
    Open(Arc<OpenState>),
}

impl Breakers {
    /// All closed. Nothing opens without the task that writes what is counted.
    pub(crate) fn new(clock: Clock) -> Self {
        let (requests, receiver) = mpsc::channel(MAX_REQUESTS);
        let receiver = Mutex::new(Some(receiver));
        Self(Arc::new(Inner { clock, open: ArcSwap::default(), work: Arc::default(), requests, receiver }))
    }

    /// Whether a version is called on behalf of somebody. Waits only for the permission to probe.
    pub(crate) async fn pass(&self, callee: &Callee<'_>, party: &Party<'_>) -> Gate {
        let Some(state) = self.state_for(callee, party).filter(|_| callee.settings.enabled) else {
            return Gate::Called(None);
        };
        match self.ask_to_probe(&state).await {
            Some(probe) => Gate::Called(Some(probe)),
            None => Gate::Open(state),
        }
    }

    /// The breaker that is open for a call.
    fn state_for(&self, callee: &Callee<'_>, party: &Party<'_>) -> Option<Arc<OpenState>> {
        let open = self.0.open.load();
        let states = open.get(callee.plugin)?;
        let mut subject = None;
        let is_open = |state: &&Arc<OpenState>| {
            let place = &state.place;
            place.digest == *callee.digest
                && (place.caller.is_empty() || place.caller == party.caller)
                && (place.subject.is_empty()
                    || *subject.get_or_insert_with(|| party.subject(callee.plugin)) == place.subject)
        };
        states.iter().find(is_open).cloned()
    }

    async fn ask_to_probe(&self, state: &Arc<OpenState>) -> Option<Probe> {
        let now = self.0.clock.now_ms();
        let is_running = state.probe_until.is_some_and(|until| now < until);
        if !state.is_half_open(now) || is_running || state.asked.swap(true, Ordering::Relaxed) {
            return None;
        }
        let _asking = Asking(&state.asked);
        let (answer, answered) = oneshot::channel();
        let request = ProbeRequest { place: state.place.clone(), answer };
        let id = match self.0.requests.try_send(request) {
            Ok(()) => timeout(REQUEST_TIMEOUT, answered).await.ok().and_then(Result::ok).flatten(),
            Err(_) => None,
        };
        id.map(|id| Probe::new(Arc::clone(&self.0.work), state.place.clone(), id, state.probes))
    }

    /// Counts a call that was made.
    pub(crate) fn record(&self, callee: &Callee<'_>, party: &Party<'_>, probe: Option<Probe>, verdict: CallVerdict) {
        if callee.settings.enabled {
            let now = self.0.clock.now_ms();
            match &verdict {
                CallVerdict::Works => self.0.work.succeed(callee, party, now),
                CallVerdict::Fails { outcome, error } => {
                    self.0.work.fail(callee, party, (*outcome, error.clone()), now);
                }
                CallVerdict::Unknown => {}
            }
        }
        if let Some(probe) = probe {
            probe.end(verdict);
        }
    }

    /// The open breakers of all plugins, as they were read: of one plugin those for everybody first, then those for an
    /// application.
    pub(crate) fn set(&self, states: Vec<OpenState>) {
        let mut open = OpenBreakers::new();
        for state in states {
            open.entry(Arc::clone(&state.place.plugin)).or_default().push(Arc::new(state));
        }
        let before = self.0.open.load();
        for plugin in before.keys().filter(|plugin| !open.contains_key(*plugin)) {
            metrics::breakers_open(plugin, 0);
        }
        for (plugin, states) in &open {
            metrics::breakers_open(plugin, states.len());
        }
        drop(before);
        self.0.open.store(Arc::new(open));
    }

    /// Counts a breaker that this node opened.
    #[expect(clippy::unused_self, reason = "whoever opens a breaker has these alone")]
    pub(crate) fn count_opened(&self, plugin: &Arc<str>, scope: &'static str) {
        metrics::breaker_opened(plugin, scope);
    }

    /// Takes the calls of versions that have failed, to be written.
    pub(crate) fn take_failures(&self) -> Vec<FailureCounts> {
        self.0.work.take_failures(self.0.clock.now_ms())
    }

    /// Adds calls that were taken and could not be written.
    pub(crate) fn give_back_failures(&self, counts: FailureCounts) {
        self.0.work.give_back_failures(counts, self.0.clock.now_ms());
    }

    /// Takes the probes that have ended, to be written.
    pub(crate) fn take_ended(&self) -> Vec<EndedProbe> {
        self.0.work.take_ended()
    }

    /// Adds a probe that was taken and could not be written.
    pub(crate) fn give_back_ended(&self, ended: EndedProbe) {
        self.0.work.give_back_ended(ended);
    }

    /// The requests of calls that want to probe; `None` if another task answers them.
    pub(crate) fn take_requests(&self) -> Option<mpsc::Receiver<ProbeRequest>> {
        self.0.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until there is something to write or to read.
    pub(crate) async fn until_woken(&self) {
        self.0.work.until_woken().await;
    }

    /// Another node may have changed something.
    pub(crate) fn wake(&self) {
        self.0.work.wake();
    }

    /// The breaker of a version, for operators.
    pub(crate) fn status(&self, plugin: &str, digest: Option<&str>) -> Breaker {
        let open = self.0.open.load();
        let states = open.get(plugin).map_or(&[][..], Vec::as_slice);
        let states: Vec<_> = states.iter().filter(|state| Some(&*state.place.digest) == digest).collect();
        let Some(first) = states.first() else { return Breaker::default() };
        let is_half_open = first.is_half_open(self.0.clock.now_ms());
        let callers = states.iter().filter(|state| state.place.subject.is_empty() && !state.place.caller.is_empty());
        let users = states.iter().filter(|state| !state.place.subject.is_empty()).count();
        Breaker {
            state: if is_half_open { BreakerState::HalfOpen } else { BreakerState::Open },
            is_for_everybody: first.place.caller.is_empty() && first.place.subject.is_empty(),
            only_for: callers.take(MAX_SHOWN).map(|state| state.place.caller.clone()).collect(),
            users: users as u64,
            since: states.iter().map(|state| state.opened_at).min(),
            outcome: Some(first.outcome.clone()),
            reason: Some(first.error.clone()),
            next_probe_at: states.iter().map(|state| state.probe_at).min(),
            ..Breaker::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::breaker::BreakerPlace;
    use claimsmith_runtime::{BreakerSettings, Kind};

    const USER: Option<&str> = Some(r#"{"id":"ada"}"#);

    fn state(digest: &Arc<str>, caller: &str, subject: &str, probe_at: i64) -> OpenState {
        let (plugin, caller, subject) = ("boom".into(), caller.to_owned(), subject.to_owned());
        let place = BreakerPlace { plugin, digest: Arc::clone(digest), caller, subject };
        OpenState::new(place, ("failed".to_owned(), "no".to_owned()), (0, probe_at), (0, None))
    }

    #[tokio::test]
    async fn a_breaker_is_open_for_those_whom_it_concerns() {
        let clock = Clock::fixed(1_000);
        let breakers = Breakers::new(clock.clone());
        let (plugin, digest): (Arc<str>, Arc<str>) = ("boom".into(), "sha256:1".into());
        let settings = BreakerSettings::default();
        let callee = Callee { plugin: &plugin, digest: &digest, kind: Kind::Claims, settings, callers: None };
        let passes = async |callee: &Callee<'_>, caller: &str, user: Option<&str>| {
            matches!(breakers.pass(callee, &Party::of_token(caller, user)).await, Gate::Called(None))
        };
        let ada = Party::of_token("b", USER).subject("boom");
        breakers.set(vec![state(&digest, "a", "", 2_000), state(&digest, "b", &ada, 2_000)]);
        assert!(!passes(&callee, "a", None).await && !passes(&callee, "a", USER).await);
        assert!(passes(&callee, "b", None).await && !passes(&callee, "b", USER).await);
        assert!(passes(&callee, "b", Some(r#"{"id":"bob"}"#)).await && passes(&callee, "c", USER).await);
        let other: Arc<str> = "sha256:2".into();
        assert!(passes(&Callee { digest: &other, ..callee }, "a", None).await, "another version");
        let off = BreakerSettings { enabled: false, ..settings };
        assert!(passes(&Callee { settings: off, ..callee }, "a", None).await, "switched off");
        let status = breakers.status("boom", Some("sha256:1"));
        assert_eq!((status.state, status.is_for_everybody, status.users), (BreakerState::Open, false, 1));
        assert_eq!(status.only_for, ["a"]);
        breakers.set(vec![state(&digest, "", "", 2_000)]);
        assert!(!passes(&callee, "c", None).await);
        clock.advance(Duration::from_secs(1));
        let status = breakers.status("boom", Some("sha256:1"));
        assert_eq!((status.state, status.is_for_everybody), (BreakerState::HalfOpen, true));
        assert_eq!(breakers.status("boom", Some("sha256:2")), Breaker::default());
    }

    #[tokio::test]
    async fn one_call_asks_to_probe_and_tells_what_came_of_it() {
        let clock = Clock::fixed(1_000);
        let breakers = Breakers::new(clock);
        let (plugin, digest): (Arc<str>, Arc<str>) = ("boom".into(), "sha256:1".into());
        let settings = BreakerSettings::default();
        let callee = Callee { plugin: &plugin, digest: &digest, kind: Kind::Claims, settings, callers: None };
        let party = Party::of_token("a", None);
        breakers.set(vec![state(&digest, "", "", 1_000)]);
        // One that goes away keeps no other from asking.
        let gone = timeout(Duration::from_millis(1), breakers.pass(&callee, &party)).await;
        assert!(gone.is_err(), "it waits for the answer");
        let mut requests = breakers.take_requests();
        assert!(requests.as_mut().is_some_and(|requests| requests.try_recv().is_ok()));
        let answer = async {
            let request = requests.as_mut().and_then(|requests| requests.try_recv().ok());
            // While it waits, no other call asks.
            assert!(matches!(breakers.pass(&callee, &party).await, Gate::Open(_)));
            request.is_some_and(|request| request.answer.send(Some("p1".to_owned())).is_ok())
        };
        let (gate, answered) = tokio::join!(breakers.pass(&callee, &party), answer);
        assert!(answered);
        let Gate::Called(Some(probe)) = gate else { unreachable!("it may probe") };
        breakers.record(&callee, &party, Some(probe), CallVerdict::Works);
        let ended = breakers.take_ended();
        assert_eq!((ended.len(), ended[0].id.as_str(), &ended[0].verdict), (1, "p1", &CallVerdict::Works));
    }
}
