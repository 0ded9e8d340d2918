//! The local commands of plugin authors: `claimsmith plugin new`, `convert`, `build`, `test`, `check`, `run`, `bench`,
//! `diff`, `replay`, `dev`. They use the server's own runtime, and need neither a server nor a configuration; only
//! `dev` connects to one.

mod bench;
mod build;
pub(crate) mod cases;
mod check;
mod convert;
mod dev;
mod diff;
mod inputs;
mod new;
mod profile;
mod project;
mod replay;
mod run;
mod sources;
mod templates;
mod watch;

use crate::local_server::FindLocal;
use crate::remote::ServerArgs;
use claimsmith_harness::{Harness, HarnessOptions};
use claimsmith_runtime::PluginFiles;
use project::Project;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What authors do at their desks.
#[derive(clap::Subcommand)]
pub(crate) enum LocalCommand {
    /// Make the folder of a new plugin
    New(new::NewArgs),
    /// Convert a script of another identity system to a plugin
    Convert(convert::ConvertArgs),
    /// Compile a plugin, as its build.toml says
    Build(TargetArgs),
    /// Run a server's checks of a plugin: world, imports, size, settings, reserved claims
    Check(TargetArgs),
    /// Call a plugin here once, and print its answer, log and cost
    Run(run::RunArgs),
    /// Measure the cost of calls: time, memory, instructions
    Bench(bench::BenchArgs),
    /// Compare the answers of two versions of a plugin to the same inputs
    Diff(diff::DiffArgs),
    /// Compare the answers of a plugin here with those that a server recorded
    Replay(replay::ReplayArgs),
    /// Build, test and deploy at every save, and show the plugin's log
    Dev(TargetArgs),
}

/// Returns the exit code: 0, or 1 if a problem was found.
pub(crate) async fn run(command: &LocalCommand, server: &ServerArgs, local: FindLocal<'_>) -> anyhow::Result<ExitCode> {
    match command {
        LocalCommand::New(args) => new::run(args)?,
        LocalCommand::Convert(args) => convert::run(args).await?,
        LocalCommand::Build(args) => build::run(args)?,
        LocalCommand::Check(args) => return check::run(args, server.json).await,
        LocalCommand::Run(args) => return run::run(args, server.json).await,
        LocalCommand::Bench(args) => bench::run(args, server.json).await?,
        LocalCommand::Diff(args) => return diff::run(args).await,
        LocalCommand::Replay(args) => return replay::run(args, server.json).await,
        LocalCommand::Dev(args) => dev::run(args, server, local).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Which plugin: most commands are given inside its folder.
#[derive(clap::Args)]
pub(super) struct TargetArgs {
    /// The plugin: its folder or its file.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(super) path: PathBuf,
}

/// The files of a plugin, which is built first if it must be.
pub(crate) fn built_files(path: &Path) -> anyhow::Result<PluginFiles> {
    let project = Project::at(path)?;
    build::if_needed(&project)?;
    project.files()
}

/// The test harness, with a cache of compiled code.
async fn harness(metered: bool) -> anyhow::Result<Harness> {
    let options = HarnessOptions { metered, cache_dir: cache_dir(), ..HarnessOptions::default() };
    Ok(tokio::task::spawn_blocking(move || Harness::new(options)).await??)
}

/// The cache folder of compiled code: below `XDG_CACHE_HOME` or `~/.cache`; none without a home.
fn cache_dir() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("claimsmith"))
}
