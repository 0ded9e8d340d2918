//! `claimsmith plugin run`: one question to a plugin here, and everything that comes of it.

use super::{Project, TargetArgs, build, harness, inputs};
use crate::cli::remote::{Usage, trial};
use crate::cli::terminal::say;
use claimsmith_harness::{Answer, CaseReport};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(in crate::cli) struct RunArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// The input, JSON as in a golden case: a file, or - for standard input
    #[arg(long, value_name = "FILE|-")]
    input: PathBuf,
}

/// Success is that it answered.
pub(super) async fn run(args: &RunArgs, as_json: bool) -> anyhow::Result<ExitCode> {
    let read = inputs::read(&args.input)?;
    let [case] = read.as_slice() else { return Err(Usage::new("name a file with one input").into()) };
    let project = Project::at(&args.target.path)?;
    build::if_needed(&project)?;
    let subject = harness(true).await?.open(&project.files()?).await.map_err(anyhow::Error::msg)?;
    let report = subject.run(case).await;
    let outcome = outcome(&report);
    say(&if as_json { outcome.to_string() } else { trial::told(&outcome) });
    Ok(if report.outcome == "ok" { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// As `POST /api/plugins/{name}/test` answers.
fn outcome(report: &CaseReport) -> Value {
    let mut outcome = json!({
        "outcome": report.outcome, "claims": null, "message": null, "dropped": report.dropped, "logs": report.logs,
        "durationMs": (report.duration.as_secs_f64() * 1e6).round() / 1e3, "peakMemory": report.peak_memory,
        "instructions": report.instructions,
    });
    match &report.actual {
        Answer::Claims(claims) => outcome["claims"] = json!(claims),
        Answer::Denied(message) | Answer::Failed(message) => outcome["message"] = json!(message),
        Answer::Dropped(reason) => outcome["dropReason"] = json!(reason),
        Answer::Sent(sent) => {
            outcome["headers"] = json!(sent.headers);
            outcome["path"] = json!(sent.path);
            outcome["body"] = match &sent.body {
                Some(Value::String(text)) => json!(text),
                Some(body) => json!(body.to_string()),
                None => Value::Null,
            };
        }
    }
    outcome
}
