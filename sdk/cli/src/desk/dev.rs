//! `claimsmith plugin dev`: builds, tests and deploys a plugin every time its author saves, and shows its log on the
//! server. If a step fails, the error is printed and the active version stays active.

use super::watch::ChangeWatcher;
use super::{Project, TargetArgs, build, cases};
use crate::local_server::FindLocal;
use crate::remote::deploy::wait::WaitArgs;
use crate::remote::{self, Remote, ServerArgs, ServerRefusal, deploy, logs};
use crate::terminal::{print_error, print_failure};
use claimsmith_harness::Harness;
use std::io::stdout;
use std::path::Path;
use tokio::task::JoinHandle;

/// Runs until it is interrupted.
pub(super) async fn run(args: &TargetArgs, server: &ServerArgs, local: FindLocal<'_>) -> anyhow::Result<()> {
    let project = Project::at(&args.path)?;
    let folder = if project.folder() == Path::new("") { Path::new(".") } else { project.folder() };
    let mut changes = ChangeWatcher::of(folder)?;
    let harness = super::harness(false).await?;
    let remote = remote::connect(server, local).await?;
    let mut log: Option<ShownLog> = None;
    loop {
        // Read again, since build.toml may have changed as well.
        changes.begin(Project::at(&args.path).map(|project| project.outputs()).unwrap_or_default());
        match run_once(&harness, &args.path, &remote).await {
            Ok(true) if log.is_none() => {
                log = Some(ShownLog::follow(remote::connect(server, local).await?, project.name()));
            }
            Ok(_) => {}
            Err(error) => match error.downcast_ref::<ServerRefusal>() {
                Some(refusal) => refusal.print(false),
                None => drop(print_failure(&error)),
            },
        }
        changes.end();
        print_error("waiting for a change …");
        if !changes.next().await {
            return Ok(());
        }
    }
}

/// Builds, tests, deploys. False when a case failed.
async fn run_once(harness: &Harness, path: &Path, remote: &Remote) -> anyhow::Result<bool> {
    let project = Project::at(path)?;
    build::if_needed(&project)?;
    let files = project.files()?;
    let source = files.source()?.0.to_owned();
    let report = cases::run_path(harness, &source, &mut stdout()).await?;
    if !report.passed() {
        return Ok(false);
    }
    deploy::run(remote, deploy::Upload::of(&source)?, WaitArgs::default()).await?;
    Ok(true)
}

/// The log of the plugin on the server, shown until this is dropped.
struct ShownLog(JoinHandle<()>);

impl ShownLog {
    fn follow(remote: Remote, name: &str) -> Self {
        let args = logs::LogsArgs::following(name);
        Self(tokio::spawn(async move {
            if let Err(error) = logs::run(remote, &args).await {
                let _ = print_failure(&error);
            }
        }))
    }
}

impl Drop for ShownLog {
    fn drop(&mut self) {
        self.0.abort();
    }
}
