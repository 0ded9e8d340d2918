//! Scopes about the user, which belong to no resource (OpenID Connect Core section 5.4, and those of the reference).

use serde::Deserialize;

/// The application gets an ID token and may request claims.
pub const OPENID: &str = "openid";
/// The refresh token remains valid after the session ends (OpenID Connect Core section 11).
pub const OFFLINE_ACCESS: &str = "offline_access";
/// Names of the user's roles.
pub const ROLES: &str = "roles";
/// The user's organizations; tokens may be bound to one of them.
pub const ORGANIZATIONS: &str = "urn:logto:scope:organizations";
/// The user's roles in organizations.
pub const ORGANIZATION_ROLES: &str = "urn:logto:scope:organization_roles";

/// The names of the user's roles and of those in organizations, as groups. A user scope only at applications whose ID
/// tokens have groups, so that elsewhere an API may have a scope of this name.
pub const GROUPS: &str = "groups";

/// The user's sessions, applications with access, and impersonations, through the Account API.
pub const SESSIONS: &str = "urn:logto:scope:sessions";

/// The user's trusted devices, which need no second factor, through the Account API.
pub const TRUSTED_DEVICES: &str = "urn:logto:scope:trusted_devices";

/// All user scopes of every application; the discovery document also lists [`GROUPS`].
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

/// A user scope that operators enable for third-party applications: all but those for signing in and staying signed in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ConsentScope(String);

impl TryFrom<String> for ConsentScope {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if (is_known(&text) || text == GROUPS) && ![OPENID, OFFLINE_ACCESS].contains(&text.as_str()) {
            Ok(Self(text))
        } else {
            Err("expected a scope of the user's own data, such as profile")
        }
    }
}

impl From<ConsentScope> for String {
    fn from(scope: ConsentScope) -> Self {
        scope.0
    }
}

/// Whether this is a user scope of every application.
#[must_use]
pub fn is_known(scope: &str) -> bool {
    ALL.contains(&scope)
}
