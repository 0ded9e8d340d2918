//! Sign-in with a passkey instead of a password. No response reveals whether an identifier has passkeys: without any,
//! the challenge names decoys.

use super::use_passkey::{VerifiedPasskey, verify as verify_answer};
use super::{PasskeyChallenge, refused};
use crate::interaction::attempts::{self, SignInAttempt};
use crate::interaction::current::CurrentInteraction;
use crate::interaction::find_user::holder_by_name;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::{InteractionEvent, Method, Verification};
use claimsmith_services::passkeys::Passkeys;
use claimsmith_storage::users::passkeys;
use serde_json::{Map, Value, json};

/// The challenge for a passkey that the browser finds by itself: by a button, or by autofill in the identifier field.
/// It precedes the start of the sign-in.
pub async fn ask_for_any(current: &mut CurrentInteraction) -> Result<Value, InteractionRefusal> {
    check_enabled(current).await?;
    let asked = current.app.passkeys.ask_for(&[]).map_err(refused)?;
    let mut work = current.begin().await?;
    current.progress.passkey_challenge = Some(asked.state);
    current.save(&mut work, InteractionStep::AskSignInPasskey, json!({})).await?;
    work.commit().await?;
    Ok(asked.options)
}

/// Creates the challenge for the passkeys of the user with this identifier.
pub async fn ask(
    current: &mut CurrentInteraction,
    identifier: &Identifier,
) -> Result<PasskeyChallenge, InteractionRefusal> {
    let outcome = begin(current, identifier).await;
    current.note(InteractionStep::AskSignInPasskey, outcome)
}

async fn begin(
    current: &mut CurrentInteraction,
    identifier: &Identifier,
) -> Result<PasskeyChallenge, InteractionRefusal> {
    current.event()?;
    check_enabled(current).await?;
    let (user_id, mut known) = known(current, identifier).await?;
    if known.is_empty() {
        // Folded, since the passkeys of a known identifier do not depend on its notation either.
        let folded = format!("{}:{}", identifier.kind.as_str(), identifier.key());
        known = Passkeys::decoys(&current.app.cipher, &folded).map_err(refused)?;
    }
    let asked = current.app.passkeys.ask_for(&known).map_err(refused)?;
    let verification_id = current.app.random.id(21)?;
    let mut work = current.begin().await?;
    let method = Method::SignInPasskey { user_id, challenge: Some(asked.state), proved: None };
    current.progress.keep(Verification { id: verification_id.clone(), method });
    current.save(&mut work, InteractionStep::AskSignInPasskey, json!({ "verificationId": verification_id })).await?;
    work.commit().await?;
    Ok(PasskeyChallenge { verification_id, options: asked.options })
}

/// The user of an identifier, with the credential ids of their passkeys.
async fn known(
    current: &CurrentInteraction,
    identifier: &Identifier,
) -> Result<(Option<UserId>, Vec<String>), InteractionRefusal> {
    let mut tx = current.app.db.read().await?;
    let (_, user) = holder_by_name(&mut tx, identifier.clone()).await?;
    let Some(user) = user else { return Ok((None, Vec::new())) };
    let known = passkeys::of_user(&mut tx, &user.id).await?;
    Ok((Some(user.id), known.into_iter().map(|passkey| passkey.credential_id).collect()))
}

/// Verifies a passkey; without a verification, for the challenge of `ask_for_any`. Returns the id of the verification.
pub async fn verify(
    current: &mut CurrentInteraction,
    id: Option<&str>,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    let outcome = attempt(current, id, answer).await;
    current.note(InteractionStep::SignInPasskey, outcome)
}

async fn attempt(
    current: &mut CurrentInteraction,
    id: Option<&str>,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    if current.event()? != InteractionEvent::SignIn {
        return Err(InteractionRefusal::WrongEvent);
    }
    let (expected, challenge) = asked(current, id)?;
    check_enabled(current).await?;
    let app = current.app.clone();
    let policy = current.settings().await?.sentinel_policy;
    // No identifier is given: failures count for the IP address only, and lock no user out.
    let attempt = attempts::count(&app, &policy, None, current.browser.origin.ip).await?;
    let used = match verify_answer(current, answer, &challenge, expected.as_ref()).await {
        Ok(used) => used,
        Err(InteractionRefusal::InvalidPasskey) => {
            attempt.failed(&app).await?;
            return Err(InteractionRefusal::InvalidPasskey);
        }
        Err(other) => {
            attempt.undo_failure(&app).await?;
            return Err(other);
        }
    };
    let outcome = keep(current, &attempt, id, used).await;
    attempt.kept(&app, outcome).await
}

/// Stores the successful verification.
async fn keep(
    current: &mut CurrentInteraction,
    attempt: &SignInAttempt,
    id: Option<&str>,
    used: VerifiedPasskey,
) -> Result<String, InteractionRefusal> {
    let id = match id {
        Some(id) => id.to_owned(),
        None => current.app.random.id(21)?,
    };
    let user_id = used.user_id().clone();
    let mut work = current.begin().await?;
    let proved = used.keep(&mut work).await?;
    attempt.succeeded(&mut work).await?;
    let details = json!({ "verificationId": id, "factorId": proved.id, "userId": user_id });
    current.progress.passkey_challenge = None;
    let method = Method::SignInPasskey { user_id: Some(user_id), challenge: None, proved: Some(proved) };
    current.progress.keep(Verification { id: id.clone(), method });
    current.save(&mut work, InteractionStep::SignInPasskey, details).await?;
    work.commit().await?;
    Ok(id)
}

/// The expected user, if an identifier was given, and the challenge.
fn asked(current: &CurrentInteraction, id: Option<&str>) -> Result<(Option<UserId>, Value), InteractionRefusal> {
    let Some(id) = id else {
        let challenge = current.progress.passkey_challenge.clone();
        return Ok((None, challenge.ok_or(InteractionRefusal::NoSignInPasskeyAsked)?));
    };
    match &current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method {
        Method::SignInPasskey { user_id, challenge: Some(challenge), .. } => {
            // Decoys belong to no user.
            let expected = user_id.clone().unwrap_or_else(|| UserId::from(""));
            Ok((Some(expected), challenge.clone()))
        }
        _ => Err(InteractionRefusal::NoSignInPasskeyAsked),
    }
}

async fn check_enabled(current: &CurrentInteraction) -> Result<(), InteractionRefusal> {
    let settings = current.settings().await?;
    if settings.passkey_sign_in.enabled == Some(true) && current.app.passkeys.are_possible() {
        Ok(())
    } else {
        Err(InteractionRefusal::MethodDisabled)
    }
}
