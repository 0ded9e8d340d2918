//! Decodes JSON Web Tokens for display. Nothing is verified, because this server has just issued them.

use crate::json::pretty;
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;

/// The decoded parts of a token.
pub(super) struct Decoded {
    pub(super) header: String,
    pub(super) claims: Vec<(String, String)>,
    pub(super) json: String,
    pub(super) payload: Value,
}

/// Decodes a token; none if it is not a JWT.
pub(super) fn decode(token: &str) -> Option<Decoded> {
    let mut parts = token.split('.');
    let (header, payload) = (part(parts.next()?)?, part(parts.next()?)?);
    parts.next()?;
    let claims = payload.as_object()?.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    Some(Decoded { header: pretty(&header), claims, json: pretty(&payload), payload })
}

fn part(text: &str) -> Option<Value> {
    claimsmith_json::read(&BASE64URL_NOPAD.decode(text.as_bytes()).ok()?, claimsmith_json::INCOMING).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_taken_apart() {
        let encode = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
        let token = format!("{}.{}.c2ln", encode("{\"alg\":\"RS256\"}"), encode("{\"sub\":\"ada\",\"exp\":1}"));
        let decoded = decode(&token);
        assert!(decoded.is_some_and(|decoded| decoded.payload["sub"] == "ada" && decoded.header.contains("RS256")));
        assert!(decode("opaque").is_none());
        assert!(decode("a.b.c").is_none());
    }
}
