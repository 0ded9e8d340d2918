//! The user's choices about second factors: which of those they set up to add, and whether to have any. Written when
//! the interaction is submitted.

use super::holder::{FactorHolder, of_interaction};
use crate::interaction::address;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::interaction::Method;
use claimsmith_domain::staged_factors::{MfaChoice, StagedFactor};
use serde_json::json;

/// Stages the factor of this verification for the user.
pub async fn bind(
    current: &mut CurrentInteraction,
    kind: FactorType,
    verification_id: &str,
) -> Result<(), InteractionRefusal> {
    let outcome = stage(current, kind, verification_id).await;
    current.note(step_of(kind), outcome)
}

/// The user enables second factors.
pub async fn enable(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let outcome = choose(current, MfaChoice::Enabled).await;
    current.note(InteractionStep::Profile, outcome)
}

/// The user skips setting up a second factor.
pub async fn skip(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let outcome = choose(current, MfaChoice::Skipped).await;
    current.note(InteractionStep::Profile, outcome)
}

/// The user skips the suggestion of a further factor.
pub async fn skip_suggestion(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let outcome = decline(current).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn stage(
    current: &mut CurrentInteraction,
    kind: FactorType,
    verification_id: &str,
) -> Result<(), InteractionRefusal> {
    let holder = of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    let context = holder.mfa_context(&current.progress.mfa);
    if !context.is_enabled(kind) {
        return Err(InteractionRefusal::FactorDisabled);
    }
    if let Some(channel) = kind.channel() {
        return stage_code(current, &holder, channel, verification_id).await;
    }
    let factor = proved(current, &holder, kind, verification_id)?;
    if holder.has(kind) {
        return Err(InteractionRefusal::FactorInUse(kind));
    }
    let is_alone = !context.has_factor(&context.had) && !context.has_factor(&context.added);
    if !kind.stands_alone() && is_alone {
        return Err(InteractionRefusal::BackupCodesAlone);
    }
    let details = json!({ "verificationId": verification_id, "factorId": factor.id });
    let mut work = current.begin().await?;
    let staged = &mut current.progress.mfa;
    staged.choice = Some(MfaChoice::Enabled);
    match kind {
        // Verified differently, see `interaction::passkeys`.
        FactorType::WebAuthn => return Err(InteractionRefusal::NotVerified),
        FactorType::Totp => staged.totp = Some(factor),
        FactorType::BackupCode => staged.backup_codes = Some(factor),
        // Staged above.
        FactorType::EmailVerificationCode | FactorType::PhoneVerificationCode => {}
    }
    current.save(&mut work, step_of(kind), details).await?;
    Ok(work.commit().await?)
}

/// Stages codes to a verified email address or phone number: the user's own, or one staged for the user.
async fn stage_code(
    current: &mut CurrentInteraction,
    holder: &FactorHolder,
    channel: Channel,
    verification_id: &str,
) -> Result<(), InteractionRefusal> {
    let kind = FactorType::over(channel);
    let verification = current.progress.verification(verification_id).ok_or(InteractionRefusal::UnknownVerification)?;
    let sent = verification.method.identifying_code().filter(|sent| sent.identifier.kind == channel.identifier());
    let recipient = sent.filter(|sent| sent.links()).ok_or(InteractionRefusal::NotVerified)?.recipient.clone();
    match holder.address(kind) {
        Some(own) if *own == recipient => {}
        _ => address::stage(current, Some(&holder.user), channel.identifier(), verification_id).await?,
    }
    let mut work = current.begin().await?;
    let staged = &mut current.progress.mfa;
    staged.choice = Some(MfaChoice::Enabled);
    if !staged.codes.contains(&channel) {
        staged.codes.push(channel);
    }
    current.save(&mut work, step_of(kind), json!({ "verificationId": verification_id })).await?;
    Ok(work.commit().await?)
}

/// The new factor of a verification of that type, if the user has proved it.
fn proved(
    current: &CurrentInteraction,
    holder: &FactorHolder,
    kind: FactorType,
    id: &str,
) -> Result<StagedFactor, InteractionRefusal> {
    let verification = current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?;
    match (kind, &verification.method) {
        (FactorType::Totp, Method::NewTotp { user_id, factor })
        | (FactorType::BackupCode, Method::NewBackupCodes { user_id, factor })
            if *user_id == holder.user.id && verification.method.is_verified() =>
        {
            Ok(factor.clone())
        }
        _ => Err(InteractionRefusal::NotVerified),
    }
}

async fn choose(current: &mut CurrentInteraction, choice: MfaChoice) -> Result<(), InteractionRefusal> {
    let holder = of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    if choice == MfaChoice::Skipped && holder.mfa_context(&current.progress.mfa).is_mandatory() {
        return Err(InteractionRefusal::FactorNotOptional);
    }
    let mut work = current.begin().await?;
    current.progress.mfa.choice = Some(choice);
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "mfa", "choice": choice })).await?;
    Ok(work.commit().await?)
}

async fn decline(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    of_interaction(current).await?;
    let mut work = current.begin().await?;
    current.progress.mfa.suggestion_skipped = true;
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "mfa", "choice": "suggestionSkipped" })).await?;
    Ok(work.commit().await?)
}

fn step_of(kind: FactorType) -> InteractionStep {
    match kind {
        FactorType::WebAuthn => InteractionStep::BindPasskey,
        FactorType::Totp => InteractionStep::BindTotp,
        FactorType::BackupCode => InteractionStep::BindBackupCodes,
        FactorType::EmailVerificationCode => InteractionStep::BindCode(Channel::Email),
        FactorType::PhoneVerificationCode => InteractionStep::BindCode(Channel::Phone),
    }
}
