//! Verification records: a signed-in user authenticated again, or proved ownership of something else.

use crate::sql::filter;
use crate::{Json, Result, Tx};
use claimsmith_domain::id::{SessionId, UserId, VerificationRecordId};
use claimsmith_domain::verification_record::{RecordDetails, RecordType};

/// A record.
#[derive(Clone, Debug, crate::Row)]
pub struct VerificationRecord {
    /// 21 characters.
    pub id: VerificationRecordId,
    /// The user.
    pub user_id: UserId,
    /// The session of the account page; `None` for the Account API.
    pub session_id: Option<SessionId>,
    /// What it proves.
    #[column(rename = "type")]
    pub kind: RecordType,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds, once verified.
    pub verified_at: Option<i64>,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// The details.
    pub details: Json<RecordDetails>,
}

const COLUMNS: &str = "id, user_id, session_id, type, created_at, verified_at, expires_at, details";

/// Adds a record. [`crate::Error::Missing`] when there is no such user or session.
pub async fn insert(tx: &mut Tx, record: &VerificationRecord) -> Result<()> {
    tx.assembled(format!("INSERT INTO verification_records ({COLUMNS}) VALUES {}", filter::rows(8, 1)))
        .bind(&record.id)
        .bind(&record.user_id)
        .bind(&record.session_id)
        .bind(record.kind)
        .bind(record.created_at)
        .bind(record.verified_at)
        .bind(record.expires_at)
        .bind(&record.details)
        .execute()
        .await?;
    Ok(())
}

/// The live record with this id.
pub async fn find_live(tx: &mut Tx, id: &VerificationRecordId, now: i64) -> Result<Option<VerificationRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM verification_records WHERE id = $1 AND expires_at > $2");
    tx.assembled(sql).bind(id).bind(now).optional().await
}

/// The live records of a session, newest first.
pub async fn live_of_session(tx: &mut Tx, session_id: &SessionId, now: i64) -> Result<Vec<VerificationRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM verification_records WHERE session_id = $1 AND expires_at > $2 \
         ORDER BY created_at DESC, id LIMIT 100"
    );
    tx.assembled(sql).bind(session_id).bind(now).all().await
}

/// Updates the details of an unverified record, and whether it is verified now. `false` if there is none.
pub async fn update(tx: &mut Tx, record: &VerificationRecord) -> Result<bool> {
    let sql = "UPDATE verification_records SET verified_at = $1, details = COALESCE($2, details) \
               WHERE id = $3 AND verified_at IS NULL";
    let updated = tx.sql(sql).bind(record.verified_at).bind(&record.details).bind(&record.id).execute().await?;
    Ok(updated > 0)
}

/// Deletes a used record. `false` if there is none: a concurrent request was faster.
pub async fn delete(tx: &mut Tx, id: &VerificationRecordId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM verification_records WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes the records of a user.
pub async fn delete_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.sql("DELETE FROM verification_records WHERE user_id = $1").bind(user_id).execute().await
}

/// Deletes at most `limit` records that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM verification_records WHERE id IN \
         (SELECT id FROM verification_records WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
