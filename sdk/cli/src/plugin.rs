//! `claimsmith plugin`: the subcommands, local and remote, and their dispatch.

use crate::apply;
use crate::desk::{self, LocalCommand};
use crate::local_server::FindLocal;
use crate::registry;
use crate::remote::{
    self, ServerArgs, Usage, deploy, grants, logs, population_runs, recordings, rollout_samples, rollouts, secrets,
    trial, versions,
};
use crate::terminal::{print_error, print_failure};
use std::path::PathBuf;
use std::process::ExitCode;

/// A command, and the server that it may be for.
#[derive(clap::Args)]
pub struct PluginArgs {
    #[command(flatten)]
    server: ServerArgs,
    #[command(subcommand)]
    command: PluginCommand,
}

#[derive(clap::Subcommand)]
enum PluginCommand {
    #[command(flatten)]
    Desk(LocalCommand),
    /// List the plugins of a server, in the order in which they run.
    List,
    /// Show one plugin.
    Show {
        /// Its name.
        name: String,
    },
    /// Upload a plugin: a new version, checked by the server, and active unless told otherwise.
    Deploy(deploy::DeployArgs),
    /// Make the plugins of a server those of a folder: prints a plan, and does it.
    Apply(apply::ApplyArgs),
    /// Upload a plugin, with its settings and golden cases, to a registry.
    Push(registry::PushArgs),
    /// Download a plugin from a registry.
    Pull(registry::PullArgs),
    /// List the versions of a plugin, newest first.
    Versions {
        /// Its name.
        name: String,
    },
    /// Make a version the active one.
    Activate {
        /// The plugin's name.
        name: String,
        /// The version's id.
        #[arg(value_name = "VERSION")]
        id: String,
    },
    /// Make an earlier version the active one again.
    Rollback(versions::RollbackArgs),
    /// Try a version beside the active one: as a shadow without effect, or as a canary for a share of the users.
    #[command(subcommand)]
    Rollout(rollouts::RolloutCommand),
    /// Show what a plugin wrote, oldest line first.
    Logs(logs::LogsArgs),
    /// Run golden cases here, or with --input a plugin on the server.
    Test(trial::TestArgs),
    /// Enable a plugin.
    Enable {
        /// Its name.
        name: String,
    },
    /// Disable a plugin, without deleting it.
    Disable {
        /// Its name.
        name: String,
    },
    /// Close the circuit breaker of a plugin that kept failing: it is called again.
    CloseBreaker {
        /// Its name.
        name: String,
    },
    /// Grant an uploaded plugin HTTP requests to servers, or a cache.
    Grant(grants::GrantArgs),
    /// Withdraw a plugin's grant of HTTP requests, or of a cache.
    Withdraw {
        /// Its name.
        name: String,
        /// Withdraw the grant of a cache instead
        #[arg(long)]
        cache: bool,
    },
    /// Manage the secrets among a plugin's environment variables. They can be written, and never read.
    #[command(subcommand)]
    Secret(secrets::SecretCommand),
    /// Record the next calls of a plugin, redacted: for `replay`.
    Record(recordings::RecordArgs),
    /// List, download and delete recordings of a plugin.
    #[command(subcommand)]
    Recordings(recordings::RecordingsCommand),
    /// Run a version over all users of a server, and show what differs from the active one.
    #[command(subcommand)]
    PopulationRun(population_runs::PopulationRunCommand),
    /// Delete an uploaded plugin with all its versions, or one version that is not active.
    Delete {
        /// The plugin's name.
        name: String,
        /// A version's id: only this version is deleted.
        #[arg(value_name = "VERSION")]
        id: Option<String>,
    },
}

/// Runs a command, and returns the exit code: 0, 1 for a refusal or failure, 2 for a usage error.
pub async fn run(args: &PluginArgs, local: FindLocal<'_>) -> ExitCode {
    match dispatch(args, local).await {
        Ok(code) => code,
        Err(error) => match (error.downcast_ref::<Usage>(), error.downcast_ref::<remote::ServerRefusal>()) {
            (Some(usage), _) => {
                print_error(&format!("claimsmith: {usage}"));
                ExitCode::from(2)
            }
            (None, Some(refusal)) => {
                refusal.print(args.server.json);
                ExitCode::FAILURE
            }
            (None, None) => print_failure(&error),
        },
    }
}

