//! Who may sign in to an application: rules that name users, roles, organizations, and roles in an organization.

use crate::sql::links::Links;
use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, RoleId, UserId};

/// The users who may.
pub const USERS: Links<ApplicationId, UserId> = Links::new("application_access_users", &["application_id"], "user_id");

/// The roles whose holders may.
pub const ROLES: Links<ApplicationId, RoleId> = Links::new("application_access_roles", &["application_id"], "role_id");

/// The organizations whose members may.
pub const ORGANIZATIONS: Links<ApplicationId, OrganizationId> =
    Links::new("application_access_organizations", &["application_id"], "organization_id");

/// The roles in an organization whose holders may.
pub const ORGANIZATION_ROLES: Links<(ApplicationId, OrganizationId), OrganizationRoleId> =
    Links::new("application_access_organization_roles", &["application_id", "organization_id"], "organization_role_id");

/// A role in an organization whose holders may sign in.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct OrganizationRoleRule {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The role.
    pub role_id: OrganizationRoleId,
}

/// The roles in organizations whose holders may, by organization.
pub async fn organization_roles(tx: &mut Tx, application_id: &ApplicationId) -> Result<Vec<OrganizationRoleRule>> {
    tx.sql(
        "SELECT organization_id, organization_role_id AS role_id FROM application_access_organization_roles \
         WHERE application_id = $1 ORDER BY organization_id, organization_role_id",
    )
    .bind(application_id)
    .all()
    .await
}

/// Removes the rules for roles in organizations.
pub async fn clear_organization_roles(tx: &mut Tx, application_id: &ApplicationId) -> Result<()> {
    let sql = "DELETE FROM application_access_organization_roles WHERE application_id = $1";
    tx.sql(sql).bind(application_id).execute().await?;
    Ok(())
}

/// Whether there is a rule.
pub async fn has_rules(tx: &mut Tx, application_id: &ApplicationId) -> Result<bool> {
    let sql = "SELECT (SELECT COUNT(*) FROM application_access_users WHERE application_id = $1) \
         + (SELECT COUNT(*) FROM application_access_roles WHERE application_id = $1) \
         + (SELECT COUNT(*) FROM application_access_organizations WHERE application_id = $1) \
         + (SELECT COUNT(*) FROM application_access_organization_roles WHERE application_id = $1) AS count";
    Ok(tx.sql(sql).bind(application_id).one::<Count>().await?.count > 0)
}

/// Whether a rule names the user, one of their roles, an organization that they are a member of, or a role that they
/// have there.
pub async fn names(tx: &mut Tx, application_id: &ApplicationId, user_id: &UserId) -> Result<bool> {
    let sql = "SELECT (SELECT COUNT(*) FROM application_access_users WHERE application_id = $1 AND user_id = $2) \
         + (SELECT COUNT(*) FROM application_access_roles a JOIN user_roles u ON u.role_id = a.role_id \
            WHERE a.application_id = $1 AND u.user_id = $2) \
         + (SELECT COUNT(*) FROM application_access_organizations a \
            JOIN organization_users u ON u.organization_id = a.organization_id \
            WHERE a.application_id = $1 AND u.user_id = $2) \
         + (SELECT COUNT(*) FROM application_access_organization_roles a \
            JOIN organization_user_roles u ON u.organization_id = a.organization_id \
              AND u.organization_role_id = a.organization_role_id \
            WHERE a.application_id = $1 AND u.user_id = $2) AS count";
    Ok(tx.sql(sql).bind(application_id).bind(user_id).one::<Count>().await?.count > 0)
}
