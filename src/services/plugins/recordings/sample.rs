//! A sample as it is written: one JSON object, redacted.

use super::redaction::{Redaction, ShownTexts};
use super::{SeenCall, SeenInput};
use claimsmith_runtime::json::{self, STORED};
use claimsmith_runtime::{Context, contract_version};
use serde_json::{Map, Value, json};

/// What the active version answers to the redacted input.
pub(crate) struct RedactedAnswer {
    /// `ok`, or a word of `CallError::outcome`.
    pub(crate) outcome: &'static str,
    /// As that of the sample.
    pub(crate) answer: Option<Value>,
    /// Why it denied or failed.
    pub(crate) message: Option<String>,
    /// WebAssembly instructions.
    pub(crate) instructions: Option<u64>,
}

/// The input of a call, redacted, in the form of a golden case; `None` if it cannot be read.
pub(crate) fn redacted_input(input: &SeenInput, redaction: &Redaction) -> Option<Value> {
    match input {
        SeenInput::Claims { token, context } => {
            let token = redaction.value("token", &read(token)?);
            let context = redaction.value("context", &context_value(context)?);
            Some(json!({ "token": token, "context": context }))
        }
        SeenInput::Transform { id, event, hook } => {
            let event = redaction.value("event", &read(event)?);
            let hook = redaction.value("hook", &read(hook)?);
            Some(json!({ "id": redaction.text(id), "event": event, "hook": hook }))
        }
    }
}

/// The context as one object; what does not apply is absent.
fn context_value(context: &Context) -> Option<Value> {
    let mut members = Map::new();
    if let Some(grant) = &context.grant {
        let mut shown = Map::from_iter([("type".to_owned(), Value::from(&*grant.grant_type))]);
        if let Some(sent) = &grant.subject_token_context {
            shown.insert("subjectTokenContext".to_owned(), read(sent)?);
        }
        members.insert("grant".to_owned(), Value::Object(shown));
    }
    let parts = [
        ("user", &context.user),
        ("application", &context.application),
        ("organization", &context.organization),
        ("interaction", &context.interaction),
    ];
    for (name, part) in parts {
        if let Some(part) = part {
            members.insert(name.to_owned(), read(part)?);
        }
    }
    Some(Value::Object(members))
}

fn read(text: &str) -> Option<Value> {
    json::read(text, STORED).ok()
}

/// The sample of a call. The number of the sample is added when it is read.
pub(crate) fn sample(
    call: &SeenCall,
    at: i64,
    (input, redaction): (&Value, &Redaction),
    redacted: Option<&RedactedAnswer>,
    http: &[Value],
) -> Value {
    let shown = redacted
        .map(|redacted| json!({ "outcome": redacted.outcome, "answer": redacted.answer, "message": redacted.message }));
    let texts = shown.as_ref().map(ShownTexts::of).unwrap_or_default();
    let answer = call.answer.as_ref().map(|answer| redaction.answer(answer, &texts));
    let message = call.message.as_ref().map(|message| redaction.answer(&Value::from(message.as_str()), &texts));
    let kind = match call.input {
        SeenInput::Claims { .. } => "claims",
        SeenInput::Transform { .. } => "webhook-transform",
    };
    json!({
        "at": at,
        "kind": kind,
        "contract": contract_version(),
        "version": call.version.map(|number| number.to_string()),
        "digest": call.digest,
        "input": input,
        "outcome": call.outcome,
        "answer": answer,
        "message": message,
        "durationUs": u64::try_from(call.duration.as_micros()).unwrap_or(u64::MAX),
        "instructions": call.instructions.or_else(|| redacted.and_then(|redacted| redacted.instructions)),
        "redactedAnswer": shown,
        "http": http,
        "dropped": call.answer.as_ref().is_some_and(|answer| answer.get("drop").is_some()),
    })
}

/// A body: as JSON if it is an object or a list, otherwise as a text.
pub(crate) fn body_value(text: String) -> Value {
    let value: Option<Value> = json::read(&text, STORED).ok();
    value.filter(|value| value.is_object() || value.is_array()).unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_runtime::Grant;

    #[test]
    fn an_input_has_the_form_of_a_golden_case() {
        let redaction = Redaction::new(&[7; 32], &[]);
        let context = Context {
            grant: Some(Grant {
                grant_type: "refresh_token".into(),
                subject_token_context: Some(r#"{"ticket":"T-1"}"#.into()),
            }),
            user: Some(r#"{"id":"u1","name":"Ada"}"#.into()),
            ..Context::default()
        };
        let token = SeenInput::Claims { token: r#"{"kind":"AccessToken","scope":"a b"}"#.into(), context };
        let delivery = SeenInput::Transform {
            id: "msg_abcdef".into(),
            event: r#"{"event":"User.Created","data":{"name":"Ada"}}"#.into(),
            hook: r#"{"id":"h1","name":"CRM","url":"https://crm.example.com/in"}"#.into(),
        };
        for input in [token, delivery] {
            let value = redacted_input(&input, &redaction).unwrap_or_default();
            let case: Result<claimsmith_harness::Input, _> = serde_json::from_value(value.clone());
            assert!(case.is_ok(), "{value}");
            assert!(!value.to_string().contains("Ada"), "{value}");
        }
        let damaged = SeenInput::Claims { token: "{".into(), context: Context::default() };
        assert!(redacted_input(&damaged, &redaction).is_none());
    }

    #[test]
    fn a_body_is_json_where_it_can_be() {
        assert_eq!(body_value("{\"a\":1}".to_owned()), json!({ "a": 1 }));
        assert_eq!(body_value("7 is a text".to_owned()), json!("7 is a text"));
        assert_eq!(body_value("7".to_owned()), json!("7"));
    }
}
