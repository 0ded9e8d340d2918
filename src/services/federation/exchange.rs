//! Maps the refused exchange of an authorization code at an upstream to a failure, for both protocols.

use super::failure::FederationFailure;
use openidconnect::core::CoreErrorResponseType;
use openidconnect::{RequestTokenError, StandardErrorResponse};

/// The maximum characters of an error code that are repeated.
const MAX_CODE: usize = 64;

/// The reason that there is no token. Of the upstream's response only the code is repeated, if it is one.
pub(super) fn refused(
    error: RequestTokenError<FederationFailure, StandardErrorResponse<CoreErrorResponseType>>,
) -> FederationFailure {
    match error {
        RequestTokenError::ServerResponse(answer) => FederationFailure::Code(code(answer.error().as_ref())),
        RequestTokenError::Request(failure) => failure,
        RequestTokenError::Parse(..) => {
            FederationFailure::Malformed("the upstream's answer to the code is not one of OAuth 2")
        }
        RequestTokenError::Other(_) => FederationFailure::Malformed("the code cannot be sent"),
    }
}

/// An error code, if it is one.
fn code(said: &str) -> String {
    let is_code =
        said.len() <= MAX_CODE && said.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if is_code { said.to_owned() } else { "unknown".to_owned() }
}
