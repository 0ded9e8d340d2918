//! A run that this node works on: a few users at once, in the order of their ids, and every two seconds a transaction with
//! what was found and the last user.

use super::pace::Pace;
use super::user::{RunContext, Visit};
use super::{RunError, RunOptions, end, key, lease_ms, sealed_tally, tally, versions};
use crate::held_rights::holds_all;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_services::app::App;
use claimsmith_services::encryption::Purpose;
use claimsmith_services::plugins::population::{
    MAX_DIFFERENCE_BYTES, MAX_ONE_DIFFERENCE_BYTES, PopulationTally, RunnerError, RunnerSettings, class_name,
};
use claimsmith_storage::plugins::population_runs::{
    self as stored, PopulationRun, Progress, RunLease, StoredDifference,
};
use claimsmith_storage::{self as storage, Document as _};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Users of one transaction.
const USERS_PER_BATCH: i64 = 1000;
/// The time after which a transaction is written with fewer.
const BATCH_TIME: Duration = Duration::from_secs(2);
/// Why a run is canceled whose principal has lost its rights.
const NOT_ALLOWED: &str = "the user or application that started it no longer has the permissions that this needs";
/// Characters of a problem.
const MAX_PROBLEM_CHARS: usize = 500;

/// A run that this node works on.
pub(super) struct Job {
    context: Arc<RunContext>,
    /// As it was last committed.
    run: PopulationRun,
    tally: PopulationTally,
    pace: Pace,
}

/// What a batch found, beyond what is committed.
struct Batch {
    run: PopulationRun,
    tally: PopulationTally,
    differences: Vec<StoredDifference>,
}

impl Job {
    /// Loads both versions.
    pub(super) async fn open(app: &App, run: PopulationRun) -> Result<Self, RunError> {
        let unreadable = || RunError::Over("its options cannot be read".to_owned());
        if run.options.is_unreadable() {
            return Err(unreadable());
        }
        let options: RunOptions = serde_json::from_value(run.options.0.clone()).map_err(|_| unreadable())?;
        let (key, tally) = (key(app, &run)?, tally(app, &run)?);
        let (candidate, against) = versions::load(app, &run, &options).await?;
        let settings = RunnerSettings { key: &key, http_per_second: options.http_per_second };
        let runner = app.plugins.population_runner(candidate, against, settings).await.map_err(not_loaded)?;
        let application = ApplicationId::from(run.application_id.clone());
        tracing::info!(
            plugin = run.plugin_name,
            run = run.id,
            visited = run.visited,
            "a run over all users goes on here"
        );
        let context = RunContext { app: app.clone(), application, options, runner: Arc::new(runner) };
        Ok(Self { context: Arc::new(context), run, tally, pace: Pace::new() })
    }

