//! The scopes of the Management API (`docs/decisions/management-api-authorization.md`): `all`, and narrow ones, each
//! with a type that routes require. The same type says which administrators may use the route
//! (`docs/decisions/people-who-administer.md`): mostly this follows from the scope, and wrappers say what does not.

use crate::console::ConsoleRole::{self, Admin, Developer, Support};
use crate::console::SignInAge::{self, Any, Recent as WithinTenMinutes, RecentIfAsked as WithinTenMinutesIfAsked};
use crate::console::{ConsoleRoles, Operation};
use std::marker::PhantomData;

const EVERYONE: &[ConsoleRole] = &ConsoleRole::ALL;
const SUPPORT: &[ConsoleRole] = &[Support, Admin];
const DEVELOPERS: &[ConsoleRole] = &[Developer, Admin];
const ADMINS: &[ConsoleRole] = &[Admin];

/// The scope that allows every route.
pub const ALL: &str = "all";

/// A narrow scope, as the type that a route requires.
pub trait ManagementScope: Send + Sync + 'static {
    /// The name in tokens.
    const NAME: &'static str;
    /// Whether only tokens of machine-to-machine applications are accepted.
    const BY_MACHINES: bool = false;
    /// What an administrator needs instead.
    const OPERATION: Operation;
}

/// [`ALL`] itself, for routes that no narrow scope allows: a caller who changes how users sign in could sign in as any
/// user, or lock users out.
pub enum Everything {}

impl ManagementScope for Everything {
    const NAME: &'static str = ALL;
    const OPERATION: Operation = operation(ADMINS, WithinTenMinutes);
}

const fn operation(roles: &[ConsoleRole], sign_in: SignInAge) -> Operation {
    Operation { roles: ConsoleRoles::of(roles), sign_in }
}

/// Scopes of routes that need something else than their scope alone says.
macro_rules! wrappers {
    ($($(#[doc = $about:literal])+ $name:ident = $machines:expr, $operation:expr;)+) => {$(
        $(#[doc = $about])+
        pub struct $name<S>(PhantomData<S>);

        impl<S: ManagementScope> ManagementScope for $name<S> {
            const NAME: &'static str = S::NAME;
            const BY_MACHINES: bool = $machines;
            const OPERATION: Operation = $operation;
        }
    )+};
}

wrappers! {
    /// Accepted only in tokens of machine-to-machine applications.
    ByMachines = true, S::OPERATION;
    /// Also for the console's role for support.
    BySupport = S::BY_MACHINES, operation(SUPPORT, S::OPERATION.sign_in);
    /// Only for the console's roles for developers and administrators.
    ByDevelopers = S::BY_MACHINES, operation(DEVELOPERS, S::OPERATION.sign_in);
    /// Only for the console's role for administrators.
    ByAdmins = S::BY_MACHINES, operation(ADMINS, S::OPERATION.sign_in);
    /// Administrators need a sign-in of the last ten minutes.
    Recent = S::BY_MACHINES, Operation { sign_in: WithinTenMinutes, ..S::OPERATION };
    /// Administrators need a sign-in of the last ten minutes for some requests; the handler decides.
    RecentIfAsked = S::BY_MACHINES, Operation { sign_in: WithinTenMinutesIfAsked, ..S::OPERATION };
}

macro_rules! scopes {
    ($($name:ident = $scope:literal, $roles:ident, $sign_in:ident, $about:literal;)+) => {
        $(
            #[doc = $about]
            pub enum $name {}

            impl ManagementScope for $name {
                const NAME: &'static str = $scope;
                const OPERATION: Operation = operation($roles, $sign_in);
            }
        )+

        /// Every scope of the Management API, with its description.
        pub const SCOPES: [(&str, &str); 23] = [(ALL, "Everything the Management API offers."), $(($scope, $about)),+];
    };
}

scopes! {
    UsersRead = "users:read", EVERYONE, Any, "Read users and their roles.";
    UsersWrite = "users:write", ADMINS, Any, "Create, change and delete users.";
    RolesRead = "roles:read", EVERYONE, Any, "Read roles.";
    RolesWrite = "roles:write", ADMINS, Any, "Create, change and delete roles, and assign them.";
    ResourcesRead = "resources:read", EVERYONE, Any, "Read API resources and their scopes.";
    ResourcesWrite = "resources:write", DEVELOPERS, Any, "Create, change and delete API resources and their scopes.";
    ApplicationsRead = "applications:read", EVERYONE, Any, "Read applications.";
    ApplicationsWrite = "applications:write", DEVELOPERS, Any, "Create, change and delete applications and their secrets.";
    OrganizationsRead = "organizations:read", EVERYONE, Any, "Read organizations, their members, roles, scopes and invitations.";
    OrganizationsWrite = "organizations:write", ADMINS, Any,
        "Create, change and delete organizations, their members, roles, scopes and invitations.";
    HooksRead = "hooks:read", EVERYONE, Any, "Read webhooks and their deliveries.";
    HooksWrite = "hooks:write", DEVELOPERS, Any, "Create, change and delete webhooks.";
    ConfigsRead = "configs:read", ADMINS, Any, "Read the configuration kept in the database, such as signing keys.";
    ConfigsWrite = "configs:write", ADMINS, WithinTenMinutes, "Change the configuration kept in the database, such as signing keys.";
    LogsRead = "logs:read", EVERYONE, Any, "Read the audit log and the dashboard.";
    SubjectTokensRead = "subject-tokens:read", EVERYONE, Any, "Read which subject tokens are live, and who acted for whom.";
    SubjectTokensWrite = "subject-tokens:write", SUPPORT, WithinTenMinutes, "Ask for subject tokens, revoke them, and end impersonations.";
    PluginsRead = "plugins:read", EVERYONE, Any, "Read the state of plugins.";
    PluginsWrite = "plugins:write", DEVELOPERS, Any, "Upload, change and delete plugins.";
    PluginsSecrets = "plugins:secrets", ADMINS, WithinTenMinutes, "Run tests of plugins with their secrets.";
    PluginsRecordings = "plugins:recordings", DEVELOPERS, WithinTenMinutes, "Record calls of plugins, and read recordings.";
    PluginsGrant = "plugins:grant", ADMINS, WithinTenMinutes, "Grant plugins what they ask to reach.";
}

/// Whether a token with `scope` may use a route that requires `narrow`.
#[must_use]
pub fn allows(scope: &str, narrow: &str) -> bool {
    super::scope::contains(scope, ALL) || super::scope::contains(scope, narrow)
}
