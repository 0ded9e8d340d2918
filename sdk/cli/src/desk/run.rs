//! `claimsmith plugin run`: calls a plugin locally with one input, and prints the answer, the log and the cost; or with
//! one input per line, for tests in other languages.

use super::{Project, TargetArgs, build, harness, inputs, profile};
use crate::remote::{Usage, trial};
use crate::terminal::{print_line, try_print_line};
use claimsmith_harness::{Case, CaseAnswer, CaseReport, LoadedPlugin};
use serde_json::{Value, json};
use std::io::BufRead as _;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// The input, JSON as in a golden case: a file, or - for standard input
    #[arg(long, value_name = "FILE|-", required_unless_present = "lines")]
    input: Option<PathBuf>,
    /// Answer each line of standard input, an input or a golden case, with a line of JSON
    #[arg(long, conflicts_with = "input")]
    lines: bool,
    /// Call it again and again for some seconds, and write a profile for Firefox's profiler
    #[arg(long, value_name = "FILE", conflicts_with = "lines")]
    profile: Option<PathBuf>,
}

/// Success is that it answered.
pub(super) async fn run(args: &RunArgs, as_json: bool) -> anyhow::Result<ExitCode> {
    let case = args.input.as_deref().map(|file| only(inputs::read(file)?)).transpose()?;
    let project = Project::at(&args.target.path)?;
    build::if_needed(&project)?;
    let files = project.files()?;
    // Counting instructions would take a good part of the time in a profile.
    let subject = harness(args.profile.is_none()).await?.open(&files).await.map_err(anyhow::Error::msg)?;
    let Some(case) = case else { return lines(&subject).await };
    let report = match &args.profile {
        Some(file) => profile::run(&subject, &files, &case, file).await?,
        None => subject.run(&case).await,
    };
    let outcome = outcome(&report);
    print_line(&if as_json { outcome.to_string() } else { trial::rendered(&outcome) });
    Ok(if report.outcome == "ok" { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads lines until the end of the input. An invalid line is answered with `error`.
async fn lines(subject: &LoadedPlugin) -> anyhow::Result<ExitCode> {
    for line in std::io::stdin().lock().lines() {
        let answer = match inputs::parse(&line?).and_then(only) {
            Ok(case) => outcome(&subject.run(&case).await),
            Err(error) => json!({ "error": format!("{error:#}") }),
        };
        try_print_line(&answer.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn only(mut cases: Vec<Case>) -> anyhow::Result<Case> {
    match (cases.pop(), cases.is_empty()) {
        (Some(case), true) => Ok(case),
        _ => Err(Usage::new("exactly one input is expected").into()),
    }
}

/// As `POST /api/plugins/{name}/test` answers.
fn outcome(report: &CaseReport) -> Value {
    let mut outcome = json!({
        "outcome": report.outcome, "claims": null, "message": null, "dropped": report.dropped, "logs": report.logs,
        "durationMs": (report.duration.as_secs_f64() * 1e6).round() / 1e3, "peakMemory": report.peak_memory,
        "instructions": report.instructions,
    });
    match &report.actual {
        CaseAnswer::Claims(claims) => outcome["claims"] = json!(claims),
        CaseAnswer::Denied(message) | CaseAnswer::Failed(message) => outcome["message"] = json!(message),
        CaseAnswer::Dropped(reason) => outcome["dropReason"] = json!(reason),
        CaseAnswer::Request(request) => {
            outcome["method"] = json!(request.method);
            outcome["url"] = json!(request.url);
            outcome["headers"] = json!(request.headers);
            outcome["body"] = as_text(request.body.as_ref());
        }
        CaseAnswer::Sent(sent) => {
            outcome["headers"] = json!(sent.headers);
            outcome["path"] = json!(sent.path);
            outcome["body"] = as_text(sent.body.as_ref());
        }
    }
    outcome
}

/// A body as it is sent.
fn as_text(body: Option<&Value>) -> Value {
    match body {
        Some(Value::String(text)) => json!(text),
        Some(body) => json!(body.to_string()),
        None => Value::Null,
    }
}
