//! The user's passkeys as second factors.

use super::use_passkey::verify as verify_answer;
use super::{PasskeyChallenge, refused};
use crate::interaction::attempts::SignInAttempt;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::factors::guesses;
use crate::interaction::factors::holder::{FactorHolder, of_interaction};
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::interaction::{Method, Verification};
use serde_json::{Map, Value, json};

/// Creates the challenge for the user's passkeys.
pub async fn ask(current: &mut CurrentInteraction) -> Result<PasskeyChallenge, InteractionRefusal> {
    let outcome = begin(current).await;
    current.note(InteractionStep::AskPasskey, outcome)
}

async fn begin(current: &mut CurrentInteraction) -> Result<PasskeyChallenge, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let known = holder.credential_ids();
    if known.is_empty() || !holder.has(FactorType::WebAuthn) {
        return Err(InteractionRefusal::NoPasskey);
    }
    let asked = current.app.passkeys.ask_for(&known).map_err(refused)?;
    let verification_id = current.app.random.id(21)?;
    let mut work = current.begin().await?;
    let method = Method::WebAuthn { user_id: holder.user.id, challenge: Some(asked.state), proved: None };
    current.progress.keep(Verification { id: verification_id.clone(), method });
    current.save(&mut work, InteractionStep::AskPasskey, json!({ "verificationId": verification_id })).await?;
    work.commit().await?;
    Ok(PasskeyChallenge { verification_id, options: asked.options })
}

/// Verifies a passkey of the user; returns the id of the verification.
pub async fn verify(
    current: &mut CurrentInteraction,
    id: &str,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    let outcome = attempt(current, id, answer).await;
    current.note(InteractionStep::Passkey, outcome)
}

async fn attempt(
    current: &mut CurrentInteraction,
    id: &str,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let attempt = guesses::count(current, &holder, FactorType::WebAuthn).await?;
    let outcome = prove(current, &holder, &attempt, id, answer).await;
    guesses::settle(current, &holder, &attempt, outcome).await
}

async fn prove(
    current: &mut CurrentInteraction,
    holder: &FactorHolder,
    attempt: &SignInAttempt,
    id: &str,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    let user_id = &holder.user.id;
    let method = &current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method;
    let challenge = match method {
        Method::WebAuthn { user_id: of, challenge: Some(challenge), .. } if of == user_id => challenge.clone(),
        _ => return Err(InteractionRefusal::NoPasskeyAsked),
    };
    let used = verify_answer(current, answer, &challenge, Some(user_id)).await?;
    let mut work = current.begin().await?;
    let proved = used.keep(&mut work).await?;
    attempt.succeeded(&mut work).await?;
    let details = json!({ "verificationId": id, "factorId": proved.id });
    let method = Method::WebAuthn { user_id: user_id.clone(), challenge: None, proved: Some(proved) };
    current.progress.keep(Verification { id: id.to_owned(), method });
    current.save(&mut work, InteractionStep::Passkey, details).await?;
    work.commit().await?;
    Ok(id.to_owned())
}
