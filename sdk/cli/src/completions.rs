//! `claimsmith completions SHELL`: prints the completion script of a shell.

use crate::terminal::print_line;
use clap_complete::{Generator as _, Shell};

/// Which script is asked for.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script for a command that is called `name`.
pub fn run(args: &CompletionsArgs, mut command: clap::Command, name: &'static str) -> anyhow::Result<()> {
    command.set_bin_name(name);
    command.build();
    let mut script = Vec::new();
    args.shell.try_generate(&command, &mut script)?;
    print_line(String::from_utf8(script)?.trim_end());
    Ok(())
}
