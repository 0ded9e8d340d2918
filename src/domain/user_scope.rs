//! Scopes about the user, which belong to no resource (OpenID Connect Core section 5.4, and those of the reference).

/// That the application gets an ID token, and may ask for claims at all.
pub const OPENID: &str = "openid";
/// That a refresh token lives on when the session ends (OpenID Connect Core section 11).
pub const OFFLINE_ACCESS: &str = "offline_access";
/// Names of the user's roles.
pub const ROLES: &str = "roles";
/// The user's organizations, and that tokens may be bound to one of them.
pub const ORGANIZATIONS: &str = "urn:logto:scope:organizations";
/// The user's roles in organizations.
pub const ORGANIZATION_ROLES: &str = "urn:logto:scope:organization_roles";

/// Where the user is signed in, which applications have access, and who acted for them, by the Account API.
pub const SESSIONS: &str = "urn:logto:scope:sessions";

/// The devices on which the user is not asked for a second factor, by the Account API.
pub const TRUSTED_DEVICES: &str = "urn:logto:scope:trusted_devices";

/// All of them, as discovery lists them.
pub const ALL: [&str; 13] = [
    OPENID,
    OFFLINE_ACCESS,
    "profile",
    "email",
    "phone",
    "address",
    "custom_data",
    "identities",
    ROLES,
    ORGANIZATIONS,
    ORGANIZATION_ROLES,
    SESSIONS,
    TRUSTED_DEVICES,
];

/// Whether this is one of them.
#[must_use]
pub fn is_known(scope: &str) -> bool {
    ALL.contains(&scope)
}