async fn dispatch(args: &PluginArgs, local: FindLocal<'_>) -> anyhow::Result<ExitCode> {
    let connect = || remote::connect(&args.server, local);
    match &args.command {
        PluginCommand::Desk(command) => return desk::run(command, &args.server, local).await,
        PluginCommand::Test(test) if test.input.is_none() => return test_here(test, &args.server).await,
        PluginCommand::List => remote::plugins::list(&connect().await?).await?,
        PluginCommand::Show { name } => remote::plugins::show(&connect().await?, name).await?,
        PluginCommand::Deploy(deploy) => {
            // Errors of the call or the files are reported before anything is sent to a server.
            let upload = match registry::upload(deploy).await? {
                Some(upload) => upload,
                None => deploy::Upload::read(deploy)?,
            };
            deploy::run(&connect().await?, upload, deploy.wait).await?;
        }
        PluginCommand::Apply(apply) => {
            let folder = apply::Folder::read(apply)?;
            return apply::run(&connect().await?, apply, folder).await;
        }
        PluginCommand::Push(push) => registry::push(push, args.server.json).await?,
        PluginCommand::Pull(pull) => registry::pull(pull, args.server.json).await?,
        PluginCommand::Versions { name } => versions::list(&connect().await?, name).await?,
        PluginCommand::Activate { name, id } => versions::activate(&connect().await?, name, id).await?,
        PluginCommand::Rollback(rollback) => versions::rollback(&connect().await?, rollback).await?,
        PluginCommand::Rollout(command) => {
            let request = rollouts::RolloutRequest::read(command)?;
            let remote = connect().await?;
            match command {
                rollouts::RolloutCommand::Samples(samples) => {
                    rollout_samples::run(&remote, &request.send(&remote).await?, samples)?;
                }
                _ => rollouts::run(&remote, request).await?,
            }
        }
        PluginCommand::Logs(args) => logs::run(connect().await?, args).await?,
        PluginCommand::Test(test) => {
            let request = trial::TestRequest::read(test)?;
            return trial::run(&connect().await?, request).await;
        }
        PluginCommand::Enable { name } => remote::plugins::enable(&connect().await?, name, true).await?,
        PluginCommand::Disable { name } => remote::plugins::enable(&connect().await?, name, false).await?,
        PluginCommand::CloseBreaker { name } => remote::plugins::close_breaker(&connect().await?, name).await?,
        PluginCommand::Grant(grant) => grants::grant(&connect().await?, grant).await?,
        PluginCommand::Withdraw { name, cache } => grants::withdraw(&connect().await?, name, *cache).await?,
        PluginCommand::Secret(secrets::SecretCommand::Set(set)) => {
            let value = secrets::read_value(set)?;
            secrets::set(&connect().await?, set, &value).await?;
        }
        PluginCommand::Secret(secrets::SecretCommand::List { name }) => secrets::list(&connect().await?, name).await?,
        PluginCommand::Secret(secrets::SecretCommand::Delete { name, key }) => {
            secrets::delete(&connect().await?, name, key).await?;
        }
        PluginCommand::Record(record) => recordings::record(&connect().await?, record).await?,
        PluginCommand::Recordings(command) => recordings::run(&connect().await?, command).await?,
        PluginCommand::PopulationRun(command) => population_runs::run(&connect().await?, command).await?,
        PluginCommand::Delete { name, id } => {
            remote::plugins::delete(&connect().await?, name, id.as_deref()).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs golden cases locally, without a configuration and without a server, whatever the environment names.
async fn test_here(test: &trial::TestArgs, server: &ServerArgs) -> anyhow::Result<ExitCode> {
    if server.is_given() || test.version.is_some() {
        return Err(Usage::new("golden cases run locally: add --input FILE to test a plugin on the server").into());
    }
    let paths: Vec<PathBuf> = test.targets.iter().map(PathBuf::from).collect();
    desk::cases::run(&paths, &test.here).await
}
