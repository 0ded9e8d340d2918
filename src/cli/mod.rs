//! The command line: what can be asked of the binary, and how it says that something went wrong.

mod compile_plugin;
mod completions;
mod config;
mod demo;
mod desk;
mod keys;
mod migrate;
mod plugin;
mod remote;
mod serve;
mod story;
mod terminal;
mod tokens;
mod view;

use crate::config::{Config, ConfigArgs, ConfigError};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::process::ExitCode;

/// An identity service whose tokens are programmable by sandboxed plugins.
#[derive(Parser)]
#[command(name = "claimsmith", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server (what happens without a subcommand).
    Serve,
    /// Tell the whole story: subject token, exchange, and the token that comes of it.
    Demo(demo::DemoArgs),
    /// Look at the configuration.
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Bring the database's schema up to date.
    Migrate,
    /// Signing keys and the encryption of secrets.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Tokens for operators at the terminal.
    #[command(subcommand)]
    Tokens(tokens::TokensCommand),
    /// Test plugins, and operate those of a running server.
    Plugin(Box<plugin::PluginArgs>),
    /// Print the completion script of a shell.
    Completions(completions::CompletionsArgs),
    /// Judge an upload on standard input: the server's own helper.
    #[command(hide = true)]
    CompilePlugin,
}

/// Runs the command line and answers the exit code: 0, 1 for a failure, 2 for a call that makes no sense.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(Command::CompilePlugin) = cli.command {
        // Before the first thread: see there.
        return compile_plugin::run();
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return terminal::fail(&error.into()),
    };
    match runtime.block_on(run(cli)) {
        Ok(code) => code,
        Err(error) if error.is::<ConfigError>() => {
            terminal::complain(&error.to_string());
            ExitCode::from(2)
        }
        Err(error) => terminal::fail(&error),
    }
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let load = || Config::load(&cli.config);
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::run(load()?).await?,
        Command::Demo(args) => demo::run(load()?, args).await?,
        Command::Config(command) => config::run(&load()?, &command),
        Command::Migrate => migrate::run(&load()?).await?,
        Command::Keys(command) => keys::run(&load()?, command).await?,
        Command::Tokens(command) => tokens::run(load()?, command).await?,
        // These work without a configuration.
        Command::Plugin(args) => return Ok(plugin::run(&args, &cli.config).await),
        Command::Completions(args) => completions::run(&args, Cli::command())?,
        Command::CompilePlugin => return Ok(compile_plugin::run()),
    }
    Ok(ExitCode::SUCCESS)
}
