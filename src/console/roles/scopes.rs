//! The scopes that a role can have, by resource, and those that it has.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::model::ResourceFacts;
use crate::ticked::Changes;
use axum::http::Method;
use claimsmith_api::resources::{ResourceWithScopes, RoleScopeView};
use claimsmith_api::roles::RoleView;
use claimsmith_domain::id::ScopeId;
use serde_json::json;
use std::collections::BTreeSet;

/// The path of an operation on a role.
pub(super) fn operation(id: &str, rest: &str) -> String {
    format!("/api/roles/{}{rest}", segment(id))
}

/// The path of a page of a role.
pub(super) fn page(id: &str, rest: &str) -> String {
    format!("/console/roles/{}{rest}", segment(id))
}

/// The resources whose scopes the role can have; machine-to-machine roles may also have scopes of the Management API.
/// Resources with an assigned scope are always included.
pub(super) async fn resources(
    caller: &Caller,
    is_for_machines: bool,
    carried: &BTreeSet<ScopeId>,
) -> Result<Vec<ResourceWithScopes>, Failure> {
    let mut resources: Vec<ResourceWithScopes> = caller.get("/api/resources?includeScopes=true").await?;
    let management = &caller.console().management_resource;
    resources.retain(|ResourceWithScopes { resource, scopes }| {
        let is_open = resource.fixed(management).is_none() || is_for_machines && !resource.is_of_console();
        let is_carried = scopes.iter().any(|scope| carried.contains(&scope.id));
        !scopes.is_empty() && (is_open || is_carried)
    });
    Ok(resources)
}

/// The ids of the scopes that a role has.
pub(super) async fn carried(caller: &Caller, id: &str) -> Result<BTreeSet<ScopeId>, Failure> {
    let scopes: Vec<RoleScopeView> = caller.get(&operation(id, "/scopes")).await?;
    Ok(scopes.into_iter().map(|carried| carried.scope.id).collect())
}

/// Adds and removes scopes of a role.
pub(super) async fn change(caller: &Caller, id: &str, changes: Changes) -> Result<(), Failure> {
    if !changes.added.is_empty() {
        let body = json!({ "scopeIds": changes.added });
        caller.change(Method::POST, &operation(id, "/scopes"), body).await?;
    }
    for scope in changes.removed {
        match caller.delete(&operation(id, &format!("/scopes/{}", segment(&scope)))).await {
            // Already removed by a concurrent change.
            Err(failure) if failure.is_missing() => {}
            result => result?,
        }
    }
    Ok(())
}

/// Reads a role.
pub(super) async fn load(caller: &Caller, id: &str) -> Result<RoleView, Failure> {
    caller.get(&operation(id, "")).await
}
