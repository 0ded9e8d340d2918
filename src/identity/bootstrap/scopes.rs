//! At the start, adds the Management API's scopes of a newer version to a database that an older version set up.

use super::Error;
use claimsmith_config::Config;
use claimsmith_domain::management;
use claimsmith_domain::random;
use claimsmith_storage::Tx;
use claimsmith_storage::resources::{self, Scope};

/// Adds the missing scopes to the Management API's resource, and returns their names. Adds nothing if there is no such
/// resource.
pub(super) async fn add_missing(tx: &mut Tx, config: &Config, now: i64) -> Result<Vec<&'static str>, Error> {
    let Some(resource) = resources::find_by_indicator(tx, &config.tokens.management_resource).await? else {
        return Ok(Vec::new());
    };
    let known = resources::scopes_of(tx, &resource.id).await?;
    let mut added = Vec::new();
    for (name, description) in management::SCOPES {
        if known.iter().any(|scope| scope.name == name) {
            continue;
        }
        let scope = Scope {
            id: random::id(21)?.into(),
            resource_id: resource.id.clone(),
            name: name.to_owned(),
            description: Some(description.to_owned()),
            created_at: now,
        };
        resources::insert_scope(tx, &scope).await?;
        added.push(name);
    }
    if !added.is_empty() {
        tracing::info!(scopes = added.join(" "), "missing scopes of the Management API were added");
    }
    Ok(added)
}
