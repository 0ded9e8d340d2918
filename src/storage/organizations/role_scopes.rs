//! Scopes of organization roles: organization scopes, and scopes of API resources.

use crate::organizations::scopes::OrganizationScope;
use crate::sql::filter;
use crate::sql::links::Links;
use crate::sql::slice::Slice;
use crate::{Result, Tx, resources};
use claimsmith_domain::id::{OrganizationRoleId, OrganizationScopeId, ResourceId, ScopeId};

/// The organization scopes of a role.
pub const SCOPES: Links<OrganizationRoleId, OrganizationScopeId> =
    Links::new("organization_role_scopes", &["organization_role_id"], "organization_scope_id");

/// The resource scopes of a role. Callers that change them must bump the revision.
pub const RESOURCE_SCOPES: Links<OrganizationRoleId, ScopeId> =
    Links::new("organization_role_resource_scopes", &["organization_role_id"], "scope_id");

/// An organization scope of a role, for lists of roles.
#[derive(Clone, Debug, crate::Row)]
pub struct CarriedScope {
    /// The role.
    pub role_id: OrganizationRoleId,
    /// The scope.
    pub id: OrganizationScopeId,
    /// Its name.
    pub name: String,
}

/// A resource scope of a role, for lists of roles.
#[derive(Clone, Debug, crate::Row)]
pub struct CarriedResourceScope {
    /// The role.
    pub role_id: OrganizationRoleId,
    /// The scope.
    pub id: ScopeId,
    /// Its name.
    pub name: String,
    /// The resource.
    pub resource_id: ResourceId,
    /// The resource's name.
    pub resource_name: String,
}

/// The organization scopes of a role, by name.
pub async fn scopes_of(tx: &mut Tx, role_id: &OrganizationRoleId, slice: Slice) -> Result<Vec<OrganizationScope>> {
    tx.sql(
        "SELECT s.id, s.name, s.description FROM organization_scopes s \
         JOIN organization_role_scopes rs ON rs.organization_scope_id = s.id \
         WHERE rs.organization_role_id = $1 ORDER BY s.name, s.id LIMIT $2 OFFSET $3",
    )
    .bind(role_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// The resource scopes of a role, by name.
pub async fn resource_scopes_of(
    tx: &mut Tx,
    role_id: &OrganizationRoleId,
    slice: Slice,
) -> Result<Vec<resources::Scope>> {
    tx.sql(
        "SELECT s.id, s.resource_id, s.name, s.description, s.created_at FROM scopes s \
         JOIN organization_role_resource_scopes rs ON rs.scope_id = s.id \
         WHERE rs.organization_role_id = $1 ORDER BY s.name, s.id LIMIT $2 OFFSET $3",
    )
    .bind(role_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// The organization scopes of all these roles, by name.
pub async fn carried(tx: &mut Tx, role_ids: &[&OrganizationRoleId]) -> Result<Vec<CarriedScope>> {
    if role_ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT rs.organization_role_id AS role_id, s.id, s.name FROM organization_scopes s \
         JOIN organization_role_scopes rs ON rs.organization_scope_id = s.id \
         WHERE rs.organization_role_id IN ({}) ORDER BY s.name, s.id",
        filter::placeholders(1, role_ids.len())
    );
    tx.assembled(sql).bind_all(role_ids).all().await
}

/// The resource scopes of all these roles, by name.
pub async fn carried_of_resources(tx: &mut Tx, role_ids: &[&OrganizationRoleId]) -> Result<Vec<CarriedResourceScope>> {
    if role_ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT rs.organization_role_id AS role_id, s.id, s.name, r.id AS resource_id, r.name AS resource_name \
         FROM scopes s JOIN organization_role_resource_scopes rs ON rs.scope_id = s.id \
         JOIN resources r ON r.id = s.resource_id \
         WHERE rs.organization_role_id IN ({}) ORDER BY s.name, s.id",
        filter::placeholders(1, role_ids.len())
    );
    tx.assembled(sql).bind_all(role_ids).all().await
}
