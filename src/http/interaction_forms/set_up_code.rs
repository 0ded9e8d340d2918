//! `/second-factor/set-up/email` and `…/phone`: codes as a second factor, where the policy requires one. A user without
//! an email address or phone number enters it here, and proves it with the first code.

use super::identifier::unreachable;
use super::messages::field_error;
use super::to_set_up::to_set_up;
use super::visitor::{InteractionPost, Visitor, finish};
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::interaction::Identifier;
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_identity::interaction::factors::bind::{bind, skip};
use claimsmith_identity::interaction::factors::codes::known_address;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::verification_codes::send::send;
use claimsmith_identity::interaction::verification_codes::verify::verify;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::sign_in::set_up_code::SetUpCodePage;
use claimsmith_pages::sign_in::set_up_ways::set_up_path;
use claimsmith_web::extract::form::Form;

/// Maximum bytes of a code.
const MAX_CODE_BYTES: usize = 64;
/// Maximum bytes of an email address or phone number.
const MAX_ADDRESS_BYTES: usize = 256;

pub(super) async fn show_email(visitor: Visitor) -> Response {
    page(&visitor, Channel::Email, None, None).await
}

pub(super) async fn show_phone(visitor: Visitor) -> Response {
    page(&visitor, Channel::Phone, None, None).await
}

pub(super) async fn submit_email(InteractionPost(visitor, form): InteractionPost) -> Response {
    submit(visitor, Channel::Email, &form).await
}

pub(super) async fn submit_phone(InteractionPost(visitor, form): InteractionPost) -> Response {
    submit(visitor, Channel::Phone, &form).await
}

async fn submit(mut visitor: Visitor, channel: Channel, form: &Form) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim();
    match text("decision") {
        "skip" => match skip(&mut visitor.current).await {
            Ok(()) => finish(visitor).await,
            Err(refusal) => visitor.fail(&refusal),
        },
        "send" => ask(visitor, channel, text("identifier")).await,
        _ => confirm(visitor, channel, text("code")).await,
    }
}

/// Sends a code to the user's email address or phone number, or else to the entered one.
async fn ask(mut visitor: Visitor, channel: Channel, entered: &str) -> Response {
    let known = match known_address(&visitor.current, channel).await {
        Ok(known) => known,
        Err(refusal) => return visitor.next(&refusal),
    };
    if known.is_none() && (entered.is_empty() || entered.len() > MAX_ADDRESS_BYTES) {
        let error = unreachable(&visitor.frame, channel.identifier());
        return page(&visitor, channel, Some(entered), Some(error)).await;
    }
    let wanted = known.unwrap_or_else(|| Identifier { kind: channel.identifier(), value: entered.to_owned() });
    let steps = async {
        let event = visitor.current.event()?;
        send(&mut visitor.current, wanted, event).await
    };
    match steps.await {
        Ok(_) => visitor.at(set_up_path(FactorType::over(channel))),
        Err(refusal) => refused(&visitor, channel, Some(entered), &refusal).await,
    }
}

/// Verifies the code: the factor is added when the interaction is submitted.
async fn confirm(mut visitor: Visitor, channel: Channel, code: &str) -> Response {
    let kind = FactorType::over(channel);
    let Some((id, sent)) = sent(&visitor, channel) else { return visitor.at(set_up_path(kind)) };
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(&visitor, channel, None, Some(error)).await;
    }
    let steps = async {
        if code.len() > MAX_CODE_BYTES {
            return Err(InteractionRefusal::Code(CodeRefusal::Mismatch));
        }
        let id = verify(&mut visitor.current, &sent.identifier, &id, code).await?;
        bind(&mut visitor.current, kind, &id).await
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        // A newer code was sent meanwhile.
        Err(InteractionRefusal::UnknownVerification) => visitor.at(set_up_path(kind)),
        Err(refusal) => refused(&visitor, channel, Some(&sent.identifier.value), &refusal).await,
    }
}

async fn refused(visitor: &Visitor, channel: Channel, entered: Option<&str>, refusal: &InteractionRefusal) -> Response {
    match field_error(&visitor.frame, refusal) {
        Some(error) => page(visitor, channel, entered, Some(error)).await,
        None => visitor.next(refusal),
    }
}

/// The code that was sent over this channel and not entered yet, with the id of its verification.
fn sent(visitor: &Visitor, channel: Channel) -> Option<(String, SentCode)> {
    let verifications = visitor.current.progress.verifications.iter();
    let mut found = verifications.filter_map(|kept| Some((kept.id.clone(), kept.method.identifying_code()?.clone())));
    found.find(|(_, sent)| sent.identifier.kind == channel.identifier() && !sent.verified)
}

/// The page, if codes over this channel can be set up; otherwise the one that comes next.
async fn page(visitor: &Visitor, channel: Channel, entered: Option<&str>, error: Option<FieldError<'_>>) -> Response {
    let kind = FactorType::over(channel);
    let asked = match to_set_up(visitor).await {
        Ok(asked) => asked,
        Err(response) => return response,
    };
    if let Some(first) = asked.possible.first().filter(|_| !asked.possible.contains(&kind)) {
        return visitor.at(set_up_path(*first));
    }
    let known = match known_address(&visitor.current, channel).await {
        Ok(known) => known,
        Err(refusal) => return visitor.next(&refusal),
    };
    let sent = sent(visitor, channel);
    let typed = sent.as_ref().map_or("", |(_, sent)| &sent.identifier.value);
    let masked = known.as_ref().map(Identifier::masked);
    SetUpCodePage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        channel,
        identifier: masked.is_none().then(|| entered.unwrap_or(typed)),
        address: masked.as_deref().unwrap_or(typed),
        is_sent: sent.is_some(),
        others: &asked.others(kind),
        is_skippable: asked.is_skippable,
    }
    .answer()
}
