//! One-time passwords of an authenticator app (RFC 6238): setting up a new secret, and verifying those of the user's
//! factor. Each time step is accepted once.

use super::guesses;
use super::holder::{FactorHolder, of_interaction};
use crate::accounts::{self, NewFactor, mfa};
use crate::interaction::attempts::SignInAttempt;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::interaction::{Method, Verification};
use claimsmith_domain::staged_factors::StagedFactor;
use claimsmith_storage::users;
use serde_json::json;

/// A secret to add to an authenticator app.
pub struct NewSecret {
    /// The id of the verification of the setup.
    pub verification_id: String,
    /// Base 32.
    pub secret: String,
    /// A QR code of the secret, as a data URI.
    pub qr_code: String,
}

/// Generates a secret.
pub async fn new_secret(current: &mut CurrentInteraction) -> Result<NewSecret, InteractionRefusal> {
    let outcome = make(current).await;
    current.note(InteractionStep::NewTotp, outcome)
}

async fn make(current: &mut CurrentInteraction) -> Result<NewSecret, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let new = NewFactor::totp(None)?;
    let factor = accounts::stage_factor(&current.app.cipher, &new)?;
    let verification_id = current.app.random.id(21)?;
    let shown = shown(current, &holder, verification_id.clone(), &factor)?;
    let details = json!({ "verificationId": verification_id });
    let mut work = current.begin().await?;
    let method = Method::NewTotp { user_id: holder.user.id, factor };
    current.progress.keep(Verification { id: verification_id, method });
    current.save(&mut work, InteractionStep::NewTotp, details).await?;
    work.commit().await?;
    Ok(shown)
}

/// Returns the user's unconfirmed secret, or else a new one, so that reloading the page shows the same secret.
pub async fn pending_secret(current: &mut CurrentInteraction) -> Result<NewSecret, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let pending = current.progress.verifications.iter().find_map(|kept| match &kept.method {
        Method::NewTotp { user_id, factor } if *user_id == holder.user.id && factor.used_step.is_none() => {
            Some((kept.id.clone(), factor))
        }
        _ => None,
    });
    match pending.map(|(id, factor)| shown(current, &holder, id, factor)) {
        Some(Ok(pending)) => Ok(pending),
        // A secret that cannot be decrypted, since its key was removed, is replaced.
        Some(Err(_)) | None => new_secret(current).await,
    }
}

fn shown(
    current: &CurrentInteraction,
    holder: &FactorHolder,
    id: String,
    factor: &StagedFactor,
) -> Result<NewSecret, InteractionRefusal> {
    let secret = mfa::decrypt(&current.app.cipher, &factor.id, &factor.sealed)?;
    let service = current.app.config.server.base_url.to_string();
    let qr_code = mfa::qr_code_of(&service, &holder.user, &secret)?;
    Ok(NewSecret { verification_id: id, secret, qr_code })
}

/// Confirms a new secret by a one-time password; returns the id of the verification.
pub async fn confirm(
    current: &mut CurrentInteraction,
    verification_id: &str,
    code: &str,
) -> Result<String, InteractionRefusal> {
    let outcome = prove_new(current, verification_id, code).await;
    current.note(InteractionStep::Totp, outcome)
}

async fn prove_new(current: &mut CurrentInteraction, id: &str, code: &str) -> Result<String, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let method = &current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method;
    let factor = match method {
        Method::NewTotp { user_id, factor } if *user_id == holder.user.id => factor.clone(),
        _ => return Err(InteractionRefusal::UnknownVerification),
    };
    let secret = mfa::decrypt(&current.app.cipher, &factor.id, &factor.sealed);
    let secret = secret.map_err(|_| InteractionRefusal::UnknownVerification)?;
    let step =
        accounts::matching_step(&secret, code, current.app.clock.now_ms()).ok_or(InteractionRefusal::InvalidTotp)?;
    let mut work = current.begin().await?;
    let factor = StagedFactor { used_step: Some(step), ..factor };
    let method = Method::NewTotp { user_id: holder.user.id, factor };
    current.progress.keep(Verification { id: id.to_owned(), method });
    current.save(&mut work, InteractionStep::Totp, json!({ "verificationId": id, "isNew": true })).await?;
    work.commit().await?;
    Ok(id.to_owned())
}

/// Verifies a one-time password of the user's factor; returns the id of the verification.
pub async fn verify(current: &mut CurrentInteraction, code: &str) -> Result<String, InteractionRefusal> {
    let outcome = attempt(current, code).await;
    current.note(InteractionStep::Totp, outcome)
}

async fn attempt(current: &mut CurrentInteraction, code: &str) -> Result<String, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let attempt = guesses::count(current, &holder, FactorType::Totp).await?;
    let outcome = prove(current, &holder, &attempt, code).await;
    guesses::settle(current, &holder, &attempt, outcome).await
}

async fn prove(
    current: &mut CurrentInteraction,
    holder: &FactorHolder,
    attempt: &SignInAttempt,
    code: &str,
) -> Result<String, InteractionRefusal> {
    let factor = holder.enrolled(FactorType::Totp).ok_or(InteractionRefusal::InvalidTotp)?;
    let secret = mfa::decrypt(&current.app.cipher, &factor.id, &factor.sealed)?;
    let step =
        accounts::matching_step(&secret, code, current.app.clock.now_ms()).ok_or(InteractionRefusal::InvalidTotp)?;
    let id = current.app.random.id(21)?;
    let mut work = current.begin().await?;
    if !users::mfa::use_step(&mut work, &factor.id, step).await? {
        return Err(InteractionRefusal::InvalidTotp);
    }
    attempt.succeeded(&mut work).await?;
    let method = Method::Totp { user_id: holder.user.id.clone(), factor_id: factor.id.clone() };
    current.progress.keep(Verification { id: id.clone(), method });
    let details = json!({ "verificationId": id, "factorId": factor.id });
    current.save(&mut work, InteractionStep::Totp, details).await?;
    work.commit().await?;
    Ok(id)
}
