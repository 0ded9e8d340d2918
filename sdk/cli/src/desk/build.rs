//! `claimsmith plugin build`: runs the compiler of a plugin's language, and makes a component of its output.

use super::TargetArgs;
use super::project::{Build, Project};
use super::sources::is_fresh;
use crate::terminal::print_error;
use anyhow::Context as _;
use claimsmith_runtime::componentize;
use std::path::Path;
use std::process::{Command, Stdio};

/// Builds, and prints the result.
pub(super) fn run(args: &TargetArgs) -> anyhow::Result<()> {
    let project = Project::at(&args.path)?;
    match project.build() {
        None => print_error(&format!("{}: the source is the plugin, there is nothing to build", project.name())),
        Some(build) => {
            let size = make(project.folder(), build)?;
            print_error(&format!("{}: {} bytes", build.artifact(), size));
        }
    }
    Ok(())
}

/// Builds without output, if a source changed since the last build.
pub(super) fn if_needed(project: &Project) -> anyhow::Result<()> {
    match project.build() {
        Some(build) if !is_fresh(project.folder(), &build.artifact(), &build.outputs()) => {
            make(project.folder(), build).map(drop)
        }
        _ => Ok(()),
    }
}

/// Returns the size of the artifact in bytes. The previous artifact is replaced only on success.
fn make(folder: &Path, build: &Build) -> anyhow::Result<usize> {
    let shown = build.command.join(" ");
    // A command without a name is refused where the file is read.
    let (program, arguments) = build.command.split_first().context("`command` is empty")?;
    // Standard output is for what this command answers, and input for its own questions.
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(std::io::stderr());
    let status = command.status();
    let status = status.with_context(|| format!("`{shown}` could not be started"))?;
    anyhow::ensure!(status.success(), "`{shown}` failed ({status})");
    let output = folder.join(&build.output);
    let bytes = std::fs::read(&output).with_context(|| format!("`{shown}` did not write {}", output.display()))?;
    let bytes = if build.is_script() { bytes } else { componentize(&bytes, build.world)? };
    let artifact = folder.join(build.artifact());
    let half = folder.join(format!(".{}.new", build.artifact()));
    let keep = || std::fs::write(&half, &bytes).and_then(|()| std::fs::rename(&half, &artifact));
    keep().with_context(|| format!("{} cannot be written", artifact.display()))?;
    Ok(bytes.len())
}
