//! Checks whether the identified user may still sign in.

use super::refusal::InteractionRefusal;
use claimsmith_services::tokens;
use claimsmith_storage::users::User;

/// Refuses a suspended user, or one whose password has changed since it was verified.
pub(super) fn check_user(user: &User, credential: Option<&str>) -> Result<(), InteractionRefusal> {
    if user.is_suspended {
        return Err(InteractionRefusal::Suspended);
    }
    match credential {
        Some(credential) if user.password_digest.as_deref().map(tokens::hash).as_deref() != Some(credential) => {
            Err(InteractionRefusal::NotVerified)
        }
        _ => Ok(()),
    }
}
