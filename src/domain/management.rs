//! The scopes of the Management API (decision 1): `all`, and narrower ones that the routes name.

/// The scope that opens every route.
pub const ALL: &str = "all";

/// Every scope of the Management API, with what it allows.
pub const SCOPES: [(&str, &str); 14] = [
    (ALL, "Everything the Management API offers."),
    ("users:read", "Read users and their roles."),
    ("users:write", "Create, change and delete users."),
    ("roles:read", "Read roles."),
    ("roles:write", "Create, change and delete roles, and assign them."),
    ("resources:read", "Read API resources and their scopes."),
    ("resources:write", "Create, change and delete API resources and their scopes."),
    ("applications:read", "Read applications."),
    ("applications:write", "Create, change and delete applications and their secrets."),
    ("subject-tokens:write", "Ask for subject tokens."),
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
