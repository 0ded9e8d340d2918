//! Proof of the owner's identity, within the last ten minutes: a password, a code to their email address or phone
//! number, or a sign-in.

use super::owner::{Owner, OwnerAccess};
use super::records::LIFETIME_MS;
use super::refusal::OwnAccountRefusal;
use super::{guesses, records};
use crate::accounts;
use crate::interaction::administrators::administers;
use crate::interaction::attempts::{self, GuessedSecret};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::verification_record::{RecordDetails, RecordType};
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::verification::verification_records::{self, VerificationRecord};
use claimsmith_storage::{self as storage, Tx};
use serde_json::json;

/// Whether a user has a method to prove their identity.
#[must_use]
pub fn has_method(user: &User) -> bool {
    user.password_digest.is_some() || user.primary_email.is_some() || user.primary_phone.is_some()
}

/// Refuses an owner who has not proved their identity.
pub async fn check(owner: &Owner, tx: &mut Tx) -> Result<(), OwnAccountRefusal> {
    if is_proved(owner, tx).await? { Ok(()) } else { Err(OwnAccountRefusal::ProofRequired) }
}

/// Like `check`; for a user without such a method, the recent sign-in that a token comes from is the proof.
pub(crate) async fn check_if_possible(owner: &Owner, tx: &mut Tx, user: &User) -> Result<(), OwnAccountRefusal> {
    let OwnerAccess::Token(token) = &owner.way else { return check(owner, tx).await };
    if has_method(user) {
        return check(owner, tx).await;
    }
    let session = match &token.session_id {
        Some(id) => sessions::find(tx, id).await?,
        None => None,
    };
    let now = owner.now();
    let is_live = |session: &Session| session.user_id == owner.user_id && session.expires_at > now;
    let is_fresh = |session: Session| session.authenticated_at > now - LIFETIME_MS;
    if session.filter(is_live).is_some_and(is_fresh) { Ok(()) } else { Err(OwnAccountRefusal::ProofRequired) }
}

/// Whether the owner has proved their identity.
pub(crate) async fn is_proved(owner: &Owner, tx: &mut Tx) -> storage::Result<bool> {
    let now = owner.now();
    let user = users::find(tx, &owner.user_id).await?;
    // Codes are delivered by a connector, so they are no proof for administrators.
    let takes_codes = !administers(&owner.app, tx, &owner.user_id).await?;
    let is_own = |record: &VerificationRecord| {
        let is_coded = takes_codes && user.as_ref().is_some_and(|user| is_by_code(record, user));
        let is_proof = record.kind == RecordType::Password || is_coded;
        record.user_id == owner.user_id && record.verified_at.is_some() && is_proof
    };
    match &owner.way {
        OwnerAccess::Token(token) => {
            let Some(id) = &token.record_id else { return Ok(false) };
            let found = verification_records::find_live(tx, id, now).await?;
            Ok(found.is_some_and(|record| record.session_id.is_none() && is_own(&record)))
        }
        OwnerAccess::Page { session, .. } => {
            // The session may have been renewed since.
            let signed_in = sessions::find(tx, &session.id).await?;
            let is_fresh = |session: Session| {
                session.authenticated_at > now - LIFETIME_MS && (takes_codes || was_proved_here(&session))
            };
            if signed_in.is_some_and(is_fresh) {
                return Ok(true);
            }
            Ok(verification_records::live_of_session(tx, &session.id, now).await?.iter().any(is_own))
        }
    }
}

/// Whether the user signed in with a password or a passkey, not at an upstream.
fn was_proved_here(session: &Session) -> bool {
    let details = session.details.0.as_ref();
    details.is_some_and(|details| details.amr.iter().any(|method| method == "pwd" || method == "user"))
}

/// Whether a record is a verified code for this purpose, sent to the user's current email address or phone number.
fn is_by_code(record: &VerificationRecord, user: &User) -> bool {
    let Some(sent) = record.details.0.sent.as_ref().filter(|sent| sent.verified) else { return false };
    let own = match record.kind {
        RecordType::EmailCode => &user.primary_email,
        RecordType::PhoneCode => &user.primary_phone,
        _ => return false,
    };
    sent.template_type == TemplateType::UserPermissionValidation && own.as_ref() == Some(&sent.identifier.value)
}

/// Verifies the user's password; returns the record.
pub async fn prove_password(owner: &Owner, password: &str) -> Result<VerificationRecord, OwnAccountRefusal> {
    let outcome = prove(owner, password).await;
    owner.note(AuditKey::AccountVerificationPasswordSubmit, outcome)
}

async fn prove(owner: &Owner, password: &str) -> Result<VerificationRecord, OwnAccountRefusal> {
    let app = &owner.app;
    let mut tx = owner.read().await?;
    let user = owner.user(&mut tx).await?;
    owner.check_administers(&mut tx).await?;
    let policy = EXPERIENCE.find(&mut tx).await?.sentinel_policy;
    let identifier = identifier_of(&user);
    let is_known = guesses::is_known_here(owner, &mut tx).await?;
    drop(tx);
    let guessed = (GuessedSecret::Password, &owner.user_id);
    let attempt = attempts::count_owner(app, &policy, guessed, is_known, owner.origin.ip).await?;
    let verified = accounts::verify_password(&app.db, &app.passwords, &attempt.ticket(), Some(&user), password).await;
    let digest = match verified {
        Ok(digest) => digest,
        Err(accounts::AccountRefusal::WrongPassword | accounts::AccountRefusal::UnverifiablePassword(_)) => {
            attempt.failed(app).await?;
            guesses::tell_lockout(owner, &attempt, identifier.as_ref()).await?;
            attempt.wait_for_deadline(app).await?;
            return Err(attempt.refusal(InteractionRefusal::InvalidCredentials).into());
        }
        Err(other) => {
            attempt.undo_failure(app).await?;
            return Err(other.into());
        }
    };
    let (mut work, user) = owner.begin().await?;
    attempt.succeeded(&mut work).await?;
    // The password was changed in the meantime.
    if user.password_digest.as_ref() != Some(&digest) {
        work.commit().await?;
        return Err(InteractionRefusal::InvalidCredentials.into());
    }
    let begun = records::begun(owner, app.random.id(21)?.into(), RecordType::Password, RecordDetails::default());
    let record = VerificationRecord { verified_at: Some(begun.created_at), ..begun };
    verification_records::insert(&mut work, &record).await?;
    let details = json!({ "userId": record.user_id, "verificationRecordId": record.id });
    work.audit(AuditKey::AccountVerificationPasswordSubmit, details).await?;
    work.commit().await?;
    Ok(record)
}

/// The identifier for the event of a lockout.
pub(super) fn identifier_of(user: &User) -> Option<Identifier> {
    let known = [
        (IdentifierType::Username, &user.username),
        (IdentifierType::Email, &user.primary_email),
        (IdentifierType::Phone, &user.primary_phone),
    ];
    let mut known = known.into_iter().filter_map(|(kind, value)| Some(Identifier { kind, value: value.clone()? }));
    known.next()
}
