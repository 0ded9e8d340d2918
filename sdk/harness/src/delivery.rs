//! Webhook deliveries in golden cases: the hook, and the transformed delivery.

use claimsmith_runtime::Transformed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SentDelivery {
    /// The body: a text as it is, anything else as JSON; absent when it is left as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// Headers that are set; names in small letters.
    pub headers: BTreeMap<String, String>,
    /// Where below the hook's own path; absent for that path itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The hook that a delivery goes to, as an input writes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HookInput {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its URL.
    pub url: String,
}

impl Default for HookInput {
    fn default() -> Self {
        let [id, name, url] = ["hook_test", "Test", "https://example.com/webhooks"].map(str::to_owned);
        Self { id, name, url }
    }
}

impl SentDelivery {
    /// What was sent, or the reason why it was dropped. The body is shown as `expected` has it, or as JSON if it is an
    /// object or a list.
    pub(crate) fn of(transformed: Transformed, expected: Option<&Self>) -> Result<Self, String> {
        let (body, headers, path) = match transformed {
            Transformed::Send { body, headers, path } => (body, headers, path),
            Transformed::Drop(reason) => return Err(reason),
        };
        let as_text = expected.is_some_and(|sent| matches!(sent.body, Some(Value::String(_))));
        let body = body.map(|text| {
            let json: Option<Value> = claimsmith_runtime::json::read(&text, claimsmith_runtime::json::INCOMING).ok();
            json.filter(|json| !as_text && (json.is_object() || json.is_array())).unwrap_or(Value::String(text))
        });
        Ok(Self { body, headers: headers.into_iter().collect(), path })
    }

    /// The same with names as the server writes them.
    pub(crate) fn normalized(&self) -> Self {
        let lowercase = |(name, value): (&String, &String)| (name.to_lowercase(), value.clone());
        Self { headers: self.headers.iter().map(lowercase).collect(), ..self.clone() }
    }
}
