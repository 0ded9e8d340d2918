//! The command line: what can be asked of the binary, and how it says that something went wrong.

mod compile_plugin;
mod config;
mod demo;
mod keys;
mod migrate;
mod plugin;
mod plugin_test;
mod serve;
mod story;
mod terminal;
mod tokens;

use crate::config::{Config, ConfigArgs};
use clap::{Parser, Subcommand};
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
    /// Write and test plugins.
    #[command(subcommand)]
    Plugin(plugin::PluginCommand),
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
        Err(error) => terminal::fail(&error),
    }
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    if let Some(Command::Plugin(command)) = cli.command {
        // Works at a desk, without a configuration.
        return plugin::run(command).await;
    }
    let config = match Config::load(&cli.config) {
        Ok(config) => config,
        Err(error) => {
            terminal::complain(&error.to_string());
            return Ok(ExitCode::from(2));
        }
    };
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::run(config).await?,
        Command::Demo(args) => demo::run(config, args).await?,
        Command::Config(command) => config::run(&config, &command),
        Command::Migrate => migrate::run(&config).await?,
        Command::Keys(command) => keys::run(&config, command).await?,
        Command::Tokens(command) => tokens::run(config, command).await?,
        Command::Plugin(command) => return plugin::run(command).await,
        Command::CompilePlugin => return Ok(compile_plugin::run()),
    }
    Ok(ExitCode::SUCCESS)
}
