//! Replays recorded calls: the plugin is called with the recorded input, at the recorded time, and what it answers is
//! compared with the recorded answer. Where they differ it is called once more, under another clock and other random
//! bytes: what differs then as well is noise.

use crate::case::placeholders;
use crate::comparison::{Difference, Ending, Noise, compare, noise};
use crate::delivery::SentDelivery;
use crate::input::Input;
use crate::recorded_http::RecordedServers;
use crate::recording::Sample;
use crate::run::LoadedPlugin;
use claimsmith_runtime::{Call, CallError, ClaimsRequest, Conditions, Kind, LogLine, Transformed};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// How much later the second call is: its day, hour, minute, second and millisecond are others.
const LATER: Duration = Duration::from_millis(90_061_001);

/// The seeds of the random bytes of both calls.
const SEEDS: [u64; 2] = [1, 2];

/// A sample that was replayed.
#[derive(Debug)]
pub struct Replayed {
    /// How the recorded call ended, written as the other one.
    pub expected: Ending,
    /// How the call ended.
    pub actual: Ending,
    /// The difference to what was recorded.
    pub difference: Difference,
    /// Requests to other servers that were not recorded: methods and URLs.
    pub unrecorded: Vec<String>,
    /// Instructions that it executed, where they are counted.
    pub instructions: Option<u64>,
    /// What the plugin wrote.
    pub logs: Vec<LogLine>,
}

/// What there is to a call.
struct Called {
    ending: Ending,
    unrecorded: Vec<String>,
    instructions: Option<u64>,
    logs: Vec<LogLine>,
}

impl LoadedPlugin {
    /// Replays a sample; none if there is nothing to compare it with.
    ///
    /// # Errors
    /// Where the sample is not for this plugin.
    pub async fn replay(&self, sample: &Sample) -> Result<Option<Replayed>, String> {
        let kind = self.plugin.kind();
        if sample.kind != kind {
            let [of_sample, of_plugin] = [sample.kind, kind].map(Kind::world);
            return Err(format!("it was recorded of the world {of_sample}, and the plugin is of {of_plugin}"));
        }
        let Some(expected) = &sample.redacted_answer else { return Ok(None) };
        let expected = Ending { answer: normalized(kind, expected.answer.clone()), ..expected.clone() };
        let input = sample.parsed_input()?;
        let clock = Duration::from_millis(sample.at);
        let [first, second] = SEEDS;
        let called = self.call_under(sample, &input, Conditions { clock, seed: first }).await;
        let mut difference = compare(&expected, &called.ending, &Noise::new());
        if expected != called.ending {
            let later = Conditions { clock: clock.saturating_add(LATER), seed: second };
            let again = self.call_under(sample, &input, later).await;
            difference = compare(&expected, &called.ending, &noise(&called.ending, &again.ending));
        }
        let Called { ending: actual, unrecorded, instructions, logs } = called;
        Ok(Some(Replayed { expected, actual, difference, unrecorded, instructions, logs }))
    }

    async fn call_under(&self, sample: &Sample, input: &Input, conditions: Conditions) -> Called {
        let (plugin, secrets) = (self.plugin.under(conditions), placeholders(&self.manifest));
        let servers = RecordedServers::of_sample(&sample.http);
        match plugin.kind() {
            Kind::Claims => {
                let http = servers.access_of(&self.manifest);
                let request = ClaimsRequest { http, ..input.request(&self.manifest, &secrets) };
                let call = plugin.get_custom_jwt_claims(&request, &self.limits).await;
                called(call, &servers, Value::Object)
            }
            Kind::WebhookTransform => {
                let call = plugin.transform(&input.delivery(&self.manifest, &secrets), &self.limits).await;
                called(call, &servers, |answer| transformed(answer, input))
            }
            // Messages are not recorded: the check of the kind comes first.
            Kind::Message => {
                let call = plugin.compose(&input.message(&self.manifest, &secrets), &self.limits).await;
                called(call, &servers, |_| Value::Null)
            }
        }
    }
}

fn called<A>(call: Call<A>, servers: &RecordedServers, answer: impl FnOnce(A) -> Value) -> Called {
    let ending = match call.result {
        Ok(found) => Ending { outcome: "ok".to_owned(), answer: Some(answer(found)), message: None },
        Err(error) => ending_of(&error),
    };
    Called { ending, unrecorded: servers.missing(), instructions: call.instructions, logs: call.logs }
}

/// The ending of a call without an answer. A denial has the text that the application gets.
fn ending_of(error: &CallError) -> Ending {
    let message = match error {
        CallError::Denied(text) => text.clone(),
        error => error.to_string(),
    };
    Ending { outcome: error.outcome().to_owned(), answer: None, message: Some(message) }
}

/// The answer of a transform, as it is recorded: a body that it does not change is that of the event.
fn transformed(transformed: Transformed, input: &Input) -> Value {
    match SentDelivery::of(transformed, None) {
        Ok(mut sent) => {
            let event = input.event.clone().unwrap_or_default();
            let is_text = !event.is_object() && !event.is_array();
            sent.body.get_or_insert_with(|| if is_text { Value::String(event.to_string()) } else { event });
            serde_json::to_value(sent).map_or(Value::Null, without_defaults)
        }
        Err(reason) => json!({ "drop": reason }),
    }
}

/// A recorded answer, written as [`transformed`] writes it.
fn normalized(kind: Kind, answer: Option<Value>) -> Option<Value> {
    match (kind, answer) {
        (Kind::WebhookTransform, Some(answer)) => Some(without_defaults(answer)),
        (_, answer) => answer,
    }
}

/// Members without a value are absent.
fn without_defaults(answer: Value) -> Value {
    let members = match answer {
        Value::Object(members) => members,
        other => return other,
    };
    let members = members.into_iter().filter_map(|(name, value)| {
        let value = written(&name, value)?;
        Some((name, value))
    });
    Value::Object(members.collect())
}

/// A body that is JSON is compared as such, and names of headers are written in small letters.
fn written(name: &str, value: Value) -> Option<Value> {
    let headers = match (name, value) {
        (_, Value::Null) => return None,
        ("headers", Value::Object(headers)) => headers,
        ("headers", Value::Array(pairs)) => from_pairs(pairs),
        ("body", Value::String(text)) => {
            let json: Option<Value> = claimsmith_runtime::json::read(&text, claimsmith_runtime::json::INCOMING).ok();
            let json = json.filter(|json| json.is_object() || json.is_array());
            return Some(json.unwrap_or(Value::String(text)));
        }
        (_, value) => return Some(value),
    };
    let headers: Map<String, Value> = headers.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
    (!headers.is_empty()).then_some(Value::Object(headers))
}

/// Headers that are written as a list of names and values.
fn from_pairs(pairs: Vec<Value>) -> Map<String, Value> {
    let pair = |pair: Value| match pair {
        Value::Array(mut pair) if pair.len() == 2 => {
            let value = pair.pop()?;
            Some((pair.pop()?.as_str()?.to_owned(), value))
        }
        _ => None,
    };
    pairs.into_iter().filter_map(pair).collect()
}
