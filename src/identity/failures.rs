//! Errors that are failures of the server, independent of the request: the list of this crate's types, after the one of
//! `claimsmith_services`.

/// Lets `?` turn a failure of the server into a refusal. `$make` takes the error; `$more` are further error types of
/// the calling crate.
#[macro_export]
macro_rules! from_failures {
    ($refusal:ty, $make:expr $(, $more:ty)* $(,)?) => {
        ::claimsmith_services::from_failures!(
            $refusal,
            $make,
            $crate::accounts::invitations::InvitationTokenError,
            $crate::accounts::mfa::FactorSecretError,
            $crate::interaction::session::Error
            $(, $more)*
        );
    };
}
