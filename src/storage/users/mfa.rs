//! Second factors of users, encrypted.

use crate::{Result, Tx};
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::{FactorId, UserId};

/// A second factor.
#[derive(Clone, Debug, crate::Row)]
pub struct MfaFactor {
    /// 21 characters.
    pub id: FactorId,
    /// The user.
    pub user_id: UserId,
    /// Its type; a user has at most one factor of each.
    #[column(rename = "type")]
    pub kind: FactorType,
    /// The secret, or the hashes of the codes, encrypted, base64.
    pub sealed: String,
    /// The last time step whose one-time password was used (RFC 6238).
    pub used_step: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The user's name for it.
    pub name: Option<String>,
}

const COLUMNS: &str = "id, user_id, type, sealed, used_step, created_at, name";

/// Adds a factor. [`crate::Error::Conflict`] if the user has one of the same type.
pub async fn insert(tx: &mut Tx, factor: &MfaFactor) -> Result<()> {
    tx.assembled(format!("INSERT INTO mfa_factors ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)"))
        .bind(&factor.id)
        .bind(&factor.user_id)
        .bind(factor.kind)
        .bind(&factor.sealed)
        .bind(factor.used_step)
        .bind(factor.created_at)
        .bind(&factor.name)
        .execute()
        .await?;
    Ok(())
}

/// The factors of a user, oldest first.
pub async fn list(tx: &mut Tx, user_id: &UserId) -> Result<Vec<MfaFactor>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM mfa_factors WHERE user_id = $1 ORDER BY created_at, id"))
        .bind(user_id)
        .all()
        .await
}

/// Replaces the ciphertext after a backup code was used.
pub async fn replace_secret(tx: &mut Tx, id: &FactorId, sealed: &str) -> Result<()> {
    tx.sql("UPDATE mfa_factors SET sealed = $1 WHERE id = $2").bind(sealed).bind(id).execute().await?;
    Ok(())
}

/// Uses a time step. `false` if it or a later one was already used, or the factor no longer exists. Of concurrent uses
/// on any nodes, one succeeds.
pub async fn use_step(tx: &mut Tx, id: &FactorId, step: i64) -> Result<bool> {
    let sql = "UPDATE mfa_factors SET used_step = $1 WHERE id = $2 AND (used_step IS NULL OR used_step < $1)";
    Ok(tx.sql(sql).bind(step).bind(id).execute().await? > 0)
}

/// Deletes a factor of a user. `false` when there is none.
pub async fn delete(tx: &mut Tx, user_id: &UserId, id: &FactorId) -> Result<bool> {
    let deleted =
        tx.sql("DELETE FROM mfa_factors WHERE user_id = $1 AND id = $2").bind(user_id).bind(id).execute().await?;
    Ok(deleted > 0)
}

/// Renames a factor of a user. `false` if there is none.
pub async fn rename(tx: &mut Tx, user_id: &UserId, id: &FactorId, name: &str) -> Result<bool> {
    let sql = "UPDATE mfa_factors SET name = $1 WHERE user_id = $2 AND id = $3";
    Ok(tx.sql(sql).bind(name).bind(user_id).bind(id).execute().await? > 0)
}
