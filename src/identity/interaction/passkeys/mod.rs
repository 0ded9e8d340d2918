//! Passkeys during an interaction (WebAuthn): registering new ones, using them as second factors, and signing in with
//! them instead of a password.

pub mod register;
pub mod second_factor;
pub mod sign_in;
pub(crate) mod use_passkey;

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_services::passkeys::credential_id;
use claimsmith_storage::users::{User, passkeys};
use serde_json::{Map, Value};

/// Maximum passkeys per user.
pub(crate) const MAX_PASSKEYS: usize = 20;

/// A challenge for the browser.
#[derive(Debug)]
pub struct PasskeyChallenge {
    /// The id of the verification that the response belongs to.
    pub verification_id: String,
    /// The options of the browser's API.
    pub options: Value,
}

/// The refusal of an invalid passkey.
pub(crate) fn refused(error: claimsmith_services::passkeys::Error) -> InteractionRefusal {
    match error {
        claimsmith_services::passkeys::Error::Refused => InteractionRefusal::InvalidPasskey,
        claimsmith_services::passkeys::Error::Unavailable => InteractionRefusal::FactorDisabled,
        other => other.into(),
    }
}

/// The id of the passkey that answers, if no user has it: browsers can stop offering it.
pub async fn unknown_credential(
    current: &CurrentInteraction,
    answer: &Map<String, Value>,
) -> Result<Option<String>, InteractionRefusal> {
    let id = credential_id(answer).map_err(refused)?;
    let known = passkeys::find_by_credential(&mut current.app.db.read().await?, &id).await?;
    Ok(known.is_none().then_some(id))
}

/// The user's name in the authenticator.
pub(crate) fn name_of(user: &User) -> &str {
    let known = [&user.username, &user.primary_email, &user.primary_phone, &user.name];
    known.into_iter().flatten().next().map_or(user.id.as_str(), String::as_str)
}

/// Whether the settings enable passkeys: as a second factor, or for sign-in.
#[must_use]
pub fn are_of_use(settings: &SignInExperience) -> bool {
    let is_factor = settings.mfa.factors.contains(&FactorType::WebAuthn.setting());
    is_factor || settings.passkey_sign_in.enabled == Some(true)
}
