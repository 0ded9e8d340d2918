//! The command line: its subcommands, exit codes and error output. The commands of plugin authors come from `sdk/cli`.

mod admin;
mod banner;
mod breached_passwords;
mod compile_plugin;
mod config;
mod demo;
mod demo_output;
mod doctor;
mod health;
mod keys;
mod memory;
mod migrate;
mod openapi;
mod plugin;
mod serve;
mod tokens;
mod version;

use claimsmith_cli::completions::{self, CompletionsArgs};
use claimsmith_cli::{LoginArgs, PluginArgs, terminal};
use claimsmith_config::{Config, ConfigArgs, ConfigError};
use clap::{CommandFactory as _, Parser, Subcommand};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::process::ExitCode;

/// Stack size of a thread: a sign-in is a deep nesting of futures, which are large in unoptimized builds.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// An identity service whose tokens are programmable by sandboxed plugins.
#[derive(Parser)]
#[command(name = "claimsmith", version = version::text(), about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server (the default without a subcommand).
    Serve,
    /// Run a demo of an impersonation: subject token, token exchange, and the resulting token.
    Demo(demo::DemoArgs),
    /// Check the configuration, or list its keys.
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Run the schema migrations of the database.
    Migrate,
    /// Check the stored documents, the base URL, the proxy, the certificate and the clock; exits with 0, 1 or 2.
    Doctor(doctor::DoctorArgs),
    /// Ask the server of this machine whether it is ready: exits with 0 if it is, with 1 if not.
    Health,
    /// Manage signing keys and the encryption of secrets.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Administration for the operator of the machine, such as recovery.
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Build or check a list of breached passwords.
    #[command(subcommand)]
    BreachedPasswords(breached_passwords::BreachedPasswordsCommand),
    /// Issue tokens to operators at the terminal.
    #[command(subcommand)]
    Tokens(tokens::TokensCommand),
    /// Make, test and deploy plugins, and operate those of a running server.
    #[command(visible_alias = "plugins")]
    Plugin(Box<PluginArgs>),
    /// Sign in at a server in a browser, so that the commands of plugins act for you there.
    Login(LoginArgs),
    /// Sign out again.
    Logout(LoginArgs),
    /// Print the OpenAPI description of the Management API.
    Openapi,
    /// Print the completion script of a shell.
    #[command(alias = "completion")]
    Completions(CompletionsArgs),
    /// Compile and test an upload from standard input: the server's child process.
    #[command(hide = true)]
    CompilePlugin,
}

/// The command line with all its subcommands, as its help, its completion scripts and its tests see it.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line and returns the exit code: 0, 1 for a failure, 2 for a usage error.
#[must_use]
pub fn main() -> ExitCode {
    // Before anything takes memory.
    memory::use_small_pages();
    let cli = Cli::parse();
    if let Some(Command::CompilePlugin) = cli.command {
        // Before any thread starts: see `compile_plugin::run`.
        return compile_plugin::run();
    }
    raise_descriptors();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK_BYTES).build()
    {
        Ok(runtime) => runtime,
        Err(error) => return terminal::print_failure(&error.into()),
    };
    match runtime.block_on(run(cli)) {
        Ok(code) => code,
        Err(error) if error.is::<ConfigError>() => {
            terminal::print_error(&error.to_string());
            ExitCode::from(2)
        }
        Err(error) => terminal::print_failure(&error),
    }
}

/// Raises the limit on file descriptors, which connections need and which is low by default. If it cannot be raised,
/// the limit on connections is derived from it.
fn raise_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let load = || Config::load(&cli.config);
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::run(load()?).await?,
        Command::Demo(args) => demo::run(load()?, args).await?,
        Command::Config(command) => config::run(&load()?, &command),
        Command::Migrate => migrate::run(&load()?).await?,
        Command::Doctor(args) => return Ok(doctor::run(load()?, &args).await),
        Command::Health => return Ok(health::run(load()).await),
        Command::Keys(command) => keys::run(load()?, command).await?,
        Command::Admin(command) => admin::run(load()?, command).await?,
        Command::Tokens(command) => tokens::run(load()?, command).await?,
        // These commands need no configuration.
        Command::BreachedPasswords(command) => breached_passwords::run(&command)?,
        Command::Plugin(args) => return Ok(plugin::run(&args, &cli.config).await),
        Command::Login(args) => return Ok(plugin::login(&args, &cli.config).await),
        Command::Logout(args) => return Ok(plugin::logout(&args, &cli.config).await),
        Command::Openapi => openapi::run()?,
        Command::Completions(args) => completions::run(&args, command(), "claimsmith")?,
        Command::CompilePlugin => return Ok(compile_plugin::run()),
    }
    Ok(ExitCode::SUCCESS)
}
