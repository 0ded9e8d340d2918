//! Limits of guessing when users prove their identity at their own account: known browsers, and lockouts.

use super::owner::{Owner, OwnerAccess};
use super::refusal::OwnAccountRefusal;
use crate::interaction::attempts::SignInAttempt;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::identifier::Identifier;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::sessions::known_browsers;
use claimsmith_storage::{self as storage, Tx};
use serde_json::json;

/// Whether the user has signed in in this browser before: failures elsewhere do not lock them out of it.
pub(super) async fn is_known_here(owner: &Owner, tx: &mut Tx) -> storage::Result<bool> {
    match &owner.way {
        OwnerAccess::Page { known_hash: Some(hash), .. } => {
            known_browsers::is_known(tx, hash, &owner.user_id, owner.now()).await
        }
        _ => Ok(false),
    }
}

/// Emits `Identifier.Lockout` if this failure reached the limit.
pub(super) async fn tell_lockout(
    owner: &Owner,
    attempt: &SignInAttempt,
    identifier: Option<&Identifier>,
) -> Result<(), OwnAccountRefusal> {
    let Some(identifier) = identifier.filter(|_| attempt.locks()) else { return Ok(()) };
    let (mut work, _) = owner.begin().await?;
    work.audit(AuditKey::AccountIdentifierLockout, json!({ "userId": owner.user_id })).await?;
    let event = Event::new(EventType::IdentifierLockout, 400_u16);
    work.emit(&event.of("type", identifier.kind.as_str()).of("value", &identifier.value)).await?;
    Ok(work.commit().await?)
}
