//! Verification records of the Account API: their types, and their details: the recipient of a code, the federated
//! account, or the passkey.

use super::federated::Federated;
use super::sent_code::SentCode;
use super::spelling::spelled;
use super::staged_factors::StagedPasskey;
use serde::{Deserialize, Serialize};
use serde_json::Value;

spelled! {
/// What a record proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecordType {
    /// The password.
    Password = "Password",
    /// A code to an email address.
    EmailCode = "EmailVerificationCode",
    /// A code to a phone number.
    PhoneCode = "PhoneVerificationCode",
    /// An account at a social connector.
    Social = "Social",
    /// An account at an enterprise connector.
    EnterpriseSso = "EnterpriseSso",
    /// A newly created passkey.
    WebAuthn = "WebAuthn",
}
}

/// The details of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordDetails {
    /// A sent code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<SentCode>,
    /// An account at a social or an enterprise connector.
    #[serde(rename = "social", skip_serializing_if = "Option::is_none")]
    pub federated: Option<Federated>,
    /// A new passkey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey: Option<NewPasskey>,
}

/// A passkey that is being created.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NewPasskey {
    /// The challenge sent to the browser, until it responds.
    pub challenge: Value,
    /// The response of the browser.
    pub made: Option<StagedPasskey>,
}
