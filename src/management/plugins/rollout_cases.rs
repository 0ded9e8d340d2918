//! Golden cases of the samples of a rollout: the redacted input, and what one of the versions answers to it.

use claimsmith_api::plugin_rollouts::RolloutSampleCases;
use serde_json::{Map, Value, json};

/// Characters of a sample's id that are in the names of its cases, so that two samples have different names.
const ID_CHARS: usize = 6;

/// The golden cases of a sample.
pub(super) fn golden_cases(version: i64, class: &str, id: &str, content: &Value) -> RolloutSampleCases {
    let end: String = id.chars().skip(id.chars().count().saturating_sub(ID_CHARS)).collect();
    let name = format!("rollout of version {version}: {class} {end}");
    let case = |side: &str| {
        let input = content.get("input")?;
        let expected = expected(input, content.get(side)?.get("redactedAnswer")?)?;
        Some(json!({ "name": name, "input": input, "expected": expected }))
    };
    RolloutSampleCases { active: case("active"), candidate: case("candidate") }
}

/// What a golden case expects; `None` where it cannot expect the answer: time and memory are not the same everywhere.
fn expected(input: &Value, answer: &Value) -> Option<Value> {
    match answer.get("outcome")?.as_str()? {
        "ok" => {
            let members = answer.get("answer")?.as_object()?;
            let Some(event) = input.get("event") else { return Some(json!({ "claims": members })) };
            if members.get("action").and_then(Value::as_str) == Some("drop") {
                return Some(json!({ "dropped": members.get("reason")? }));
            }
            Some(json!({ "sent": sent(members, event) }))
        }
        "denied" => Some(json!({ "denied": answer.get("message")?.as_str()? })),
        _ => None,
    }
}

/// What is sent of a delivery. What was not changed is left out: no headers, no path, or the body of the event.
fn sent(members: &Map<String, Value>, event: &Value) -> Value {
    let is_changed = |name: &str, value: &Value| match name {
        "body" => value != event,
        "headers" => value.as_object().is_some_and(|headers| !headers.is_empty()),
        "path" => value.is_string(),
        _ => false,
    };
    let changed = members.iter().filter(|(name, value)| is_changed(name, value));
    Value::Object(changed.map(|(name, value)| (name.clone(), value.clone())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(input: &Value, active: &Value, candidate: &Value) -> RolloutSampleCases {
        let content = json!({
            "input": input, "active": { "redactedAnswer": active }, "candidate": { "redactedAnswer": candidate }
        });
        golden_cases(3, "different", "0192b7c46a1e7d3f8b524c9e", &content)
    }

    #[test]
    fn a_sample_of_a_token_is_a_case_with_claims_or_a_denial() {
        let input = json!({ "token": { "sub": "k4x8" }, "context": {} });
        let ok = json!({ "outcome": "ok", "answer": { "plan": "gold" }, "message": null });
        let denied = json!({ "outcome": "denied", "answer": null, "message": "Not now." });
        let found = cases(&input, &ok, &denied);
        let name = "rollout of version 3: different 524c9e";
        let case = |expected: Value| Some(json!({ "name": name, "input": input, "expected": expected }));
        assert_eq!(found.active, case(json!({ "claims": { "plan": "gold" } })));
        assert_eq!(found.candidate, case(json!({ "denied": "Not now." })));
    }

    #[test]
    fn what_no_case_can_expect_is_none() {
        let late = json!({ "outcome": "timed_out", "answer": null, "message": null });
        let silent = json!({ "outcome": "denied", "answer": null, "message": null });
        let found = cases(&json!({ "token": {}, "context": {} }), &late, &silent);
        assert!(found.active.is_none() && found.candidate.is_none());
        let found = golden_cases(3, "different", "", &json!({}));
        assert!(found.active.is_none() && found.candidate.is_none());
    }

    #[test]
    fn a_sample_of_a_delivery_is_a_case_of_what_is_sent_or_dropped() {
        let event = json!({ "event": "User.Created" });
        let input = json!({ "id": "msg_1", "event": event, "hook": {} });
        let answer = |answer: Value| json!({ "outcome": "ok", "answer": answer, "message": null });
        let unchanged = answer(json!({ "action": "send", "body": event, "headers": {}, "path": null }));
        let dropped = answer(json!({ "action": "drop", "reason": "Not wanted." }));
        let found = cases(&input, &unchanged, &dropped);
        let expected = |case: Option<Value>| case.map(|case| case["expected"].clone()).unwrap_or_default();
        assert_eq!(expected(found.active), json!({ "sent": {} }));
        assert_eq!(expected(found.candidate), json!({ "dropped": "Not wanted." }));
        let changed = answer(json!({ "action": "send", "body": { "a": 1 }, "headers": { "x-a": "1" }, "path": "/in" }));
        let found = cases(&input, &changed, &dropped);
        let sent = json!({ "sent": { "body": { "a": 1 }, "headers": { "x-a": "1" }, "path": "/in" } });
        assert_eq!(expected(found.active), sent);
    }
}
