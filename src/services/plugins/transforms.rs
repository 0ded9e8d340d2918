//! Runs the webhook transforms of one delivery, as a chain: each works on the body that the previous one returned.

use super::{
    affinity::Affinity,
    breaker::Party,
    claims::{CallBudget, Run, run_of},
    leaks::without_secrets,
    log::{LogWriter, failed, forward},
    metrics,
    observed::{Observed, ObservedInput, Watch, user_of},
    recordings::{SeenInput, body_value},
    registry::{RegistryEntry, RegistrySnapshot, ServingVersion},
    rollouts::{ShadowCall, members_of},
    tape::Tape,
    turn::{Outcome, Turn},
};
use claimsmith_runtime::{CallError, Kind, Limits, OnError, TransformRequest, Transformed as Answer};
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};
use url::Url;

/// The maximum bytes of body, headers and path of one delivery together.
const MAX_OUTPUT_BYTES: usize = 256 << 10;

/// The maximum bytes of a stored reason.
const MAX_REASON_BYTES: usize = 1 << 10;

/// One delivery before it is sent.
#[derive(Debug)]
pub struct Transform<'a> {
    /// The `webhook-id`; also the request id in the plugins' logs.
    pub delivery_id: &'a str,
    /// The event's name.
    pub event: &'a str,
    /// The hook's id.
    pub hook_id: &'a str,
    /// The hook's name.
    pub hook_name: &'a str,
    /// The hook's URL. Plugins see neither its query nor its user information.
    pub hook_url: &'a str,
    /// The whole body as it would be sent.
    pub body: Arc<str>,
}

/// The result of the transforms of a delivery.
#[derive(Debug)]
pub struct Transformed {
    /// The decision.
    pub action: Action,
    /// Every plugin that was called, in order; also one whose failure was skipped.
    pub runs: Vec<Run>,
}

/// What to do with a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is sent.
    Send {
        /// The body, changed or not.
        body: Arc<str>,
        /// Override the hook's own headers. Names are in lowercase, each once.
        headers: Vec<(String, String)>,
        /// For [`below`](super::below).
        path: Option<String>,
    },
    /// It is not sent.
    Drop {
        /// The plugin that dropped it.
        plugin: String,
        /// Why.
        reason: String,
    },
}

/// A transform failed whose failure policy is to retry: nothing is sent now. Details are in its log.
#[derive(Debug, thiserror::Error)]
#[error("plugin {plugin} failed: {outcome}")]
pub struct TransformFailure {
    /// Its name.
    pub plugin: String,
    /// A word of [`CallError::outcome`].
    pub outcome: &'static str,
    /// Every plugin that was called, this one last.
    pub runs: Vec<Run>,
}

/// A delivery after some of its transforms.
struct SoFar {
    body: Arc<str>,
    headers: Vec<(String, String)>,
    path: Option<String>,
}

/// Whether a plugin is called. A plugin that never loaded counts if it may be a transform, since it might have removed
/// personal data.
pub(super) fn applies(entry: &RegistryEntry, event: &str, hook_id: &str, hook_name: &str) -> bool {
    entry.may_be(Kind::WebhookTransform) && entry.manifest.applies_to_delivery(event, hook_id, hook_name)
}

