//! Whether a scope or a role is in use, so that renaming it would change the permissions of its holders.

use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::id::{OrganizationRoleId, OrganizationScopeId, RoleId, ScopeId};

/// Whether any role has this resource scope.
pub async fn is_carried(tx: &mut Tx, id: &ScopeId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (SELECT 1 FROM role_scopes WHERE scope_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether any organization role has this resource scope.
pub async fn is_carried_in_organizations(tx: &mut Tx, id: &ScopeId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM \
               (SELECT 1 FROM organization_role_resource_scopes WHERE scope_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether any organization role has this organization scope.
pub async fn is_organization_scope_carried(tx: &mut Tx, id: &OrganizationScopeId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM \
               (SELECT 1 FROM organization_role_scopes WHERE organization_scope_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether any user or application has this role.
pub async fn is_held(tx: &mut Tx, id: &RoleId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (SELECT 1 FROM user_roles WHERE role_id = $1 \
               UNION ALL SELECT 1 FROM application_roles WHERE role_id = $1 LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}

/// Whether any member or application has this organization role, or will get it by just-in-time provisioning or an
/// invitation.
pub async fn is_organization_role_held(tx: &mut Tx, id: &OrganizationRoleId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM (\
               SELECT 1 FROM organization_user_roles WHERE organization_role_id = $1 \
               UNION ALL SELECT 1 FROM organization_application_roles WHERE organization_role_id = $1 \
               UNION ALL SELECT 1 FROM organization_jit_roles WHERE organization_role_id = $1 \
               UNION ALL SELECT 1 FROM organization_invitation_roles WHERE organization_role_id = $1 \
               LIMIT 1) AS found";
    Ok(tx.sql(sql).bind(id).one::<Count>().await?.count > 0)
}
