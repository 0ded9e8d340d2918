//! The parts of one's own account that the settings let users see and change.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use crate::interaction::administrators::administers;
use claimsmith_domain::console::sign_in;
use claimsmith_domain::documents::account_center::{AccountCenter, Control, Field};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_storage::sign_in::settings::{ACCOUNT_CENTER, EXPERIENCE};
use claimsmith_storage::{self as storage, Tx};

/// The sign-in settings of a user: for administrators, those of the server's own applications.
pub async fn of_sign_in(owner: &Owner, tx: &mut Tx) -> storage::Result<SignInExperience> {
    let stored = EXPERIENCE.find(tx).await?;
    let administers = administers(&owner.app, tx, &owner.user_id).await?;
    Ok(if administers { sign_in::settings(stored, false) } else { stored })
}

/// Refuses to show a disabled field.
pub fn check_shown(settings: &AccountCenter, field: Field) -> Result<(), OwnAccountRefusal> {
    if settings.fields.shows(field) { Ok(()) } else { Err(OwnAccountRefusal::FieldOff) }
}

/// Refuses a change unless at least one of these fields is editable.
pub(super) async fn check_edited_one(tx: &mut Tx, fields: &[Field]) -> Result<(), OwnAccountRefusal> {
    let settings = ACCOUNT_CENTER.find(tx).await?;
    let is_edited = fields.iter().any(|field| settings.fields.edits(*field));
    if is_edited { Ok(()) } else { Err(OwnAccountRefusal::FieldReadOnly) }
}

/// Refuses to change a field that users cannot edit. Returns the settings.
pub(super) async fn check_edited(tx: &mut Tx, fields: &[Field]) -> Result<AccountCenter, OwnAccountRefusal> {
    let settings = ACCOUNT_CENTER.find(tx).await?;
    for field in fields {
        if settings.fields.of(*field) != Control::Edit {
            return Err(OwnAccountRefusal::FieldReadOnly);
        }
    }
    Ok(settings)
}