pub(super) async fn run_all(
    snapshot: &RegistrySnapshot,
    rules: &CallBudget,
    delivery: &Transform<'_>,
) -> Result<Transformed, TransformFailure> {
    // The time in the queue is not counted.
    let mut left = rules.budget;
    let Transform { event, hook_id, hook_name, .. } = *delivery;
    let mut so_far = SoFar { body: Arc::clone(&delivery.body), headers: Vec::new(), path: None };
    let mut runs = Vec::new();
    let party = Party::of_delivery(hook_id, delivery.delivery_id);
    let who = Affinity::of_delivery(delivery.delivery_id);
    for entry in snapshot.entries.iter().filter(|entry| applies(entry, event, hook_id, hook_name)) {
        if entry.loading {
            // It failed in no way: its failure policy does not apply.
            return Err(TransformFailure { plugin: entry.name.to_string(), outcome: "unavailable", runs });
        }
        let serving = entry.serving(&who);
        let turn = rules.guard.turn(entry, serving, &party).await;
        let is_spared = matches!(turn, Turn::Open(_));
        let had_time = turn.version().is_none_or(|version| rules.grants_all_time(version, left));
        let watch = rules.observers.watch(&entry.name);
        let (answer, duration) = match turn.version() {
            Some(version) => ask(entry, version, delivery, &so_far.body, (rules, watch.as_ref()), left).await,
            None => (Err(turn.refusal()), Duration::ZERO),
        };
        left = left.saturating_sub(duration);
        // One that the server did not begin says nothing about the version.
        if !duration.is_zero()
            && let Some(tape) = rules.rollouts.tape(entry, turn.version(), &who)
        {
            repeat(entry, delivery, &so_far.body, (tape, &answer), rules);
        }
        let merged = answer.and_then(|answer| so_far.merge(answer));
        let outcome = merged.as_ref().map_or_else(CallError::outcome, |_| "ok");
        runs.push(run_of(entry, turn.version().or(serving), outcome, duration));
        let digest = turn.version().map(|version| Arc::clone(&version.digest));
        if is_spared {
            rules.rollouts.count_spared(entry, serving);
        } else {
            metrics::call(&entry.name, outcome, duration);
            rules.rollouts.count(entry, turn.version(), outcome, duration);
            let (error, mask) = (merged.as_ref().err(), |text: &str| entry.masked(text).into_owned());
            let line = entry.count(turn.version(), error, duration, Some(delivery.delivery_id), mask);
            rules.guard.record(entry, turn, &party, &Outcome { error, line: line.as_deref(), had_time });
        }
        let reason = match merged {
            Ok(Merged::Sent(next)) => {
                so_far = next;
                continue;
            }
            Ok(Merged::Dropped(reason)) => shortened(reason),
            Err(error) => {
                if !is_spared {
                    failed(entry, digest.as_ref(), Some(delivery.delivery_id), rules.log.as_ref(), &error);
                }
                match entry.manifest.on_error(Kind::WebhookTransform) {
                    OnError::Original => continue,
                    OnError::Drop => format!("the plugin {} failed: {outcome}", entry.name),
                    OnError::Retry | OnError::Deny | OnError::Skip => {
                        return Err(TransformFailure { plugin: entry.name.to_string(), outcome, runs });
                    }
                }
            }
        };
        return Ok(Transformed { action: Action::Drop { plugin: entry.name.to_string(), reason }, runs });
    }
    let SoFar { body, headers, path } = so_far;
    Ok(Transformed { action: Action::Send { body, headers, path }, runs })
}

/// Hands a call over to the shadow, after which the delivery does not wait for it.
fn repeat(
    entry: &Arc<RegistryEntry>,
    delivery: &Transform<'_>,
    body: &Arc<str>,
    (tape, answer): (Arc<Tape>, &Result<Answer, CallError>),
    rules: &CallBudget,
) {
    let event = as_json(body);
    rules.rollouts.repeat(ShadowCall {
        entry: Arc::clone(entry),
        answer: answer.as_ref().map(|answer| members_of(answer, &event)).map_err(Clone::clone),
        user: user_of(&event),
        input: SeenInput::Transform { id: delivery.delivery_id.into(), event, hook: hook(delivery) },
        tape,
        request_id: Some(delivery.delivery_id.to_owned()),
        log: rules.log.clone(),
    });
}

/// `left` is the rest of the shared time budget.
async fn ask(
    entry: &RegistryEntry,
    version: &ServingVersion,
    delivery: &Transform<'_>,
    body: &Arc<str>,
    (rules, watch): (&CallBudget, Option<&Watch>),
    left: Duration,
) -> (Result<Answer, CallError>, Duration) {
    if left.is_zero() {
        return (Err(CallError::TimedOut(rules.budget)), Duration::ZERO);
    }
    let request = TransformRequest {
        id: delivery.delivery_id.into(),
        event: as_json(body),
        hook: hook(delivery),
        environment: Arc::clone(&version.variables),
    };
    let limits = Limits { deadline: version.limits.deadline.min(left), ..version.limits };
    let call = version.plugin.transform(&request, &limits).await;
    let writer = LogWriter {
        plugin: &entry.name,
        digest: &version.digest,
        request_id: Some(delivery.delivery_id),
        mask: &|text| version.secrets.mask(text),
        budget: &entry.statistics.log,
        kept: rules.log.as_ref(),
    };
    forward(&writer, &call.logs);
    let result = call.result.and_then(|answer| without_secrets(answer, &version.secrets));
    if let Some(watch) = watch {
        let user = user_of(&request.event);
        rules.observers.see(&Observed {
            entry,
            version,
            user: user.as_deref(),
            application: None,
            input: ObservedInput::Transform(&request),
            result: result.as_ref().map(|answer| answer_value(answer, &request.event)),
            duration: call.duration,
            instructions: call.instructions,
            http: watch.http.as_deref(),
        });
    }
    (result, call.duration)
}

