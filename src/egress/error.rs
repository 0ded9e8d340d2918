//! Errors of outgoing requests. No message repeats a header, a query or a body.

use super::guard::RefusedAddress;
use std::error::Error;
use std::time::Duration;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The request cannot be sent as it is.
    #[error("{0}")]
    BadRequest(String),
    /// It leads where no request may go.
    #[error(transparent)]
    Refused(#[from] RefusedAddress),
    /// No connection came about.
    #[error("no connection to {host}: {reason}")]
    Unreachable {
        /// Its name or address.
        host: String,
        /// The innermost cause.
        reason: String,
    },
    /// The whole answer had not arrived in time.
    #[error("no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The answer is larger than this many bytes.
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
    /// The connection or the answer broke.
    #[error("the exchange with {host} failed: {reason}")]
    Broken {
        /// Its name or address.
        host: String,
        /// The innermost cause.
        reason: String,
    },
}

impl EgressError {
    /// What the HTTP library's error means.
    pub(super) fn of(host: &str, error: &reqwest::Error) -> Self {
        let causes = || {
            std::iter::successors(Some(error as &(dyn Error + 'static)), |error: &&(dyn Error + 'static)| {
                (*error).source()
            })
        };
        if let Some(refused) = causes().find_map(|cause| cause.downcast_ref::<RefusedAddress>()) {
            return Self::Refused(refused.clone());
        }
        // The outer ones repeat the URL, and say no more than what happened to be under way.
        let reason = causes().last().map(ToString::to_string).unwrap_or_default();
        let host = host.to_owned();
        if error.is_connect() { Self::Unreachable { host, reason } } else { Self::Broken { host, reason } }
    }
}
