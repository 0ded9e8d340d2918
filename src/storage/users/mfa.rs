//! Second factors of users, encrypted.

use crate::domain::id::{FactorId, UserId};
use crate::storage::{Result, Tx};

/// A second factor.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct MfaFactor {
    /// 21 characters.
    pub id: FactorId,
    /// Whose it is.
    pub user_id: UserId,
    /// `Totp` or `BackupCode`; one of each.
    #[sqlx(rename = "type")]
    pub kind: String,
    /// The secret or the codes, encrypted, base64.
    pub sealed: String,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Adds a factor. [`crate::storage::Error::Conflict`] when the user has one of its type.
pub async fn insert(tx: &mut Tx, factor: &MfaFactor) -> Result<()> {
    tx.sql("INSERT INTO mfa_factors (id, user_id, type, sealed, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(&factor.id)
        .bind(&factor.user_id)
        .bind(&factor.kind)
        .bind(&factor.sealed)
        .bind(factor.created_at)
        .execute()
        .await?;
    Ok(())
}

/// The factors of a user, oldest first.
pub async fn list(tx: &mut Tx, user_id: &UserId) -> Result<Vec<MfaFactor>> {
    tx.sql("SELECT id, user_id, type, sealed, created_at FROM mfa_factors WHERE user_id = $1 ORDER BY created_at, id")
        .bind(user_id)
        .all()
        .await
}

/// Every factor of every user.
pub async fn all(tx: &mut Tx) -> Result<Vec<MfaFactor>> {
    tx.sql("SELECT id, user_id, type, sealed, created_at FROM mfa_factors ORDER BY id").all().await
}

/// Replaces the ciphertext after re-encryption.
pub async fn replace_secret(tx: &mut Tx, id: &FactorId, sealed: &str) -> Result<()> {
    tx.sql("UPDATE mfa_factors SET sealed = $1 WHERE id = $2").bind(sealed).bind(id).execute().await?;
    Ok(())
}

/// Deletes a factor of a user. `false` when there is none.
pub async fn delete(tx: &mut Tx, user_id: &UserId, id: &FactorId) -> Result<bool> {
    let deleted =
        tx.sql("DELETE FROM mfa_factors WHERE user_id = $1 AND id = $2").bind(user_id).bind(id).execute().await?;
    Ok(deleted > 0)
}
