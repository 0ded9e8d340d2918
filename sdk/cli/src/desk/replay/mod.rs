//! `claimsmith plugin replay`: calls a plugin here with what a server recorded, and compares its answers with those of
//! the version that was active then.

mod as_cases;
mod files;
mod report;

use super::watch::ChangeWatcher;
use super::{Project, TargetArgs, build, harness};
use crate::terminal::{print_error, print_failure, print_line};
use as_cases::Candidate;
use claimsmith_harness::Harness;
use report::ReplayReport;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// The folder that `claimsmith plugin recordings pull` wrote to, or one file of it
    #[arg(long, value_name = "DIR|FILE")]
    recordings: PathBuf,
    /// Replay again at every save
    #[arg(long)]
    watch: bool,
    /// Exit with 0 even if answers differ
    #[arg(long)]
    allow_different: bool,
    /// Add so many samples, of different outcomes, to the plugin's golden cases
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with = "watch",
        value_parser = clap::value_parser!(u16).range(1..=1000),
    )]
    as_cases: Option<u16>,
}

/// Success is that all answers are equal.
pub(super) async fn run(args: &ReplayArgs, as_json: bool) -> anyhow::Result<ExitCode> {
    // Metered, so that instructions are counted.
    let harness = harness(true).await?;
    if !args.watch {
        let is_equal = run_once(&harness, args, as_json).await?;
        return Ok(if is_equal || args.allow_different { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let path = &args.target.path;
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let mut changes = ChangeWatcher::of(folder)?;
    loop {
        changes.begin(Project::at(path).map(|project| project.outputs()).unwrap_or_default());
        if let Err(error) = run_once(&harness, args, as_json).await {
            let _ = print_failure(&error);
        }
        changes.end();
        print_error("waiting for a change …");
        if !changes.next().await {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Returns whether all answers are equal.
async fn run_once(harness: &Harness, args: &ReplayArgs, as_json: bool) -> anyhow::Result<bool> {
    let project = Project::at(&args.target.path)?;
    let recordings = files::load(&args.recordings, project.name())?;
    build::if_needed(&project)?;
    let files = project.files()?;
    let subject = harness.open(&files).await.map_err(anyhow::Error::msg)?;
    let mut report = ReplayReport::new(project.name(), recordings.len());
    let mut candidates = Vec::new();
    for recording in &recordings {
        for sample in &recording.samples {
            let place = format!("{}:{}", recording.file, sample.line);
            let replayed = subject.replay(sample).await.map_err(|why| anyhow::anyhow!("{place}: {why}"))?;
            let Some(replayed) = replayed else {
                report.skip();
                continue;
            };
            if args.as_cases.is_some() && replayed.difference.noise.is_empty() {
                let (file, expected) = (recording.file.as_str(), replayed.expected.clone());
                candidates.push(Candidate { file, sample, expected });
            }
            report.add(&place, sample, replayed);
        }
    }
    if let Some(count) = args.as_cases {
        report.cases = Some(as_cases::add(&files.cases_path(), &candidates, count.into())?);
    }
    print_line(&if as_json { report.as_json().to_string() } else { report.as_text() });
    Ok(report.table.is_equal())
}
