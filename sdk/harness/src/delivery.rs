//! A webhook delivery as golden cases write it: what a transform is asked, and what it made of it.

use crate::{CaseContext, Input, case::environment};
use claimsmith_runtime::{Kind, Manifest, Secrets, TransformRequest, Transformed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The id of a delivery where an input names none.
const ID: &str = "msg_test";

/// What is sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sent {
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

/// Why a plugin cannot be asked what an input says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InputError(&'static str);

impl Default for HookInput {
    fn default() -> Self {
        let [id, name, url] = ["hook_test", "Test", "https://example.com/webhooks"].map(str::to_owned);
        Self { id, name, url }
    }
}

impl Input {
    /// Refuses an input that is for plugins of another kind.
    pub fn check(&self, kind: Kind) -> Result<(), InputError> {
        let for_claims = !self.token.is_empty() || self.context != CaseContext::default();
        let for_transforms = self.id.is_some() || self.event.is_some() || self.hook.is_some();
        match kind {
            Kind::Claims if for_transforms => Err(InputError(
                "the plugin computes claims: its input is `token` and `context`, not `event` and `hook`",
            )),
            Kind::WebhookTransform if for_claims || self.event.is_none() => Err(InputError(
                "the plugin is a webhook transform: its input is `event` (what would be sent), and `hook` and `id`",
            )),
            Kind::Claims | Kind::WebhookTransform => Ok(()),
        }
    }

    /// What the server would ask a transform with this manifest and these secrets.
    #[must_use]
    pub fn delivery(&self, manifest: &Manifest, secrets: &Secrets) -> TransformRequest {
        let HookInput { id, name, url } = self.hook.clone().unwrap_or_default();
        TransformRequest {
            id: self.id.as_deref().unwrap_or(ID).into(),
            event: self.event.as_ref().unwrap_or(&Value::Null).to_string().into(),
            hook: json!({ "id": id, "name": name, "url": url }).to_string().into(),
            environment: environment(self, manifest, secrets),
        }
    }
}

impl Sent {
    /// What was sent, or the reason why it was dropped. The body is told as `expected` tells it, or as JSON if it is an
    /// object or a list.
    pub(crate) fn of(transformed: Transformed, expected: Option<&Self>) -> Result<Self, String> {
        let (body, headers, path) = match transformed {
            Transformed::Send { body, headers, path } => (body, headers, path),
            Transformed::Drop(reason) => return Err(reason),
        };
        let as_text = expected.is_some_and(|sent| matches!(sent.body, Some(Value::String(_))));
        let body = body.map(|text| {
            let json: Option<Value> = serde_json::from_str(&text).ok();
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
