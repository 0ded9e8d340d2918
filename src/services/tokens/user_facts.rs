//! The user as plugins see it (`context.user`), with the organizations; built once per revision of the user.

use super::{context, error::Error};
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, ResourceId, RoleId};
use claimsmith_storage::roles::held::CarriedScope;
use claimsmith_storage::users::{self, HeldScope, User, sso_identities};
use claimsmith_storage::{Tx, organizations, roles};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The facts of a user at one revision.
#[derive(Debug, Default)]
pub struct UserFacts {
    /// The user's revision.
    pub revision: i64,
    /// `context.user`, JSON.
    pub context: Arc<str>,
    /// The organizations they are a member of: id and `context.organization`, JSON.
    pub organizations: Vec<(OrganizationId, Arc<str>)>,
    /// The ids of their roles in any organization.
    pub organization_roles: HashSet<OrganizationRoleId>,
    /// The ids of their roles.
    pub roles: Vec<RoleId>,
    pub(super) held: Vec<HeldScope>,
}

impl UserFacts {
    /// Reads roles with their scopes, organizations and organization roles.
    pub async fn load(tx: &mut Tx, user: &User) -> Result<Self, Error> {
        let organizations = organizations::of_user(tx, &user.id).await?;
        let mut value = context::user(user);
        let carried = roles::held::of_user(tx, &user.id).await?;
        value["roles"] = carried_scopes(&carried);
        let mut roles: Vec<RoleId> = carried.into_iter().map(|row| row.role_id).collect();
        roles.dedup();
        value["organizations"] = organizations
            .iter()
            .map(|one| json!({ "id": one.id, "name": one.name, "description": one.description }))
            .collect();
        let organization_roles = organizations::roles_of_user(tx, &user.id).await?;
        value["organizationRoles"] = organization_roles
            .iter()
            .map(|role| {
                json!({ "organizationId": role.organization_id, "roleId": role.role_id, "roleName": role.role_name })
            })
            .collect();
        let organization_roles = organization_roles.into_iter().map(|role| role.role_id).collect();
        let sso_identities = sso_identities::of_user(tx, &user.id).await?;
        value["ssoIdentities"] = sso_identities.iter().map(context::sso_identity).collect();
        let organizations = organizations
            .into_iter()
            .map(|one| {
                let context = context::organization(&one).to_string().into();
                (one.id, context)
            })
            .collect();
        let held = users::scopes_held(tx, &user.id).await?;
        let (revision, context) = (user.revision, value.to_string().into());
        Ok(Self { revision, context, organizations, organization_roles, roles, held })
    }

    /// Names of the user's scopes of a resource: those of the user's roles and, if an organization is given, those in
    /// that organization.
    #[must_use]
    pub fn held(&self, resource_id: &ResourceId, organization_id: Option<&OrganizationId>) -> BTreeSet<String> {
        let counts = |scope: &&HeldScope| {
            let place = scope.organization_id.as_ref();
            scope.resource_id == *resource_id && (place.is_none() || place == organization_id)
        };
        self.held.iter().filter(counts).map(|scope| scope.name.clone()).collect()
    }

    /// The same by roles in an organization only; `None`: in any.
    #[must_use]
    pub fn held_inside(&self, resource_id: &ResourceId, organization_id: Option<&OrganizationId>) -> BTreeSet<String> {
        let counts = |scope: &&HeldScope| {
            let place = scope.organization_id.as_ref();
            scope.resource_id == *resource_id
                && place.is_some_and(|place| organization_id.is_none_or(|wanted| wanted == place))
        };
        self.held.iter().filter(counts).map(|scope| scope.name.clone()).collect()
    }

    /// The same by all roles, also those in organizations.
    #[must_use]
    pub fn held_anywhere(&self, resource_id: &ResourceId) -> BTreeSet<String> {
        let mut held = self.held(resource_id, None);
        held.append(&mut self.held_inside(resource_id, None));
        held
    }

    /// Whether they are a member of an organization.
    pub(super) fn is_member(&self, id: &OrganizationId) -> bool {
        self.organizations.iter().any(|(known, _)| known == id)
    }

    /// `context.organization` of an organization they are a member of.
    #[must_use]
    pub fn organization(&self, id: &OrganizationId) -> Option<Arc<str>> {
        self.organizations.iter().find(|(known, _)| known == id).map(|(_, context)| context.clone())
    }
}

/// The roles with their scopes, as plugins see them.
fn carried_scopes(rows: &[CarriedScope]) -> Value {
    let roles = rows.chunk_by(|one, other| one.role_id == other.role_id);
    let role = |rows: &[CarriedScope]| {
        let scopes: Vec<Value> = rows.iter().filter(|row| row.scope_id.is_some()).map(scope).collect();
        let first = rows.first()?;
        Some(json!({
            "id": first.role_id, "name": first.role_name, "description": first.role_description, "scopes": scopes,
        }))
    };
    roles.filter_map(role).collect()
}

fn scope(row: &CarriedScope) -> Value {
    json!({
        "id": row.scope_id, "name": row.scope_name, "description": row.scope_description,
        "resourceId": row.resource_id,
        "resource": {
            "tenantId": context::TENANT, "id": row.resource_id, "name": row.resource_name,
            "indicator": row.indicator, "isDefault": row.is_default, "accessTokenTtl": row.access_token_ttl,
        },
    })
}
