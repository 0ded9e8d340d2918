//! Servers elsewhere at which people sign in (upstreams): OpenID providers, and OAuth 2 servers whose profiles have shapes
//! of their own. What an operator configures of one, and what it says of a person.

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

/// A server at which people sign in, with this server's registration there.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// Where it is, and what it speaks.
    pub protocol: Protocol,
    /// The id of this server there.
    pub client_id: String,
    /// The secret that proves it; none for a public client.
    pub client_secret: Option<ClientSecret>,
    /// How it is proved.
    pub authentication: ClientAuthentication,
    /// What is asked for.
    pub scopes: Vec<String>,
    /// Further parameters of the request.
    pub parameters: Vec<(String, String)>,
    /// Whether an address counts as verified that the upstream does not call so.
    pub trusts_addresses: bool,
    /// Where the issuer signs in everybody, such as Google: the domains of the company whose accounts are taken, in lower
    /// case. None where it takes the accounts of all.
    pub companies: Option<Vec<String>>,
}

impl Upstream {
    /// Whether an account may come from there. Of an issuer that signs in everybody, only those of the company: the claim
    /// `hd` says whose an account is, and it cannot be had by an address alone.
    #[must_use]
    pub fn takes(&self, account: &ExternalAccount) -> bool {
        let Some(companies) = &self.companies else { return true };
        let company = account.raw_data.get("hd").and_then(Value::as_str).map(fold);
        company.is_some_and(|company| companies.contains(&company))
    }
}

/// What an upstream speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenID Connect: the rest is in the document of its issuer.
    OpenId {
        /// The issuer.
        issuer: Endpoint,
    },
    /// OAuth 2, with an endpoint that tells who somebody is.
    OAuth {
        /// Where people are sent.
        authorization: Endpoint,
        /// Where codes are exchanged.
        token: Endpoint,
        /// Where the profile is.
        profile: Endpoint,
        /// Which members of the profile are what.
        map: ProfileMap,
    },
}

impl Protocol {
    /// Whether an id names the same account at both: of one issuer, or of one profile.
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

/// The secret of a registration.
#[derive(Clone, Debug)]
pub struct ClientSecret(SecretString);

impl ClientSecret {
    /// The secret, for the upstream alone.
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
