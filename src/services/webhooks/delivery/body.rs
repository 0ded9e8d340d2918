//! The body of a delivery: the event's body with the hook's id, or the answer of transforms.

use claimsmith_domain::documents::hook::TransformRun;
use claimsmith_domain::id::HookId;
use claimsmith_runtime::json::{self, STORED};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is sent in every attempt. What transforms made is stored like this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreparedDelivery {
    /// The bytes of the body, shared by all that work on it.
    pub body: Arc<str>,
    /// Headers over those of the hook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Below the hook's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The transforms that were asked, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transforms: Vec<TransformRun>,
}

impl PreparedDelivery {
    /// An event as it is, for a hook.
    #[must_use]
    pub fn untransformed(payload: String, hook_id: &HookId) -> Self {
        Self { body: with_hook_id(payload, hook_id).into(), headers: Vec::new(), path: None, transforms: Vec::new() }
    }

    /// As it was stored, or the event as it is where nothing was. What was stored and cannot be read is an error: what
    /// a transform took away must not be sent.
    pub fn stored(prepared: Option<&str>, payload: String, hook_id: &HookId) -> Result<Self, serde_json::Error> {
        match prepared {
            Some(text) => json::read(text, STORED),
            None => Ok(Self::untransformed(payload, hook_id)),
        }
    }
}

/// The body of an event with the id of the hook as its last member. Ids have no character that JSON would escape.
fn with_hook_id(mut payload: String, hook_id: &HookId) -> String {
    if payload.ends_with('}') {
        payload.pop();
    }
    payload.extend([",\"hookId\":\"", hook_id.as_str(), "\"}"]);
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_the_hook_stands_last() {
        let prepared =
            PreparedDelivery::untransformed(r#"{"event":"User.Created","data":{"id":"u1"}}"#.to_owned(), &"h1".into());
        assert_eq!(&*prepared.body, r#"{"event":"User.Created","data":{"id":"u1"},"hookId":"h1"}"#);
    }
}
