//! The scopes of the Management API (decision 1): `all`, and narrower ones that the routes name.

/// The scope that opens every route.
pub const ALL: &str = "all";

/// Every scope of the Management API, with what it allows.
pub const SCOPES: [(&str, &str); 22] = [
    (ALL, "Everything the Management API offers."),
    ("users:read", "Read users and their roles."),
    ("users:write", "Create, change and delete users."),
    ("roles:read", "Read roles."),
    ("roles:write", "Create, change and delete roles, and assign them."),
    ("resources:read", "Read API resources and their scopes."),
    ("resources:write", "Create, change and delete API resources and their scopes."),
    ("applications:read", "Read applications."),
    ("applications:write", "Create, change and delete applications and their secrets."),
    ("organizations:read", "Read organizations, their members, roles, scopes and invitations."),
    ("organizations:write", "Create, change and delete organizations, their members, roles, scopes and invitations."),
    ("hooks:read", "Read webhooks and their deliveries."),
    ("hooks:write", "Create, change and delete webhooks."),
    ("configs:read", "Read the configuration kept in the database, such as signing keys."),
    ("configs:write", "Change the configuration kept in the database, such as signing keys."),
    ("logs:read", "Read the audit log and the dashboard."),
    ("subject-tokens:read", "Read which subject tokens are live, and who acted for whom."),
    ("subject-tokens:write", "Ask for subject tokens, revoke them, and end impersonations."),
    ("plugins:read", "Read the state of plugins."),
    ("plugins:write", "Upload, change and delete plugins."),
    ("plugins:secrets", "Run tests of plugins with their secrets."),
    ("plugins:grant", "Grant plugins what they ask to reach."),
];

/// Whether a token with `scope` may use a route that names `narrow`.
#[must_use]
pub fn allows(scope: &str, narrow: &str) -> bool {
    super::scope::contains(scope, ALL) || super::scope::contains(scope, narrow)
}
