//! Scopes about the user, which belong to no resource (OpenID Connect Core section 5.4, and those of the reference).

/// That the application gets an ID token, and may ask for claims at all.
pub const OPENID: &str = "openid";
/// That a refresh token lives on when the session ends (OpenID Connect Core section 11).
pub const OFFLINE_ACCESS: &str = "offline_access";
/// That tokens may be bound to an organization of the user.
pub const ORGANIZATIONS: &str = "urn:logto:scope:organizations";

/// All of them, as discovery lists them.
pub const ALL: [&str; 11] = [
    OPENID,
    OFFLINE_ACCESS,
    "profile",
    "email",
    "phone",
    "address",
    "custom_data",
    "identities",
    "roles",
    ORGANIZATIONS,
    "urn:logto:scope:organization_roles",
];

/// Whether this is one of them.
#[must_use]
pub fn is_known(scope: &str) -> bool {
    ALL.contains(&scope)
}
