//! The bodies of requests about codes, which the Account API and the Interaction API share: where a code is to go, and
//! the code that came.

use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_json::object;
use serde::Deserialize;

/// An address or a number.
#[derive(Deserialize)]
pub struct Recipient {
    #[serde(rename = "type")]
    kind: RecipientType,
    value: Text<1, 256>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum RecipientType {
    Email,
    Phone,
}

/// A code that came.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedCode {
    /// Where the code was sent.
    #[serde(deserialize_with = "object")]
    pub identifier: Recipient,
    /// The record that the request for the code created.
    pub verification_id: Text<1, 128>,
    /// The code as it was typed.
    pub code: Text<1, 64>,
}

impl From<Recipient> for Identifier {
    fn from(Recipient { kind, value }: Recipient) -> Self {
        let kind = match kind {
            RecipientType::Email => IdentifierType::Email,
            RecipientType::Phone => IdentifierType::Phone,
        };
        Self { kind, value: value.into() }
    }
}
