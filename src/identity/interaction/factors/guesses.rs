//! Attempts at a second factor: each counts before its result is known, and too many failures lock that factor of the
//! user.

use super::holder::FactorHolder;
use crate::interaction::attempts::{self, SignInAttempt};
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::sessions::known_browsers;
use serde_json::{Value, json};

/// Counts an attempt.
pub(crate) async fn count(
    current: &CurrentInteraction,
    holder: &FactorHolder,
    kind: FactorType,
) -> Result<SignInAttempt, InteractionRefusal> {
    let (app, browser, user_id) = (&current.app, &current.browser, &holder.user.id);
    let is_known = match browser.known_hash.as_deref() {
        Some(hash) => {
            let mut tx = app.db.read().await?;
            known_browsers::is_known(&mut tx, hash, user_id, app.clock.now_ms()).await?
        }
        None => false,
    };
    let policy = &holder.settings.sentinel_policy;
    attempts::count_factor(app, policy, kind, user_id, is_known, browser.origin.ip).await
}

/// Settles an attempt: a failure counts, but errors that prevented the check do not.
pub(crate) async fn settle<T>(
    current: &mut CurrentInteraction,
    holder: &FactorHolder,
    attempt: &SignInAttempt,
    outcome: Result<T, InteractionRefusal>,
) -> Result<T, InteractionRefusal> {
    match outcome {
        Ok(done) => Ok(done),
        Err(
            refusal @ (InteractionRefusal::InvalidTotp
            | InteractionRefusal::InvalidBackupCode
            | InteractionRefusal::InvalidPasskey
            | InteractionRefusal::Code(CodeRefusal::Mismatch)),
        ) => {
            attempt.failed(&current.app).await?;
            tell_lockout(current, holder, attempt).await?;
            Err(attempt.refusal(refusal))
        }
        Err(other) => {
            attempt.undo_failure(&current.app).await?;
            Err(other)
        }
    }
}

/// Emits `Identifier.Lockout` if this failure reached the limit.
async fn tell_lockout(
    current: &CurrentInteraction,
    holder: &FactorHolder,
    attempt: &SignInAttempt,
) -> Result<(), InteractionRefusal> {
    if !attempt.locks() {
        return Ok(());
    }
    let user_id = &holder.user.id;
    let about = current.happening(current.event()?, user_id, Value::Null);
    let event = Event::during(EventType::IdentifierLockout, about).of("type", "userId").of("value", user_id);
    let mut work = current.work().await?;
    let details = json!({ "interactionId": current.id(), "userId": user_id });
    work.audit(AuditKey::InteractionIdentifierLockout, details).await?;
    work.emit(&event).await?;
    Ok(work.commit().await?)
}
