//! `claimsmith plugin diff`: compares the answers of two versions of a plugin to the same inputs.

use super::{Project, build, harness, inputs};
use crate::terminal::{print_line, printable};
use anyhow::Context as _;
use claimsmith_harness::{CaseAnswer, Harness, LoadedPlugin, diff, load_cases};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct DiffArgs {
    /// The version before: a file or a folder
    old: PathBuf,
    /// The version after
    new: PathBuf,
    /// Inputs for both [default: the golden cases of the version after]
    #[arg(long, value_name = "FILE|-")]
    inputs: Option<PathBuf>,
}

/// Success is that they answer the same.
pub(super) async fn run(args: &DiffArgs) -> anyhow::Result<ExitCode> {
    let (old, new) = (Project::at(&args.old)?, Project::at(&args.new)?);
    for project in [&old, &new] {
        build::if_needed(project)?;
    }
    let cases = match &args.inputs {
        Some(file) => inputs::read(file)?,
        None => load_cases(&new.files()?.cases_path())?
            .context("the new version has no golden cases: name a file with --inputs")?,
    };
    let harness = harness(false).await?;
    let (old, new) = (open(&harness, &old, &args.old).await?, open(&harness, &new, &args.new).await?);
    let mut differing = 0;
    for case in &cases {
        let (before, after) = (old.run(case).await, new.run(case).await);
        if before.actual == after.actual {
            continue;
        }
        differing += 1;
        print_line(&format!("DIFFERS   {}", printable(&case.name)));
        for line in diff(&members(&before.actual), &members(&after.actual)).lines() {
            print_line(&format!("            {}", printable(line)));
        }
    }
    print_line(&format!("inputs: {}; {} the same, {differing} differ", cases.len(), cases.len() - differing));
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn open(harness: &Harness, project: &Project, path: &Path) -> anyhow::Result<LoadedPlugin> {
    let opened = harness.open(&project.files()?).await;
    opened.map_err(|error| anyhow::Error::msg(error).context(path.display().to_string()))
}

/// Claims as they are; any other answer under the name of its kind.
fn members(answer: &CaseAnswer) -> Map<String, Value> {
    match (answer, serde_json::to_value(answer)) {
        (CaseAnswer::Claims(claims), _) => claims.clone(),
        (_, Ok(Value::Object(members))) => members,
        _ => Map::new(),
    }
}
