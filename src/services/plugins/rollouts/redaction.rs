//! Redaction of samples, before they leave the worker: every text becomes a pseudonym, so that equal texts stay equal.

use aws_lc_rs::hmac;
use claimsmith_domain::random;
use data_encoding::HEXLOWER;
use serde_json::Value;
use std::fmt;

/// Removes personal data from a document.
pub(in crate::plugins) trait Redact: Send + Sync {
    /// The document without it.
    fn redact(&self, document: &Value) -> Value;
}

/// Keeps names of members, numbers and booleans; every text becomes a pseudonym under a key of this process.
pub(in crate::plugins) struct Pseudonyms(Option<hmac::Key>);

/// Bytes of a pseudonym.
const PSEUDONYM_BYTES: usize = 6;

impl Pseudonyms {
    pub(in crate::plugins) fn new() -> Self {
        let key = random::bytes::<32>().ok();
        Self(key.map(|key| hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }

    fn pseudonym(&self, text: &str) -> String {
        let Some(key) = &self.0 else { return "text".to_owned() };
        let tag = hmac::sign(key, text.as_bytes());
        let short = tag.as_ref().get(..PSEUDONYM_BYTES).unwrap_or_default();
        format!("text-{}", HEXLOWER.encode(short))
    }
}

impl Redact for Pseudonyms {
    fn redact(&self, document: &Value) -> Value {
        match document {
            Value::String(text) => Value::String(self.pseudonym(text)),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.redact(item)).collect()),
            Value::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), self.redact(value))).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => document.clone(),
        }
    }
}

impl fmt::Debug for Pseudonyms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pseudonyms").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_become_pseudonyms_and_equal_ones_stay_equal() {
        let pseudonyms = Pseudonyms::new();
        let document = json!({ "email": "ada@example.com", "also": ["ada@example.com", "bob"], "age": 36, "ok": true });
        let redacted = pseudonyms.redact(&document);
        assert!(!redacted.to_string().contains("ada") && !redacted.to_string().contains("bob"));
        assert_eq!(redacted["email"], redacted["also"][0]);
        assert_ne!(redacted["email"], redacted["also"][1]);
        assert_eq!((&redacted["age"], &redacted["ok"]), (&json!(36), &json!(true)));
        assert_ne!(Pseudonyms::new().redact(&document)["email"], redacted["email"], "a key of its own");
    }
}
