//! Codes by email and text message for one's own account: sent to the current email address or phone number to confirm
//! the user's identity, or to a new one to verify its ownership.

use super::guesses;
use super::owner::{Owner, OwnerAccess};
use super::records;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use crate::interaction::attempts::{self, GuessedSecret};
use crate::interaction::federated::domains;
use crate::interaction::language;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::verification_codes::send::recipient;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::VerificationRecordId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::message::{Contents, Message};
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_domain::verification_record::{RecordDetails, RecordType};
use claimsmith_services::audit::Actor;
use claimsmith_services::messages::{self, MessageRequester};
use claimsmith_services::verification_codes::{self, Requester};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::User;
use claimsmith_storage::verification::verification_records::{self, VerificationRecord};
use secrecy::ExposeSecret;
use serde_json::json;

/// Sends a code; returns the verification record that it proves. `template`: the purpose of a code to the user's own
/// address.
pub async fn send(
    owner: &Owner,
    identifier: Identifier,
    template: Option<TemplateType>,
) -> Result<VerificationRecord, OwnAccountRefusal> {
    let outcome = decide_and_send(owner, identifier, template).await;
    owner.note(AuditKey::AccountVerificationCodeCreate, outcome)
}

async fn decide_and_send(
    owner: &Owner,
    identifier: Identifier,
    template: Option<TemplateType>,
) -> Result<VerificationRecord, OwnAccountRefusal> {
    let kind = identifier.kind;
    let channel = kind.channel().ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let identifier = identifier.stored().ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let app = &owner.app;
    let mut tx = owner.read().await?;
    let user = owner.user(&mut tx).await?;
    owner.check_administers(&mut tx).await?;
    let settings = EXPERIENCE.find(&mut tx).await?;
    let own = address_of(&user, channel).filter(|own| identifier.is_same(own));
    let is_own = own.is_some();
    let (identifier, template) = if let Some(own) = own {
        // Sent to the address as stored with the account, however it was entered.
        (own, template.unwrap_or(TemplateType::UserPermissionValidation))
    } else {
        // No message for an address that cannot be set.
        if !identifier.may_be_given() {
            return Err(InteractionRefusal::ImpossibleIdentifier(kind).into());
        }
        check_edited(&mut tx, &[field_of(channel)]).await?;
        if channel == Channel::Email {
            let policy = &settings.email_blocklist_policy;
            policy.check(&identifier.value, &app.disposable_domains).map_err(InteractionRefusal::BlockedEmail)?;
            // An address of an enterprise domain can only come from its connector.
            domains::refuse_owned(app, &mut tx, &settings, &identifier.value).await?;
        }
        (identifier, TemplateType::BindNewIdentifier)
    };
    drop(tx);
    let to = recipient(channel, &identifier.value).ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let language = language::choose(app, "", &owner.accept_language, &settings.language_info).await?;
    let actor = Actor::Owner { id: owner.user_id.clone(), application_id: owner.application_id().cloned() };
    let message_requester =
        MessageRequester { actor, origin: owner.origin.clone(), interaction: None, is_known: is_own };
    attempts::count_send(app, owner.origin.ip).await?;
    let admitted =
        app.messages.admit(to.clone(), template, message_requester).await.map_err(InteractionRefusal::from)?;
    let policy = &settings.verification_code_policy;
    let requester = requester(owner, channel, template);
    let (mut work, _) = owner.begin().await?;
    let now = work.now();
    // Earlier unsent messages are obsolete.
    messages::withdraw(&mut work, requester.name(), now).await?;
    let made = verification_codes::make(&mut work, (&app.random, &*app.cipher), &requester, policy, now).await?;
    let message = Message {
        template,
        language,
        contents: Contents { ip: owner.origin.ip, ..Contents::code(made.code.expose_secret()) },
        expires_at: now + policy.lifetime_ms(),
        about: Some(requester.name().to_owned()),
    };
    app.messages.append(&mut work, &admitted, &message, now).await.map_err(InteractionRefusal::from)?;
    let sent = SentCode {
        recipient: to.address().to_owned(),
        identifier,
        template_type: template,
        verified: false,
        user_id: Some(owner.user_id.clone()),
    };
    let details = RecordDetails { sent: Some(sent), ..RecordDetails::default() };
    let record = records::begun(owner, VerificationRecordId::from(made.id), kind_of(channel), details);
    verification_records::insert(&mut work, &record).await?;
    let details =
        json!({ "userId": owner.user_id, "verificationRecordId": record.id, "templateType": template.as_str() });
    work.audit(AuditKey::AccountVerificationCodeCreate, details).await?;
    work.commit().await?;
    Ok(record)
}

