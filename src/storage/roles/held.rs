//! The roles of a user with their scopes, in one statement.

use crate::{Result, Tx};
use claimsmith_domain::id::{ResourceId, RoleId, ScopeId, UserId};

/// A role of a user, with one of its scopes and the scope's resource; a role without scopes has neither.
#[derive(Clone, Debug, crate::Row)]
pub struct CarriedScope {
    /// The role.
    pub role_id: RoleId,
    /// The role's name.
    pub role_name: String,
    /// The role's description.
    pub role_description: String,
    /// The scope.
    pub scope_id: Option<ScopeId>,
    /// The scope's name.
    pub scope_name: Option<String>,
    /// The scope's description.
    pub scope_description: Option<String>,
    /// The resource.
    pub resource_id: Option<ResourceId>,
    /// The resource's name.
    pub resource_name: Option<String>,
    /// See [`crate::resources::Resource::indicator`].
    pub indicator: Option<String>,
    /// See [`crate::resources::Resource::is_default`].
    pub is_default: Option<bool>,
    /// Seconds.
    pub access_token_ttl: Option<i64>,
}

/// The roles of a user with their scopes, by the names of roles and scopes.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<CarriedScope>> {
    tx.sql(
        "SELECT r.id AS role_id, r.name AS role_name, r.description AS role_description, \
         s.id AS scope_id, s.name AS scope_name, s.description AS scope_description, \
         a.id AS resource_id, a.name AS resource_name, a.indicator, a.is_default, a.access_token_ttl \
         FROM user_roles ur JOIN roles r ON r.id = ur.role_id \
         LEFT JOIN role_scopes rs ON rs.role_id = r.id LEFT JOIN scopes s ON s.id = rs.scope_id \
         LEFT JOIN resources a ON a.id = s.resource_id WHERE ur.user_id = $1 ORDER BY r.name, r.id, s.name, s.id",
    )
    .bind(user_id)
    .all()
    .await
}
