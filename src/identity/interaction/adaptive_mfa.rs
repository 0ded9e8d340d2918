//! Second factors by risk: reports a sign-in that is unusual for its user.

use super::current::CurrentInteraction;
use super::factors::holder::of_interaction;
use super::refusal::InteractionRefusal;
use crate::accounts::user_fields;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_services::webhooks::Event;
use serde_json::json;

/// Reports a sign-in that was refused because it is unusual and needs a second factor, once per interaction.
pub(super) async fn report(refused: &CurrentInteraction) -> Result<(), InteractionRefusal> {
    // Loaded again: what the refused submission wrote was taken back.
    let mut current = CurrentInteraction::load(&refused.app, refused.browser.clone()).await?;
    if current.progress.reported_as_unusual {
        return Ok(());
    }
    let holder = of_interaction(&current).await?;
    let Some(rules) = holder.triggered.as_ref().filter(|rules| !rules.is_empty()) else { return Ok(()) };
    let result = json!({ "requiresMfa": true, "triggeredRules": rules });
    let user_id = holder.user.id.clone();
    let shown = serde_json::to_value(user_fields(holder.user.clone()))?;
    let mut work = current.begin().await?;
    let about = current.happening(holder.event, &user_id, shown);
    let event = Event::during(EventType::PostSignInAdaptiveMfaTriggered, about);
    work.emit(&event.with("adaptiveMfaResult", result)).await?;
    let details = json!({ "interactionId": current.id(), "userId": user_id, "triggeredRules": rules });
    work.audit(AuditKey::InteractionAdaptiveMfaTrigger, details).await?;
    current.progress.reported_as_unusual = true;
    current.keep(&mut work).await?;
    Ok(work.commit().await?)
}
