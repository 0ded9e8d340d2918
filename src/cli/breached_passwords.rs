//! `claimsmith breached-passwords`: makes the file that `passwords.breached_file` names, and checks one.

use anyhow::Context;
use claimsmith_cli::terminal::print_line;
use claimsmith_services::passwords::breached::{
    BreachedPasswords, BuildOptions, MAX_BITS_PER_ENTRY, MIN_BITS_PER_ENTRY, Summary, build,
};
use std::path::PathBuf;

#[derive(clap::Subcommand)]
pub(super) enum BreachedPasswordsCommand {
    /// Make a file from the SHA-1 digests of breached passwords. Nobody else is asked.
    Build(BuildArgs),
    /// Check that a file is whole, and print what is in it.
    Check {
        /// The file.
        file: PathBuf,
    },
}

#[derive(clap::Args)]
pub(super) struct BuildArgs {
    /// Folder of range files (named by five hexadecimal digits, lines SUFFIX:COUNT), or one file of lines HASH:COUNT.
    #[arg(long, value_name = "PATH")]
    from: PathBuf,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Leave out passwords that were seen less often.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    min_count: u64,
    /// Size of the file for each password; 12 refuse one of 322 other passwords, each bit more fewer of them.
    #[arg(long, value_name = "NUMBER", default_value_t = 12, value_parser = bits_per_entry())]
    bits_per_entry: u32,
}

fn bits_per_entry() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(MIN_BITS_PER_ENTRY)..=i64::from(MAX_BITS_PER_ENTRY))
}

pub(super) fn run(command: &BreachedPasswordsCommand) -> anyhow::Result<()> {
    let (summary, file) = match command {
        BreachedPasswordsCommand::Build(BuildArgs { from, to, min_count, bits_per_entry }) => {
            let options = BuildOptions { from, to, min_count: *min_count, bits_per_entry: *bits_per_entry };
            (build(&options)?, to)
        }
        BreachedPasswordsCommand::Check { file } => {
            let loaded = BreachedPasswords::load(file).with_context(|| file.display().to_string())?;
            (loaded.summary(), file)
        }
    };
    let Summary { entries, min_count, size, .. } = summary;
    print_line(&format!(
        "{}: {entries} passwords, each seen {min_count} times or more, in {size} bytes.",
        file.display()
    ));
    Ok(())
}
