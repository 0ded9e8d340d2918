//! Email addresses and phone numbers to add to a user: verified by a code, and not taken by another user.

use super::current::CurrentInteraction;
use super::federated::domains;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use crate::accounts;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{Method, StagedProfile};
use claimsmith_storage::users::User;
use serde_json::json;

/// Stages the email address or phone number of this verification for a user who has none.
pub(super) async fn stage(
    current: &mut CurrentInteraction,
    user: Option<&User>,
    kind: IdentifierType,
    verification_id: &str,
) -> Result<(), InteractionRefusal> {
    let verification = current.progress.verification(verification_id).ok_or(InteractionRefusal::UnknownVerification)?;
    let recipient = match (kind, &verification.method) {
        (IdentifierType::Email, Method::EmailVerificationCode(sent))
        | (IdentifierType::Phone, Method::PhoneVerificationCode(sent))
            if sent.links() =>
        {
            sent.recipient.clone()
        }
        _ => return Err(InteractionRefusal::NotVerified),
    };
    let mut staged = current.progress.profile.clone();
    if kind == IdentifierType::Phone {
        if user.is_some_and(|user| user.primary_phone.is_some()) {
            return Err(InteractionRefusal::HasPhone);
        }
        staged.primary_phone = Some(recipient);
    } else {
        if user.is_some_and(|user| user.primary_email.is_some()) {
            return Err(InteractionRefusal::HasEmail);
        }
        let settings = current.settings().await?;
        let policy = &settings.email_blocklist_policy;
        policy.check(&recipient, &current.app.disposable_domains).map_err(InteractionRefusal::BlockedEmail)?;
        // An address of an enterprise domain can only come from its connector.
        domains::refuse_owned(&current.app, &mut current.app.db.read().await?, &settings, &recipient).await?;
        staged.primary_email = Some(recipient);
    }
    check_addresses(current, &staged).await?;
    let details = json!({ "type": kind.as_str(), "verificationId": verification_id });
    let mut work = current.begin().await?;
    current.progress.profile = staged;
    current.save(&mut work, InteractionStep::Profile, details).await?;
    Ok(work.commit().await?)
}

/// Refuses email addresses and phone numbers that are taken.
pub(super) async fn check_addresses(
    current: &CurrentInteraction,
    staged: &StagedProfile,
) -> Result<(), InteractionRefusal> {
    if let Some(email) = &staged.primary_email {
        let identifier = Identifier { kind: IdentifierType::Email, value: email.clone() };
        check_free(current, identifier, InteractionRefusal::EmailTaken).await?;
    }
    if let Some(phone) = &staged.primary_phone {
        let identifier = Identifier { kind: IdentifierType::Phone, value: phone.clone() };
        check_free(current, identifier, InteractionRefusal::PhoneTaken).await?;
    }
    Ok(())
}

/// Refuses an identifier that is taken.
pub(super) async fn check_free(
    current: &CurrentInteraction,
    identifier: Identifier,
    taken: InteractionRefusal,
) -> Result<(), InteractionRefusal> {
    let is_taken = accounts::is_taken(&mut current.app.db.read().await?, &identifier).await?;
    if is_taken { Err(taken) } else { Ok(()) }
}
