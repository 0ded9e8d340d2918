//! Messages to people in golden cases: the message, and the request that sends it.

use claimsmith_runtime::{Manifest, MessageRequest, OutgoingMessage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The message, as an input writes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MessageInput {
    /// Its id.
    pub id: String,
    /// `Email` or `Sms`.
    pub channel: String,
    /// What it is for.
    pub event: String,
    /// Who gets it.
    pub recipient: String,
    /// The language of whoever gets it.
    pub language: String,
    /// The code to type in.
    pub code: Option<String>,
    /// The link to open.
    pub link: Option<String>,
    /// What it says.
    pub content: Map<String, Value>,
    /// Who and what it is about.
    pub context: Map<String, Value>,
}

impl Default for MessageInput {
    fn default() -> Self {
        let [id, channel, event, recipient, language] =
            ["msg_test", "Email", "SignIn", "ada@example.com", "en"].map(str::to_owned);
        Self {
            id,
            channel,
            event,
            recipient,
            language,
            code: None,
            link: None,
            content: Map::new(),
            context: Map::new(),
        }
    }
}

impl MessageInput {
    /// The message that the server would hand to a plugin with this manifest and these variables.
    pub(crate) fn outgoing(&self, manifest: &Manifest, environment: Arc<[(String, String)]>) -> OutgoingMessage {
        let object = |members: &Map<String, Value>| Value::Object(members.clone()).to_string().into();
        OutgoingMessage {
            id: self.id.as_str().into(),
            channel: self.channel.as_str().into(),
            event: self.event.as_str().into(),
            recipient: self.recipient.as_str().into(),
            language: self.language.as_str().into(),
            code: self.code.as_deref().map(Into::into),
            link: self.link.as_deref().map(Into::into),
            content: object(&self.content),
            context: object(&self.context),
            environment,
            http: manifest.capabilities.http.clone().map(Arc::new),
        }
    }
}

/// The request that sends a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requested {
    /// Default: `POST`.
    #[serde(default = "post")]
    pub method: String,
    /// As the server writes it.
    pub url: String,
    /// Names in small letters.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body: a text as it is, anything else as JSON; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
}

fn post() -> String {
    "POST".to_owned()
}

impl Requested {
    /// What was answered. The body is shown as `expected` has it, or as JSON if it is an object or a list.
    pub(crate) fn of(request: MessageRequest, expected: Option<&Self>) -> Self {
        let MessageRequest { method, url, headers, body } = request;
        let as_text = expected.is_some_and(|expected| matches!(expected.body, Some(Value::String(_))));
        let body = body.map(|text| {
            let json: Option<Value> = claimsmith_runtime::json::read(&text, claimsmith_runtime::json::INCOMING).ok();
            json.filter(|json| !as_text && (json.is_object() || json.is_array())).unwrap_or(Value::String(text))
        });
        Self { method, url, headers: headers.into_iter().collect(), body }
    }

    /// The same with names as the server writes them.
    pub(crate) fn normalized(&self) -> Self {
        let lowercase = |(name, value): (&String, &String)| (name.to_lowercase(), value.clone());
        Self { headers: self.headers.iter().map(lowercase).collect(), ..self.clone() }
    }
}
