//! Rollouts of plugins in the background: each node writes what it counted, and the first one to find that a rollout is to
//! be promoted, aborted or paused does so. Rules act with the right of the principal that set them.

use crate::held_rights::holds_all;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::rollout::RolloutState;
use claimsmith_domain::management::{ManagementScope, PluginsWrite};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::plugin_signature::TrustMode;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::deployments::rollouts::{self as changes, RolloutEnd};
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_services::plugins::trust::GivenSignature;
use claimsmith_services::plugins::{
    JudgedRollout, MAX_SAMPLES, Origin, RolloutResults, RolloutVerdict, TakenRollout, judge,
};
use claimsmith_services::supervisor::contain;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks;
use claimsmith_storage::plugins::rollouts::{self, Rollout, RolloutSample};
use claimsmith_storage::{self as storage, Tx, plugins};
use serde_json::json;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The interval between two rounds.
const INTERVAL: Duration = Duration::from_secs(1);
/// A node that has loaded no rollout looks for one every so many rounds: it may be the only one that runs.
const ROUNDS_BETWEEN_LOOKS: u32 = 10;
/// Timeout of the last write, at shutdown.
const LAST_TIMEOUT: Duration = Duration::from_secs(2);

/// Why a round failed.
#[derive(Debug, thiserror::Error)]
pub enum RolloutError {
    /// The database.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// A sample could not be encrypted.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// The system has no random bytes.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The audit entry.
    #[error(transparent)]
    Audit(#[from] webhooks::Error),
}

/// Writes counts and follows rules until shutdown, and writes once more then.
pub async fn run(app: App, stopping: CancellationToken) {
    let mut rounds = 0_u32;
    while stopping.run_until_cancelled(tokio::time::sleep(INTERVAL)).await.is_some() {
        rounds = rounds.wrapping_add(1);
        let round = async {
            write(&app).await?;
            if app.plugins.has_rollouts() || rounds.is_multiple_of(ROUNDS_BETWEEN_LOOKS) {
                decide(&app).await?;
            }
            Ok::<(), RolloutError>(())
        };
        // A panic was logged, and is retried like an error.
        if let Ok(Err(error)) = contain("rollouts", round).await {
            tracing::warn!(%error, "the rollouts of plugins could not be looked at; trying again");
        }
    }
    let last = contain("rollouts", write(&app));
    if !matches!(tokio::time::timeout(LAST_TIMEOUT, last).await, Ok(Ok(Ok(())))) {
        tracing::warn!("the last counts of rollouts could not be written");
    }
}

/// Writes what this node counted since the last time; on failure, it is added back.
pub async fn write(app: &App) -> Result<(), RolloutError> {
    let taken = app.plugins.take_rollouts();
    if taken.is_empty() {
        return Ok(());
    }
    let written = write_all(app, &taken).await;
    if written.is_err() {
        for one in taken {
            app.plugins.give_back_rollout(one);
        }
    }
    written
}

async fn write_all(app: &App, taken: &[TakenRollout]) -> Result<(), RolloutError> {
    let now = app.clock.now_ms();
    let mut samples = Vec::new();
    for (rollout, sample) in taken.iter().flat_map(|one| one.samples.iter().map(|sample| (&one.id, sample))) {
        let id = random::id_at(now)?;
        let content = sample.content.to_string();
        samples.push(RolloutSample {
            sealed: app.cipher.encrypt(Purpose::RolloutSample, &id, content.as_bytes())?,
            id,
            rollout_id: rollout.to_string(),
            class: sample.class.as_str().to_owned(),
            user_id: sample.user.clone(),
            created_at: now,
        });
    }
    let mut tx = app.db.begin().await?;
    for one in taken {
        let counts: Vec<(String, i64)> = one.counts.iter().map(|(name, value)| (name.clone(), *value)).collect();
        rollouts::add_counts(&mut tx, &one.id, &app.node.id, &counts).await?;
    }
    let most = i64::try_from(MAX_SAMPLES).unwrap_or(i64::MAX);
    for sample in &samples {
        rollouts::add_sample(&mut tx, sample, most).await?;
    }
    Ok(tx.commit().await?)
}

/// Carries out what the rules of all running rollouts say.
pub async fn decide(app: &App) -> Result<(), RolloutError> {
    let mut tx = app.db.read().await?;
    let mut due = Vec::new();
    for rollout in rollouts::open(&mut tx).await? {
        if verdict(app, &mut tx, &rollout).await? != RolloutVerdict::Continue {
            due.push(rollout.plugin_name);
        }
    }
    drop(tx);
    for plugin in due {
        carry_out(app, &plugin).await?;
    }
    Ok(())
}

/// What is to be done with a rollout.
async fn verdict(app: &App, tx: &mut Tx, rollout: &Rollout) -> Result<RolloutVerdict, RolloutError> {
    if changes::state(rollout) != RolloutState::Running {
        return Ok(RolloutVerdict::Continue);
    }
    let now = app.clock.now_ms();
    let results = results(tx, rollout).await?;
    let rules = changes::rules(rollout);
    let judged = JudgedRollout {
        mode: changes::mode(rollout),
        rules: rules.as_ref(),
        running_ms: now - rollout.running_since,
        is_expired: now >= rollout.expires_at,
        is_breaker_open: false,
    };
    // Breakers, and whether the rules are in force, matter only where it comes to something: every node asks each
    // second.
    if judge(&judged, &results) == RolloutVerdict::Continue {
        return Ok(RolloutVerdict::Continue);
    }
    let judged = JudgedRollout { is_breaker_open: is_breaker_open(tx, rollout).await?, ..judged };
    let verdict = judge(&judged, &results);
    if verdict == RolloutVerdict::Continue || rules.is_none() || are_rules_in_force(app, tx, rollout).await? {
        return Ok(verdict);
    }
    Ok(judge(&JudgedRollout { rules: None, ..judged }, &results))
}

/// Whether the breaker of the version of a rollout is open or half-open on any node: for everybody, or for a single
/// application or user. One that is open for a single user counts too, since the calls that it spares are not counted
/// as failures.
pub async fn is_breaker_open(tx: &mut Tx, rollout: &Rollout) -> storage::Result<bool> {
    let version = plugins::versions::find(tx, &rollout.plugin_name, rollout.version).await?;
    match version {
        Some(version) => plugins::breakers::is_any_open(tx, &rollout.plugin_name, &version.digest).await,
        None => Ok(false),
    }
}

/// What all nodes counted of a rollout.
pub async fn results(tx: &mut Tx, rollout: &Rollout) -> storage::Result<RolloutResults> {
    let counts = rollouts::counts(tx, &rollout.id).await?;
    Ok(RolloutResults::of(counts.iter().map(|count| (count.name.as_str(), count.value))))
}

/// Decides again within the transaction: another node, or a person, may have been faster.
async fn carry_out(app: &App, name: &str) -> Result<(), RolloutError> {
    let (now, is_trusted) = (app.clock.now_ms(), is_trusted(app, name).await?);
    let mut tx = UnitOfWork::begin(&app.db, Actor::Server, RequestOrigin::default(), now).await?;
    plugins::begin_change(&mut tx).await?;
    let Some(mut plugin) = plugins::find(&mut tx, name).await? else { return Ok(()) };
    let Some(mut rollout) = changes::open(&mut tx, name).await? else { return Ok(()) };
    let verdict = match verdict(app, &mut tx, &rollout).await? {
        RolloutVerdict::Promote if !is_trusted => RolloutVerdict::Pause("notTrusted"),
        RolloutVerdict::Promote => promotion(app, &mut tx, &rollout).await?,
        other => other,
    };
    let end = |reason| RolloutEnd { by: None, reason, now };
    let (key, reason) = match verdict {
        RolloutVerdict::Continue => return Ok(()),
        RolloutVerdict::Promote => {
            changes::promote(&mut tx, &mut plugin, &mut rollout, end("rules")).await?;
            (AuditKey::ServerPluginPromoteRollout, "rules")
        }
        RolloutVerdict::Abort(reason) => {
            changes::abort(&mut tx, &mut plugin, &mut rollout, end(reason)).await?;
            (AuditKey::ServerPluginAbortRollout, reason)
        }
        RolloutVerdict::Pause(reason) => {
            changes::pause(&mut tx, &mut plugin, &mut rollout, end(reason)).await?;
            (AuditKey::ServerPluginPauseRollout, reason)
        }
    };
    let version = rollout.version.to_string();
    let details = json!({ "plugin": name, "version": version, "reason": reason, "rulesBy": rollout.rules_by });
    tx.audit(key, details).await?;
    tx.commit().await?;
    tracing::info!(plugin = name, version, reason, state = rollout.state, "the rollout of a plugin has changed");
    if let Err(error) = app.deployments.catch_up().await {
        tracing::warn!(%error, "the change of a rollout was saved, but this node could not load it yet; it will try again");
    }
    Ok(())
}

/// Whether a node would load the version of a rollout: the key that signed it may have expired since it began.
async fn is_trusted(app: &App, plugin: &str) -> Result<bool, RolloutError> {
    let trust = app.plugins.trust();
    if trust.mode(Origin::Store) != TrustMode::Require {
        return Ok(true);
    }
    let mut tx = app.db.read().await?;
    let Some(rollout) = changes::open(&mut tx, plugin).await? else { return Ok(true) };
    let source = plugins::versions::source(&mut tx, plugin, rollout.version).await?;
    let signature = plugins::versions::signature(&mut tx, plugin, rollout.version).await?;
    let signature = GivenSignature::of(signature.as_deref());
    Ok(source.is_none_or(|source| !trust.judge(Origin::Store, &source, &signature).is_refused))
}

/// Whether the version may be activated by rules: it must still be there, and may have to be somebody else's.
async fn promotion(app: &App, tx: &mut Tx, rollout: &Rollout) -> Result<RolloutVerdict, RolloutError> {
    let version = plugins::versions::find(tx, &rollout.plugin_name, rollout.version).await?;
    let Some(version) = version else { return Ok(RolloutVerdict::Abort("versionMissing")) };
    let by = rollout.rules_by.as_deref().and_then(|by| by.split_once(':')).map(|(_, id)| id);
    let needs_another = app.config.plugins.require_second_person && by == Some(version.created_by.as_str());
    Ok(if needs_another { RolloutVerdict::Pause("secondPersonRequired") } else { RolloutVerdict::Promote })
}

/// Whether the principal that set the rules may still activate versions of plugins.
pub async fn are_rules_in_force(app: &App, tx: &mut Tx, rollout: &Rollout) -> storage::Result<bool> {
    match rollout.rules_by.as_deref() {
        Some(principal) => holds_all(app, tx, principal, &[PluginsWrite::NAME]).await,
        None => Ok(false),
    }
}
