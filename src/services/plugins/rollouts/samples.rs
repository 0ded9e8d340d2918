//! What is kept of a call whose answers differ: its input, redacted as in a recording, and what both versions answered.
//!
//! Both are called once more over the redacted input. What they answer then shows nothing about anybody, so that it is kept
//! as it is, and texts of the real answers that are also there stay readable.

use super::compare::{Comparison, Outcome};
use super::tally::DifferenceSample;
use crate::plugins::recordings::{Redaction, SeenInput, ShownTexts, redacted_input, tells_nobody};
use crate::plugins::registry::ServingVersion;
use claimsmith_domain::random;
use claimsmith_runtime::{CallError, Context, Grant, Secrets};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use std::time::Duration;

/// Most bytes of a sample.
const MAX_BYTES: usize = 512 << 10;

/// The key of all pseudonyms of this process; `None` where the system has no random bytes: then no sample is kept.
pub(super) struct SampleKey(Option<[u8; 32]>);

/// What both versions answered.
pub(super) struct Answers<'a> {
    pub(super) active: &'a Outcome,
    pub(super) candidate: &'a Outcome,
}

impl SampleKey {
    pub(super) fn new() -> Self {
        Self(random::bytes::<32>().ok())
    }

    /// The redaction of the samples of a rollout: pseudonyms of two rollouts have nothing in common.
    pub(super) fn redaction(&self, rollout: &str) -> Option<Redaction> {
        let key = Sha256::new().chain_update(self.0?).chain_update(rollout).finalize();
        Some(Redaction::new(&key[..], &[]))
    }
}

/// The input of a call, redacted: as it is kept, and as both versions are called with it.
pub(super) fn redacted(input: &SeenInput, redaction: &Redaction) -> Option<(Value, SeenInput)> {
    let shown = redacted_input(input, redaction)?;
    let given = input_of(&shown)?;
    Some((shown, given))
}

/// The variables of a version, without its secrets.
pub(super) fn placeholders(version: &ServingVersion) -> Arc<[(String, String)]> {
    let is_secret = |name: &str| version.secrets.pairs().iter().any(|(secret, _)| secret == name);
    let shown = |(name, value): &(String, String)| {
        (name.clone(), if is_secret(name) { Secrets::placeholder(name) } else { value.clone() })
    };
    version.variables.iter().map(shown).collect()
}

/// The sample; `None` where it is too large.
pub(super) fn sample(
    (input, redaction): (&Value, &Redaction),
    (real, over_redacted): (&Answers<'_>, &Answers<'_>),
    comparison: &Comparison,
    (user, duration): (Option<&String>, Duration),
) -> Option<DifferenceSample> {
    let differs: Vec<&String> = comparison.members().filter(|name| tells_nobody(name)).collect();
    let (of_active, of_candidate) = (told(over_redacted.active), told(over_redacted.candidate));
    // The names of claims that differ are in the results.
    let texts = ShownTexts::of(&json!([of_active, of_candidate, differs]));
    let side = |real: &Outcome, over_redacted: Value| {
        let told = match real {
            Ok(members) => redaction.answer(&Value::Object(members.clone()), &texts),
            Err(_) => Value::Null,
        };
        json!({ "outcome": outcome_of(real), "answer": told, "redactedAnswer": over_redacted })
    };
    let content = json!({
        "input": input,
        "active": side(real.active, of_active),
        "candidate": side(real.candidate, of_candidate),
        "differs": differs,
        "durationUs": u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
    });
    let is_small = content.to_string().len() <= MAX_BYTES;
    is_small.then(|| DifferenceSample { class: comparison.class, user: user.cloned(), content })
}

/// An answer to a redacted input.
fn told(answer: &Outcome) -> Value {
    let (members, message) = match answer {
        Ok(members) => (Some(members), None),
        Err(CallError::Denied(message)) => (None, Some(message)),
        Err(_) => (None, None),
    };
    json!({ "outcome": outcome_of(answer), "answer": members, "message": message })
}

fn outcome_of(answer: &Outcome) -> &'static str {
    answer.as_ref().map_or_else(CallError::outcome, |_| "ok")
}

/// The input of a golden case as that of a call.
fn input_of(input: &Value) -> Option<SeenInput> {
    if let Some(event) = input.get("event") {
        let id = input.get("id")?.as_str()?.into();
        return Some(SeenInput::Transform { id, event: text(event), hook: text(input.get("hook")?) });
    }
    let context = input.get("context")?;
    let part = |name: &str| context.get(name).map(text);
    let grant = context.get("grant").and_then(|grant| {
        let grant_type = grant.get("type")?.as_str()?.into();
        Some(Grant { grant_type, subject_token_context: grant.get("subjectTokenContext").map(text) })
    });
    let context = Context {
        grant,
        user: part("user"),
        application: part("application"),
        organization: part("organization"),
        interaction: part("interaction"),
    };
    Some(SeenInput::Claims { token: text(input.get("token")?), context })
}

