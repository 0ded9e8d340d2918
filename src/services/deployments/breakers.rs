//! Keeps the circuit breakers of plugins in the database, over all nodes: writes what this node has counted, decides
//! whether one opens, grants probes, and reads what other nodes have decided.
//!
//! Every write is one short transaction of its own; no token waits for one, except for the call that asks whether it may
//! probe.

use super::breaker_rows::{population, row_of, rows_of, scope_of, scope_of_tally, state_of, tally_of};
use super::standbys;
use crate::audit::Actor;
use crate::plugins::Plugins;
use crate::plugins::breaker::{
    CallVerdict, EndedProbe, FailureCounts, ProbeRequest, Scope, Tally, Thresholds, probe_delay_ms, to_open, with_room,
};
use crate::supervisor::contain;
use crate::unit_of_work::UnitOfWork;
use crate::webhooks::{self, Event};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::event::EventType;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random;
use claimsmith_storage::plugins::breakers::{self, OpenBreaker, Place};
use claimsmith_storage::{self as storage, Db};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};
use tokio_util::sync::CancellationToken;

/// What could not be written or read is tried again after this time at most, and so are previous versions.
const MAX_POLL: Duration = Duration::from_secs(2);
/// Breakers are read at least this often. The follower of the plugins wakes this task when any node has changed one.
const LONGEST_POLL: Duration = Duration::from_secs(30);
/// Failures that come within this time are written together, so that their rows are few.
const PAUSE: Duration = Duration::from_millis(500);
/// A probe whose node ends counts as lost after this time, in milliseconds. No call takes as long: a deadline has at most a
/// minute, and a call does not wait long for its place.
const PROBE_LEASE_MS: i64 = 75_000;
/// More users or applications than any threshold has.
const MAX_POPULATION: i64 = 100;

/// Keeps the breakers. Cheap to clone.
#[derive(Clone)]
pub struct BreakerKeeper(Arc<Inner>);

struct Inner {
    db: Db,
    clock: Clock,
    node: String,
    plugins: Plugins,
    /// Held during a round, so that what is read is never older than what was read before.
    round: Mutex<()>,
    /// Whether the last round failed, so that it is logged once.
    blind: AtomicBool,
}

impl BreakerKeeper {
    /// For this node.
    #[must_use]
    pub fn new((db, clock): (&Db, &Clock), node: &str, plugins: &Plugins) -> Self {
        Self(Arc::new(Inner {
            db: db.clone(),
            clock: clock.clone(),
            node: node.to_owned(),
            plugins: plugins.clone(),
            round: Mutex::default(),
            blind: AtomicBool::default(),
        }))
    }

    /// Keeps them until shutdown. Failures are tried again after `poll`.
    pub async fn run(self, poll: Duration, stopping: CancellationToken) {
        let Some(mut requests) = self.0.plugins.breakers().take_requests() else { return };
        let poll = poll.min(MAX_POLL);
        let previous = standbys::keep(&self.0.db, &self.0.plugins, poll);
        let all = async { tokio::join!(self.follow(poll, &mut requests), previous) };
        stopping.run_until_cancelled(all).await;
    }

    /// Writes what this node has counted, and reads what all have decided. What cannot be written now is written the next
    /// time, and keeps nothing else from being written.
    pub async fn catch_up(&self) -> Result<(), webhooks::Error> {
        let _one = self.0.round.lock().await;
        let breakers = self.0.plugins.breakers();
        let mut written = Ok(());
        for ended in breakers.take_ended() {
            if let Err(error) = self.0.settle(&ended).await {
                breakers.give_back_ended(ended);
                written = Err(error);
            }
        }
        for counts in breakers.take_failures() {
            if let Err(error) = self.0.count(&counts).await {
                breakers.give_back_failures(counts);
                written = Err(error);
            }
        }
        self.0.read().await?;
        written
    }

    /// Reads what all have decided. It takes nothing that is to be written, so that whoever waits for it may go away.
    pub async fn look(&self) -> storage::Result<()> {
        let _one = self.0.round.lock().await;
        self.0.read().await
    }

    async fn follow(&self, poll: Duration, requests: &mut mpsc::Receiver<ProbeRequest>) {
        loop {
            // A panic was logged, and is retried like an error.
            let caught_up = contain("plugin breakers", self.catch_up()).await;
            let pause = if matches!(caught_up, Ok(Ok(()))) { LONGEST_POLL } else { poll };
            if let Ok(outcome) = caught_up {
                self.0.note(outcome);
            }
            self.answer_for(PAUSE, requests, false).await;
            self.answer_for(pause, requests, true).await;
        }
    }

    /// Answers requests for a time, or until there is something else to do.
    async fn answer_for(&self, time: Duration, requests: &mut mpsc::Receiver<ProbeRequest>, until_woken: bool) {
        let woken = async {
            if until_woken { self.0.plugins.breakers().until_woken().await } else { std::future::pending().await }
        };
        let mut over = std::pin::pin!(async {
            tokio::select! {
                () = tokio::time::sleep(time) => {}
                () = woken => {}
            }
        });
        loop {
            tokio::select! {
                () = &mut over => return,
                Some(request) = requests.recv() => {
                    if let Ok(Err(error)) = contain("plugin probe", self.grant(request)).await {
                        tracing::warn!(%error, "a call could not ask whether it may probe a plugin");
                    }
                }
            }
        }
    }

