//! Runs of a version of a plugin over all users, in the background: one node leases a run and commits what it found together
//! with the last user, so that after a restart, or the loss of the node, another one continues where it was.

mod job;
mod options;
mod pace;
mod probe;
mod user;
mod versions;

pub use options::RunOptions;
pub use probe::probe;
pub use versions::is_candidate;

use claimsmith_domain::random::RandomError;
use claimsmith_runtime::json::{self, STORED};
use claimsmith_services::app::App;
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_services::plugins::population::{PopulationTally, RunnerError};
use claimsmith_services::supervisor::contain;
use claimsmith_storage as storage;
use claimsmith_storage::plugins::population_runs::{self as stored, PopulationRun, RunLease};
use job::Job;
use std::error::Error;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

/// How often a node looks for a run that nobody works on. One that begins is a change of its plugin, which wakes it.
const POLL: Duration = Duration::from_secs(5);
/// The pause after something failed for the moment.
const PAUSE: Duration = Duration::from_secs(2);
/// How long a node may take from one commit to the next, at least.
const MIN_LEASE_MS: i64 = 15_000;
/// The same as a multiple of the time that the plugins of a token may take: a user's calls may be repeated.
const LEASE_BUDGETS: u32 = 8;
/// How often a run may fail for the moment at the same user.
const MAX_FAILURES: u32 = 20;
/// Bytes of the key of the pseudonyms.
const KEY_BYTES: usize = 32;
/// How long a run is kept after its end: a week, in milliseconds.
pub const KEPT_MS: i64 = 7 * 24 * 3_600_000;
/// Timeout of the last write, at shutdown.
const LAST_TIMEOUT: Duration = Duration::from_secs(2);

/// Why a run does not go on.
#[derive(Debug, thiserror::Error)]
enum RunError {
    /// For good: what is to be said of it.
    #[error("{0}")]
    Over(String),
    /// For the moment: the database.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// For the moment: a version could not be loaded.
    #[error(transparent)]
    Runner(RunnerError),
    /// For the moment: the server is too busy.
    #[error("the server is too busy")]
    Busy,
    /// For the moment: the input of a user could not be composed.
    #[error("the context of a user could not be read: {0}")]
    User(Box<dyn Error + Send + Sync>),
    /// What is stored of the run cannot be encrypted or decrypted.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// The call of a user panicked; it was logged.
    #[error("the server failed while it looked at a user; see its log")]
    Panicked,
}

impl RunError {
    /// What the run says of it. Errors of a user's data may quote them, and are in the server's log alone.
    fn told(&self) -> String {
        match self {
            Self::User(_) => "the context of a user could not be read; see the server's log".to_owned(),
            other => other.to_string(),
        }
    }
}

/// A run that does not get on.
#[derive(Default)]
struct Stuck {
    /// Its id, and the users that it had passed.
    place: (String, i64),
    failures: u32,
}

/// A new key for the pseudonyms of a run, encrypted.
pub fn new_key(app: &App, run: &str) -> Result<Result<String, EncryptionError>, RandomError> {
    let key = Zeroizing::new(app.random.bytes::<KEY_BYTES>()?);
    Ok(app.cipher.encrypt(Purpose::PopulationRun, &key_row(run), key.as_slice()))
}

/// The row that the key of the pseudonyms of a run is bound to.
fn key_row(run: &str) -> String {
    format!("{run}/key")
}

/// The same for its table.
fn results_row(run: &str) -> String {
    format!("{run}/results")
}

/// The table of a run, so far.
///
/// # Errors
/// It cannot be decrypted.
pub fn tally(app: &App, run: &PopulationRun) -> Result<PopulationTally, EncryptionError> {
    let Some(sealed) = &run.sealed_results else { return Ok(PopulationTally::default()) };
    let text = app.cipher.decrypt(Purpose::PopulationRun, &results_row(&run.id), sealed)?;
    json::read(text.as_slice(), STORED).map_err(|_| EncryptionError::Damaged)
}

/// The table as it is stored.
fn sealed_tally(app: &App, run: &str, tally: &PopulationTally) -> Result<String, RunError> {
    let text = serde_json::to_vec(tally).map_err(|error| RunError::Over(error.to_string()))?;
    Ok(app.cipher.encrypt(Purpose::PopulationRun, &results_row(run), &text)?)
}

/// The key of the pseudonyms.
fn key(app: &App, run: &PopulationRun) -> Result<Zeroizing<Vec<u8>>, RunError> {
    let sealed =
        run.sealed_key.as_deref().ok_or_else(|| RunError::Over("the key of its pseudonyms is lost".to_owned()))?;
    Ok(app.cipher.decrypt(Purpose::PopulationRun, &key_row(&run.id), sealed)?)
}

