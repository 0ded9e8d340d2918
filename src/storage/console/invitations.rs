//! Invitations to administer: made at the console, claimed once by an account with the code of the link, and confirmed
//! by the inviter. Only the confirmation grants the role.

use crate::sql::filter;
use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::id::{RoleId, UserId};

/// An invitation as stored.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct AdministratorInvitation {
    /// Its id.
    pub id: String,
    /// SHA-256 of the code in the link, hexadecimal; `None` once it is claimed.
    pub hash: Option<String>,
    /// The role that it is for.
    pub role_id: RoleId,
    /// Who invites, and is to confirm.
    pub inviter_id: UserId,
    /// For whom it is, in the inviter's words.
    pub note: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When the link, or the claim, becomes invalid, Unix milliseconds.
    pub expires_at: i64,
    /// The account that claimed it.
    pub user_id: Option<UserId>,
    /// When it was claimed, Unix milliseconds.
    pub claimed_at: Option<i64>,
}

const COLUMNS: &str = "id, hash, role_id, inviter_id, note, created_at, expires_at, user_id, claimed_at";

/// Adds an invitation. [`crate::Error::Missing`] when there is no such role or inviter.
pub async fn insert(tx: &mut Tx, invitation: &AdministratorInvitation) -> Result<()> {
    tx.assembled(format!("INSERT INTO administrator_invitations ({COLUMNS}) VALUES {}", filter::rows(9, 1)))
        .bind(&invitation.id)
        .bind(&invitation.hash)
        .bind(&invitation.role_id)
        .bind(&invitation.inviter_id)
        .bind(&invitation.note)
        .bind(invitation.created_at)
        .bind(invitation.expires_at)
        .bind(&invitation.user_id)
        .bind(invitation.claimed_at)
        .execute()
        .await?;
    Ok(())
}

/// The invitation with this id, whether it has expired or not.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<AdministratorInvitation>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM administrator_invitations WHERE id = $1")).bind(id).optional().await
}

/// The invitation whose link has a code with this hash, if it was not claimed and has not expired.
pub async fn find_open(tx: &mut Tx, hash: &str, now: i64) -> Result<Option<AdministratorInvitation>> {
    let sql = format!("SELECT {COLUMNS} FROM administrator_invitations WHERE hash = $1 AND expires_at > $2");
    tx.assembled(sql).bind(hash).bind(now).optional().await
}

/// The invitations that have not expired, newest first, at most `limit`.
pub async fn list(tx: &mut Tx, now: i64, limit: i64) -> Result<Vec<AdministratorInvitation>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM administrator_invitations WHERE expires_at > $1 ORDER BY created_at DESC, id LIMIT $2"
    );
    tx.assembled(sql).bind(now).bind(limit).all().await
}

/// The number of invitations that have not expired.
pub async fn count(tx: &mut Tx, now: i64) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS count FROM administrator_invitations WHERE expires_at > $1";
    Ok(tx.sql(sql).bind(now).one::<Count>().await?.count)
}

/// Claims an invitation for an account, by the hash of its code; the claim lasts until `expires_at`. Of concurrent
/// calls, only one gets `true`.
pub async fn claim(tx: &mut Tx, hash: &str, user_id: &UserId, now: i64, expires_at: i64) -> Result<bool> {
    let sql = "UPDATE administrator_invitations SET hash = NULL, user_id = $1, claimed_at = $2, expires_at = $3 \
               WHERE hash = $4 AND expires_at > $5";
    let claimed = tx.sql(sql).bind(user_id).bind(now).bind(expires_at).bind(hash).bind(now).execute().await?;
    Ok(claimed > 0)
}

/// Ends an invitation: it is confirmed, refused or revoked. Of concurrent calls, only one gets `true`.
pub async fn delete(tx: &mut Tx, id: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM administrator_invitations WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes at most `limit` invitations that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    let sql = "DELETE FROM administrator_invitations WHERE id IN \
               (SELECT id FROM administrator_invitations WHERE expires_at < $1 LIMIT $2)";
    tx.sql(sql).bind(before).bind(limit).execute().await
}
