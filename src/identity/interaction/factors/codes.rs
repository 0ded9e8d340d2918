//! Codes by email and text message as a second factor, sent to the user's email address or phone number.

use super::guesses;
use super::holder::{FactorHolder, of_interaction};
use crate::interaction::attempts::SignInAttempt;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use crate::interaction::verification_codes::requester::{CodePurpose, requester};
use crate::interaction::verification_codes::send::{CodeRequest, deliver, recipient};
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::Method;
use claimsmith_services::messages;
use claimsmith_services::verification_codes;
use serde_json::json;

/// Sends a code to the user over this channel; returns the id of the verification.
pub async fn send(current: &mut CurrentInteraction, channel: Channel) -> Result<String, InteractionRefusal> {
    let outcome = send_to_user(current, channel).await;
    current.note(InteractionStep::NewFactorCode(channel), outcome)
}

async fn send_to_user(current: &mut CurrentInteraction, channel: Channel) -> Result<String, InteractionRefusal> {
    let holder = match of_interaction(current).await {
        Err(InteractionRefusal::NotIdentified) => return Err(InteractionRefusal::NobodyToSendTo),
        found => found?,
    };
    let address = address(&holder, channel)?.clone();
    let recipient = recipient(channel, &address).ok_or(InteractionRefusal::FactorDisabled)?;
    let request = CodeRequest {
        identifier: Identifier { kind: channel.identifier(), value: address },
        recipient,
        template: TemplateType::MfaVerification,
        is_sent: true,
        is_known: true,
        user_id: Some(holder.user.id.clone()),
    };
    deliver(current, &holder.settings, CodePurpose::Factor, request).await
}

/// The recipient of codes over this channel: the user's email address or phone number, or a staged one.
pub async fn known_address(
    current: &CurrentInteraction,
    channel: Channel,
) -> Result<Option<Identifier>, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let staged = match channel {
        Channel::Email => &current.progress.profile.primary_email,
        Channel::Phone => &current.progress.profile.primary_phone,
    };
    let known = holder.address(FactorType::over(channel)).or(staged.as_ref()).cloned();
    Ok(known.map(|value| Identifier { kind: channel.identifier(), value }))
}

/// The recipient of codes over this channel, if the settings enable them and the user has one.
fn address(holder: &FactorHolder, channel: Channel) -> Result<&String, InteractionRefusal> {
    let kind = FactorType::over(channel);
    holder.address(kind).filter(|_| holder.takes_codes(kind)).ok_or(InteractionRefusal::FactorDisabled)
}

/// Verifies a code; returns the id of the verification.
pub async fn verify(
    current: &mut CurrentInteraction,
    channel: Channel,
    id: &str,
    code: &str,
) -> Result<String, InteractionRefusal> {
    let outcome = attempt(current, channel, id, code).await;
    current.note(InteractionStep::FactorCode(channel), outcome)
}

async fn attempt(
    current: &mut CurrentInteraction,
    channel: Channel,
    id: &str,
    code: &str,
) -> Result<String, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let verification = current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?;
    match (channel, &verification.method) {
        (Channel::Email, Method::MfaEmailVerificationCode(sent))
        | (Channel::Phone, Method::MfaPhoneVerificationCode(sent))
            if sent.user_id.as_ref() == Some(&holder.user.id) => {}
        _ => return Err(InteractionRefusal::UnknownVerification),
    }
    let attempt = guesses::count(current, &holder, FactorType::over(channel)).await?;
    let outcome = prove(current, &holder, &attempt, (channel, id, code)).await;
    guesses::settle(current, &holder, &attempt, outcome).await
}

async fn prove(
    current: &mut CurrentInteraction,
    holder: &FactorHolder,
    attempt: &SignInAttempt,
    (channel, id, code): (Channel, &str, &str),
) -> Result<String, InteractionRefusal> {
    let (app, policy) = (current.app.clone(), &holder.settings.verification_code_policy);
    let requester = requester(current, CodePurpose::Factor, channel);
    let now = app.clock.now_ms();
    let proved = verification_codes::prove(&app.db, &app.cipher, &requester, Some(id), code, policy, now).await?;
    let proved = proved.map_err(InteractionRefusal::Code)?;
    let mut work = current.begin().await?;
    if !verification_codes::consume(&mut work, &proved).await? {
        return Err(InteractionRefusal::UnknownVerification);
    }
    // An unsent message is no longer needed.
    messages::withdraw(&mut work, id, now).await?;
    attempt.succeeded(&mut work).await?;
    for kept in current.progress.verifications.iter_mut().filter(|kept| kept.id == id) {
        if let Method::MfaEmailVerificationCode(sent) | Method::MfaPhoneVerificationCode(sent) = &mut kept.method {
            sent.verified = true;
        }
    }
    current.save(&mut work, InteractionStep::FactorCode(channel), json!({ "verificationId": id })).await?;
    work.commit().await?;
    Ok(id.to_owned())
}
