//! The `claimsmith` command: the only place that exits the process.

use std::process::ExitCode;

fn main() -> ExitCode {
    claimsmith::cli::main()
}
