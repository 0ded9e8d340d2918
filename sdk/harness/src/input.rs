//! The input of a golden case: a token request, a webhook delivery, or a message.

use crate::delivery::HookInput;
use crate::message::MessageInput;
use claimsmith_runtime::{
    ClaimsRequest, Context, Grant, Kind, Manifest, OutgoingMessage, PluginCache, Secrets, TransformRequest,
};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The id of a delivery where an input names none.
const DEFAULT_DELIVERY_ID: &str = "msg_test";

/// Why an input does not fit a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InputError(&'static str);

/// The input of a plugin: a token request, for a webhook transform a delivery, for a message plugin a message.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The id of the delivery.
    pub id: Option<String>,
    /// What would be sent: the body of the delivery.
    #[serde(default, deserialize_with = "some")]
    pub event: Option<Value>,
    /// The hook that it goes to.
    pub hook: Option<HookInput>,
    /// The message to a person.
    pub message: Option<MessageInput>,
    /// The token as far as it is known.
    #[serde(default)]
    pub token: Map<String, Value>,
    /// Who and what it is about.
    #[serde(default)]
    pub context: CaseContext,
    /// Variables over those of the manifest.
    #[serde(default, rename = "environmentVariables")]
    pub environment_variables: BTreeMap<String, String>,
}

/// A JSON null is an event as well.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Who and what the token is about; what does not apply is absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaseContext {
    /// Present for the token-exchange grant alone.
    pub grant: Option<CaseGrant>,
    /// The user whom the token represents.
    pub user: Option<Map<String, Value>>,
    /// The application that asked.
    pub application: Option<Map<String, Value>>,
    /// The organization that the token is for.
    pub organization: Option<Map<String, Value>>,
    /// The sign-in that led to the token.
    pub interaction: Option<Map<String, Value>>,
}

/// How the token came to be asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseGrant {
    /// The grant type as sent.
    #[serde(rename = "type")]
    pub grant_type: String,
    /// The `context` of the subject token request.
    #[serde(rename = "subjectTokenContext")]
    pub subject_token_context: Option<Map<String, Value>>,
}

impl Input {
    /// Refuses an input that is for plugins of another kind.
    pub fn check(&self, kind: Kind) -> Result<(), InputError> {
        let for_claims = !self.token.is_empty() || self.context != CaseContext::default();
        let for_transforms = self.id.is_some() || self.event.is_some() || self.hook.is_some();
        let for_messages = self.message.is_some();
        match kind {
            Kind::Claims if for_transforms || for_messages => Err(InputError(
                "the plugin computes claims: its input is `token` and `context`, not `event`, `hook` and `message`",
            )),
            Kind::WebhookTransform if for_claims || for_messages || self.event.is_none() => Err(InputError(
                "the plugin is a webhook transform: its input is `event` (what would be sent), and `hook` and `id`",
            )),
            Kind::Message if for_claims || for_transforms || !for_messages => {
                Err(InputError("the plugin composes messages: its input is `message`"))
            }
            Kind::Claims | Kind::WebhookTransform | Kind::Message => Ok(()),
        }
    }

    /// The request that the server would send to a transform with this manifest and these secrets.
    #[must_use]
    pub fn delivery(&self, manifest: &Manifest, secrets: &Secrets) -> TransformRequest {
        let HookInput { id, name, url } = self.hook.clone().unwrap_or_default();
        TransformRequest {
            id: self.id.as_deref().unwrap_or(DEFAULT_DELIVERY_ID).into(),
            event: self.event.as_ref().unwrap_or(&Value::Null).to_string().into(),
            hook: json!({ "id": id, "name": name, "url": url }).to_string().into(),
            environment: environment(self, manifest, secrets),
        }
    }

    /// The message that the server would hand to a plugin with this manifest and these secrets.
    #[must_use]
    pub fn message(&self, manifest: &Manifest, secrets: &Secrets) -> OutgoingMessage {
        let message = self.message.clone().unwrap_or_default();
        message.outgoing(manifest, environment(self, manifest, secrets))
    }

    /// The request that the server would send to a plugin with this manifest and these secrets.
    #[must_use]
    pub fn request(&self, manifest: &Manifest, secrets: &Secrets) -> ClaimsRequest {
        ClaimsRequest {
            token: text(&self.token),
            context: self.context.shared(),
            environment: environment(self, manifest, secrets),
            http: None,
            // It is this call's alone.
            cache: manifest.capabilities.cache.map(|cache| Arc::new(PluginCache::new(cache))),
        }
    }
}

/// The variables of the manifest and the secrets, and over them the input's own.
fn environment(input: &Input, manifest: &Manifest, secrets: &Secrets) -> Arc<[(String, String)]> {
    let own = &input.environment_variables;
    let settings = manifest.variables(secrets);
    let under = settings.iter().filter(|(name, _)| !own.contains_key(name)).cloned();
    under.chain(own.iter().map(|(name, value)| (name.clone(), value.clone()))).collect()
}

impl CaseContext {
    fn shared(&self) -> Context {
        Context {
            grant: self.grant.as_ref().map(|grant| Grant {
                grant_type: grant.grant_type.as_str().into(),
                subject_token_context: grant.subject_token_context.as_ref().map(text),
            }),
            user: self.user.as_ref().map(text),
            application: self.application.as_ref().map(text),
            organization: self.organization.as_ref().map(text),
            interaction: self.interaction.as_ref().map(text),
        }
    }
}

fn text(object: &Map<String, Value>) -> Arc<str> {
    Value::Object(object.clone()).to_string().into()
}
