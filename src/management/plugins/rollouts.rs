//! `/api/plugins/{name}/rollout`: a version beside the active one, as a shadow or as a canary.

use super::candidate::fits;
use super::change::{
    ChangeScope, IfMatch, PluginChange, check_connectors, demand_second_person, publish, refuse_folder, refuse_rollout,
};
use super::refusal::not_compiled;
use super::rollout_candidate::{candidate, check_audience, demand_right_of_mode, demand_rights_of_rules, source};
use super::rollout_cases::golden_cases;
use super::rollout_views::view;
use super::signature::check_stored;
use super::versions;
use crate::refusals::{AccessRefused, BodyRefused, NotAccepted, NotChanged, NotCompiled, NotThere};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::plugin_rollouts::{RolloutSampleView, RolloutView, StartRollout, UpdateRollout};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::rollout::{Audience, DEFAULT_ROLLOUT_MS, MAX_ROLLOUT_MS, RolloutState};
use claimsmith_domain::management::{PluginsRead, PluginsRecordings, PluginsWrite, Recent};
use claimsmith_services::deployments;
use claimsmith_services::deployments::rollouts::{self as changes, RolloutEnd};
use claimsmith_services::encryption::Purpose;
use claimsmith_services::plugins::compile;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::plugins::rollouts::{self as stored, Rollout};
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::{Value, json};

/// Characters of the id of a rollout.
const ID_CHARS: usize = 21;

/// Begins a rollout of a version.
///
/// The version is compiled first. While the rollout is running or paused, the plugin has no other one, and its active
/// version, settings, secrets and grants do not change.
#[utoipa::path(
    post, path = "/api/plugins/{name}/rollout", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    request_body = StartRollout,
    responses(
        (status = 201, description = "It is running", body = RolloutView),
        BodyRefused, AccessRefused, NotThere, NotChanged, NotAccepted, NotCompiled,
    ),
)]
pub(super) async fn start_rollout(
    management: Management<Recent<PluginsWrite>>,
    Id(name): Id,
    seen: IfMatch,
    JsonBody(body): JsonBody<StartRollout>,
) -> Result<(StatusCode, Json<RolloutView>), ApiError> {
    let now = management.now();
    let expires_at = expiry(body.expires.unwrap_or(now + DEFAULT_ROLLOUT_MS), now)?;
    let audience = Audience {
        applications: ids(body.applications),
        organizations: ids(body.organizations),
        users: ids(body.users),
    };
    // Checked before the compilation, which takes long; it is checked again when the change begins.
    let source = {
        let mut tx = management.read().await?;
        check_connectors(&management, &mut tx, &name, ChangeScope::Serving).await?;
        if plugins::find(&mut tx, &name).await?.is_none() {
            refuse_folder(&management, &name)?;
        }
        refuse_rollout(&mut tx, &name).await?;
        let (_, version) = candidate(&mut tx, &name, &body.version, &audience).await?;
        source(&mut tx, &version).await?
    };
    check_stored(&management, &name, &body.version).await?;
    let job = compile::Upload { source, manifest: None, cases: None };
    management.app.plugins.compiler().compile(&job).await.map_err(not_compiled)?;

    let (mut tx, _) = PluginChange::begin_existing(&management, &name, &seen).await?;
    let (mut plugin, version) = candidate(&mut tx, &name, &body.version, &audience).await?;
    demand_right_of_mode(&management, body.mode, &version)?;
    demand_rights_of_rules(&management, body.rules.as_ref(), &version)?;
    let rollout = Rollout {
        plugin_name: name.clone(),
        id: management.app.random.id(ID_CHARS)?,
        version: version.id,
        active_before: plugin.active_version.unwrap_or_default(),
        mode: body.mode.as_str().to_owned(),
        state: RolloutState::Running.as_str().to_owned(),
        reason: None,
        share: i64::from(body.share),
        audience: serde_json::to_string(&audience)?,
        rules: body.rules.as_ref().map(serde_json::to_string).transpose()?,
        rules_by: body.rules.as_ref().map(|_| management.principal()),
        started_by: management.id().to_owned(),
        started_at: now,
        running_since: now,
        expires_at,
        ended_by: None,
        ended_at: None,
    };
    changes::begin(&mut tx, &mut plugin, &rollout, now).await?;
    tx.audit(AuditKey::ManagementPluginStartRollout, details(&rollout)).await?;
    Ok((StatusCode::CREATED, finish(&management, tx, rollout).await?))
}

