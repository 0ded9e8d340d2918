//! Whether anybody has what a name stands for, so that another name would give them another right: scopes that roles
//! carry, and roles that are held.

use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::id::{OrganizationRoleId, OrganizationScopeId, RoleId, ScopeId};

/// Whether a role carries a scope of a resource.
pub async fn is_carried(tx: &mut Tx, id: &ScopeId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (SELECT 1 FROM role_scopes WHERE scope_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether an organization role carries a scope of a resource.
pub async fn is_carried_in_organizations(tx: &mut Tx, id: &ScopeId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM \
               (SELECT 1 FROM organization_role_resource_scopes WHERE scope_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether an organization role carries an organization scope.
pub async fn is_organization_scope_carried(tx: &mut Tx, id: &OrganizationScopeId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM \
               (SELECT 1 FROM organization_role_scopes WHERE organization_scope_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether a user or an application holds a role.
pub async fn is_held(tx: &mut Tx, id: &RoleId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (SELECT 1 FROM user_roles WHERE role_id = $1 \
               UNION ALL SELECT 1 FROM application_roles WHERE role_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether anybody holds an organization role, or gets it by joining or by an invitation.
pub async fn is_organization_role_held(tx: &mut Tx, id: &OrganizationRoleId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (\
               SELECT 1 FROM organization_user_roles WHERE organization_role_id = $1 \
               UNION ALL SELECT 1 FROM organization_application_roles WHERE organization_role_id = $1 \
               UNION ALL SELECT 1 FROM organization_jit_roles WHERE organization_role_id = $1 \
               UNION ALL SELECT 1 FROM organization_invitation_roles WHERE organization_role_id = $1 \
               LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}
