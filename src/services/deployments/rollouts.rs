//! The database changes of a rollout. As with those of a plugin ([`super::change`]), each is one step in a transaction that
//! began with [`begin_change`](claimsmith_storage::plugins::begin_change), and counts as a change of the plugin, so that
//! every node follows.

use super::change;
use claimsmith_domain::documents::rollout::{Audience, RolloutMode, RolloutRules, RolloutState};
use claimsmith_runtime::json::{self, STORED};
use claimsmith_storage::plugins::Plugin;
use claimsmith_storage::plugins::rollouts::{self, Rollout};
use claimsmith_storage::{Result, Tx};

/// The reason of a rollout that a person paused, aborted or promoted.
pub const BY_HAND: &str = "byHand";
/// The reason of a rollout whose plugin was disabled.
pub const DISABLED: &str = "disabled";

/// The rollout of a plugin that is not over.
pub async fn open(tx: &mut Tx, plugin: &str) -> Result<Option<Rollout>> {
    Ok(rollouts::find(tx, plugin).await?.filter(|rollout| rollout.ended_at.is_none()))
}

/// Begins a rollout.
pub async fn begin(tx: &mut Tx, plugin: &mut Plugin, rollout: &Rollout, now: i64) -> Result<()> {
    change::save(tx, plugin, now).await?;
    rollouts::begin(tx, rollout).await
}

/// Writes a change of a rollout that goes on.
pub async fn save(tx: &mut Tx, plugin: &mut Plugin, rollout: &Rollout, now: i64) -> Result<()> {
    change::save(tx, plugin, now).await?;
    rollouts::update(tx, rollout).await?;
    Ok(())
}

/// Activates the version, and ends the rollout.
pub async fn promote(tx: &mut Tx, plugin: &mut Plugin, rollout: &mut Rollout, end: RolloutEnd<'_>) -> Result<()> {
    plugin.active_version = Some(rollout.version);
    finish(tx, plugin, rollout, (RolloutState::Promoted, end)).await
}

/// Ends the rollout: the active version answers everybody.
pub async fn abort(tx: &mut Tx, plugin: &mut Plugin, rollout: &mut Rollout, end: RolloutEnd<'_>) -> Result<()> {
    finish(tx, plugin, rollout, (RolloutState::Aborted, end)).await
}

/// Pauses the rollout: the active version answers everybody until it is resumed or ended.
pub async fn pause(tx: &mut Tx, plugin: &mut Plugin, rollout: &mut Rollout, end: RolloutEnd<'_>) -> Result<()> {
    RolloutState::Paused.as_str().clone_into(&mut rollout.state);
    rollout.reason = Some(end.reason.to_owned());
    save(tx, plugin, rollout, end.now).await
}

/// Who ends or pauses a rollout, why, and when.
#[derive(Clone, Copy, Debug)]
pub struct RolloutEnd<'a> {
    /// The principal; `None` for rules.
    pub by: Option<&'a str>,
    /// Why.
    pub reason: &'a str,
    /// Unix milliseconds.
    pub now: i64,
}

async fn finish(
    tx: &mut Tx,
    plugin: &mut Plugin,
    rollout: &mut Rollout,
    (state, end): (RolloutState, RolloutEnd<'_>),
) -> Result<()> {
    state.as_str().clone_into(&mut rollout.state);
    rollout.reason = Some(end.reason.to_owned());
    rollout.ended_by = end.by.map(str::to_owned);
    rollout.ended_at = Some(end.now);
    save(tx, plugin, rollout, end.now).await
}

/// Whether a rollout is paused since a node did not load its version: what was counted would pause it again.
#[must_use]
pub fn has_not_loaded(rollout: &Rollout) -> bool {
    matches!(rollout.reason.as_deref(), Some("doesNotLoad" | "notTrusted"))
}

/// Resumes a rollout.
pub fn resume(rollout: &mut Rollout, now: i64) {
    RolloutState::Running.as_str().clone_into(&mut rollout.state);
    rollout.reason = None;
    rollout.running_since = now;
}

/// The mode of a rollout. An unknown one, of a newer version of the server, counts as one without effect.
#[must_use]
pub fn mode(rollout: &Rollout) -> RolloutMode {
    RolloutMode::parse(&rollout.mode).unwrap_or(RolloutMode::Shadow)
}

/// The state of a rollout.
#[must_use]
pub fn state(rollout: &Rollout) -> RolloutState {
    RolloutState::parse(&rollout.state).unwrap_or(RolloutState::Paused)
}

/// Who is chosen whatever the share.
#[must_use]
pub fn audience(rollout: &Rollout) -> Audience {
    json::read(&rollout.audience, STORED).unwrap_or_default()
}

/// The rules of a rollout.
#[must_use]
pub fn rules(rollout: &Rollout) -> Option<RolloutRules> {
    json::read(rollout.rules.as_deref()?, STORED).ok()
}
