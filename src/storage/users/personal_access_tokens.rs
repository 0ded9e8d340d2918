//! Personal access tokens of users, by their hashes.

use crate::{Result, Tx};
use claimsmith_domain::id::UserId;

/// A token.
#[derive(Clone, Debug, crate::Row)]
pub struct PersonalAccessToken {
    /// The user.
    pub user_id: UserId,
    /// Unique per user.
    pub name: String,
    /// SHA-256 of the value, hexadecimal.
    pub hash: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; `None` never expires.
    pub expires_at: Option<i64>,
}

/// Adds a token.
pub async fn insert(tx: &mut Tx, token: &PersonalAccessToken) -> Result<()> {
    tx.sql(
        "INSERT INTO personal_access_tokens (user_id, name, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&token.user_id)
    .bind(&token.name)
    .bind(&token.hash)
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// The tokens of a user, by name.
pub async fn list(tx: &mut Tx, user_id: &UserId) -> Result<Vec<PersonalAccessToken>> {
    tx.sql(
        "SELECT user_id, name, hash, created_at, expires_at FROM personal_access_tokens \
         WHERE user_id = $1 ORDER BY name",
    )
    .bind(user_id)
    .all()
    .await
}

/// Renames a token, and returns it. `None` if there is none.
pub async fn rename(tx: &mut Tx, user_id: &UserId, name: &str, new_name: &str) -> Result<Option<PersonalAccessToken>> {
    tx.sql(
        "UPDATE personal_access_tokens SET name = $1 WHERE user_id = $2 AND name = $3 \
         RETURNING user_id, name, hash, created_at, expires_at",
    )
    .bind(new_name)
    .bind(user_id)
    .bind(name)
    .optional()
    .await
}

/// Deletes a token. `false` when there is none.
pub async fn delete(tx: &mut Tx, user_id: &UserId, name: &str) -> Result<bool> {
    let deleted = tx
        .sql("DELETE FROM personal_access_tokens WHERE user_id = $1 AND name = $2")
        .bind(user_id)
        .bind(name)
        .execute()
        .await?;
    Ok(deleted > 0)
}

/// The data that an exchange needs of a live personal access token with an active user.
#[derive(Clone, Debug, crate::Row)]
pub struct LiveToken {
    /// Unique per user.
    pub name: String,
    /// The user.
    pub user_id: UserId,
    /// The user's revision.
    pub user_revision: i64,
}

/// The live token with this hash, if its user is active.
pub async fn find_live(tx: &mut Tx, hash: &str, now: i64) -> Result<Option<LiveToken>> {
    tx.sql(
        "SELECT p.name, p.user_id, u.revision AS user_revision FROM personal_access_tokens p \
         JOIN users u ON u.id = p.user_id AND u.is_suspended = FALSE \
         WHERE p.hash = $1 AND (p.expires_at IS NULL OR p.expires_at > $2)",
    )
    .bind(hash)
    .bind(now)
    .optional()
    .await
}
