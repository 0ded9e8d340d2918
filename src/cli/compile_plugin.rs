//! `claimsmith compile-plugin`: the child process that compiles a plugin under resource limits; the server runs it.

use claimsmith_cli::terminal::print_error;
use claimsmith_services::plugins::compile;
use std::process::ExitCode;

/// Compiles and tests the upload on standard input. Called before any thread starts, so that limits apply to all.
pub(super) fn run() -> ExitCode {
    match compile::run_child() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("claimsmith compile-plugin: {error}"));
            ExitCode::FAILURE
        }
    }
}
