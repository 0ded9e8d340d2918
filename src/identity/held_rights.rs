//! The rights that a principal holds now, for what acts with them later: rules of rollouts and runs over all users stop
//! when the principal that set or started them has lost a right that this needs.

use claimsmith_domain::id::{ApplicationId, ResourceId, UserId};
use claimsmith_domain::management::ALL;
use claimsmith_services::app::App;
use claimsmith_storage::{self as storage, Tx, applications, resources, roles, users};

/// Whether a principal, `user:` or `application:` with its id, holds all of these scopes of the Management API now: by
/// its roles, or as an administrator in the console. One that was deleted or suspended holds none.
pub(crate) async fn holds_all(app: &App, tx: &mut Tx, principal: &str, scopes: &[&str]) -> storage::Result<bool> {
    let management = app.config.tokens.management_resource.as_str();
    let resource = resources::find_by_indicator(tx, management).await?.map(|resource| resource.id);
    match (resource, principal.split_once(':')) {
        (Some(resource), Some(("application", id))) => application_holds(tx, id, &resource, scopes).await,
        (Some(resource), Some((_, id))) => user_holds(tx, id, &resource, scopes).await,
        _ => Ok(false),
    }
}

async fn application_holds(tx: &mut Tx, id: &str, resource: &ResourceId, scopes: &[&str]) -> storage::Result<bool> {
    let id = ApplicationId::from(id.to_owned());
    if applications::find(tx, &id).await?.is_none() {
        return Ok(false);
    }
    let held = applications::scopes_held(tx, &id).await?;
    let held: Vec<&str> =
        held.iter().filter(|scope| scope.resource_id == *resource).map(|scope| scope.name.as_str()).collect();
    Ok(scopes.iter().all(|needed| covers(&held, needed)))
}

async fn user_holds(tx: &mut Tx, id: &str, resource: &ResourceId, scopes: &[&str]) -> storage::Result<bool> {
    let id = UserId::from(id.to_owned());
    if users::find(tx, &id).await?.is_none_or(|user| user.is_suspended) {
        return Ok(false);
    }
    let console = roles::console::of_user(tx, &id).await?;
    if scopes.iter().all(|needed| console.stand_for(needed)) {
        return Ok(true);
    }
    let held = users::scopes_held(tx, &id).await?;
    let held = held.iter().filter(|scope| scope.organization_id.is_none() && scope.resource_id == *resource);
    let held: Vec<&str> = held.map(|scope| scope.name.as_str()).collect();
    Ok(scopes.iter().all(|needed| covers(&held, needed)))
}

/// Whether one of the held scopes is this one, or all of the Management API.
fn covers(held: &[&str], needed: &str) -> bool {
    held.iter().any(|scope| *scope == ALL || *scope == needed)
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn the_scope_of_everything_covers_every_scope_and_others_only_themselves() {
        assert!(covers(&["all"], "plugins:write") && covers(&["users:read", "plugins:write"], "plugins:write"));
        assert!(!covers(&["plugins:read", "plugins"], "plugins:write") && !covers(&[], "plugins:write"));
    }
}
