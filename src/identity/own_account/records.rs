//! Verification records of one's own account: begun and proved by the same user in the same way, in the session of the
//! page or by the Account API.

use super::owner::{Owner, OwnerAccess};
use super::refusal::OwnAccountRefusal;
use claimsmith_domain::id::{SessionId, VerificationRecordId};
use claimsmith_domain::verification_record::{RecordDetails, RecordType};
use claimsmith_storage::verification::verification_records::{self, VerificationRecord};
use claimsmith_storage::{Json, Tx};

/// Lifetime of a record: ten minutes, in milliseconds.
pub(crate) const LIFETIME_MS: i64 = 10 * 60_000;

/// Creates a record that is not proved yet.
pub(super) fn begun(
    owner: &Owner,
    id: VerificationRecordId,
    kind: RecordType,
    details: RecordDetails,
) -> VerificationRecord {
    let now = owner.now();
    VerificationRecord {
        id,
        user_id: owner.user_id.clone(),
        session_id: page_session(owner).cloned(),
        kind,
        created_at: now,
        verified_at: None,
        expires_at: now + LIFETIME_MS,
        details: Json(details),
    }
}

/// The session, if the owner uses the page.
fn page_session(owner: &Owner) -> Option<&SessionId> {
    match &owner.way {
        OwnerAccess::Token(_) => None,
        OwnerAccess::Page { session, .. } => Some(&session.id),
    }
}

/// The live record with that id and one of these types, if this owner began it in the same way.
async fn find(
    owner: &Owner,
    tx: &mut Tx,
    id: &str,
    kinds: &[RecordType],
) -> Result<VerificationRecord, OwnAccountRefusal> {
    let found = verification_records::find_live(tx, &id.into(), owner.now()).await?;
    let is_own = |record: &VerificationRecord| {
        record.user_id == owner.user_id
            && record.session_id.as_ref() == page_session(owner)
            && kinds.contains(&record.kind)
    };
    found.filter(is_own).ok_or(OwnAccountRefusal::UnknownRecord)
}

/// A record that is not proved yet.
pub(super) async fn pending(
    owner: &Owner,
    tx: &mut Tx,
    id: &str,
    kinds: &[RecordType],
) -> Result<VerificationRecord, OwnAccountRefusal> {
    let record = find(owner, tx, id, kinds).await?;
    if record.verified_at.is_some() { Err(OwnAccountRefusal::UnknownRecord) } else { Ok(record) }
}

/// A proved record, which is used up.
pub(super) async fn use_proved(
    owner: &Owner,
    tx: &mut Tx,
    id: &str,
    kinds: &[RecordType],
) -> Result<VerificationRecord, OwnAccountRefusal> {
    let record = find(owner, tx, id, kinds).await?;
    if record.verified_at.is_none() || !verification_records::delete(tx, &record.id).await? {
        return Err(OwnAccountRefusal::UnknownRecord);
    }
    Ok(record)
}

/// Stores a record as proved now.
pub(super) async fn prove(owner: &Owner, tx: &mut Tx, mut record: VerificationRecord) -> Result<(), OwnAccountRefusal> {
    record.verified_at = Some(owner.now());
    if verification_records::update(tx, &record).await? { Ok(()) } else { Err(OwnAccountRefusal::UnknownRecord) }
}
