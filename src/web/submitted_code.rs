//! The bodies of requests about codes, which the Account API and the Interaction API share: where a code is to go, and
//! the code that came.

use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::Identifier;
use claimsmith_json::object;
use serde::Deserialize;

/// An address or a number.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Recipient {
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: Channel,
    value: Text<1, 256>,
}

/// A code that came.
#[derive(Deserialize, utoipa::ToSchema)]
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
        Self { kind: kind.identifier(), value: value.into() }
    }
}
