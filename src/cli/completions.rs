//! `claimsmith completions SHELL`: the script that lets a shell complete the command line.

use super::terminal::say;
use clap_complete::{Generator as _, Shell};

#[derive(clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, mut command: clap::Command) -> anyhow::Result<()> {
    command.set_bin_name("claimsmith");
    command.build();
    let mut script = Vec::new();
    args.shell.try_generate(&command, &mut script)?;
    say(String::from_utf8(script)?.trim_end());
    Ok(())
}
