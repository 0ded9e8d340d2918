//! The webhook event `Identifier.Lockout`: too many attempts failed for an identifier.

use super::attempts::SignInAttempt;
use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_services::webhooks::Event;
use serde_json::{Value, json};

/// Emits `Identifier.Lockout` if this failure reached the limit.
pub(super) async fn tell_lockout(
    current: &mut CurrentInteraction,
    attempt: &SignInAttempt,
    identifier: &Identifier,
) -> Result<(), InteractionRefusal> {
    if !attempt.locks() {
        return Ok(());
    }
    let about = current.happening(current.event()?, &UserId::from(""), Value::Null);
    let event = Event::during(EventType::IdentifierLockout, about);
    let event = event.of("type", identifier.kind.as_str()).of("value", &identifier.value);
    let mut work = current.work().await?;
    work.audit(AuditKey::InteractionIdentifierLockout, json!({ "interactionId": current.id() })).await?;
    work.emit(&event).await?;
    Ok(work.commit().await?)
}
