//! The two renderings of a refusal: [`ApiError`] for the Management API, [`OAuthError`] for the OIDC endpoints.
//!
//! The client gets the reason of a refusal. An internal failure is logged with its source errors, and the client gets
//! `server_error` without details.

mod access;
mod account;
mod api;
mod grant;
mod interaction;
mod oauth;
mod own_account;

pub use api::{ApiError, ApiErrorBody, status_of};
pub use interaction::seconds;
pub(crate) use oauth::Challenge;
pub use oauth::OAuthError;

use claimsmith_services::passwords::PasswordError;
use claimsmith_services::tokens;
#[cfg(test)]
use claimsmith_services::webhooks;
use claimsmith_storage as storage;
use std::error::Error;

/// The `realm` of challenges.
pub(crate) const REALM: &str = "claimsmith";

/// The `Retry-After` of overload, in seconds: by then, a connection or a lock is usually free again.
pub const RETRY_AFTER_SECONDS: u16 = 1;

/// What an internal failure is to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Too much is asked of the server: 503, and the same request may work later.
    Overload,
    /// The server's own: 500.
    Internal,
}

/// Writes a failure and what it comes from to the log, and says what it is.
pub fn log_failure(error: &(dyn Error + 'static)) -> Failure {
    let (mut causes, mut next) = (vec![error], error.source());
    while let Some(cause) = next {
        causes.push(cause);
        next = cause.source();
    }
    let chain = causes.iter().map(ToString::to_string).collect::<Vec<_>>().join(": ");
    if causes.into_iter().any(is_overload) {
        tracing::warn!(error = %chain, "a request was refused: overload");
        Failure::Overload
    } else {
        tracing::error!(error = %chain, "a request failed");
        Failure::Internal
    }
}

/// Whether an error by itself says that too much is asked: no connection, no lock or no place in a queue was free, or the
/// server has just started.
fn is_overload(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref().is_some_and(storage::Error::is_overload)
        || matches!(error.downcast_ref(), Some(tokens::Error::Busy | tokens::Error::PluginsLoading))
        || matches!(error.downcast_ref(), Some(PasswordError::Busy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overload_is_recognized_wherever_it_comes_from() {
        let overload = || storage::Error::TimedOut;
        let errors: [Box<dyn Error>; 7] = [
            Box::new(overload()),
            Box::new(tokens::Error::from(overload())),
            Box::new(tokens::Error::from(tokens::keys::Error::from(overload()))),
            Box::new(webhooks::Error::from(overload())),
            Box::new(tokens::Error::Busy),
            Box::new(tokens::Error::PluginsLoading),
            Box::new(PasswordError::Busy),
        ];
        for error in &errors {
            assert_eq!(log_failure(&**error), Failure::Overload, "{error:?}");
        }
        assert_eq!(log_failure(&storage::Error::Conflict), Failure::Internal);
        assert_eq!(log_failure(&tokens::Error::Corrupt("row")), Failure::Internal);
    }
}