    /// Grants a probe, if none is running.
    async fn grant(&self, ProbeRequest { place, answer }: ProbeRequest) -> Result<(), webhooks::Error> {
        let _one = self.0.round.lock().await;
        let (now, id, row) = (self.0.clock.now_ms(), random::id(21)?, row_of(&place));
        let mut tx = self.0.db.begin().await?;
        breakers::begin_change(&mut tx).await?;
        let is_begun = breakers::begin_probe(&mut tx, &row, &id, (now, now + PROBE_LEASE_MS)).await?;
        if is_begun {
            breakers::announce(&mut tx).await?;
        }
        tx.commit().await?;
        // The probe has begun, whatever comes of this: without its answer, nobody would probe before its lease is over.
        let read = self.0.read().await;
        // The caller may have gone away.
        if answer.send(is_begun.then(|| id.clone())).is_err() && is_begun {
            let mut tx = self.0.db.begin().await?;
            breakers::begin_change(&mut tx).await?;
            breakers::end_probe(&mut tx, &row, &id).await?;
            tx.commit().await?;
            self.0.read().await?;
        }
        read?;
        Ok(())
    }
}

impl Inner {
    async fn begin(&self) -> storage::Result<UnitOfWork> {
        UnitOfWork::begin(&self.db, Actor::Server, RequestOrigin::default(), self.clock.now_ms()).await
    }

    /// Reads the open breakers.
    async fn read(&self) -> storage::Result<()> {
        let mut tx = self.db.read().await?;
        let rows = breakers::all(&mut tx).await?;
        self.plugins.breakers().set(rows.into_iter().map(state_of).collect());
        Ok(())
    }

    /// Writes what a probe has told.
    async fn settle(&self, ended: &EndedProbe) -> Result<(), webhooks::Error> {
        let EndedProbe { place, id, probes, verdict } = ended;
        let row = row_of(place);
        let mut work = self.begin().await?;
        breakers::begin_change(&mut work).await?;
        if !breakers::is_probe(&mut work, &row, id).await? {
            // It took longer than its lease, and another one has begun, or somebody closed the breaker.
            return Ok(());
        }
        match verdict {
            CallVerdict::Works => close(&mut work, &row).await?,
            CallVerdict::Fails { outcome, error } => {
                let probe_at = work.now() + probe_delay_ms(probes.saturating_add(1));
                breakers::fail_probe(&mut work, &row, id, (*outcome, error.as_str()), probe_at).await?;
            }
            CallVerdict::Unknown => breakers::end_probe(&mut work, &row, id).await?,
        }
        breakers::announce(&mut work).await?;
        Ok(work.commit().await?)
    }

    /// Writes the calls of a version, and opens its breaker if all nodes together have counted enough failures.
    async fn count(&self, counts: &FailureCounts) -> Result<(), webhooks::Error> {
        let mut work = self.begin().await?;
        breakers::begin_change(&mut work).await?;
        let now = work.now();
        let window = i64::try_from(counts.settings.window().as_millis()).unwrap_or(i64::MAX);
        let (plugin, digest, since) = (&*counts.plugin, &*counts.digest, now.saturating_sub(window));
        breakers::delete_counts(&mut work, plugin, digest, since).await?;
        if !breakers::is_full(&mut work, plugin, digest).await? {
            breakers::count(&mut work, &self.node, now, &rows_of(counts)).await?;
        }
        let counted = breakers::counted(&mut work, plugin, digest).await?;
        let there_are = population(breakers::population(&mut work, MAX_POPULATION).await?);
        let thresholds = Thresholds::new(counts.kind, counts.settings.failures(), counts.callers, there_are);
        let tallies: Vec<Tally> = counted.into_iter().map(tally_of).collect();
        let mut scopes = to_open(&tallies, &thresholds);
        if !scopes.is_empty() {
            // Calls that began before it opened fail afterwards.
            let open = breakers::all(&mut work).await?;
            let of_plugin = |one: &&OpenBreaker| one.plugin == plugin;
            let of_version = |one: &&OpenBreaker| of_plugin(one) && one.digest == digest;
            let known: Vec<Scope> = open.iter().filter(of_version).map(scope_of).collect();
            scopes.retain(|scope| !known.iter().any(|known| known.covers(scope)));
            let all: Vec<Scope> = open.iter().filter(of_plugin).map(scope_of).collect();
            scopes = with_room(scopes, &all);
        }
        for scope in &scopes {
            open(&mut work, counts, scope, &tallies).await?;
        }
        if !scopes.is_empty() {
            breakers::announce(&mut work).await?;
        }
        work.commit().await?;
        for scope in scopes {
            let (scope, outcome, error) = (scope.name(), counts.last.0, &counts.last.1);
            tracing::warn!(
                plugin,
                digest,
                scope,
                outcome,
                error,
                "a plugin kept failing and is not called for a while"
            );
            self.plugins.breakers().count_opened(&counts.plugin, scope);
        }
        Ok(())
    }