/// Verifies a code that was sent to this email address or phone number, for the record with this id.
pub async fn verify(owner: &Owner, identifier: &Identifier, id: &str, code: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = attempt(owner, identifier, id, code).await;
    owner.note(AuditKey::AccountVerificationCodeSubmit, outcome)
}

async fn attempt(owner: &Owner, identifier: &Identifier, id: &str, code: &str) -> Result<(), OwnAccountRefusal> {
    let app = &owner.app;
    let mut tx = owner.read().await?;
    owner.user(&mut tx).await?;
    owner.check_administers(&mut tx).await?;
    let record = records::pending(owner, &mut tx, id, &[RecordType::EmailCode, RecordType::PhoneCode]).await?;
    let sent = record.details.0.sent.clone().ok_or(OwnAccountRefusal::UnknownRecord)?;
    if !sent.identifier.is_same(identifier) {
        return Err(InteractionRefusal::Code(CodeRefusal::OtherRecipient(identifier.kind)).into());
    }
    let settings = EXPERIENCE.find(&mut tx).await?;
    let is_known = guesses::is_known_here(owner, &mut tx).await?;
    drop(tx);
    let guessed = (GuessedSecret::Code, &owner.user_id);
    let attempt = attempts::count_owner(app, &settings.sentinel_policy, guessed, is_known, owner.origin.ip).await?;
    let channel = sent.identifier.kind.channel().ok_or(OwnAccountRefusal::UnknownRecord)?;
    let requester = requester(owner, channel, sent.template_type);
    let (policy, now) = (&settings.verification_code_policy, owner.now());
    let proved = match verification_codes::prove(&app.db, &app.cipher, &requester, Some(id), code, policy, now).await? {
        Ok(proved) => proved,
        Err(CodeRefusal::Mismatch) => {
            attempt.failed(app).await?;
            guesses::tell_lockout(owner, &attempt, Some(&sent.identifier)).await?;
            return Err(attempt.refusal(InteractionRefusal::Code(CodeRefusal::Mismatch)).into());
        }
        Err(refusal) => {
            attempt.undo_failure(app).await?;
            return Err(InteractionRefusal::Code(refusal).into());
        }
    };
    let (mut work, _) = owner.begin().await?;
    if !verification_codes::consume(&mut work, &proved).await? {
        return Err(InteractionRefusal::Code(CodeRefusal::NotFound).into());
    }
    // An unsent message is no longer needed.
    messages::withdraw(&mut work, requester.name(), now).await?;
    attempt.succeeded(&mut work).await?;
    let mut record = record;
    record.details.0.sent = Some(SentCode { verified: true, ..sent });
    let details = json!({ "userId": owner.user_id, "verificationRecordId": record.id });
    records::prove(owner, &mut work, record).await?;
    work.audit(AuditKey::AccountVerificationCodeSubmit, details).await?;
    Ok(work.commit().await?)
}

/// The owner of a code: the user, the place where they act, and the purpose. A new code replaces the former.
fn requester(owner: &Owner, channel: Channel, template: TemplateType) -> Requester {
    let place = match &owner.way {
        OwnerAccess::Token(_) => "",
        OwnerAccess::Page { session, .. } => session.id.as_str(),
    };
    Requester::new(&["own account", &owner.user_id, place, channel.identifier().as_str(), template.as_str()])
}

/// The email address or phone number of a user.
#[must_use]
pub fn address_of(user: &User, channel: Channel) -> Option<Identifier> {
    let own = match channel {
        Channel::Email => &user.primary_email,
        Channel::Phone => &user.primary_phone,
    };
    own.clone().map(|value| Identifier { kind: channel.identifier(), value })
}

/// The record type of codes over this channel.
pub(super) fn kind_of(channel: Channel) -> RecordType {
    match channel {
        Channel::Email => RecordType::EmailCode,
        Channel::Phone => RecordType::PhoneCode,
    }
}

/// The account field of this channel's recipient.
#[must_use]
pub fn field_of(channel: Channel) -> Field {
    match channel {
        Channel::Email => Field::Email,
        Channel::Phone => Field::Phone,
    }
}
