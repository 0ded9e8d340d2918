//! `claimsmith compile-plugin`: the child process that compiles a plugin under resource limits; the server runs it.

use claimsmith_cli::terminal::print_error;
use claimsmith_services::plugins::compile;
use std::process::ExitCode;

/// Judges the upload on standard input. No thread runs yet, so that all will have the limits that are set first.
pub(super) fn run() -> ExitCode {
    match compile::run_child() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("claimsmith compile-plugin: {error}"));
            ExitCode::FAILURE
        }
    }
}
