//! Has a message to a person composed by the plugin that its connector names. The request that comes of it is the caller's
//! to send.

use super::{
    claims::CallBudget,
    log::{LogWriter, failed, forward},
    metrics,
    registry::{RegistryEntry, RegistrySnapshot, ServingVersion},
};
use claimsmith_runtime::{CallError, Kind, Limits, MessageRequest, OutgoingMessage};
use serde_json::Value;
use std::{fmt, sync::Arc, time::Duration};

/// A message to a person.
#[derive(Clone)]
pub struct Message<'a> {
    /// The same at every attempt; also the request id in the plugin's log.
    pub id: &'a str,
    /// `Email` or `Sms`.
    pub channel: &'a str,
    /// What it is for.
    pub event: &'a str,
    /// An email address, or a phone number in international form with `+`.
    pub recipient: &'a str,
    /// The language of whoever gets it.
    pub language: &'a str,
    /// The code to type in.
    pub code: Option<&'a str>,
    /// The link to open.
    pub link: Option<&'a str>,
    /// What it says, an object.
    pub content: Value,
    /// Who and what it is about, an object.
    pub context: Value,
}

/// Without values: whoever has the code or the link can use it.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Why there is no request. The reason is in the plugin's log alone: it may repeat what was in the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeFailure {
    /// There is no such plugin, or it is not active, or of another kind.
    #[error("there is no active message plugin {0}")]
    Missing(String),
    /// It says that the message is not to be sent.
    #[error("the plugin {0} denied the message; see its log")]
    Denied(String),
    /// It failed.
    #[error("the plugin {plugin} failed: {outcome}; see its log")]
    Failed {
        /// Its name.
        plugin: String,
        /// A word of [`CallError::outcome`].
        outcome: &'static str,
    },
}

/// Calls the plugin of this name.
pub(super) async fn compose(
    snapshot: &RegistrySnapshot,
    rules: &CallBudget,
    name: &str,
    message: &Message<'_>,
) -> Result<MessageRequest, ComposeFailure> {
    let is_it = |entry: &&Arc<RegistryEntry>| *entry.name == *name && entry.kind == Some(Kind::Message);
    let entry = snapshot.entries.iter().find(is_it);
    let Some((entry, version)) = entry.and_then(|entry| Some((entry, entry.version.as_ref()?))) else {
        return Err(ComposeFailure::Missing(name.to_owned()));
    };
    let (answer, duration) = ask(entry, version, rules, message).await;
    let outcome = answer.as_ref().map_or_else(CallError::outcome, |_| "ok");
    metrics::call(&entry.name, outcome, duration);
    entry.statistics.count(outcome, duration);
    answer.map_err(|error| {
        let plugin = name.to_owned();
        let (logged, failure) = match error {
            CallError::Denied(text) => {
                (CallError::Failed(format!("the message was denied: {text}")), ComposeFailure::Denied(plugin))
            }
            error => (error, ComposeFailure::Failed { plugin, outcome }),
        };
        failed(entry, Some(message.id), rules.log.as_ref(), &logged);
        failure
    })
}

async fn ask(
    entry: &RegistryEntry,
    version: &ServingVersion,
    rules: &CallBudget,
    message: &Message<'_>,
) -> (Result<MessageRequest, CallError>, Duration) {
    let outgoing = OutgoingMessage {
        id: message.id.into(),
        channel: message.channel.into(),
        event: message.event.into(),
        recipient: message.recipient.into(),
        language: message.language.into(),
        code: message.code.map(Into::into),
        link: message.link.map(Into::into),
        content: message.content.to_string().into(),
        context: message.context.to_string().into(),
        environment: Arc::clone(&version.variables),
        http: version.http.clone(),
    };
    let limits = Limits { deadline: version.limits.deadline.min(rules.budget), ..version.limits };
    let call = version.plugin.compose(&outgoing, &limits).await;
    let writer = LogWriter {
        plugin: &entry.name,
        digest: &version.digest,
        request_id: Some(message.id),
        secrets: &version.secrets,
        budget: &entry.statistics.log,
        kept: rules.log.as_ref(),
    };
    forward(&writer, &call.logs);
    (call.result, call.duration)
}
