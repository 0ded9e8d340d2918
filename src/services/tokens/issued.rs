//! Reads the claims of a token that this server issued, one by one: unreadable claims of plugins are ignored, so that
//! every token can be revoked.

use claimsmith_runtime::json::{self, STORED};
use claimsmith_storage::issuing::issuances::Issuance;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::fmt;

/// The claims of a token whose signature was checked.
pub(super) struct ReadClaims(pub(super) Map<String, Value>);

impl<'de> Deserialize<'de> for ReadClaims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Claims)
    }
}

struct Claims;

impl<'de> Visitor<'de> for Claims {
    type Value = ReadClaims;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of claims")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<ReadClaims, A::Error> {
        let mut claims = Map::new();
        // A raw value is skipped without recursion, at any depth.
        while let Some((name, raw)) = members.next_entry::<String, Box<RawValue>>()? {
            if let Ok(value) = json::read(raw.get(), STORED) {
                claims.insert(name, value);
            }
        }
        Ok(ReadClaims(claims))
    }
}

/// The claims from the record of an opaque token, if its stored claims cannot be read.
pub(super) fn recorded(issuance: &Issuance, issuer: &str) -> Map<String, Value> {
    let subject = issuance.user_id.as_deref().unwrap_or(&issuance.application_id);
    let mut claims = Map::new();
    let mut put = |name: &str, value: Value| claims.insert(name.to_owned(), value);
    put("iss", json!(issuer));
    put("sub", json!(subject));
    put("exp", json!(issuance.expires_at / 1000));
    put("iat", json!(issuance.created_at / 1000));
    put("jti", json!(issuance.jti));
    put("client_id", json!(issuance.application_id));
    put("scope", json!(issuance.scope));
    if let Some(actor) = &issuance.actor_id {
        put("act", json!({ "sub": actor }));
    }
    if let Some(organization) = &issuance.organization_id {
        put("organization_id", json!(organization));
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_deep_is_left_out_and_the_rest_is_read() -> Result<(), serde_json::Error> {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let hidden = r#"{"$serde_json::private::RawValue":"1"}"#;
        let text = format!(r#"{{"jti":"t1","deep":{deep},"hidden":{hidden},"exp":7}}"#);
        let ReadClaims(claims) = serde_json::from_str(&text)?;
        assert_eq!(Value::Object(claims), json!({ "jti": "t1", "exp": 7 }));
        Ok(())
    }
}
