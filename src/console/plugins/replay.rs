//! The draft over recorded calls: what it answers, beside what the active version answered to the same redacted inputs.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::plugins::diff::Diff;
use crate::plugins::draft::Draft;
use crate::plugins::recordings::{USUAL_CALLS, recordings, usual};
use crate::plugins::trial::TrialResult;
use axum::http::Method;
use claimsmith_api::recordings::RecordingView;
use serde::Deserialize;
use serde_json::{Value, json};

/// The replay of a draft.
#[derive(Default)]
pub(super) struct Replay {
    /// What there is to say beside the table.
    pub note: String,
    pub rows: Vec<ReplayedCall>,
}

/// One recorded call.
pub(super) struct ReplayedCall {
    pub number: i64,
    /// Of the draft.
    pub outcome: String,
    pub is_equal: bool,
    /// From the active version's answer to the draft's.
    pub diff: Diff,
}

/// A sample, as far as it is replayed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedCall {
    number: i64,
    input: Value,
    redacted_answer: Option<RecordedAnswer>,
}

#[derive(Deserialize)]
struct RecordedAnswer {
    outcome: String,
    answer: Option<Value>,
    message: Option<String>,
}

impl Replay {
    /// Starts to record the usual number of calls.
    pub(super) async fn record(caller: &Caller, name: &str) -> Result<Self, Failure> {
        let started = caller.change(Method::POST, &recordings(name), usual()).await;
        let note = match started {
            Ok(()) => format!("The next {USUAL_CALLS} calls are recorded. Replay them as soon as there are some."),
            Err(failure) => failure.into_part()?.text(),
        };
        Ok(Self { note, rows: Vec::new() })
    }

    /// Replays the newest recording with samples.
    pub(super) async fn of(caller: &Caller, draft: &Draft) -> Result<Self, Failure> {
        let found: Vec<RecordingView> = caller.get(&recordings(&draft.name)).await?;
        let Some(recording) = found.into_iter().find(|recording| recording.recorded > 0) else {
            let note = "No call has been recorded yet.".to_owned();
            return Ok(Self { note, rows: Vec::new() });
        };
        let id = segment(&recording.id);
        let path = format!("{}/{id}/samples?page_size={USUAL_CALLS}", recordings(&draft.name));
        let answer = caller.send(Method::GET, &path, None, &[]).await?;
        let lines = caller.bytes(answer).await?;
        let mut replay = Self::default();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let Ok(call) = claimsmith_json::read::<RecordedCall>(line, claimsmith_json::STORED) else { continue };
            let Some(before) = call.redacted_answer else { continue };
            let body = json!({
                "language": draft.language, "source": draft.source, "settings": draft.settings, "input": call.input,
            });
            match caller.write::<TrialResult>(Method::POST, "/api/plugins/test", body).await {
                Ok(result) => replay.rows.push(ReplayedCall::of(call.number, &before, &result)),
                Err(failure) => {
                    replay.note = failure.into_part()?.text();
                    return Ok(replay);
                }
            }
        }
        if replay.rows.is_empty() {
            "The active version could not be called over the recorded inputs.".clone_into(&mut replay.note);
        }
        Ok(replay)
    }

    pub(super) fn is_shown(&self) -> bool {
        !self.note.is_empty() || !self.rows.is_empty()
    }

    /// How many calls have the same answer.
    pub(super) fn equal(&self) -> usize {
        self.rows.iter().filter(|row| row.is_equal).count()
    }
}

impl ReplayedCall {
    fn of(number: i64, before: &RecordedAnswer, after: &TrialResult) -> Self {
        let told = |outcome: &str, answer: Option<&Value>, message: Option<&String>| json!({ "outcome": outcome, "answer": answer, "message": message });
        let answer = answer_of(after);
        let before = told(&before.outcome, before.answer.as_ref(), before.message.as_ref());
        let after_value = told(&after.outcome, answer.as_ref(), after.message.as_ref());
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let is_equal = before == after_value;
        let diff = if is_equal { Diff::default() } else { Diff::of(&pretty(&before), &pretty(&after_value)) };
        Self { number, outcome: after.outcome.clone(), is_equal, diff }
    }
}

/// The answer of a test call in the form of a recorded one.
fn answer_of(result: &TrialResult) -> Option<Value> {
    if result.outcome != "ok" {
        return None;
    }
    if let Some(reason) = &result.drop_reason {
        return Some(json!({ "drop": reason }));
    }
    if let Some(claims) = &result.claims {
        return Some(claims.clone());
    }
    let text = result.body.clone().unwrap_or_default();
    let body: Option<Value> = claimsmith_json::read(&text, claimsmith_json::STORED).ok();
    let body = body.filter(|body| body.is_object() || body.is_array()).unwrap_or(Value::String(text));
    Some(json!({ "body": body, "headers": result.headers, "path": result.path }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_as_values() {
        let before =
            RecordedAnswer { outcome: "ok".to_owned(), answer: Some(json!({ "a": 1, "b": [true] })), message: None };
        let ok =
            |claims: Value| TrialResult { outcome: "ok".to_owned(), claims: Some(claims), ..TrialResult::default() };
        assert!(ReplayedCall::of(1, &before, &ok(json!({ "b": [true], "a": 1 }))).is_equal);
        let other = ReplayedCall::of(1, &before, &ok(json!({ "a": 2 })));
        assert!(!other.is_equal && !other.diff.is_empty());
        let denied = TrialResult { outcome: "denied".to_owned(), ..TrialResult::default() };
        assert!(!ReplayedCall::of(1, &before, &denied).is_equal);
    }
}
