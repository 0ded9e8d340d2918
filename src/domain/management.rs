//! The scopes of the Management API (`docs/decisions/management-api-authorization.md`): `all`, and narrow ones, each
//! with a type that routes require.

use std::marker::PhantomData;

/// The scope that allows every route.
pub const ALL: &str = "all";

/// A narrow scope, as the type that a route requires.
pub trait ManagementScope: Send + Sync + 'static {
    /// The name in tokens.
    const NAME: &'static str;
    /// Whether only tokens of machine-to-machine applications are accepted.
    const BY_MACHINES: bool = false;
}

/// [`ALL`] itself, for routes that no narrow scope allows: a caller who changes how users sign in could sign in as any
/// user, or lock users out.
pub enum Everything {}

impl ManagementScope for Everything {
    const NAME: &'static str = ALL;
}

/// A scope that is accepted only in tokens of machine-to-machine applications.
pub struct ByMachines<S>(PhantomData<S>);

impl<S: ManagementScope> ManagementScope for ByMachines<S> {
    const NAME: &'static str = S::NAME;
    const BY_MACHINES: bool = true;
}

macro_rules! scopes {
    ($($name:ident = $scope:literal, $about:literal;)+) => {
        $(
            #[doc = $about]
            pub enum $name {}

            impl ManagementScope for $name {
                const NAME: &'static str = $scope;
            }
        )+

        /// Every scope of the Management API, with its description.
        pub const SCOPES: [(&str, &str); 22] = [(ALL, "Everything the Management API offers."), $(($scope, $about)),+];
    };
}

scopes! {
    UsersRead = "users:read", "Read users and their roles.";
    UsersWrite = "users:write", "Create, change and delete users.";
    RolesRead = "roles:read", "Read roles.";
    RolesWrite = "roles:write", "Create, change and delete roles, and assign them.";
    ResourcesRead = "resources:read", "Read API resources and their scopes.";
    ResourcesWrite = "resources:write", "Create, change and delete API resources and their scopes.";
    ApplicationsRead = "applications:read", "Read applications.";
    ApplicationsWrite = "applications:write", "Create, change and delete applications and their secrets.";
    OrganizationsRead = "organizations:read", "Read organizations, their members, roles, scopes and invitations.";
    OrganizationsWrite = "organizations:write",
        "Create, change and delete organizations, their members, roles, scopes and invitations.";
    HooksRead = "hooks:read", "Read webhooks and their deliveries.";
    HooksWrite = "hooks:write", "Create, change and delete webhooks.";
    ConfigsRead = "configs:read", "Read the configuration kept in the database, such as signing keys.";
    ConfigsWrite = "configs:write", "Change the configuration kept in the database, such as signing keys.";
    LogsRead = "logs:read", "Read the audit log and the dashboard.";
    SubjectTokensRead = "subject-tokens:read", "Read which subject tokens are live, and who acted for whom.";
    SubjectTokensWrite = "subject-tokens:write", "Ask for subject tokens, revoke them, and end impersonations.";
    PluginsRead = "plugins:read", "Read the state of plugins.";
    PluginsWrite = "plugins:write", "Upload, change and delete plugins.";
    PluginsSecrets = "plugins:secrets", "Run tests of plugins with their secrets.";
    PluginsGrant = "plugins:grant", "Grant plugins what they ask to reach.";
}

/// Whether a token with `scope` may use a route that requires `narrow`.
#[must_use]
pub fn allows(scope: &str, narrow: &str) -> bool {
    super::scope::contains(scope, ALL) || super::scope::contains(scope, narrow)
}
