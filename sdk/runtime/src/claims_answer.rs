//! Parses the answer of a claims plugin: a JSON object of bounded size, from which reserved claims are removed.

use crate::{CallError, RESERVED_CLAIMS, json};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The claims that count, and the reserved names that were dropped, in the plugin's order.
#[derive(Debug)]
pub(crate) struct ClaimsAnswer {
    pub(crate) claims: Map<String, Value>,
    pub(crate) dropped: Vec<String>,
}

/// Reads `text`, of which at most `limit` bytes are accepted.
pub(crate) fn read(text: &str, limit: usize) -> Result<ClaimsAnswer, CallError> {
    if text.len() > limit {
        return Err(CallError::BadOutput(format!("{} bytes; at most {limit} are accepted", text.len())));
    }
    json::read(text, json::SENT).map_err(|error| {
        let start: String = text.chars().take(60).collect();
        let more = if start.len() < text.len() { "…" } else { "" };
        CallError::BadOutput(format!("a JSON object is expected, not `{start}{more}`: {error}"))
    })
}

impl<'de> Deserialize<'de> for ClaimsAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnswerVisitor)
    }
}

struct AnswerVisitor;

impl<'de> Visitor<'de> for AnswerVisitor {
    type Value = ClaimsAnswer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of claims")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<ClaimsAnswer, A::Error> {
        let mut answer = ClaimsAnswer { claims: Map::new(), dropped: Vec::new() };
        while let Some((name, value)) = members.next_entry::<String, Value>()? {
            if !RESERVED_CLAIMS.contains(&name.as_str()) {
                answer.claims.insert(name, value);
            } else if !answer.dropped.contains(&name) {
                answer.dropped.push(name);
            }
        }
        Ok(answer)
    }
}
