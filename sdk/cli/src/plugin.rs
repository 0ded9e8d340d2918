//! `claimsmith plugin`: plugins from the author's desk to a running server and back.

use crate::desk::{self, DeskCommand};
use crate::local::FindLocal;
use crate::remote::{self, ServerArgs, Usage, deploy, grants, logs, secrets, trial, versions};
use crate::terminal::{complain, fail};
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
    Desk(DeskCommand),
    /// List the plugins of a server, in the order in which they run.
    List,
    /// Show one plugin.
    Show {
        /// Its name.
        name: String,
    },
    /// Upload a plugin: a new version, checked by the server, and active unless told otherwise.
    Deploy(deploy::DeployArgs),
    /// List the versions of a plugin, newest first.
    Versions {
        /// Its name.
        name: String,
    },
    /// Let a version serve.
    Activate {
        /// The plugin's name.
        name: String,
        /// The version's id.
        #[arg(value_name = "VERSION")]
        id: String,
    },
    /// Let an earlier version serve again.
    Rollback(versions::RollbackArgs),
    /// Show what a plugin wrote, oldest line first.
    Logs(logs::LogsArgs),
    /// Run golden cases here, or with --input a plugin on the server.
    Test(trial::TestArgs),
    /// Let a plugin take part.
    Enable {
        /// Its name.
        name: String,
    },
    /// Let a plugin take no part, without losing it.
    Disable {
        /// Its name.
        name: String,
    },
    /// Let an uploaded plugin ask servers over HTTP.
    Grant(grants::GrantArgs),
    /// Take back what a plugin was granted.
    Withdraw {
        /// Its name.
        name: String,
    },
    /// Secrets among a plugin's environment variables. They can be written, and never read.
    #[command(subcommand)]
    Secret(secrets::SecretCommand),
    /// Delete an uploaded plugin with all its versions, or one version that is not active.
    Delete {
        /// The plugin's name.
        name: String,
        /// A version's id: only this version goes.
        #[arg(value_name = "VERSION")]
        id: Option<String>,
    },
}

/// Runs a command, and answers the exit code: 0, 1 for what was refused or failed, 2 for a call that makes no sense.
pub async fn run(args: &PluginArgs, local: FindLocal<'_>) -> ExitCode {
    match dispatch(args, local).await {
        Ok(code) => code,
        Err(error) => match (error.downcast_ref::<Usage>(), error.downcast_ref::<remote::Refusal>()) {
            (Some(usage), _) => {
                complain(&format!("claimsmith: {usage}"));
                ExitCode::from(2)
            }
            (None, Some(refusal)) => {
                refusal.tell(args.server.json);
                ExitCode::FAILURE
            }
            (None, None) => fail(&error),
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
            // What is wrong with the call or the files is told before anything is asked of a server.
            let upload = deploy::Upload::read(deploy)?;
            deploy::run(&connect().await?, upload).await?;
        }
        PluginCommand::Versions { name } => versions::list(&connect().await?, name).await?,
        PluginCommand::Activate { name, id } => versions::activate(&connect().await?, name, id).await?,
        PluginCommand::Rollback(rollback) => versions::rollback(&connect().await?, rollback).await?,
        PluginCommand::Logs(args) => logs::run(connect().await?, args).await?,
        PluginCommand::Test(test) => {
            let question = trial::Question::read(test)?;
            return trial::run(&connect().await?, question).await;
        }
        PluginCommand::Enable { name } => remote::plugins::enable(&connect().await?, name, true).await?,
        PluginCommand::Disable { name } => remote::plugins::enable(&connect().await?, name, false).await?,
        PluginCommand::Grant(grant) => grants::grant(&connect().await?, grant).await?,
        PluginCommand::Withdraw { name } => grants::withdraw(&connect().await?, name).await?,
        PluginCommand::Secret(secrets::SecretCommand::Set(set)) => {
            let value = secrets::read_value(set)?;
            secrets::set(&connect().await?, set, &value).await?;
        }
        PluginCommand::Secret(secrets::SecretCommand::List { name }) => secrets::list(&connect().await?, name).await?,
        PluginCommand::Secret(secrets::SecretCommand::Delete { name, key }) => {
            secrets::delete(&connect().await?, name, key).await?;
        }
        PluginCommand::Delete { name, id } => {
            remote::plugins::delete(&connect().await?, name, id.as_deref()).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Golden cases at the author's desk: without a configuration and without a server, whatever the environment names.
async fn test_here(test: &trial::TestArgs, server: &ServerArgs) -> anyhow::Result<ExitCode> {
    if server.is_given() || test.version.is_some() {
        return Err(Usage::new("golden cases run here: name the --input for a run on the server").into());
    }
    let paths: Vec<PathBuf> = test.targets.iter().map(PathBuf::from).collect();
    desk::cases::run(&paths, &test.here).await
}
