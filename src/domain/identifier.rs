//! Identifiers that people type: user names, email addresses, phone numbers.

use serde::{Deserialize, Serialize};

pub use super::sign_in_experience::methods::SignInIdentifier as IdentifierType;

/// An identifier that somebody typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: IdentifierType,
    /// As it was typed.
    pub value: String,
}
