//! `claimsmith openapi`: the description of the Management API, as a running server shows it.

use crate::http::management;
use claimsmith_cli::terminal::print_line;

/// Prints it, a member a line.
pub(super) fn run() -> serde_json::Result<()> {
    print_line(&serde_json::to_string_pretty(&management::description())?);
    Ok(())
}
