//! Registration of passkeys for one's own account (`WebAuthn`): the challenge, the browser's response, and adding the
//! passkey.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use super::settings::{check_edited_one, of_sign_in};
use super::{proof, records};
use crate::accounts::{add_passkey, tell_update};
use crate::interaction::passkeys::{MAX_PASSKEYS, are_of_use, name_of, refused};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::{FactorId, VerificationRecordId};
use claimsmith_domain::staged_factors::StagedPasskey;
use claimsmith_domain::verification_record::{NewPasskey, RecordDetails, RecordType};
use claimsmith_storage::Tx;
use claimsmith_storage::users::passkeys;
use claimsmith_storage::verification::verification_records::{self, VerificationRecord};
use serde_json::{Map, Value, json};

/// The account fields that allow passkeys.
const FIELDS: [Field; 2] = [Field::Mfa, Field::Passkey];

/// The challenge for the browser.
pub struct RegistrationChallenge {
    /// The verification record that the response proves.
    pub record: VerificationRecord,
    /// The options of the browser's API.
    pub options: Value,
}

/// Refuses an owner who may not add a passkey now.
pub async fn check_addable(owner: &Owner) -> Result<(), OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    check_edited_one(&mut tx, &FIELDS).await?;
    proof::check(owner, &mut tx).await
}

/// Creates the challenge for a new passkey.
pub async fn ask(owner: &Owner) -> Result<RegistrationChallenge, OwnAccountRefusal> {
    let outcome = begin(owner).await;
    owner.note(AuditKey::AccountVerificationWebAuthnCreate, outcome)
}

async fn begin(owner: &Owner) -> Result<RegistrationChallenge, OwnAccountRefusal> {
    let app = &owner.app;
    let mut tx = owner.read().await?;
    let user = owner.user(&mut tx).await?;
    owner.check_administers(&mut tx).await?;
    let known = check_possible(owner, &mut tx).await?;
    drop(tx);
    let asked = app.passkeys.ask_for_new(&user.id, name_of(&user), &known).map_err(refused)?;
    let passkey = NewPasskey { challenge: asked.state, made: None };
    let details = RecordDetails { passkey: Some(passkey), ..RecordDetails::default() };
    let record = records::begun(owner, VerificationRecordId::from(app.random.id(21)?), RecordType::WebAuthn, details);
    let (mut work, _) = owner.begin().await?;
    verification_records::insert(&mut work, &record).await?;
    let details = json!({ "userId": owner.user_id, "verificationRecordId": record.id });
    work.audit(AuditKey::AccountVerificationWebAuthnCreate, details).await?;
    work.commit().await?;
    Ok(RegistrationChallenge { record, options: asked.options })
}

/// Refuses if the settings disable passkeys, or there are too many. Returns the credential ids of the existing ones.
async fn check_possible(owner: &Owner, tx: &mut Tx) -> Result<Vec<String>, OwnAccountRefusal> {
    check_edited_one(tx, &FIELDS).await?;
    if !owner.app.passkeys.are_possible() || !are_of_use(&of_sign_in(owner, tx).await?) {
        return Err(InteractionRefusal::FactorDisabled.into());
    }
    let known = passkeys::of_user(tx, &owner.user_id).await?;
    if known.len() >= MAX_PASSKEYS {
        return Err(InteractionRefusal::FactorInUse(FactorType::WebAuthn).into());
    }
    Ok(known.into_iter().map(|passkey| passkey.credential_id).collect())
}

/// Verifies the registration of the passkey of the record with this id.
pub async fn verify(owner: &Owner, id: &str, answer: Map<String, Value>) -> Result<(), OwnAccountRefusal> {
    let outcome = confirm(owner, id, answer).await;
    owner.note(AuditKey::AccountVerificationWebAuthnSubmit, outcome)
}

async fn confirm(owner: &Owner, id: &str, answer: Map<String, Value>) -> Result<(), OwnAccountRefusal> {
    let app = &owner.app;
    let (mut work, _) = owner.begin().await?;
    let mut record = records::pending(owner, &mut work, id, &[RecordType::WebAuthn]).await?;
    let asked = record.details.0.passkey.take().ok_or(OwnAccountRefusal::UnknownRecord)?;
    let made = app.passkeys.verify_new(answer, &asked.challenge).map_err(refused)?;
    if passkeys::find_by_credential(&mut work, &made.credential_id).await?.is_some() {
        return Err(InteractionRefusal::InvalidPasskey.into());
    }
    let made = StagedPasskey {
        id: FactorId::from(app.random.id(21)?),
        credential_id: made.credential_id,
        credential: made.credential,
        is_synced: made.is_synced,
        agent: owner.origin.user_agent.clone(),
        is_stored: false,
    };
    let details = json!({ "userId": owner.user_id, "verificationRecordId": record.id });
    // The challenge is used up.
    record.details.0.passkey = Some(NewPasskey { challenge: Value::Null, made: Some(made) });
    records::prove(owner, &mut work, record).await?;
    work.audit(AuditKey::AccountVerificationWebAuthnSubmit, details).await?;
    Ok(work.commit().await?)
}

/// Adds the passkey of a record to the user, with an optional name.
pub async fn add(owner: &Owner, record_id: &str, name: Option<String>) -> Result<(), OwnAccountRefusal> {
    let outcome = keep(owner, record_id, name).await;
    owner.note(AuditKey::of_account(AuditOperation::UserAddMfaFactor), outcome)
}

async fn keep(owner: &Owner, record_id: &str, name: Option<String>) -> Result<(), OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    check_edited_one(&mut work, &FIELDS).await?;
    proof::check(owner, &mut work).await?;
    check_possible(owner, &mut work).await?;
    let record = records::use_proved(owner, &mut work, record_id, &[RecordType::WebAuthn]).await?;
    let made = record.details.0.passkey.and_then(|passkey| passkey.made).ok_or(OwnAccountRefusal::UnknownRecord)?;
    add_passkey(&mut work, &owner.user_id, made, name).await?;
    tell_update(&mut work, &owner.user_id, 204).await?;
    Ok(work.commit().await?)
}
