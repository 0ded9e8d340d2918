//! Passkeys during an interaction (WebAuthn): new ones, those that the user has as second factors, and signing in with
//! them in place of a password.

pub mod register;
pub mod second_factor;
pub mod sign_in;
mod use_passkey;

use super::refusal::InteractionRefusal;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_storage::users::User;
use serde_json::Value;

/// The most passkeys of a user.
pub(crate) const MAX_PASSKEYS: usize = 20;

/// What a browser is asked.
#[derive(Debug)]
pub struct PasskeyChallenge {
    /// The verification that the answer belongs to.
    pub verification_id: String,
    /// The options of the browser's function.
    pub options: Value,
}

/// Names the refusal of what is no passkey, or proves nothing.
pub(crate) fn refused(error: claimsmith_services::passkeys::Error) -> InteractionRefusal {
    match error {
        claimsmith_services::passkeys::Error::Refused => InteractionRefusal::InvalidPasskey,
        claimsmith_services::passkeys::Error::Unavailable => InteractionRefusal::FactorDisabled,
        other => other.into(),
    }
}

/// What a user is called where the passkey is kept.
pub(crate) fn name_of(user: &User) -> &str {
    let known = [&user.username, &user.primary_email, &user.primary_phone, &user.name];
    known.into_iter().flatten().next().map_or(user.id.as_str(), String::as_str)
}

/// Whether the settings have a use for a passkey: as a second factor, or to sign in with.
#[must_use]
pub fn are_of_use(settings: &SignInExperience) -> bool {
    let is_factor = settings.mfa.factors.contains(&FactorType::WebAuthn.setting());
    is_factor || settings.passkey_sign_in.enabled == Some(true)
}
