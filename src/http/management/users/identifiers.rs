//! User name, email address and phone number belong to one user each, whatever their case and spelling.

use crate::domain::fold::fold;
use crate::domain::phone::international;
use crate::domain::user::Phone;
use crate::http::error::ApiError;
use crate::http::extract::management::Caller;
use crate::storage::users::{self, Identifiers, User};
use crate::storage::{self, Tx};

/// The digits by which a phone number is known.
pub(super) fn phone(phone: Phone) -> Result<String, ApiError> {
    let refused = || ApiError::unprocessable("user.invalid_phone", "Invalid phone number.");
    international(&String::from(phone)).ok_or_else(refused)
}

/// 422 when somebody else has an identifier of this user.
pub(super) async fn refuse_taken(tx: &mut Tx, user: &User) -> Result<(), ApiError> {
    let wanted = Identifiers {
        username: user.username.clone(),
        primary_email: user.primary_email.clone(),
        primary_phone: user.primary_phone.clone(),
    };
    let others = users::identified_by(tx, &wanted).await?;
    let taken = |of: fn(&Identifiers) -> &Option<String>| {
        let wanted = of(&wanted).as_deref().map(fold);
        let others = others.iter().filter(|other| other.id != user.id);
        wanted.is_some() && others.into_iter().any(|other| of(&other.identifiers).as_deref().map(fold) == wanted)
    };
    let refuse = |code, message| Err(ApiError::unprocessable(code, message));
    if taken(|one| &one.username) {
        return refuse("user.username_already_in_use", "This username is already in use.");
    }
    if taken(|one| &one.primary_email) {
        return refuse("user.email_already_in_use", "This email is already in use.");
    }
    if taken(|one| &one.primary_phone) {
        return refuse("user.phone_already_in_use", "This phone number is already in use.");
    }
    Ok(())
}

/// Somebody else took an identifier between the look and the write: which one, is asked again. To be called when the
/// transaction is gone.
pub(super) async fn lost_race(management: &Caller, error: storage::Error, user: &User) -> ApiError {
    if !matches!(error, storage::Error::Conflict) {
        return error.into();
    }
    let look = async {
        let mut tx = management.read().await?;
        refuse_taken(&mut tx, user).await
    };
    look.await
        .err()
        .unwrap_or_else(|| ApiError::unprocessable("entity.unique_integrity_violation", "The user is already there."))
}