fn text(value: &Value) -> Arc<str> {
    value.to_string().into()
}

#[cfg(test)]
mod tests {
    use super::super::compare::compare;
    use super::*;
    use serde_json::Map;

    #[expect(clippy::unnecessary_wraps, reason = "it is one of several outcomes")]
    fn claims(value: Value) -> Outcome {
        match value {
            Value::Object(claims) => Ok(claims),
            _ => Ok(Map::new()),
        }
    }

    fn input() -> SeenInput {
        let context = Context {
            grant: Some(Grant {
                grant_type: "refresh_token".into(),
                subject_token_context: Some(r#"{"ticket":"T-1"}"#.into()),
            }),
            user: Some(r#"{"id":"u1","name":"Ada"}"#.into()),
            ..Context::default()
        };
        SeenInput::Claims { token: r#"{"kind":"AccessToken","scope":"a b"}"#.into(), context }
    }

    #[test]
    fn what_both_answer_to_the_redacted_input_stays_readable() {
        let key = SampleKey::new();
        let Some(redaction) = key.redaction("r1") else { unreachable!("there are random bytes") };
        let Some((shown, given)) = redacted(&input(), &redaction) else { unreachable!("it can be read") };
        let SeenInput::Claims { context, .. } = &given else { unreachable!("it is a token's") };
        assert!(context.user.as_deref().is_some_and(|user| !user.contains("Ada")) && context.application.is_none());
        assert!(context.grant.as_ref().is_some_and(|grant| &*grant.grant_type == "refresh_token"));

        let (active, candidate) =
            (claims(json!({ "plan": "gold", "name": "Ada" })), claims(json!({ "plan": "silver", "name": "Ada" })));
        let real = Answers { active: &active, candidate: &candidate };
        let (gold, silver) =
            (claims(json!({ "plan": "gold", "name": "Xqf" })), claims(json!({ "plan": "silver", "name": "Xqf" })));
        let over_redacted = Answers { active: &gold, candidate: &silver };
        let comparison = compare(&active, &candidate);
        let (user, duration) = ("u1".to_owned(), Duration::from_millis(1));
        let kept = sample((&shown, &redaction), (&real, &over_redacted), &comparison, (Some(&user), duration));
        let content = kept.map(|kept| kept.content).unwrap_or_default();
        let plan = |side: &str| content[side]["answer"]["plan"].clone();
        assert_eq!((plan("active"), plan("candidate")), (json!("gold"), json!("silver")));
        assert_eq!(content["candidate"]["redactedAnswer"]["answer"]["plan"], "silver");
        assert_eq!((&content["differs"], &content["durationUs"]), (&json!(["plan"]), &json!(1_000)));
        let text = content.to_string();
        assert!(!text.contains("Ada") && !text.contains("T-1"), "{text}");
    }

    #[test]
    fn pseudonyms_of_two_rollouts_have_nothing_in_common() {
        let key = SampleKey::new();
        let of = |rollout: &str| key.redaction(rollout).map(|redaction| redaction.text("ada@example.com"));
        assert_eq!(of("r1"), of("r1"));
        assert_ne!(of("r1"), of("r2"));
    }

    #[test]
    fn a_large_sample_is_not_kept() {
        let key = SampleKey::new();
        let Some(redaction) = key.redaction("r1") else { unreachable!("there are random bytes") };
        let (long, short) = (claims(json!({ "text": "x".repeat(MAX_BYTES) })), claims(json!({})));
        let answers = Answers { active: &short, candidate: &long };
        let comparison = compare(&short, &long);
        let kept = sample((&json!({}), &redaction), (&answers, &answers), &comparison, (None, Duration::ZERO));
        assert!(kept.is_none());
    }

    #[test]
    fn a_delivery_is_called_with_its_redacted_event() {
        let key = SampleKey::new();
        let Some(redaction) = key.redaction("r1") else { unreachable!("there are random bytes") };
        let input = SeenInput::Transform {
            id: "msg_abcdef".into(),
            event: r#"{"event":"User.Created","data":{"name":"Ada"}}"#.into(),
            hook: r#"{"id":"h1","name":"CRM","url":"https://crm.example.com/in"}"#.into(),
        };
        let Some((_, SeenInput::Transform { event, .. })) = redacted(&input, &redaction) else {
            unreachable!("it is a delivery's")
        };
        assert!(event.contains("User.Created") && !event.contains("Ada"), "{event}");
        let damaged = SeenInput::Claims { token: "{".into(), context: Context::default() };
        assert!(redacted(&damaged, &redaction).is_none());
    }
}
