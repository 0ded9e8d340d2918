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

/// Emits `Identifier.Lockout` if this failure reached the limit. `user_id`: the user of the identifier, for the audit log.
pub(super) async fn tell_lockout(
    current: &mut CurrentInteraction,
    attempt: &SignInAttempt,
    identifier: &Identifier,
    user_id: Option<&UserId>,
) -> Result<(), InteractionRefusal> {
    if !attempt.locks() {
        return Ok(());
    }
    let about = current.happening(current.event()?, &UserId::from(""), Value::Null);
    let event = Event::during(EventType::IdentifierLockout, about);
    let event = event.of("type", identifier.kind.as_str()).of("value", &identifier.value);
    let mut work = current.work().await?;
    let mut details = json!({ "interactionId": current.id() });
    if let Some(id) = user_id {
        details["userId"] = json!(id);
    }
    work.audit(AuditKey::InteractionIdentifierLockout, details).await?;
    work.emit(&event).await?;
    Ok(work.commit().await?)
}