/// How long a lease lasts, in milliseconds.
fn lease_ms(app: &App) -> i64 {
    let budgets = i64::try_from((app.config.plugins.budget * LEASE_BUDGETS).as_millis()).unwrap_or(i64::MAX / 4);
    budgets.max(MIN_LEASE_MS)
}

/// Works on runs until shutdown.
pub async fn run(app: App, stopping: CancellationToken) {
    if app.config.database.url.is_embedded() {
        // This is the only process of the database: whoever had a lease is gone.
        release(&app, None).await;
    }
    let mut stuck = Stuck::default();
    let mut changes = app.plugins.store_changes();
    loop {
        changes.mark_unchanged();
        // A panic was logged, and is retried like an error.
        let pause = match contain("population run", work(&app, &stopping, &mut stuck)).await {
            Ok(Ok(())) => POLL,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a run over all users does not go on; trying again");
                release(&app, Some(&app.node.id)).await;
                PAUSE
            }
            Err(_) => {
                release(&app, Some(&app.node.id)).await;
                PAUSE
            }
        };
        let woken = async {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                // The sender lives as long as the plugins.
                _ = changes.changed() => {}
            }
        };
        if stopping.run_until_cancelled(woken).await.is_none() {
            break;
        }
    }
    if tokio::time::timeout(LAST_TIMEOUT, release(&app, Some(&app.node.id))).await.is_err() {
        tracing::debug!("a run over all users could not be handed over; another node continues when its lease is over");
    }
}

/// Lets another node continue.
async fn release(app: &App, holder: Option<&str>) {
    let released = async {
        let mut tx = app.db.begin().await?;
        stored::release_leases(&mut tx, holder).await?;
        tx.commit().await
    };
    if let Err(error) = released.await {
        tracing::debug!(%error, "the lease of a run over all users could not be given back");
    }
}

/// Works on the run that nobody works on, if there is one, until it ends or the server stops.
async fn work(app: &App, stopping: &CancellationToken, stuck: &mut Stuck) -> Result<(), RunError> {
    let Some(run) = lease(app).await? else { return Ok(()) };
    let place = (run.id.clone(), run.visited);
    let (plugin, id) = (run.plugin_name.clone(), run.id.clone());
    let ended = async {
        let mut job = Job::open(app, run).await?;
        job.run(stopping).await
    };
    match ended.await {
        Err(RunError::Over(problem)) => {
            tracing::warn!(plugin, run = id, problem, "a run over all users has failed");
            end(app, (&plugin, &id), "failed", Some(&problem)).await
        }
        Err(error) => {
            if !stuck.is_at(place) {
                return Err(error);
            }
            tracing::warn!(plugin, run = id, %error, "a run over all users has failed too often at the same user");
            end(app, (&plugin, &id), "failed", Some(&error.told())).await
        }
        Ok(()) => Ok(()),
    }
}

impl Stuck {
    /// Counts a failure of a run that had begun at this place. `true`: there were too many.
    fn is_at(&mut self, place: (String, i64)) -> bool {
        if self.place != place {
            *self = Self { place, failures: 0 };
        }
        self.failures += 1;
        self.failures >= MAX_FAILURES
    }
}

async fn lease(app: &App) -> Result<Option<PopulationRun>, RunError> {
    let now = app.clock.now_ms();
    let Some(id) = stored::waiting(&mut app.db.read().await?, now).await? else { return Ok(None) };
    let lease = RunLease { run: &id, holder: &app.node.id, until: now.saturating_add(lease_ms(app)) };
    let mut tx = app.db.begin().await?;
    let run = stored::take_lease(&mut tx, lease, now).await?;
    tx.commit().await?;
    Ok(run)
}

/// Ends a run, unless it has ended.
async fn end(app: &App, (plugin, id): (&str, &str), state: &str, problem: Option<&str>) -> Result<(), RunError> {
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let end = stored::RunEnd { state, problem, at: now, expires_at: now + KEPT_MS };
    stored::end(&mut tx, plugin, id, end).await?;
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::RunError;

    #[test]
    fn a_run_quotes_no_data_of_a_user() {
        let error = RunError::User("invalid type: string \"ada@example.com\"".into());
        assert!(error.to_string().contains("ada") && !error.told().contains("ada"));
        assert_eq!(RunError::Busy.told(), "the server is too busy");
    }
}
