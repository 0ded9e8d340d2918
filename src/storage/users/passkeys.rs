//! Passkeys of users: public keys, with the signature counter that reveals a cloned authenticator.

use crate::{Json, Result, Tx};
use claimsmith_domain::id::{FactorId, UserId};
use serde_json::Value;

/// A passkey.
#[derive(Clone, Debug, crate::Row)]
pub struct Passkey {
    /// 21 characters.
    pub id: FactorId,
    /// The user.
    pub user_id: UserId,
    /// The credential id, base64url.
    pub credential_id: String,
    /// The public key and the signature counter.
    pub credential: Json<Value>,
    /// Whether it is synced between devices.
    pub is_synced: bool,
    /// The user's name for it.
    pub name: Option<String>,
    /// The user agent that created it.
    pub agent: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub last_used_at: Option<i64>,
}

const COLUMNS: &str = "id, user_id, credential_id, credential, is_synced, name, agent, created_at, last_used_at";

/// Adds a passkey. [`crate::Error::Conflict`] if the credential id is taken.
pub async fn insert(tx: &mut Tx, passkey: &Passkey) -> Result<()> {
    tx.assembled(format!("INSERT INTO passkeys ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"))
        .bind(&passkey.id)
        .bind(&passkey.user_id)
        .bind(&passkey.credential_id)
        .bind(&passkey.credential)
        .bind(passkey.is_synced)
        .bind(&passkey.name)
        .bind(&passkey.agent)
        .bind(passkey.created_at)
        .bind(passkey.last_used_at)
        .execute()
        .await?;
    Ok(())
}

/// The passkeys of a user, oldest first.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<Passkey>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id"))
        .bind(user_id)
        .all()
        .await
}

/// The passkey with this credential id.
pub async fn find_by_credential(tx: &mut Tx, credential_id: &str) -> Result<Option<Passkey>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM passkeys WHERE credential_id = $1"))
        .bind(credential_id)
        .optional()
        .await
}

/// Stores the changes of a used passkey, such as its counter. `false` if it no longer exists.
pub async fn used(tx: &mut Tx, id: &FactorId, credential: &Json<Value>, now: i64) -> Result<bool> {
    let used = tx
        .sql("UPDATE passkeys SET credential = COALESCE($1, credential), last_used_at = $2 WHERE id = $3")
        .bind(credential)
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    Ok(used > 0)
}

/// Renames a passkey of a user. `false` if there is none.
pub async fn rename(tx: &mut Tx, user_id: &UserId, id: &FactorId, name: &str) -> Result<bool> {
    let sql = "UPDATE passkeys SET name = $1 WHERE user_id = $2 AND id = $3";
    Ok(tx.sql(sql).bind(name).bind(user_id).bind(id).execute().await? > 0)
}

/// Deletes a passkey of a user. `false` when there is none.
pub async fn delete(tx: &mut Tx, user_id: &UserId, id: &FactorId) -> Result<bool> {
    let sql = "DELETE FROM passkeys WHERE user_id = $1 AND id = $2";
    Ok(tx.sql(sql).bind(user_id).bind(id).execute().await? > 0)
}
