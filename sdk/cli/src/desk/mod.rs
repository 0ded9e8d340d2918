//! The author's desk: `claimsmith plugin new`, `build`, `check`, `run`, `bench`, `diff`, `dev`. Everything here runs on the
//! server's own runtime, and needs neither a server nor a configuration; `dev` alone talks to one.

mod bench;
mod build;
pub(crate) mod cases;
mod check;
mod compare;
mod convert;
mod dev;
mod inputs;
mod new;
mod project;
mod question;
mod sources;
mod templates;
mod watch;

use crate::local::FindLocal;
use crate::remote::ServerArgs;
use claimsmith_harness::{Harness, HarnessOptions};
use project::Project;
use std::path::PathBuf;
use std::process::ExitCode;

/// What authors do at their desks.
#[derive(clap::Subcommand)]
pub(crate) enum DeskCommand {
    /// Make the folder of a new plugin
    New(new::NewArgs),
    /// Make a plugin of a script of another identity system
    Convert(convert::ConvertArgs),
    /// Compile a plugin, as its build.toml says
    Build(TargetArgs),
    /// Say what a server will say of a plugin: world, imports, size, settings, reserved claims
    Check(TargetArgs),
    /// Ask a plugin here once, and tell everything that comes of it
    Run(question::RunArgs),
    /// Measure what calls cost: time, memory, instructions
    Bench(bench::BenchArgs),
    /// Compare what two versions of a plugin make of the same inputs
    Diff(compare::DiffArgs),
    /// Build, test and deploy at every save, and show the plugin's log
    Dev(TargetArgs),
}

/// Answers the exit code: 0, or 1 for what was found wrong.
pub(crate) async fn run(command: &DeskCommand, server: &ServerArgs, local: FindLocal<'_>) -> anyhow::Result<ExitCode> {
    match command {
        DeskCommand::New(args) => new::run(args)?,
        DeskCommand::Convert(args) => convert::run(args).await?,
        DeskCommand::Build(args) => build::run(args)?,
        DeskCommand::Check(args) => return check::run(args, server.json).await,
        DeskCommand::Run(args) => return question::run(args, server.json).await,
        DeskCommand::Bench(args) => bench::run(args, server.json).await?,
        DeskCommand::Diff(args) => return compare::run(args).await,
        DeskCommand::Dev(args) => dev::run(args, server, local).await?,
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

/// The engine, with what it compiled before.
async fn harness(metered: bool) -> anyhow::Result<Harness> {
    let options = HarnessOptions { metered, cache_dir: cache_dir(), ..HarnessOptions::default() };
    Ok(tokio::task::spawn_blocking(move || Harness::new(options)).await??)
}

/// Where compiled code is kept between commands: below `XDG_CACHE_HOME` or `~/.cache`; none without a home.
fn cache_dir() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("claimsmith"))
}
