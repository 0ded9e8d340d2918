//! The settings that a server was last started with, in its database. Only `claimsmith serve` writes them, together with
//! the built-in resources and clients that depend on them; every other command follows them.

use super::Error;
use claimsmith_config::{Config, ServedSettings, SigningAlgorithm};
use claimsmith_domain::console::built_in;
use claimsmith_domain::id::ResourceId;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{self as storage, Db, Tx, resources, settings};

const BASE_URL: &str = "server.base_url";
const MANAGEMENT_RESOURCE: &str = "tokens.management_resource";
const SIGNING_ALGORITHM: &str = "tokens.signing_algorithm";

/// The settings of the server of this database; `None` if none was started on it yet. For a database of an older
/// version, the base URL is that of the console's resource.
pub async fn find(tx: &mut Tx) -> storage::Result<Option<ServedSettings>> {
    let mut base_url = settings::get(tx, BASE_URL).await?;
    if base_url.is_none() {
        let console = resources::find(tx, &ResourceId::from(built_in::RESOURCE_ID)).await?;
        let suffix = built_in::resource("");
        base_url = console.and_then(|console| console.indicator.strip_suffix(suffix.as_str()).map(str::to_owned));
    }
    let Some(base_url) = base_url.and_then(|url| url.parse().ok()) else { return Ok(None) };
    let algorithm = settings::get(tx, SIGNING_ALGORITHM).await?;
    Ok(Some(ServedSettings {
        base_url,
        management_resource: settings::get(tx, MANAGEMENT_RESOURCE).await?,
        signing_algorithm: algorithm.and_then(|name| SigningAlgorithm::parse(&name)),
    }))
}

/// Makes a command's configuration follow the server of this database.
///
/// # Errors
/// See [`Config::follow_server`].
pub async fn follow(db: &Db, config: &mut Config) -> Result<(), Error> {
    if let Some(served) = find(&mut db.read().await?).await? {
        config.follow_server(&served)?;
    }
    Ok(())
}

/// Stores the settings of the server that starts, and gives the Management API's resource its new indicator if that
/// has changed, usually with the base URL. Returns whether anything changed.
pub(super) async fn store(tx: &mut Tx, config: &Config) -> Result<bool, Error> {
    if let Some(earlier) = settings::get(tx, MANAGEMENT_RESOURCE).await? {
        rename_management_resource(tx, &earlier, &config.tokens.management_resource).await?;
    }
    let mut is_changed = false;
    for (key, value) in [
        (BASE_URL, config.server.base_url.as_str()),
        (MANAGEMENT_RESOURCE, config.tokens.management_resource.as_str()),
        (SIGNING_ALGORITHM, config.tokens.signing_algorithm.as_str()),
    ] {
        if settings::get(tx, key).await?.as_deref() != Some(value) {
            settings::put(tx, key, value).await?;
            is_changed = true;
        }
    }
    Ok(is_changed)
}

/// Otherwise, the applications with access to the Management API would have access to a resource that nothing accepts.
async fn rename_management_resource(tx: &mut Tx, earlier: &str, now: &str) -> Result<(), Error> {
    if earlier == now || resources::find_by_indicator(tx, now).await?.is_some() {
        return Ok(());
    }
    if let Some(resource) = resources::find_by_indicator(tx, earlier).await? {
        resources::set_indicator(tx, &resource.id, now).await?;
        revisions::bump(tx, Changed::All).await?;
        tracing::info!(earlier, now, "the resource of the Management API has another indicator");
    }
    Ok(())
}
