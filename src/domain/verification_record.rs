//! What a verification record of one's own account is about, beside its type: the address that a code went to, the account
//! elsewhere, the passkey.

use super::federated::Federated;
use super::sent_code::SentCode;
use super::staged_factors::StagedPasskey;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a record is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordDetails {
    /// A code that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<SentCode>,
    /// An account at a social or an enterprise connector.
    #[serde(rename = "social", skip_serializing_if = "Option::is_none")]
    pub federated: Option<Federated>,
    /// A new passkey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey: Option<NewPasskey>,
}

/// A passkey that somebody makes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NewPasskey {
    /// What the browser was asked, until it answers.
    pub challenge: Value,
    /// What it answered.
    pub made: Option<StagedPasskey>,
}
