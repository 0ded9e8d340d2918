//! Has a message composed by the plugin that its connector names. The caller sends the resulting request.

use super::{
    breaker::Party,
    claims::CallBudget,
    hidden::Hidden,
    log::{LogWriter, failed_masked, forward},
    metrics,
    outgoing::Message,
    recipients,
    registry::{RegistryEntry, RegistrySnapshot, ServingVersion},
    turn::Outcome,
};
use claimsmith_runtime::{CallError, Kind, Limits, MessageRequest, OutgoingMessage};
use std::{sync::Arc, time::Duration};

/// The reason that there is no request. Details are only in the plugin's log: they may repeat the content of the
/// message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeFailure {
    /// There is no such plugin, or it is inactive, or of another kind.
    #[error("there is no active message plugin {0}")]
    Missing(String),
    /// It denied the message.
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
    let party = Party::of_message(message.recipient);
    let turn = rules.guard.turn(entry, Some(version), &party).await;
    let Some(version) = turn.version() else {
        metrics::not_called(&entry.name);
        let outcome = turn.refusal().outcome();
        return Err(ComposeFailure::Failed { plugin: name.to_owned(), outcome });
    };
    let hidden = Hidden::of(&version.secrets, message);
    let (answer, duration) = ask(entry, version, rules, message, &hidden).await;
    let settings = version.variables.iter().map(|(_, value)| value.as_str());
    let answer = answer.and_then(|request| match recipients::problem(message, &request, settings, &version.literals) {
        None => Ok(request),
        Some(problem) => Err(CallError::BadOutput(problem.to_owned())),
    });
    // Last, so that no log line or error about the request contains the secrets.
    let answer = answer.and_then(|request| match &version.headers {
        Some(headers) => headers.fill_message(request),
        None => Ok(request),
    });
    let outcome = answer.as_ref().map_or_else(CallError::outcome, |_| "ok");
    metrics::call(&entry.name, outcome, duration);
    let digest = Arc::clone(&version.digest);
    let (error, mask) = (answer.as_ref().err(), |text: &str| hidden.mask(text).into_owned());
    entry.count(Some(version), error, duration, Some(message.id), mask);
    // Without the error's text, which may repeat the message: the audit log shows that of a breaker. The time budget is
    // the message's own.
    let outcome_of_call = Outcome { error, line: Some("see its log"), had_time: true };
    rules.guard.record(entry, turn, &party, &outcome_of_call);
    answer.map_err(|error| {
        let plugin = name.to_owned();
        let (logged, failure) = match error {
            CallError::Denied(text) => {
                (CallError::Failed(format!("the message was denied: {text}")), ComposeFailure::Denied(plugin))
            }
            error => (error, ComposeFailure::Failed { plugin, outcome }),
        };
        failed_masked((entry, Some(&digest)), Some(message.id), rules.log.as_ref(), &logged, &|text| hidden.mask(text));
        failure
    })
}

async fn ask(
    entry: &RegistryEntry,
    version: &ServingVersion,
    rules: &CallBudget,
    message: &Message<'_>,
    hidden: &Hidden,
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
        mask: &|text| hidden.mask(text),
        budget: &entry.statistics.log,
        kept: rules.log.as_ref(),
    };
    forward(&writer, &call.logs);
    (call.result, call.duration)
}
