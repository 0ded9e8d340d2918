//! A sign-in at another server, as an interaction keeps it: begun and not come back yet, or with the account that came of
//! it.

use super::id::UserId;
use super::upstream::account::ExternalAccount;
use crate::documents::fold::fold;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of a connector at which people sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectorKind {
    /// A social connector, for everybody.
    Social,
    /// An enterprise connector, for the people of a company.
    Enterprise,
}

/// A sign-in at another server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Federated {
    /// The id of the connector, among those of its kind.
    pub connector_id: String,
    /// Where ids are unique: the target of a social connector, the issuer of an enterprise's.
    pub realm: String,
    /// Whether the user's profile follows the account's.
    #[serde(default)]
    pub sync_profile: bool,
    /// Whether the connector owns the domain of the address, which was verified.
    #[serde(default)]
    pub owns_address: bool,
    /// What is waited for.
    #[serde(default)]
    pub pending: Option<PendingFederatedSignIn>,
    /// The account, once somebody came back with it.
    #[serde(default)]
    pub account: Option<ExternalAccount>,
    /// Whom it turned out to be, once identified by it.
    #[serde(default)]
    pub user_id: Option<UserId>,
    /// Whether the user links it themselves, after they proved who they are otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_owner: bool,
}

/// An answer that is waited for.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingFederatedSignIn {
    /// The hash of the state.
    pub state: String,
    /// The nonce and the code verifier, encrypted.
    pub secrets: String,
    /// Where the answer comes to.
    pub redirect_uri: String,
    /// Until when it counts, Unix milliseconds.
    pub expires_at: i64,
}

impl Federated {
    /// Whether it gives this address to its user: the address was verified there, and the connector owns its domain.
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
    /// Without what is known of the person, and without secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Federated").field("connector_id", &self.connector_id).finish_non_exhaustive()
    }
}

impl fmt::Debug for PendingFederatedSignIn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PendingFederatedSignIn").finish_non_exhaustive()
    }
}
