//! `claimsmith openapi`: prints the OpenAPI description of the Management API.

use crate::http::management;
use claimsmith_cli::terminal::print_line;

/// Prints it, a member a line.
pub(super) fn run() -> serde_json::Result<()> {
    print_line(&serde_json::to_string_pretty(&management::description())?);
    Ok(())
}