/// An answer as observers see it; a body that is left as it is, is that of the event.
fn answer_value(answer: &Answer, event: &str) -> Value {
    match answer {
        Answer::Drop(reason) => json!({ "drop": reason }),
        Answer::Send { body, headers, path } => {
            let headers: Map<String, Value> =
                headers.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
            let body = body_value(body.as_deref().unwrap_or(event).to_owned());
            json!({ "body": body, "headers": headers, "path": path })
        }
    }
}

/// Applies an answer to a delivery.
enum Merged {
    Sent(SoFar),
    Dropped(String),
}

impl SoFar {
    /// A later body, header or path wins.
    fn merge(&self, answer: Answer) -> Result<Merged, CallError> {
        let (body, headers, path) = match answer {
            Answer::Send { body, headers, path } => (body, headers, path),
            Answer::Drop(reason) => return Ok(Merged::Dropped(reason)),
        };
        let is_set = |name: &str| headers.iter().any(|(later, _)| later.eq_ignore_ascii_case(name));
        let mut merged: Vec<_> = self.headers.iter().filter(|(name, _)| !is_set(name)).cloned().collect();
        merged.extend(headers);
        let next = Self {
            body: body.map_or_else(|| Arc::clone(&self.body), Arc::from),
            headers: merged,
            path: path.or_else(|| self.path.clone()),
        };
        let size = next.size();
        // The limit does not apply to the input: only an output that grows beyond it is refused.
        if size > MAX_OUTPUT_BYTES && size > self.size() {
            let message =
                format!("with this plugin's, the delivery has {size} bytes; at most {MAX_OUTPUT_BYTES} are accepted");
            return Err(CallError::BadOutput(message));
        }
        Ok(Merged::Sent(next))
    }

    fn size(&self) -> usize {
        let headers: usize = self.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.body.len() + headers + self.path.as_ref().map_or(0, String::len)
    }
}

/// A body that is not JSON, since a plugin made a text of it, becomes a JSON string for the next plugin.
fn as_json(body: &Arc<str>) -> Arc<str> {
    match claimsmith_runtime::json::read::<serde::de::IgnoredAny>(body.as_bytes(), claimsmith_runtime::json::STORED) {
        Ok(_) => Arc::clone(body),
        Err(_) => Value::from(&**body).to_string().into(),
    }
}

/// A URL that cannot be parsed is not shown at all, since its secrets cannot be removed.
fn hook(delivery: &Transform<'_>) -> Arc<str> {
    let url = Url::parse(delivery.hook_url).map_or_else(
        |_| String::new(),
        |mut url| {
            url.set_query(None);
            url.set_fragment(None);
            // A URL that cannot have user information has none.
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            url.into()
        },
    );
    json!({ "id": delivery.hook_id, "name": delivery.hook_name, "url": url }).to_string().into()
}

fn shortened(mut reason: String) -> String {
    if reason.len() > MAX_REASON_BYTES {
        reason.truncate(reason.floor_char_boundary(MAX_REASON_BYTES));
        reason.push('…');
    }
    // PostgreSQL keeps no NUL.
    reason.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_shown_without_its_secrets() {
        let delivery = Transform {
            delivery_id: "msg_1",
            event: "User.Created",
            hook_id: "h1",
            hook_name: "CRM",
            hook_url: "https://user:pass@example.com:8443/in/?token=hunter22#x",
            body: "{}".into(),
        };
        let shown = r#"{"id":"h1","name":"CRM","url":"https://example.com:8443/in/"}"#;
        assert_eq!(&*hook(&delivery), shown);
        assert!(hook(&Transform { hook_url: "no url?hunter22", ..delivery }).contains(r#""url":"""#));
    }

    #[test]
    fn a_text_is_json_for_the_next_one() {
        for (body, event) in [("{\"a\":1}", "{\"a\":1}"), ("hello \"you\"", r#""hello \"you\"""#), ("", "\"\"")] {
            assert_eq!(&*as_json(&body.into()), event);
        }
    }
}