/// Shows the rollout of a plugin with its results, also when it is over.
#[utoipa::path(
    get, path = "/api/plugins/{name}/rollout", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses((status = 200, description = "The rollout", body = RolloutView), AccessRefused, NotThere),
)]
pub(super) async fn show_rollout(
    management: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Json<RolloutView>, ApiError> {
    let mut tx = management.read().await?;
    let rollout = stored::find(&mut tx, &name).await?.ok_or_else(|| no_rollout(&name))?;
    Ok(Json(view(&management.app, &mut tx, rollout).await?))
}

/// Changes a rollout: its share, its lists, its mode, its rules and its end; pauses or resumes it.
#[utoipa::path(
    patch, path = "/api/plugins/{name}/rollout", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    request_body = UpdateRollout,
    responses(
        (status = 200, description = "The rollout", body = RolloutView),
        BodyRefused, AccessRefused, NotThere, NotChanged, NotAccepted,
    ),
)]
pub(super) async fn update_rollout(
    management: Management<Recent<PluginsWrite>>,
    Id(name): Id,
    seen: IfMatch,
    JsonBody(body): JsonBody<UpdateRollout>,
) -> Result<Json<RolloutView>, ApiError> {
    let now = management.now();
    if body.paused == Some(false) {
        check_trust(&management, &name).await?;
    }
    let (mut tx, mut plugin, mut rollout) = begin(&management, &name, &seen).await?;
    let (_, version) = candidate(&mut tx, &name, &rollout.version.to_string(), &Audience::default()).await?;
    let UpdateRollout { mode, share, applications, organizations, users, rules, expires, paused } = body;
    let lists = [&applications, &organizations, &users];
    if mode.is_some() || share.is_some() || paused == Some(false) || lists.iter().any(|list| list.is_some()) {
        demand_right_of_mode(&management, mode.unwrap_or_else(|| changes::mode(&rollout)), &version)?;
    }
    rollout.share = share.map_or(rollout.share, i64::from);
    let mut audience = changes::audience(&rollout);
    for (list, given) in [
        (&mut audience.applications, applications),
        (&mut audience.organizations, organizations),
        (&mut audience.users, users),
    ] {
        if let Some(given) = given {
            *list = ids(Some(given));
        }
    }
    check_audience(&version, &audience)?;
    rollout.audience = serde_json::to_string(&audience)?;
    if let Some(expires) = expires {
        rollout.expires_at = expiry(expires, now)?;
    }
    if let Some(rules) = rules.map(|rules| rules.map(|rules| rules.0)) {
        demand_rights_of_rules(&management, rules.as_ref(), &version)?;
        rollout.rules = rules.as_ref().map(serde_json::to_string).transpose()?;
        rollout.rules_by = rules.map(|_| management.principal());
    }
    let is_paused = changes::state(&rollout) == RolloutState::Paused;
    // What was counted belongs to the other mode.
    let mut counts_anew = mode.is_some_and(|mode| mode != changes::mode(&rollout));
    match paused {
        Some(true) if !is_paused => {
            RolloutState::Paused.as_str().clone_into(&mut rollout.state);
            rollout.reason = Some(changes::BY_HAND.to_owned());
        }
        Some(false) if is_paused => {
            if rollout.expires_at <= now {
                let details = "Error in key path \"expires\": the rollout has expired, so it is resumed with a new end";
                return Err(ApiError::invalid_input("body", details));
            }
            counts_anew |= changes::has_not_loaded(&rollout);
            changes::resume(&mut rollout, now);
        }
        _ => {}
    }
    if counts_anew {
        mode.unwrap_or_else(|| changes::mode(&rollout)).as_str().clone_into(&mut rollout.mode);
        rollout.id = management.app.random.id(ID_CHARS)?;
        rollout.running_since = now;
        changes::begin(&mut tx, &mut plugin, &rollout, now).await?;
    } else {
        changes::save(&mut tx, &mut plugin, &rollout, now).await?;
    }
    tx.audit(AuditKey::ManagementPluginUpdateRollout, details(&rollout)).await?;
    finish(&management, tx, rollout).await
}

/// Activates the version of a rollout, and ends the rollout.
#[utoipa::path(
    post, path = "/api/plugins/{name}/rollout/promote", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    responses(
        (status = 200, description = "The version answers everybody", body = RolloutView),
        AccessRefused, NotThere, NotChanged, NotAccepted,
    ),
)]
pub(super) async fn promote_rollout(
    management: Management<Recent<PluginsWrite>>,
    Id(name): Id,
    seen: IfMatch,
) -> Result<Json<RolloutView>, ApiError> {
    check_trust(&management, &name).await?;
    let (mut tx, mut plugin, mut rollout) = begin(&management, &name, &seen).await?;
    let (_, version) = versions::find(&mut tx, &name, &rollout.version.to_string()).await?;
    demand_second_person(&management, &version.created_by)?;
    if let Some(kind) = deployments::kind(&version) {
        fits(&plugin, kind)?;
    }
    changes::promote(&mut tx, &mut plugin, &mut rollout, by_hand(&management)).await?;
    tx.audit(AuditKey::ManagementPluginPromoteRollout, details(&rollout)).await?;
    finish(&management, tx, rollout).await
}

