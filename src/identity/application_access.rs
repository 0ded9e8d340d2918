//! Which users may sign in to an application (`docs/openid-connect.md`), and what a third-party application may ask
//! them for.

use claimsmith_domain::id::{OrganizationId, ResourceId, UserId};
use claimsmith_domain::user_scope::{OFFLINE_ACCESS, OPENID};
use claimsmith_services::tokens::UserFacts;
use claimsmith_storage::applications::Application;
use claimsmith_storage::consent_scopes::{self, EnabledScope, ORGANIZATION_RESOURCE_SCOPES, RESOURCE_SCOPES};
use claimsmith_storage::{Result, Tx, access_control};
use std::collections::BTreeSet;

/// Whether a user may sign in to the application, and get tokens from it.
pub async fn admits(tx: &mut Tx, application: &Application, user_id: &UserId) -> Result<bool> {
    Ok(!application.app_level_access_control_enabled || access_control::names(tx, &application.id, user_id).await?)
}

/// The scopes that an operator enabled for a third-party application.
#[derive(Debug)]
pub struct ConsentLimits {
    user: BTreeSet<String>,
    resource: BTreeSet<(ResourceId, String)>,
    organization_resource: BTreeSet<(ResourceId, String)>,
    organization: BTreeSet<String>,
}

impl ConsentLimits {
    /// The limits of an application. `None`: it may ask for every scope.
    pub async fn of(tx: &mut Tx, application: &Application) -> Result<Option<Self>> {
        let id = &application.id;
        if !application.is_third_party || !consent_scopes::is_limited(tx, id).await? {
            return Ok(None);
        }
        let named =
            |scopes: Vec<EnabledScope>| scopes.into_iter().map(|scope| (scope.resource_id, scope.name)).collect();
        Ok(Some(Self {
            user: consent_scopes::USER_SCOPES.of(tx, id).await?.into_iter().collect(),
            resource: named(consent_scopes::of_resources(tx, RESOURCE_SCOPES, id).await?),
            organization_resource: named(consent_scopes::of_resources(tx, ORGANIZATION_RESOURCE_SCOPES, id).await?),
            organization: consent_scopes::of_organizations(tx, id).await?.into_iter().map(|scope| scope.name).collect(),
        }))
    }

    /// Whether this user scope is enabled. Signing in, and staying signed in, always are.
    #[must_use]
    pub fn enables(&self, user_scope: &str) -> bool {
        matches!(user_scope, OPENID | OFFLINE_ACCESS) || self.user.contains(user_scope)
    }

    /// Retains enabled organization scopes.
    pub fn retain_in_organization(&self, held: &mut BTreeSet<String>) {
        held.retain(|scope| self.organization.contains(scope));
    }
}

/// The scopes of a resource that a user has and that a third-party application may get: those of the user's roles, and
/// those of their roles in these organizations.
#[must_use]
pub fn held_for_third_party(
    facts: &UserFacts,
    limits: Option<&ConsentLimits>,
    resource_id: &ResourceId,
    organizations: &[OrganizationId],
) -> BTreeSet<String> {
    let mut held = facts.held(resource_id, None);
    let mut inside: BTreeSet<String> =
        organizations.iter().flat_map(|id| facts.held_inside(resource_id, Some(id))).collect();
    if let Some(limits) = limits {
        let enabled = |list: &BTreeSet<(ResourceId, String)>, scope: &String| {
            list.contains(&(resource_id.clone(), scope.clone()))
        };
        held.retain(|scope| enabled(&limits.resource, scope));
        inside.retain(|scope| enabled(&limits.organization_resource, scope));
    }
    held.append(&mut inside);
    held
}
