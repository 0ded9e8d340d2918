//! `claimsmith plugin dev`: every time the author saves, the plugin is built, tested and deployed to a server, whose log
//! of it is shown meanwhile. What fails is told, and the version that serves goes on serving.

use super::watch::Changes;
use super::{
    TargetArgs, build, cases,
    project::{Build, Project},
};
use crate::local::FindLocal;
use crate::remote::{self, Refusal, Remote, ServerArgs, deploy, logs};
use crate::terminal::{complain, fail};
use claimsmith_harness::Harness;
use std::io::stdout;
use std::path::Path;
use tokio::task::JoinHandle;

/// Goes on until it is interrupted.
pub(super) async fn run(args: &TargetArgs, server: &ServerArgs, local: FindLocal<'_>) -> anyhow::Result<()> {
    let project = Project::at(&args.path)?;
    let folder = if project.folder() == Path::new("") { Path::new(".") } else { project.folder() };
    let artifact = project.build().map(Build::artifact);
    let mut changes = Changes::of(folder, artifact)?;
    let harness = super::harness(false).await?;
    let remote = remote::connect(server, local).await?;
    let mut log: Option<Log> = None;
    loop {
        match turn(&harness, &args.path, &remote).await {
            Ok(true) if log.is_none() => {
                log = Some(Log::follow(remote::connect(server, local).await?, project.name()));
            }
            Ok(_) => {}
            Err(error) => match error.downcast_ref::<Refusal>() {
                Some(refusal) => refusal.tell(false),
                None => drop(fail(&error)),
            },
        }
        complain("waiting for a change …");
        if !changes.next().await {
            return Ok(());
        }
    }
}

/// Builds, tests, deploys. False when a case failed.
async fn turn(harness: &Harness, path: &Path, remote: &Remote) -> anyhow::Result<bool> {
    // Read anew: how it is built may have changed as well.
    let project = Project::at(path)?;
    build::if_needed(&project)?;
    let files = project.files()?;
    let source = files.source()?.0.to_owned();
    let report = cases::run_path(harness, &source, &mut stdout()).await?;
    if !report.passed() {
        return Ok(false);
    }
    deploy::run(remote, deploy::Upload::of(&source)?).await?;
    Ok(true)
}

/// The log of the plugin on the server, shown until this is dropped.
struct Log(JoinHandle<()>);

impl Log {
    fn follow(remote: Remote, name: &str) -> Self {
        let args = logs::LogsArgs::following(name);
        Self(tokio::spawn(async move {
            if let Err(error) = logs::run(remote, &args).await {
                let _ = fail(&error);
            }
        }))
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.0.abort();
    }
}
