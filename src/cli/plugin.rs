//! `claimsmith plugin`: the author's tools.

use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(super) enum PluginCommand {
    /// Run the golden cases of plugins, on the server's own runtime. Offline.
    Test {
        /// Plugin files, or folders of them.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
}

pub(super) async fn run(command: PluginCommand) -> anyhow::Result<ExitCode> {
    let PluginCommand::Test { paths } = command;
    let passed = super::plugin_test::run(&paths, &mut std::io::stdout()).await?;
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
