//! The id of a connector that is being created. It is chosen before the connector exists, since its redirect URI, which
//! the provider asks for first, ends in it.

use crate::caller::Caller;
use crate::failure::Failure;
use axum::http::StatusCode;
use claimsmith_domain::documents::connector::metadata::ConnectorTarget;

/// Characters of an id, as many as the server's own have.
const CHARACTERS: usize = 21;

/// The id that the page was opened with, so that reloading it keeps the redirect URI.
pub(super) fn asked(caller: &Caller) -> Option<String> {
    let id = caller.query("id")?;
    ConnectorTarget::try_from(id.to_owned()).ok().map(String::from)
}

/// A random id.
pub(super) fn random(caller: &Caller) -> Result<String, Failure> {
    let failed =
        || Failure::page(caller, StatusCode::SERVICE_UNAVAILABLE, "The server has no random numbers. Try again.");
    let mut id = String::new();
    while id.len() < CHARACTERS {
        let secret = caller.console().api.secret().ok_or_else(failed)?;
        let fitting = secret.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
        id.extend(fitting.take(CHARACTERS - id.len()));
    }
    Ok(id)
}
