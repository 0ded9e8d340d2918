//! The versions that a run calls, with the settings, grants and secrets that they would have now.

use super::{RunError, RunOptions};
use claimsmith_runtime::{Kind, Secrets, Source};
use claimsmith_services::app::App;
use claimsmith_services::deployments::{self, change};
use claimsmith_services::plugins::Origin;
use claimsmith_services::plugins::population::PopulationVersion;
use claimsmith_services::plugins::trust::GivenSignature;
use claimsmith_storage::Tx;
use claimsmith_storage::plugins::population_runs::PopulationRun;
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};

/// Whether a version can be run over users: it computes claims.
#[must_use]
pub fn is_candidate(version: &Version) -> bool {
    deployments::kind(version) == Some(Kind::Claims)
}

/// The version that is tried, and the one that it is compared with.
pub(super) async fn load(
    app: &App,
    run: &PopulationRun,
    options: &RunOptions,
) -> Result<(PopulationVersion, Option<PopulationVersion>), RunError> {
    let mut tx = app.db.read().await?;
    let name = &run.plugin_name;
    let plugin = plugins::find(&mut tx, name).await?.ok_or_else(|| over("the plugin was deleted"))?;
    let candidate = one(app, &mut tx, (&plugin, run.version), options).await?;
    let against = match run.against {
        Some(version) => Some(one(app, &mut tx, (&plugin, version), options).await?),
        None => None,
    };
    Ok((candidate, against))
}

async fn one(
    app: &App,
    tx: &mut Tx,
    (plugin, id): (&Plugin, i64),
    options: &RunOptions,
) -> Result<PopulationVersion, RunError> {
    let name = &plugin.name;
    let gone = || over(&format!("version {id} was deleted"));
    let unreadable = |what: &str| over(&format!("version {id}: {what} cannot be read"));
    let version = plugins::versions::find(tx, name, id).await?.ok_or_else(gone)?;
    let bytes = plugins::versions::source(tx, name, id).await?.ok_or_else(gone)?;
    let secrets = plugins::secrets::list(tx, name).await?;
    let secrets = if options.with_secrets {
        deployments::decrypt_all(&app.cipher, secrets).map_err(RunError::Over)?
    } else {
        Secrets::placeholders(secrets.into_iter().map(|row| row.name))
    };
    let language = deployments::language(&version.language).ok_or_else(|| unreadable("its language"))?;
    let mut manifest = change::settings(plugin).map_err(|_| unreadable("the settings of the plugin"))?;
    manifest.capabilities.http = deployments::effective(version.http, plugin.http_grant.clone())
        .map_err(|_| unreadable("the HTTP grant of the plugin"))?;
    manifest.capabilities.cache = deployments::effective_cache(manifest.capabilities.cache, plugin.cache_grant.clone())
        .map_err(|_| unreadable("the cache grant of the plugin"))?;
    let source = Source::new(name.as_str(), language, bytes);
    if source.digest() != version.digest {
        return Err(over(&format!("version {id} is damaged: its digest is not that of the upload")));
    }
    // Again at every load: since the run began, the key may have expired, or a signature may be asked for.
    let signature = plugins::versions::signature(tx, name, id).await?;
    let signature = GivenSignature::of(signature.as_deref());
    let verdict = app.plugins.trust().judge(Origin::Store, source.bytes(), &signature);
    if verdict.is_refused {
        let problem = verdict.problem.as_deref().unwrap_or_default();
        return Err(over(&format!("version {id} is refused: signature: {problem}")));
    }
    Ok(PopulationVersion { source, manifest, secrets })
}

fn over(problem: &str) -> RunError {
    RunError::Over(problem.to_owned())
}
