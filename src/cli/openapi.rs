//! `claimsmith openapi`: the description of the Management API, as a running server shows it.

use crate::http::management;
use claimsmith_cli::terminal::say;

/// Prints it, a member a line.
pub(super) fn run() -> serde_json::Result<()> {
    say(&serde_json::to_string_pretty(&management::description())?);
    Ok(())
}
