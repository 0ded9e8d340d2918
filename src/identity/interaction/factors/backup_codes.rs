//! Backup codes: generating new ones, which are shown once, and verifying the user's existing ones. Each code is
//! single-use.

use super::guesses;
use super::holder::{FactorHolder, of_interaction};
use crate::accounts::{self, NewFactor};
use crate::interaction::attempts::SignInAttempt;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::interaction::{Method, Verification};
use serde_json::json;

/// New codes, which are shown only once.
pub struct NewCodes {
    /// The id of their verification.
    pub verification_id: String,
    /// The codes.
    pub codes: Vec<String>,
}

/// Generates backup codes, replacing those generated earlier in this interaction. Only hashes are stored.
pub async fn generate(current: &mut CurrentInteraction) -> Result<NewCodes, InteractionRefusal> {
    let outcome = make(current).await;
    current.note(InteractionStep::NewBackupCodes, outcome)
}

async fn make(current: &mut CurrentInteraction) -> Result<NewCodes, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let codes = accounts::new_backup_codes()?;
    let factor = accounts::stage_factor(&current.app.cipher, &NewFactor::BackupCodes(codes.clone()))?;
    let verification_id = current.app.random.id(21)?;
    let mut work = current.begin().await?;
    let method = Method::NewBackupCodes { user_id: holder.user.id, factor };
    current.progress.keep(Verification { id: verification_id.clone(), method });
    current.save(&mut work, InteractionStep::NewBackupCodes, json!({ "verificationId": verification_id })).await?;
    work.commit().await?;
    Ok(NewCodes { verification_id, codes })
}

/// Verifies and uses up a backup code of the user; returns the id of the verification.
pub async fn verify(current: &mut CurrentInteraction, code: &str) -> Result<String, InteractionRefusal> {
    let outcome = attempt(current, code).await;
    current.note(InteractionStep::BackupCode, outcome)
}

async fn attempt(current: &mut CurrentInteraction, code: &str) -> Result<String, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let attempt = guesses::count(current, &holder, FactorType::BackupCode).await?;
    let outcome = prove(current, &holder, &attempt, code).await;
    guesses::settle(current, &holder, &attempt, outcome).await
}

async fn prove(
    current: &mut CurrentInteraction,
    holder: &FactorHolder,
    attempt: &SignInAttempt,
    code: &str,
) -> Result<String, InteractionRefusal> {
    let factor = holder.enrolled(FactorType::BackupCode).ok_or(InteractionRefusal::InvalidBackupCode)?;
    let code: String = code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
    let (app, user_id) = (current.app.clone(), &holder.user.id);
    let id = app.random.id(21)?;
    let mut work = current.begin().await?;
    if !accounts::use_backup_code(&mut work, &app.cipher, user_id, &factor.id, &code).await? {
        return Err(InteractionRefusal::InvalidBackupCode);
    }
    attempt.succeeded(&mut work).await?;
    let method = Method::BackupCode { user_id: user_id.clone(), factor_id: factor.id.clone() };
    current.progress.keep(Verification { id: id.clone(), method });
    let details = json!({ "verificationId": id, "factorId": factor.id });
    current.save(&mut work, InteractionStep::BackupCode, details).await?;
    work.commit().await?;
    Ok(id)
}
