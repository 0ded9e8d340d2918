//! Uploaded pictures. A picture that is not in use yet is pending: it expires, and a further upload replaces it.

use crate::sql::filter;
use crate::{Result, Tx};
use claimsmith_domain::id::{AvatarId, InteractionId, UserId};

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Avatar {
    /// 32 characters.
    pub id: AvatarId,
    /// The owner; `None` during registration.
    pub user_id: Option<UserId>,
    /// The interaction of the registration in which it was uploaded; `None` once it is in use.
    pub interaction_id: Option<InteractionId>,
    /// Such as `image/png`.
    pub media_type: String,
    /// The file.
    pub content: Vec<u8>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; `None` once it is in use.
    pub expires_at: Option<i64>,
}

const COLUMNS: &str = "id, user_id, interaction_id, media_type, content, created_at, expires_at";

/// Adds a picture. [`crate::Error::Missing`] when there is no such user.
pub async fn insert(tx: &mut Tx, avatar: &Avatar) -> Result<()> {
    tx.assembled(format!("INSERT INTO avatars ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&avatar.id)
        .bind(&avatar.user_id)
        .bind(&avatar.interaction_id)
        .bind(&avatar.media_type)
        .bind(avatar.content.as_slice())
        .bind(avatar.created_at)
        .bind(avatar.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The picture with this id, unless it has expired.
pub async fn find(tx: &mut Tx, id: &AvatarId, now: i64) -> Result<Option<Avatar>> {
    let sql = format!("SELECT {COLUMNS} FROM avatars WHERE id = $1 AND (expires_at IS NULL OR expires_at > $2)");
    tx.assembled(sql).bind(id).bind(now).optional().await
}

/// Puts a picture that the user uploaded, also during registration, into use. `false` if it belongs to another user or
/// does not exist.
pub async fn give(tx: &mut Tx, id: &AvatarId, user_id: &UserId) -> Result<bool> {
    let sql = "UPDATE avatars SET user_id = $1, interaction_id = NULL, expires_at = NULL \
               WHERE id = $2 AND (user_id = $1 OR user_id IS NULL)";
    Ok(tx.sql(sql).bind(user_id).bind(id).execute().await? > 0)
}

/// Deletes the pending pictures of a user, and returns their number.
pub async fn delete_pending_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.sql("DELETE FROM avatars WHERE user_id = $1 AND expires_at IS NOT NULL").bind(user_id).execute().await
}

/// Deletes the pictures that were uploaded in an interaction, and returns their number.
pub async fn delete_of_interaction(tx: &mut Tx, interaction_id: &InteractionId) -> Result<u64> {
    tx.sql("DELETE FROM avatars WHERE interaction_id = $1").bind(interaction_id).execute().await
}

/// Deletes the pictures of a user that are in use, except this one, and returns their number.
pub async fn delete_others(tx: &mut Tx, user_id: &UserId, kept: Option<&AvatarId>) -> Result<u64> {
    tx.sql("DELETE FROM avatars WHERE user_id = $1 AND expires_at IS NULL AND (CAST($2 AS TEXT) IS NULL OR id <> $2)")
        .bind(user_id)
        .bind(kept)
        .execute()
        .await
}

/// Deletes at most `limit` pictures that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM avatars WHERE id IN (SELECT id FROM avatars WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
