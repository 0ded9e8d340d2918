//! Passkeys during an interaction (WebAuthn): new ones, those that the user has as second factors, and signing in with
//! them in place of a password.

pub(crate) mod register;
pub(crate) mod second_factor;
pub(crate) mod sign_in;
mod use_passkey;

use super::refusal::Refusal;
use serde_json::Value;

/// What a browser is asked.
#[derive(Debug)]
pub(crate) struct Question {
    /// The verification that the answer belongs to.
    pub verification_id: String,
    /// The options of the browser's function.
    pub options: Value,
}

/// Names the refusal of what is no passkey, or proves nothing.
fn refused(error: crate::passkeys::Error) -> Refusal {
    match error {
        crate::passkeys::Error::Refused => Refusal::InvalidPasskey,
        crate::passkeys::Error::Unavailable => Refusal::FactorDisabled,
        other => other.into(),
    }
}
