//! The binary `claimsmith-desk`: the commands of plugin authors, for machines without a server. The commands have the
//! same names as those of the server's binary, so that it may be installed as `claimsmith` as well.

use claimsmith_cli::completions::{self, CompletionsArgs};
use claimsmith_cli::{LocalServer, LoginArgs, PluginArgs, terminal};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::process::ExitCode;

/// Make, build, test and deploy plugins of Claimsmith.
#[derive(Parser)]
#[command(name = "claimsmith-desk", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Test plugins, and operate those of a running server.
    #[command(visible_alias = "plugins")]
    Plugin(Box<PluginArgs>),
    /// Sign in at a server in a browser, so that the commands act for you there.
    Login(LoginArgs),
    /// Sign out again.
    Logout(LoginArgs),
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => terminal::print_failure(&error),
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match cli.command {
        Command::Plugin(args) => Ok(runtime()?.block_on(claimsmith_cli::run(&args, &local))),
        Command::Login(args) => Ok(runtime()?.block_on(claimsmith_cli::login(&args, &local))),
        Command::Logout(args) => Ok(runtime()?.block_on(claimsmith_cli::logout(&args, &local))),
        Command::Completions(args) => {
            completions::run(&args, Cli::command(), terminal::program().leak())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Where a server's data is follows its configuration, which only the server reads.
fn local() -> Result<LocalServer, &'static str> {
    Err("only the `claimsmith` command finds the server of this machine by itself")
}
