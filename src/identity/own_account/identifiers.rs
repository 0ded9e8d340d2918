//! Email addresses, phone numbers and linked accounts of one's own account: adding verified ones, and removal. Users
//! cannot remove their last sign-in method.

pub use super::codes::field_of;
use super::codes::kind_of;
use super::company;
use super::linking::{self, Linking};
use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use super::settings::{check_edited, of_sign_in};
use super::{proof, records};
use crate::accounts::{begin_update, refuse_last_sign_in_method, sign_in_means, unlink_identity};
use crate::interaction::federated::domains;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use serde_json::json;

/// Refuses an owner who may not change the email address or phone number now.
pub async fn check_settable(owner: &Owner, channel: Channel) -> Result<(), OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    check_edited(&mut tx, &[field_of(channel)]).await?;
    proof::check(owner, &mut tx).await
}

/// Refuses an owner who may not link an account at a connector of this kind now.
pub async fn check_linkable(owner: &Owner, kind: ConnectorKind) -> Result<(), OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    check_edited(&mut tx, &[Field::Social]).await?;
    if kind == ConnectorKind::Enterprise {
        company::check_factor(owner, &mut tx).await?;
    }
    proof::check(owner, &mut tx).await
}

/// Sets the email address or phone number of a record, after its code was verified.
pub async fn set(owner: &Owner, given: &Identifier, record_id: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = put(owner, given, record_id).await;
    owner.note(AuditKey::of_account(AuditOperation::UserSetIdentifier), outcome)
}

async fn put(owner: &Owner, given: &Identifier, record_id: &str) -> Result<(), OwnAccountRefusal> {
    let channel = given.kind.channel().ok_or(OwnAccountRefusal::UnknownRecord)?;
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[field_of(channel)]).await?;
    proof::check(owner, &mut work).await?;
    let record = records::use_proved(owner, &mut work, record_id, &[kind_of(channel)]).await?;
    let sent = record.details.0.sent.filter(|sent| sent.verified && sent.identifier.is_same(given));
    let sent = sent.filter(|sent| sent.template_type == TemplateType::BindNewIdentifier);
    let sent = sent.ok_or(OwnAccountRefusal::UnknownRecord)?;
    if channel == Channel::Email {
        let settings = EXPERIENCE.find(&mut work).await?;
        let policy = &settings.email_blocklist_policy;
        policy.check(&sent.recipient, &owner.app.disposable_domains).map_err(InteractionRefusal::BlockedEmail)?;
        domains::refuse_owned(&owner.app, &mut work, &settings, &sent.recipient).await?;
    }
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    let name = match channel {
        Channel::Email => {
            update.user.primary_email = Some(sent.recipient);
            "primaryEmail"
        }
        Channel::Phone => {
            update.user.primary_phone = Some(sent.recipient);
            "primaryPhone"
        }
    };
    update.save(AuditOperation::UserSetIdentifier, json!({ "identifier": name }), 204).await?;
    Ok(work.commit().await?)
}

/// Links the account of a record at a social connector.
pub async fn link(owner: &Owner, record_id: &str, linking: Linking) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, user) = owner.begin().await?;
        check_edited(&mut work, &[Field::Social]).await?;
        proof::check_if_possible(owner, &mut work, &user).await?;
        linking::link(owner, &mut work, (ConnectorKind::Social, record_id), linking).await?;
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::of_account(AuditOperation::UserLinkIdentity), outcome.await)
}

/// Like `link`, for an owner who returns to the page: they proved their identity before they left.
pub async fn link_returned(owner: &Owner, kind: ConnectorKind, record_id: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, _) = owner.begin().await?;
        check_edited(&mut work, &[Field::Social]).await?;
        linking::link(owner, &mut work, (kind, record_id), Linking::Beside).await?;
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::of_account(AuditOperation::UserLinkIdentity), outcome.await)
}

/// Removes the email address or the phone number.
pub async fn remove(owner: &Owner, which: IdentifierType) -> Result<(), OwnAccountRefusal> {
    let outcome = take(owner, which).await;
    owner.note(AuditKey::of_account(AuditOperation::UserRemoveIdentifier), outcome)
}

async fn take(owner: &Owner, which: IdentifierType) -> Result<(), OwnAccountRefusal> {
    let (field, name) = match which {
        IdentifierType::Username => (Field::Username, "username"),
        IdentifierType::Email => (Field::Email, "primaryEmail"),
        IdentifierType::Phone => (Field::Phone, "primaryPhone"),
    };
    let (mut work, before) = owner.begin().await?;
    check_edited(&mut work, &[field]).await?;
    proof::check(owner, &mut work).await?;
    let settings = of_sign_in(owner, &mut work).await?;
    let held = sign_in_means(&mut work, &before, &settings).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    match which {
        IdentifierType::Username => update.user.username = None,
        IdentifierType::Email => update.user.primary_email = None,
        IdentifierType::Phone => update.user.primary_phone = None,
    }
    let user = update.user.clone();
    refuse_last_sign_in_method(held, sign_in_means(update.work(), &user, &settings).await?, &settings)?;
    update.save(AuditOperation::UserRemoveIdentifier, json!({ "identifier": name }), 204).await?;
    Ok(work.commit().await?)
}

/// Unlinks the account at a social connector.
pub async fn unlink(owner: &Owner, target: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = take_identity(owner, target).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUnlinkIdentity), outcome)
}

async fn take_identity(owner: &Owner, target: &str) -> Result<(), OwnAccountRefusal> {
    let (mut work, before) = owner.begin().await?;
    check_edited(&mut work, &[Field::Social]).await?;
    proof::check_if_possible(owner, &mut work, &before).await?;
    let settings = of_sign_in(owner, &mut work).await?;
    let held = sign_in_means(&mut work, &before, &settings).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    unlink_identity(&mut update, target).await?;
    let user = update.user.clone();
    refuse_last_sign_in_method(held, sign_in_means(update.work(), &user, &settings).await?, &settings)?;
    update.save(AuditOperation::UserUnlinkIdentity, json!({ "target": target }), 204).await?;
    Ok(work.commit().await?)
}
