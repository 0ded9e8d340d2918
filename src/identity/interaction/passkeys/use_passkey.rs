//! The use of a passkey: verification, and update of its signature counter.

use super::refused;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::id::UserId;
use claimsmith_domain::staged_factors::ProvedPasskey;
use claimsmith_services::app::App;
use claimsmith_services::passkeys::credential_id;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::{Json, users};
use serde_json::{Map, Value};

/// A verified passkey, and its new state.
pub(crate) struct VerifiedPasskey {
    passkey: Passkey,
    credential: Value,
}

/// Verifies a response: by a passkey of `user`, or of any user if `None`.
pub(super) async fn verify(
    current: &CurrentInteraction,
    answer: Map<String, Value>,
    challenge: &Value,
    user: Option<&UserId>,
) -> Result<VerifiedPasskey, InteractionRefusal> {
    verify_of(&current.app, answer, challenge, user).await
}

/// The same outside of an interaction.
pub(crate) async fn verify_of(
    app: &App,
    answer: Map<String, Value>,
    challenge: &Value,
    user: Option<&UserId>,
) -> Result<VerifiedPasskey, InteractionRefusal> {
    let id = credential_id(&answer).map_err(refused)?;
    let found = passkeys::find_by_credential(&mut app.db.read().await?, &id).await?;
    let passkey = found
        .filter(|found| user.is_none_or(|user| found.user_id == *user))
        .ok_or(InteractionRefusal::InvalidPasskey)?;
    let verified = app.passkeys.verify(answer, challenge, &passkey.credential, &passkey.user_id);
    let credential = verified.map_err(refused)?;
    Ok(VerifiedPasskey { passkey, credential })
}

impl VerifiedPasskey {
    /// The user of the passkey.
    pub(super) fn user_id(&self) -> &UserId {
        &self.passkey.user_id
    }

    /// Stores its counter. Refuses a passkey that was removed or used in the meantime: if a copy presents the same
    /// counter at the same time, it is unknown which one is the user's.
    pub(crate) async fn keep(self, work: &mut UnitOfWork) -> Result<ProvedPasskey, InteractionRefusal> {
        let now = work.now();
        // Locks the user, so that the second of two concurrent uses sees the first.
        users::find_to_change(work, self.user_id()).await?.ok_or(InteractionRefusal::InvalidPasskey)?;
        let stored = passkeys::find_by_credential(work, &self.passkey.credential_id).await?;
        if stored.ok_or(InteractionRefusal::InvalidPasskey)?.credential.0 != self.passkey.credential.0 {
            return Err(InteractionRefusal::Superseded);
        }
        if !passkeys::used(work, &self.passkey.id, &Json(self.credential), now).await? {
            return Err(InteractionRefusal::InvalidPasskey);
        }
        Ok(ProvedPasskey { id: self.passkey.id, is_synced: self.passkey.is_synced })
    }
}