    fn note(&self, outcome: Result<(), webhooks::Error>) {
        let was_blind = self.blind.swap(outcome.is_err(), Ordering::Relaxed);
        match outcome {
            Err(error) if !was_blind => {
                tracing::warn!(%error, "circuit breakers of plugins cannot be kept; they stay as they are");
            }
            Ok(()) if was_blind => tracing::info!("circuit breakers of plugins are kept again"),
            _ => {}
        }
    }
}

/// Opens a breaker, with its entry in the audit log and its event.
async fn open(
    work: &mut UnitOfWork,
    counts: &FailureCounts,
    scope: &Scope,
    tallies: &[Tally],
) -> Result<(), webhooks::Error> {
    let now = work.now();
    let (outcome, error) = &counts.last;
    let breaker = OpenBreaker {
        plugin: counts.plugin.to_string(),
        digest: counts.digest.to_string(),
        caller: scope.caller.clone(),
        subject: scope.subject.clone(),
        outcome: (*outcome).to_owned(),
        error: error.clone(),
        opened_at: now,
        probe_at: now + probe_delay_ms(0),
        probes: 0,
        probe_until: None,
    };
    // Those within it.
    breakers::close(work, &breaker.place()).await?;
    if !breakers::open(work, &breaker).await? {
        return Ok(());
    }
    let concerned = || tallies.iter().filter(|tally| tally.failures > 0 && scope.covers(&scope_of_tally(tally)));
    let failures: u64 = concerned().map(|tally| tally.failures).sum();
    let users: BTreeSet<&str> = concerned().map(|tally| tally.subject.as_str()).filter(|one| !one.is_empty()).collect();
    let caller = Some(&scope.caller).filter(|caller| !caller.is_empty());
    let details = json!({
        "plugin": breaker.plugin, "digest": breaker.digest, "scope": scope.name(), "caller": caller,
        "failures": failures, "users": users.len(), "outcome": outcome, "reason": error,
    });
    work.audit(AuditKey::PluginBreakerOpen, details).await?;
    // Without what it said, which may be about somebody: events leave this server.
    let event = event(EventType::PluginBreakerOpened, &breaker.place(), scope);
    work.emit(&event.with("outcome", json!(outcome))).await
}

/// Closes a breaker since its probe worked, with its entry in the audit log and its event.
async fn close(work: &mut UnitOfWork, place: &Place) -> Result<(), webhooks::Error> {
    breakers::close(work, place).await?;
    breakers::forget_counts(work, place).await?;
    let scope = Scope { caller: place.caller.clone(), subject: place.subject.clone() };
    let caller = Some(&place.caller).filter(|caller| !caller.is_empty());
    let details = json!({ "plugin": place.plugin, "digest": place.digest, "scope": scope.name(), "caller": caller });
    work.audit(AuditKey::PluginBreakerClose, details).await?;
    work.emit(&event(EventType::PluginBreakerClosed, place, &scope)).await
}

/// Closes all breakers of a plugin for a person, with an event if one was open. Returns how many were. The caller writes
/// the audit entry.
pub async fn close_all(work: &mut UnitOfWork, plugin: &str) -> Result<usize, webhooks::Error> {
    breakers::begin_change(work).await?;
    let rows = breakers::all(work).await?;
    let open: Vec<OpenBreaker> = rows.into_iter().filter(|row| row.plugin == plugin).collect();
    breakers::forget(work, plugin).await?;
    // One event, however many users and applications it was open for.
    if let Some(first) = open.first() {
        work.emit(&event(EventType::PluginBreakerClosed, &first.place(), &scope_of(first))).await?;
        breakers::announce(work).await?;
    }
    Ok(open.len())
}

/// Closes the breakers of a version that a person activates, so that it is called again at once, with an event if one was
/// open. Returns how many were. The caller writes the audit entry.
pub async fn close_version(work: &mut UnitOfWork, plugin: &str, digest: &str) -> Result<usize, webhooks::Error> {
    let rows = breakers::all(work).await?;
    let open: Vec<OpenBreaker> = rows.into_iter().filter(|row| row.plugin == plugin && row.digest == digest).collect();
    let Some(first) = open.first() else { return Ok(0) };
    breakers::begin_change(work).await?;
    let everybody = Place { caller: String::new(), subject: String::new(), ..first.place() };
    breakers::close(work, &everybody).await?;
    breakers::forget_counts(work, &everybody).await?;
    work.emit(&event(EventType::PluginBreakerClosed, &first.place(), &scope_of(first))).await?;
    breakers::announce(work).await?;
    Ok(open.len())
}

/// The event names the application, and no user.
fn event(kind: EventType, place: &Place, scope: &Scope) -> Event {
    let event = Event::new(kind, 200_u16).of("plugin", &place.plugin).of("digest", &place.digest);
    let event = event.with("scope", json!(scope.name()));
    if scope.caller.is_empty() { event } else { event.of("caller", &scope.caller) }
}