/// Ends a rollout: the active version answers everybody.
#[utoipa::path(
    post, path = "/api/plugins/{name}/rollout/abort", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    responses(
        (status = 200, description = "The active version answers everybody", body = RolloutView),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn abort_rollout(
    management: Management<Recent<PluginsWrite>>,
    Id(name): Id,
    seen: IfMatch,
) -> Result<Json<RolloutView>, ApiError> {
    let (mut tx, mut plugin, mut rollout) = begin(&management, &name, &seen).await?;
    changes::abort(&mut tx, &mut plugin, &mut rollout, by_hand(&management)).await?;
    tx.audit(AuditKey::ManagementPluginAbortRollout, details(&rollout)).await?;
    finish(&management, tx, rollout).await
}

/// Lists calls whose answers differed, at most 20 of each class.
///
/// They are redacted as recordings are. Every reading is recorded in the audit log.
#[utoipa::path(
    get, path = "/api/plugins/{name}/rollout/samples", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        (status = 200, description = "The samples, oldest first", body = Vec<RolloutSampleView>),
        (status = 404, description = "No such plugin, or no rollout of it", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_rollout_samples(
    management: Management<PluginsRecordings>,
    Id(name): Id,
) -> Result<Json<Vec<RolloutSampleView>>, ApiError> {
    let mut tx = management.begin().await?;
    let rollout = stored::find(&mut tx, &name).await?.ok_or_else(|| no_rollout(&name))?;
    let samples = stored::samples(&mut tx, &rollout.id).await?;
    let read = json!({ "plugin": name, "version": rollout.version.to_string(), "samples": samples.len() });
    tx.audit(AuditKey::ManagementPluginReadRolloutSamples, read).await?;
    tx.commit().await?;
    let opened = samples.into_iter().filter_map(|sample| {
        // One that cannot be decrypted costs that one alone.
        let text = management.app.cipher.decrypt(Purpose::RolloutSample, &sample.id, &sample.sealed);
        let text =
            text.inspect_err(|error| tracing::warn!(sample = sample.id, %error, "a sample cannot be read")).ok()?;
        let content: Value = claimsmith_runtime::json::read(&*text, claimsmith_runtime::json::STORED).ok()?;
        let cases = golden_cases(rollout.version, &sample.class, &sample.id, &content);
        Some(RolloutSampleView { id: sample.id, class: sample.class, created_at: sample.created_at, content, cases })
    });
    Ok(Json(opened.collect()))
}

/// Begins to change the rollout of a plugin, which must not be over.
async fn begin(management: &Caller, name: &str, seen: &IfMatch) -> Result<(UnitOfWork, Plugin, Rollout), ApiError> {
    let (mut tx, plugin) = PluginChange::begin_existing_of(management, name, seen, ChangeScope::Rollout).await?;
    let rollout = stored::find(&mut tx, name).await?.ok_or_else(|| no_rollout(name))?;
    if rollout.ended_at.is_some() {
        let message = format!("The rollout of the plugin {name:?} is over: it was {}.", rollout.state);
        return Err(ApiError::new(ApiCode::PluginRolloutOver, message));
    }
    Ok((tx, plugin, rollout))
}

/// Refuses to go on with a version that no trusted key is known to have signed any more. Before the transaction, since
/// verifying may read much; whoever begins another rollout meanwhile was asked the same.
async fn check_trust(management: &Caller, name: &str) -> Result<(), ApiError> {
    let rollout = {
        let mut tx = management.read().await?;
        stored::find(&mut tx, name).await?
    };
    match rollout {
        Some(rollout) => check_stored(management, name, &rollout.version.to_string()).await,
        None => Ok(()),
    }
}

/// Commits, waits until the change is active on this node, and shows the rollout.
async fn finish(management: &Caller, tx: UnitOfWork, rollout: Rollout) -> Result<Json<RolloutView>, ApiError> {
    publish(management, tx).await?;
    let mut tx = management.read().await?;
    Ok(Json(view(&management.app, &mut tx, rollout).await?))
}

/// The end of a rollout: in the future, and not after the longest one.
fn expiry(expires: i64, now: i64) -> Result<i64, ApiError> {
    if expires > now && expires <= now + MAX_ROLLOUT_MS {
        return Ok(expires);
    }
    let details = "Error in key path \"expires\": expected a time within the next 30 days, in Unix milliseconds";
    Err(ApiError::invalid_input("body", details))
}

fn ids(given: Option<IdList<String, 0>>) -> Vec<String> {
    given.map(|ids| ids.as_slice().to_vec()).unwrap_or_default()
}

fn by_hand(management: &Caller) -> RolloutEnd<'_> {
    RolloutEnd { by: Some(management.id()), reason: changes::BY_HAND, now: management.now() }
}

fn no_rollout(name: &str) -> ApiError {
    ApiError::not_found("rollout of plugin", name)
}

/// What the audit log says of a rollout.
fn details(rollout: &Rollout) -> Value {
    let Audience { applications, organizations, users } = changes::audience(rollout);
    json!({
        "plugin": rollout.plugin_name, "version": rollout.version.to_string(),
        "before": rollout.active_before.to_string(), "mode": changes::mode(rollout).as_str(),
        "state": rollout.state, "reason": rollout.reason, "share": rollout.share, "applications": applications,
        "organizations": organizations, "users": users, "rules": changes::rules(rollout),
        "expires": rollout.expires_at,
    })
}
