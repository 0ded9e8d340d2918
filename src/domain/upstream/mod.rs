//! Upstreams, the identity providers that users sign in at: OpenID providers, and OAuth 2 servers with profiles of
//! their own formats. Their configuration, and the account data that they return.

pub mod account;
pub mod address;
pub mod config;
pub mod enterprise;
pub mod presets;
pub mod profile_map;

use crate::documents::fold::fold;
use account::ExternalAccount;
use address::Endpoint;
use profile_map::ProfileMap;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An identity provider, with this server's client registration.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// The protocol and its endpoints.
    pub protocol: Protocol,
    /// The client id of this server.
    pub client_id: String,
    /// The client secret; `None` for a public client.
    pub client_secret: Option<ClientSecret>,
    /// The client authentication method.
    pub authentication: ClientAuthentication,
    /// The requested scopes.
    pub scopes: Vec<String>,
    /// Additional parameters of the authorization request.
    pub parameters: Vec<(String, String)>,
    /// Whether email addresses count as verified even if the upstream does not say so.
    pub trusts_addresses: bool,
    /// For an issuer that signs in everyone, such as Google: the domains of the company whose accounts are accepted, in
    /// lower case. `None` accepts all accounts.
    pub companies: Option<Vec<String>>,
}

impl Upstream {
    /// Whether an account is accepted. For an issuer that signs in everyone, only those with a domain of the company in
    /// the claim `hd`; an email address of the company is not enough.
    #[must_use]
    pub fn takes(&self, account: &ExternalAccount) -> bool {
        let Some(companies) = &self.companies else { return true };
        let company = account.raw_data.get("hd").and_then(Value::as_str).map(fold);
        company.is_some_and(|company| companies.contains(&company))
    }
}

/// The protocol of an upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenID Connect: the endpoints are in the discovery document of its issuer.
    OpenId {
        /// The issuer.
        issuer: Endpoint,
    },
    /// OAuth 2 with a user info endpoint.
    OAuth {
        /// The authorization endpoint.
        authorization: Endpoint,
        /// The token endpoint.
        token: Endpoint,
        /// The user info endpoint.
        profile: Endpoint,
        /// The mapping of the profile's members.
        map: ProfileMap,
    },
}

impl Protocol {
    /// Whether an id identifies the same account at both: same issuer, or same profile endpoint and id member.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::OpenId { issuer }, Self::OpenId { issuer: another }) => issuer == another,
            (Self::OAuth { profile, map, .. }, Self::OAuth { profile: another, map: mapped, .. }) => {
                profile == another && map.id == mapped.id
            }
            _ => false,
        }
    }
}

/// How this server authenticates at a token endpoint (RFC 6749 section 2.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientAuthentication {
    /// In the header.
    #[default]
    ClientSecretBasic,
    /// In the body.
    ClientSecretPost,
}

/// A client secret.
#[derive(Clone, Debug)]
pub struct ClientSecret(SecretString);

impl ClientSecret {
    /// The secret; only for the upstream.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl From<String> for ClientSecret {
    fn from(secret: String) -> Self {
        Self(secret.into())
    }
}
