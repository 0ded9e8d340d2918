//! `claimsmith openapi`: prints the OpenAPI description of the Management API.

use claimsmith_cli::terminal::print_line;
use claimsmith_management as management;

/// Prints the description, one member per line.
pub(super) fn run() -> serde_json::Result<()> {
    print_line(&serde_json::to_string_pretty(&management::description())?);
    Ok(())
}
