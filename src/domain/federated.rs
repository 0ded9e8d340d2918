//! A federated sign-in as stored in an interaction: pending, or with the account that it returned.

use super::id::UserId;
use super::upstream::account::ExternalAccount;
use crate::documents::fold::fold;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of a connector for sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectorKind {
    /// A social connector, for all users.
    Social,
    /// An enterprise connector, for the users of a company.
    Enterprise,
}

/// A sign-in at an identity provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Federated {
    /// The id of the connector, among those of its kind.
    pub connector_id: String,
    /// The namespace of account ids: the target of a social connector, or the issuer of an enterprise connector.
    pub realm: String,
    /// Whether the user's profile is updated from the account at each sign-in.
    #[serde(default)]
    pub sync_profile: bool,
    /// Whether the connector owns the domain of the account's verified email address.
    #[serde(default)]
    pub owns_address: bool,
    /// The pending sign-in, if any.
    #[serde(default)]
    pub pending: Option<PendingFederatedSignIn>,
    /// The account, once the provider returned it.
    #[serde(default)]
    pub account: Option<ExternalAccount>,
    /// The user, once identified by the account.
    #[serde(default)]
    pub user_id: Option<UserId>,
    /// Whether the user links the account themselves, after authenticating in another way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_owner: bool,
}

/// A pending authorization response.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingFederatedSignIn {
    /// The hash of the state.
    pub state: String,
    /// The nonce and the code verifier, encrypted.
    pub secrets: String,
    /// The redirect URI of the response.
    pub redirect_uri: String,
    /// Expiry, Unix milliseconds.
    pub expires_at: i64,
}

impl Federated {
    /// Whether it proves this email address of its user: the provider verified it, and the connector owns its domain.
    #[must_use]
    pub fn gives(&self, email: &str) -> bool {
        let verified = self.account.as_ref().and_then(ExternalAccount::verified_email);
        self.owns_address && verified.is_some_and(|verified| fold(verified) == fold(email))
    }

    /// Whether both are the same account.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let id = |one: &Self| one.account.as_ref().map(|account| account.id.clone());
        self.connector_id == other.connector_id && self.realm == other.realm && id(self) == id(other)
    }
}

impl fmt::Debug for Federated {
    /// Omits personal data and secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Federated").field("connector_id", &self.connector_id).finish_non_exhaustive()
    }
}

impl fmt::Debug for PendingFederatedSignIn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PendingFederatedSignIn").finish_non_exhaustive()
    }
}
