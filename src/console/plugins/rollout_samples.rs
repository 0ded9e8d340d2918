//! `/console/plugins/{name}/rollout/samples`: calls whose answers differ in a rollout, with the tokens of both versions, and
//! the golden cases that can be made of them. Reading them is in the audit log, so they have a page of their own.

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::diff::Diff;
use crate::plugins::model::Plugin;
use crate::plugins::rollout::class_title;
use crate::plugins::{api, home, read};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::plugin_rollouts::{RolloutSampleView, RolloutView};
use claimsmith_domain::documents::rollout::DifferenceClass;
use form_urlencoded::Serializer;
use serde_json::{Map, Value, json};

#[derive(Template)]
#[template(path = "plugins/rollout_samples.html")]
struct SamplesPage {
    frame: Frame,
    plugin: Plugin,
    rollout: RolloutView,
    samples: Vec<ShownSample>,
}

/// A call in words.
struct ShownSample {
    class: &'static str,
    created_at: i64,
    /// From the active version's token to the other one's; empty where only the redacted inputs made a difference.
    diff: Diff,
    /// The redacted input.
    input: String,
    /// Paths of the workbench with a golden case of the sample: label and path.
    cases: Vec<(&'static str, String)>,
}

/// A golden case of a sample.
pub(super) struct SampleCase {
    pub name: String,
    pub input: Value,
    pub expected: Value,
}

impl ShownSample {
    fn of(sample: &RolloutSampleView, rollout: &RolloutView) -> Self {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let member = |name: &str| sample.content.get(name).cloned().unwrap_or_default();
        let input = member("input");
        let [active, candidate] = ["active", "candidate"].map(|side| pretty(&token(&input, &member(side))));
        let case = |side: &str| {
            let asked = [("version", rollout.version.as_str()), ("case", sample.id.as_str()), ("expects", side)];
            let query = Serializer::new(String::new()).extend_pairs(asked).finish();
            format!("{}?{query}", home(&rollout.plugin))
        };
        let sides = [
            (sample.cases.active.is_some(), "active", "Keep the active version's answer as a golden case"),
            (sample.cases.candidate.is_some(), "candidate", "Keep the new answer as a golden case"),
        ];
        let class = DifferenceClass::ALL.into_iter().find(|class| class.as_str() == sample.class);
        Self {
            class: class.map_or("Different", class_title),
            created_at: sample.created_at,
            diff: Diff::of(&active, &candidate),
            input: pretty(&input),
            cases: sides
                .into_iter()
                .filter(|(is_there, ..)| *is_there)
                .map(|(_, side, label)| (label, case(side)))
                .collect(),
        }
    }
}

/// What a version makes of the token: its claims added, or why there is none. Of a delivery what becomes of it.
fn token(input: &Value, side: &Value) -> Value {
    let Some(answer) = side.get("answer").and_then(Value::as_object) else {
        return json!({ "outcome": side.get("outcome"), "message": side.pointer("/redactedAnswer/message") });
    };
    let mut made: Map<String, Value> = input.get("token").and_then(Value::as_object).cloned().unwrap_or_default();
    made.extend(answer.clone());
    Value::Object(made)
}

fn path(name: &str) -> String {
    format!("{}/rollout/samples", api(name))
}

pub(super) async fn show_samples(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    let plugin = read(&caller, &name).await?;
    let rollout: RolloutView = caller.get(&format!("{}/rollout", api(&name))).await?;
    let samples: Vec<RolloutSampleView> = caller.get(&path(&name)).await?;
    let samples = samples.iter().map(|sample| ShownSample::of(sample, &rollout)).collect();
    show(&caller, &SamplesPage { frame: Frame::new(&caller, Section::Plugins), plugin, rollout, samples })
}

/// The golden case that the query of the workbench asks for: `case` with the id of a sample, and `expects` with whose answer.
pub(super) async fn asked_case(caller: &Caller, name: &str) -> Result<Option<SampleCase>, Failure> {
    let Some(id) = caller.query("case") else { return Ok(None) };
    let samples: Vec<RolloutSampleView> = caller.get(&path(name)).await?;
    let found = samples.into_iter().find(|sample| sample.id == id).and_then(|sample| {
        let candidate = caller.query("expects") == Some("candidate");
        let case = if candidate { sample.cases.candidate } else { sample.cases.active }?;
        let member = |name: &str| case.get(name).cloned();
        let name = member("name")?.as_str()?.to_owned();
        Some(SampleCase { name, input: member("input")?, expected: member("expected")? })
    });
    let gone = || Failure::page(caller, StatusCode::NOT_FOUND, "This sample no longer exists.");
    found.map(Some).ok_or_else(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_shown_with_the_claims_of_a_version() {
        let input = json!({ "token": { "sub": "k4x8", "plan": "old" } });
        let answered = json!({ "outcome": "ok", "answer": { "plan": "gold" } });
        assert_eq!(token(&input, &answered), json!({ "sub": "k4x8", "plan": "gold" }));
        let denied = json!({ "outcome": "denied", "answer": null, "redactedAnswer": { "message": "Not now." } });
        assert_eq!(token(&input, &denied), json!({ "outcome": "denied", "message": "Not now." }));
        let delivered = json!({ "outcome": "ok", "answer": { "action": "send" } });
        assert_eq!(token(&json!({ "event": {} }), &delivered), json!({ "action": "send" }));
    }
}
