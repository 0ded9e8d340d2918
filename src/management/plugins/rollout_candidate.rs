//! Which versions can be in a rollout, for whom, and who may let rules activate one.

use super::change::demand_second_person;
use super::versions;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::rollout::{Audience, RolloutMode, RolloutRules};
use claimsmith_runtime::{Kind, Source};
use claimsmith_services::deployments;
use claimsmith_storage::Tx;
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// The version that is to be tried, with its plugin; refused if it cannot be.
pub(super) async fn candidate(
    tx: &mut Tx,
    name: &str,
    version: &str,
    audience: &Audience,
) -> Result<(Plugin, Version), ApiError> {
    let (plugin, version) = versions::find(tx, name, version).await?;
    if !deployments::change::settings(&plugin)?.enabled {
        return Err(refused("The plugin is disabled: enable it first."));
    }
    let active = match plugin.active_version {
        Some(id) => plugins::versions::find(tx, name, id).await?,
        None => None,
    };
    let Some(active) = active else {
        return Err(refused("No version of the plugin is active: activate one first."));
    };
    if active.id == version.id {
        return Err(refused(&format!("Version {} is the active one already.", version.id)));
    }
    let (before, after) = (deployments::kind(&active), deployments::kind(&version));
    if before != after {
        let kind = |kind: Option<Kind>| kind.map_or("unknown", kind_name);
        let message = format!("Version {} is of another kind: {}, not {}.", version.id, kind(after), kind(before));
        return Err(refused(&message));
    }
    if !matches!(after, Some(Kind::Claims | Kind::WebhookTransform)) {
        return Err(refused("Only claims plugins and webhook transforms have rollouts."));
    }
    check_audience(&version, audience)?;
    Ok((plugin, version))
}

/// A webhook transform knows no users.
pub(super) fn check_audience(version: &Version, audience: &Audience) -> Result<(), ApiError> {
    if deployments::kind(version) != Some(Kind::WebhookTransform) || audience.is_empty() {
        return Ok(());
    }
    let lists = [
        ("applications", &audience.applications),
        ("organizations", &audience.organizations),
        ("users", &audience.users),
    ];
    let named = lists.iter().find(|(_, ids)| !ids.is_empty()).map_or("users", |(name, _)| *name);
    let details =
        format!("Error in key path \"{named}\": deliveries to a webhook transform are chosen by the share alone");
    Err(ApiError::invalid_input("body", details))
}

/// A canary answers users, so that a second person may have to begin or widen it, as to activate the version.
pub(super) fn demand_right_of_mode(management: &Caller, mode: RolloutMode, version: &Version) -> Result<(), ApiError> {
    match mode {
        RolloutMode::Canary => demand_second_person(management, &version.created_by),
        RolloutMode::Shadow => Ok(()),
    }
}

/// Rules act with the right of the caller, which a second person may have to have.
pub(super) fn demand_rights_of_rules(
    management: &Caller,
    rules: Option<&RolloutRules>,
    version: &Version,
) -> Result<(), ApiError> {
    match rules.and_then(|rules| rules.promote_after) {
        Some(_) => demand_second_person(management, &version.created_by),
        None => Ok(()),
    }
}

/// The source of a version.
pub(super) async fn source(tx: &mut Tx, version: &Version) -> Result<Source, ApiError> {
    let name = version.plugin_name.as_str();
    let bytes = plugins::versions::source(tx, name, version.id).await?;
    let language = deployments::language(&version.language);
    let (Some(bytes), Some(language)) = (bytes, language) else {
        return Err(refused(&format!("Version {} cannot be read.", version.id)));
    };
    Ok(Source::new(name, language, bytes))
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Claims => "a claims plugin",
        Kind::WebhookTransform => "a webhook transform",
        Kind::Message => "a message plugin",
    }
}

fn refused(message: &str) -> ApiError {
    ApiError::new(ApiCode::PluginRolloutRefused, message)
}
