//! Interactions: sign-ins, registrations and consents that are under way. A step is written only if no other step was
//! written since it was read.

use crate::domain::authorization::request::AuthorizationRequest;
use crate::domain::id::InteractionId;
use crate::domain::interaction::Progress;
use crate::storage::sql::filter;
use crate::storage::{Json, Result, Tx};

/// An interaction as stored.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Interaction {
    /// 21 characters; not the cookie.
    pub id: InteractionId,
    /// SHA-256 of the browser's cookie, hexadecimal.
    pub hash: String,
    /// What the application asks for.
    pub request: Json<Option<AuthorizationRequest>>,
    /// What was done so far.
    pub state: Json<Option<Progress>>,
    /// How many steps were written.
    pub revision: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

const COLUMNS: &str = "id, hash, request, state, revision, created_at, expires_at";

/// Adds an interaction.
pub async fn insert(tx: &mut Tx, interaction: &Interaction) -> Result<()> {
    tx.assembled(format!("INSERT INTO interactions ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&interaction.id)
        .bind(&interaction.hash)
        .bind(&interaction.request)
        .bind(&interaction.state)
        .bind(interaction.revision)
        .bind(interaction.created_at)
        .bind(interaction.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The live interaction of a browser's cookie.
pub async fn find_live(tx: &mut Tx, hash: &str, now: i64) -> Result<Option<Interaction>> {
    let sql = format!("SELECT {COLUMNS} FROM interactions WHERE hash = $1 AND expires_at > $2");
    tx.assembled(sql).bind(hash).bind(now).optional().await
}

/// Writes what was done. `false` when another step was written since `interaction` was read, or it is over.
pub async fn update(tx: &mut Tx, interaction: &Interaction) -> Result<bool> {
    let changed = tx
        .sql("UPDATE interactions SET state = $1, revision = revision + 1 WHERE id = $2 AND revision = $3")
        .bind(&interaction.state)
        .bind(&interaction.id)
        .bind(interaction.revision)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Deletes an interaction. `false` when there is none: somebody else finished it.
pub async fn delete(tx: &mut Tx, id: &InteractionId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM interactions WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes at most `limit` interactions that expired before `before`, and answers how many.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM interactions WHERE id IN (SELECT id FROM interactions WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
