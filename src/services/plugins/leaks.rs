//! Secrets in what a plugin answers.

use claimsmith_runtime::{CallError, Secrets, Transformed};
use serde_json::{Map, Value};

/// Everybody who gets the token can read its claims.
pub(super) fn claims_without_secrets(
    claims: Map<String, Value>,
    secrets: &Secrets,
) -> Result<Map<String, Value>, CallError> {
    match secrets.find_in(&claims) {
        Some(name) => Err(CallError::SecretInClaims(name.to_owned())),
        None => Ok(claims),
    }
}

/// What is sent, and why a delivery is dropped, can be read by third parties.
pub(super) fn without_secrets(answer: Transformed, secrets: &Secrets) -> Result<Transformed, CallError> {
    let texts: Vec<&str> = match &answer {
        Transformed::Drop(reason) => vec![reason],
        Transformed::Send { body, headers, path } => {
            let headers = headers.iter().flat_map(|(name, value)| [name.as_str(), value]);
            headers.chain(body.as_deref()).chain(path.as_deref()).collect()
        }
    };
    match texts.into_iter().find_map(|text| secrets.find_in_text(text)) {
        Some(name) => Err(CallError::SecretInDelivery(name.to_owned())),
        None => Ok(answer),
    }
}
