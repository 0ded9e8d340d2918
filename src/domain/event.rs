//! The events that webhooks are told of: one closed list (the specification, "Events").

use serde::{Deserialize, Serialize};

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
pub enum EventType {
    /// A user created an account through the sign-up pages.
    PostRegister,
    /// A user signed in through the pages.
    PostSignIn,
    /// A user reset a forgotten password.
    PostResetPassword,
    /// A user was created.
    #[serde(rename = "User.Created")]
    UserCreated,
    /// A user was deleted.
    #[serde(rename = "User.Deleted")]
    UserDeleted,
    /// Profile data of a user changed.
    #[serde(rename = "User.Data.Updated")]
    UserDataUpdated,
    /// A user was suspended or reactivated.
    #[serde(rename = "User.SuspensionStatus.Updated")]
    UserSuspensionStatusUpdated,
    /// A role was created.
    #[serde(rename = "Role.Created")]
    RoleCreated,
    /// A role was deleted.
    #[serde(rename = "Role.Deleted")]
    RoleDeleted,
    /// Name, description or default status of a role changed.
    #[serde(rename = "Role.Data.Updated")]
    RoleDataUpdated,
    /// A role got or lost scopes.
    #[serde(rename = "Role.Scopes.Updated")]
    RoleScopesUpdated,
    /// A scope of a resource was created.
    #[serde(rename = "Scope.Created")]
    ScopeCreated,
    /// A scope of a resource was deleted.
    #[serde(rename = "Scope.Deleted")]
    ScopeDeleted,
    /// Name or description of a scope changed.
    #[serde(rename = "Scope.Data.Updated")]
    ScopeDataUpdated,
    /// An organization was created.
    #[serde(rename = "Organization.Created")]
    OrganizationCreated,
    /// An organization was deleted.
    #[serde(rename = "Organization.Deleted")]
    OrganizationDeleted,
    /// Data of an organization changed.
    #[serde(rename = "Organization.Data.Updated")]
    OrganizationDataUpdated,
    /// Members came to an organization or left it.
    #[serde(rename = "Organization.Membership.Updated")]
    OrganizationMembershipUpdated,
    /// An organization role was created.
    #[serde(rename = "OrganizationRole.Created")]
    OrganizationRoleCreated,
    /// An organization role was deleted.
    #[serde(rename = "OrganizationRole.Deleted")]
    OrganizationRoleDeleted,
    /// Name or description of an organization role changed.
    #[serde(rename = "OrganizationRole.Data.Updated")]
    OrganizationRoleDataUpdated,
    /// An organization role got or lost scopes.
    #[serde(rename = "OrganizationRole.Scopes.Updated")]
    OrganizationRoleScopesUpdated,
    /// An organization scope was created.
    #[serde(rename = "OrganizationScope.Created")]
    OrganizationScopeCreated,
    /// An organization scope was deleted.
    #[serde(rename = "OrganizationScope.Deleted")]
    OrganizationScopeDeleted,
    /// Name or description of an organization scope changed.
    #[serde(rename = "OrganizationScope.Data.Updated")]
    OrganizationScopeDataUpdated,
}
