//! Errors of outgoing requests. No message repeats a header, a query or a body.

use super::guard::RefusedAddress;
use std::error::Error;
use std::time::Duration;

/// Why a request got no response.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The request is invalid.
    #[error("{0}")]
    BadRequest(String),
    /// Its address is not allowed (SSRF guard).
    #[error(transparent)]
    Refused(#[from] RefusedAddress),
    /// The connection could not be established.
    #[error("no connection to {host}: {reason}")]
    Unreachable {
        /// Its name or address.
        host: String,
        /// The innermost cause.
        reason: String,
    },
    /// The response was not complete before the timeout.
    #[error("no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The answer is larger than this many bytes.
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
    /// The connection failed during the request or the response.
    #[error("the exchange with {host} failed: {reason}")]
    Broken {
        /// Its name or address.
        host: String,
        /// The innermost cause.
        reason: String,
    },
}

impl EgressError {
    /// Maps an error of the HTTP library, by whether there was a connection.
    pub(super) fn of<'e>(host: &str, error: &'e (dyn Error + 'static), was_connected: bool) -> Self {
        let causes = || std::iter::successors(Some(error), |error: &&'e (dyn Error + 'static)| (*error).source());
        if let Some(refused) = causes().find_map(|cause| cause.downcast_ref::<RefusedAddress>()) {
            return Self::Refused(refused.clone());
        }
        // The outer errors add nothing but the current step.
        let reason = causes().last().map(ToString::to_string).unwrap_or_default();
        let host = host.to_owned();
        if was_connected { Self::Broken { host, reason } } else { Self::Unreachable { host, reason } }
    }
}
