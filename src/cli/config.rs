//! `claimsmith config`: checks the configuration, prints the effective one with secrets masked, and lists all keys.

use claimsmith_cli::terminal::print_line;
use claimsmith_config::{self as config, Config};

#[derive(clap::Subcommand)]
pub(super) enum ConfigCommand {
    /// Print the effective configuration and where each value comes from; secrets are masked.
    Check,
    /// Print every key with its variable, flag, default and meaning, as a Markdown table.
    Keys,
}

pub(super) fn run(config: &Config, command: &ConfigCommand) {
    match command {
        ConfigCommand::Check => print_line(config.describe().trim_end()),
        ConfigCommand::Keys => print_line(config::reference().trim_end()),
    }
}