    /// Works until the run ends, or the server stops.
    pub(super) async fn run(&mut self, stopping: &CancellationToken) -> Result<(), RunError> {
        let app = self.context.app.clone();
        while !stopping.is_cancelled() {
            if !self.is_allowed(&app).await? {
                let PopulationRun { plugin_name, id, .. } = &self.run;
                tracing::warn!(plugin = plugin_name, run = id, "a run over all users is canceled: {NOT_ALLOWED}");
                return end(&app, (plugin_name, id), "canceled", Some(NOT_ALLOWED)).await;
            }
            let ids = stored::users_after(&mut app.db.read().await?, &self.run.reached, USERS_PER_BATCH).await?;
            if ids.is_empty() {
                let Self { run: PopulationRun { plugin_name, id, compared, skipped, .. }, .. } = &*self;
                tracing::info!(plugin = plugin_name, run = id, compared, skipped, "a run over all users is complete");
                return end(&app, (plugin_name, id), "complete", None).await;
            }
            // What was found since the last commit is found again by whoever continues.
            let Some(batch) = stopping.run_until_cancelled(self.batch(ids)).await else { return Ok(()) };
            if !self.commit(&app, batch?).await? {
                // It was canceled or deleted, or another node works on it.
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the principal that started the run may still start one: it acts with the rights of that principal.
    async fn is_allowed(&self, app: &App) -> storage::Result<bool> {
        let options = &self.context.options;
        if options.started_by.is_empty() {
            return Ok(true);
        }
        holds_all(app, &mut app.db.read().await?, &options.started_by, &options.scopes()).await
    }

    /// Compares the answers for users, in order, until the batch has taken its time.
    async fn batch(&mut self, ids: Vec<String>) -> Result<Batch, RunError> {
        let began = Instant::now();
        let mut batch = Batch { run: self.run.clone(), tally: self.tally.clone(), differences: Vec::new() };
        let mut ids = ids.into_iter().peekable();
        while ids.peek().is_some() && began.elapsed() < BATCH_TIME {
            let mut chosen = Vec::new();
            while chosen.len() < self.context.runner.users_at_once() {
                let Some(id) = ids.next() else { break };
                if is_chosen(batch.run.visited, batch.run.wanted, batch.run.total) {
                    chosen.push(id.clone());
                }
                batch.run.visited += 1;
                batch.run.reached = id;
            }
            if chosen.is_empty() {
                continue;
            }
            self.pace.take(chosen.len()).await;
            let visits = self.visit(chosen, batch.kept_classes()).await;
            for (user, visit) in visits? {
                batch.add(&self.context, user, visit)?;
            }
        }
        let (sent, refused) = self.context.runner.take_requests();
        batch.run.http_sent = batch.run.http_sent.saturating_add(i64::try_from(sent).unwrap_or(i64::MAX));
        batch.run.http_refused = batch.run.http_refused.saturating_add(i64::try_from(refused).unwrap_or(i64::MAX));
        Ok(batch)
    }

    /// Visits users at once; the answers are in the order of the users.
    async fn visit(&self, users: Vec<String>, kept: Vec<&'static str>) -> Result<Vec<(String, Visit)>, RunError> {
        let kept: Arc<[&'static str]> = kept.into();
        let mut visits = JoinSet::new();
        for (place, user) in users.into_iter().enumerate() {
            let (context, kept) = (Arc::clone(&self.context), Arc::clone(&kept));
            visits.spawn(async move {
                let visit = context.visit(UserId::from(user.clone()), &kept).await;
                (place, user, visit)
            });
        }
        let mut found = Vec::new();
        while let Some(joined) = visits.join_next().await {
            let (place, user, visit) = joined.map_err(|_| RunError::Panicked)?;
            found.push((place, user, visit?));
        }
        found.sort_by_key(|(place, ..)| *place);
        Ok(found.into_iter().map(|(_, user, visit)| (user, visit)).collect())
    }

    /// `false` if somebody else works on the run, or it has ended: nothing is written then.
    async fn commit(&mut self, app: &App, mut batch: Batch) -> Result<bool, RunError> {
        let sealed = sealed_tally(app, &self.run.id, &batch.tally)?;
        let until = app.clock.now_ms().saturating_add(lease_ms(app));
        let mut tx = app.db.begin().await?;
        let lease = RunLease { run: &self.run.id, holder: &app.node.id, until };
        if !stored::extend_lease(&mut tx, lease).await? {
            return Ok(false);
        }
        for difference in &batch.differences {
            if !stored::add_difference(&mut tx, &self.run.id, difference).await? {
                // Of a user who was deleted meanwhile.
                batch.run.recorded -= 1;
                batch.run.bytes -= i64::try_from(difference.sealed.len()).unwrap_or(i64::MAX);
            }
        }
        let run = &batch.run;
        let progress = Progress {
            problem: run.problem.as_deref(),
            visited: run.visited,
            compared: run.compared,
            skipped: run.skipped,
            http_sent: run.http_sent,
            http_refused: run.http_refused,
            recorded: run.recorded,
            dropped: run.dropped,
            bytes: run.bytes,
            reached: &run.reached,
            sealed_results: &sealed,
        };
        stored::advance(&mut tx, &self.run.id, &progress).await?;
        tx.commit().await?;
        (self.run, self.tally) = (batch.run, batch.tally);
        Ok(true)
    }
}

impl Batch {
    /// The classes whose differences are kept: all while there is room, and then those that have few.
    fn kept_classes(&self) -> Vec<&'static str> {
        self.tally.kept_classes(self.run.bytes < MAX_DIFFERENCE_BYTES)
    }

    fn add(&mut self, context: &RunContext, user: String, visit: Visit) -> Result<(), RunError> {
        let (compared, document) = match visit {
            Visit::Skipped(why) => {
                self.run.skipped += 1;
                if let Some(why) = why {
                    self.run.problem = Some(why.chars().take(MAX_PROBLEM_CHARS).collect());
                }
                return Ok(());
            }
            Visit::Compared(compared, document) => (compared, document),
        };
        self.run.compared += 1;
        self.tally.add(&compared);
        if compared.is_equal() {
            return Ok(());
        }
        let text = document.as_ref().map(Value::to_string).filter(|text| text.len() <= MAX_ONE_DIFFERENCE_BYTES);
        let Some(text) = text else {
            self.run.dropped += 1;
            return Ok(());
        };
        let app = &context.app;
        let id = app.random.id_at(app.clock.now_ms()).map_err(|error| RunError::User(Box::new(error)))?;
        let sealed = app.cipher.encrypt(Purpose::PopulationDifference, &id, text.as_bytes())?;
        let class = class_name(compared.difference.class).to_owned();
        self.tally.keep(&compared);
        self.run.recorded += 1;
        self.run.bytes += i64::try_from(sealed.len()).unwrap_or(i64::MAX);
        // Of all that were compared, so that no number comes twice.
        let number = self.run.compared;
        self.differences.push(StoredDifference { id, number, class, user_id: user, sealed });
        Ok(())
    }
}

/// Whether the user at this place is one of the `wanted` among `total`, which are evenly spread.
fn is_chosen(place: i64, wanted: i64, total: i64) -> bool {
    let share = |place: i64| i128::from(place) * i128::from(wanted) / i128::from(total.max(1));
    wanted >= total || share(place + 1) > share(place)
}

/// Whether a version that does not load will load later.
fn not_loaded(error: RunnerError) -> RunError {
    if error.is_temporary() { RunError::Runner(error) } else { RunError::Over(error.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::is_chosen;

    #[test]
    fn a_sample_is_evenly_spread_and_as_large_as_it_was_asked_for() {
        for (wanted, total) in [(10, 100), (3, 7), (1, 1_000_000), (7, 7), (9, 7)] {
            let chosen = (0..total).filter(|place| is_chosen(*place, wanted, total)).count();
            assert_eq!(i64::try_from(chosen), Ok(wanted.min(total)), "{wanted} of {total}");
        }
        assert!(is_chosen(8, 7, 7), "a user who was created meanwhile");
        assert!(is_chosen(0, 1, 0));
    }
}
