//! Configuration of the extended user claims in ID tokens.

use crate::spelling::spelled;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What id tokens hold.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "enabledExtendedClaims": ["roles", "organizations"] }))]
pub struct IdTokenConfig {
    /// Claims that otherwise stand in the answer of the userinfo endpoint alone. None when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<ExtendedClaim>, required = false)]
    pub enabled_extended_claims: Option<BTreeSet<ExtendedClaim>>,
}

impl IdTokenConfig {
    /// The initial configuration.
    #[must_use]
    pub fn initial() -> Self {
        use ExtendedClaim::{OrganizationRoles, Organizations, Roles};
        Self { enabled_extended_claims: Some(BTreeSet::from([Roles, Organizations, OrganizationRoles])) }
    }

    /// Whether ID tokens contain this user claim if its scope is granted.
    #[must_use]
    pub fn enables(&self, claim: &str) -> bool {
        self.enabled_extended_claims.iter().flatten().any(|enabled| enabled.as_str() == claim)
    }
}

spelled! {
/// Claims that the ID tokens of an application have, too, where the scope of this name was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
pub enum IdTokenClaims {
    /// Name, picture, locale and so on.
    Profile = "profile",
    /// The primary email address.
    Email = "email",
    /// The primary phone number.
    Phone = "phone",
    /// The postal address.
    Address = "address",
    /// Names of roles, and `organization:role` for roles in organizations.
    Groups = "groups",
}
}

spelled! {
/// A claim that is more than a profile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
pub enum ExtendedClaim {
    /// The integrator's own data.
    CustomData = "custom_data",
    /// Linked social identities.
    Identities = "identities",
    /// Linked enterprise identities.
    SsoIdentities = "sso_identities",
    /// Names of roles.
    Roles = "roles",
    /// Ids of organizations.
    Organizations = "organizations",
    /// Names of organizations.
    OrganizationData = "organization_data",
    /// Roles in organizations.
    OrganizationRoles = "organization_roles",
}
}
