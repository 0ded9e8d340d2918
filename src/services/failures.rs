//! Errors that are failures of the server, independent of the request: the list of the types of this crate and of those
//! below it. `claimsmith_identity` adds its own.

pub use claimsmith_domain::random::RandomError;
pub use claimsmith_storage::Error as StorageError;
pub use serde_json::Error as JsonError;
pub use tokio::task::JoinError;

/// Lets `?` turn a failure of the server into a refusal. `$make` takes the error; `$more` are further error types of
/// the calling crate.
#[macro_export]
macro_rules! from_failures {
    ($refusal:ty, $make:expr $(, $more:ty)* $(,)?) => {
        $crate::from_failures!(
            @each $refusal, $make,
            $crate::captcha::Error,
            $crate::connectors::Error,
            $crate::egress::EgressError,
            $crate::encryption::EncryptionError,
            $crate::passkeys::Error,
            $crate::passwords::PasswordError,
            $crate::plugins::TrialError,
            $crate::tokens::Error,
            $crate::tokens::KeyError,
            $crate::tokens::keys::Error,
            $crate::verification_codes::Error,
            $crate::webhooks::Error,
            $crate::webhooks::receivers::Error,
            $crate::failures::RandomError,
            $crate::failures::StorageError,
            $crate::failures::JsonError,
            ::std::num::TryFromIntError,
            ::std::string::FromUtf8Error,
            $crate::failures::JoinError
            $(, $more)*
        );
    };
    (@each $refusal:ty, $make:expr, $($error:ty),+) => {
        $(
            impl From<$error> for $refusal {
                fn from(error: $error) -> Self {
                    $make(error)
                }
            }
        )+
    };
}
