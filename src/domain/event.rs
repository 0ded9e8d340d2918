//! The closed list of webhook events: a base catalogue, and some that are selected by name only
//! (`docs/decisions/events-by-name-only.md`).

use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

spelled! {
/// A webhook event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventType {
    /// A user created an account through the sign-up pages.
    PostRegister = "PostRegister",
    /// A user signed in through the pages.
    PostSignIn = "PostSignIn",
    /// A user reset a forgotten password.
    PostResetPassword = "PostResetPassword",
    /// A user was created.
    UserCreated = "User.Created",
    /// A user was deleted.
    UserDeleted = "User.Deleted",
    /// Profile data of a user changed.
    UserDataUpdated = "User.Data.Updated",
    /// A user was suspended or reactivated.
    UserSuspensionStatusUpdated = "User.SuspensionStatus.Updated",
    /// A user got or lost roles.
    UserRolesUpdated = "User.Roles.Updated",
    /// A role was created.
    RoleCreated = "Role.Created",
    /// A role was deleted.
    RoleDeleted = "Role.Deleted",
    /// Name, description or default status of a role changed.
    RoleDataUpdated = "Role.Data.Updated",
    /// A role got or lost scopes.
    RoleScopesUpdated = "Role.Scopes.Updated",
    /// A scope of a resource was created.
    ScopeCreated = "Scope.Created",
    /// A scope of a resource was deleted.
    ScopeDeleted = "Scope.Deleted",
    /// Name or description of a scope changed.
    ScopeDataUpdated = "Scope.Data.Updated",
    /// An organization was created.
    OrganizationCreated = "Organization.Created",
    /// An organization was deleted.
    OrganizationDeleted = "Organization.Deleted",
    /// Data of an organization changed.
    OrganizationDataUpdated = "Organization.Data.Updated",
    /// Members joined or left an organization.
    OrganizationMembershipUpdated = "Organization.Membership.Updated",
    /// A member of an organization got or lost roles there.
    OrganizationMembershipRolesUpdated = "Organization.Membership.Roles.Updated",
    /// An organization role was created.
    OrganizationRoleCreated = "OrganizationRole.Created",
    /// An organization role was deleted.
    OrganizationRoleDeleted = "OrganizationRole.Deleted",
    /// Name or description of an organization role changed.
    OrganizationRoleDataUpdated = "OrganizationRole.Data.Updated",
    /// An organization role got or lost scopes.
    OrganizationRoleScopesUpdated = "OrganizationRole.Scopes.Updated",
    /// An organization scope was created.
    OrganizationScopeCreated = "OrganizationScope.Created",
    /// An organization scope was deleted.
    OrganizationScopeDeleted = "OrganizationScope.Deleted",
    /// Name or description of an organization scope changed.
    OrganizationScopeDataUpdated = "OrganizationScope.Data.Updated",
    /// A sign-in needed a second factor that the policy does not require of all users.
    PostSignInAdaptiveMfaTriggered = "PostSignInAdaptiveMfaTriggered",
    /// A user trusts a device.
    TrustedDeviceCreated = "TrustedDevice.Created",
    /// A user no longer trusts a device.
    TrustedDeviceDeleted = "TrustedDevice.Deleted",
    /// Too many attempts failed for one identifier.
    IdentifierLockout = "Identifier.Lockout",
    /// Too many messages to one recipient were requested.
    MessageRateLimited = "Message.RateLimited",
    /// A user had more grants of an application than it allows.
    GrantLimitExceeded = "Grant.LimitExceeded",
    /// A plugin kept failing and is not called for a while.
    PluginBreakerOpened = "Plugin.Breaker.Opened",
    /// A plugin is called again.
    PluginBreakerClosed = "Plugin.Breaker.Closed",
}
}

impl EventType {
    /// The first part of its name: `User` of `User.Created`; `None` for events of a sign-in.
    #[must_use]
    pub fn family(self) -> Option<&'static str> {
        self.as_str().split_once('.').map(|(family, _)| family)
    }

    /// Whether it belongs to the base catalogue, which `*` matches.
    #[must_use]
    pub fn is_specified(self) -> bool {
        !matches!(
            self,
            Self::PostSignInAdaptiveMfaTriggered
                | Self::TrustedDeviceCreated
                | Self::TrustedDeviceDeleted
                | Self::IdentifierLockout
                | Self::MessageRateLimited
                | Self::GrantLimitExceeded
                | Self::PluginBreakerOpened
                | Self::PluginBreakerClosed
        ) && !self.is_beside_its_family()
    }

    /// Whether only its own name selects it: hooks for `User.*` and `Organization.*` were written before these events.
    #[must_use]
    pub fn is_beside_its_family(self) -> bool {
        matches!(self, Self::UserRolesUpdated | Self::OrganizationMembershipRolesUpdated)
    }
}
