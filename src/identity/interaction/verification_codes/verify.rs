//! Verifies an entered code. It counts as an attempt at the email address or phone number, like a password.

use super::requester::{CodePurpose, requester};
use crate::interaction::attempts::{self, SignInAttempt};
use crate::interaction::current::CurrentInteraction;
use crate::interaction::find_user::find;
use crate::interaction::lockout::tell_lockout;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::Method;
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_services::messages;
use claimsmith_services::verification_codes::{self, Proved};
use serde_json::json;

/// Verifies a code that was sent to this email address or phone number for the verification with this id; returns the
/// id.
pub async fn verify(
    current: &mut CurrentInteraction,
    identifier: &Identifier,
    id: &str,
    code: &str,
) -> Result<String, InteractionRefusal> {
    let step = identifier.kind.channel().map_or(InteractionStep::Update, InteractionStep::Code);
    let mut about = None;
    let outcome = attempt(current, identifier, id, code, &mut about).await;
    current.note_about(step, about.as_ref(), outcome)
}

/// Verifies a code; `about` becomes the user whom the identifier names, for the audit log.
async fn attempt(
    current: &mut CurrentInteraction,
    identifier: &Identifier,
    id: &str,
    code: &str,
    about: &mut Option<UserId>,
) -> Result<String, InteractionRefusal> {
    current.event()?;
    let channel = identifier.kind.channel().ok_or(InteractionRefusal::UnknownVerification)?;
    let sent = sent(current, id)?;
    if !sent.identifier.is_same(identifier) {
        return Err(InteractionRefusal::Code(CodeRefusal::OtherRecipient(identifier.kind)));
    }
    let app = current.app.clone();
    let settings = current.settings().await?;
    let (user, is_known_here) = find(current, &sent.identifier).await?;
    *about = user.map(|user| user.id);
    let counted = Some(&sent.identifier).filter(|_| !is_known_here);
    let attempt = attempts::count(&app, &settings.sentinel_policy, counted, current.browser.origin.ip).await?;
    let (requester, policy) =
        (requester(current, CodePurpose::Identifier, channel), &settings.verification_code_policy);
    let now = app.clock.now_ms();
    let proved = match verification_codes::prove(&app.db, &app.cipher, &requester, Some(id), code, policy, now).await? {
        Ok(proved) => proved,
        Err(refusal) => {
            if refusal == CodeRefusal::Mismatch {
                attempt.failed(&app).await?;
                tell_lockout(current, &attempt, &sent.identifier, about.as_ref()).await?;
                return Err(attempt.refusal(InteractionRefusal::Code(refusal)));
            }
            attempt.undo_failure(&app).await?;
            return Err(InteractionRefusal::Code(refusal));
        }
    };
    let outcome = keep(current, &attempt, &proved, (channel, id)).await;
    attempt.kept(&app, outcome).await
}

/// Uses up the code, and stores the successful verification.
async fn keep(
    current: &mut CurrentInteraction,
    attempt: &SignInAttempt,
    proved: &Proved,
    (channel, id): (Channel, &str),
) -> Result<String, InteractionRefusal> {
    let mut work = current.begin().await?;
    if !verification_codes::consume(&mut work, proved).await? {
        return Err(InteractionRefusal::Code(CodeRefusal::NotFound));
    }
    // An unsent message is no longer needed.
    let now = work.now();
    messages::withdraw(&mut work, id, now).await?;
    attempt.succeeded(&mut work).await?;
    for kept in current.progress.verifications.iter_mut().filter(|kept| kept.id == id) {
        if let Method::EmailVerificationCode(sent) | Method::PhoneVerificationCode(sent) = &mut kept.method {
            sent.verified = true;
        }
    }
    current.save(&mut work, InteractionStep::Code(channel), json!({ "verificationId": id })).await?;
    work.commit().await?;
    Ok(id.to_owned())
}

/// The code that was sent for this verification.
fn sent(current: &CurrentInteraction, id: &str) -> Result<SentCode, InteractionRefusal> {
    let verification = current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?;
    verification.method.identifying_code().cloned().ok_or(InteractionRefusal::UnknownVerification)
}
