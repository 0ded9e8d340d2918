//! Interactions: sign-ins, registrations and consents that are under way. A step is written only if no other step was
//! written since it was read.

use crate::sql::filter;
use crate::{Json, Result, Tx};
use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::interaction::Progress;

/// An interaction as stored.
#[derive(Clone, Debug, crate::Row)]
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

impl Interaction {
    /// Whether nothing more is done in it: it was finished, or took too long.
    #[must_use]
    pub fn is_over(&self, now: i64) -> bool {
        self.expires_at <= now
    }
}

/// How much the clocks of two nodes may differ, in milliseconds: what is over on one is over on the other as well.
const MAX_SKEW_MS: i64 = 300_000;

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

/// The interactions of a browser's cookies, those that are over as well.
pub async fn of_browser(tx: &mut Tx, hashes: &[String]) -> Result<Vec<Interaction>> {
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    let list = filter::placeholders(1, hashes.len());
    tx.assembled(format!("SELECT {COLUMNS} FROM interactions WHERE hash IN ({list})")).bind_all(hashes).all().await
}

/// Deletes the interactions of these cookies, which their browser gave up.
pub async fn delete_of_browser(tx: &mut Tx, hashes: &[String]) -> Result<u64> {
    if hashes.is_empty() {
        return Ok(0);
    }
    let list = filter::placeholders(1, hashes.len());
    tx.assembled(format!("DELETE FROM interactions WHERE hash IN ({list})")).bind_all(hashes).execute().await
}

/// Makes an interaction the one of its browser that was begun last: another one was begun in the same millisecond.
pub async fn make_newest(tx: &mut Tx, id: &str, created_at: i64) -> Result<()> {
    tx.sql("UPDATE interactions SET created_at = $1 WHERE id = $2 AND created_at < $1")
        .bind(created_at)
        .bind(id)
        .execute()
        .await?;
    Ok(())
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

/// Ends an interaction: what was done is forgotten, and what was asked for is kept until soon afterwards, so that its
/// browser can begin anew. `false` when another step was written since `interaction` was read, or it is over.
pub async fn end(tx: &mut Tx, interaction: &Interaction, now: i64) -> Result<bool> {
    let changed = tx
        .sql("UPDATE interactions SET state = $1, revision = revision + 1, expires_at = $2 WHERE id = $3 AND revision = $4")
        .bind(Json(Some(Progress::default())))
        .bind(now - MAX_SKEW_MS)
        .bind(&interaction.id)
        .bind(interaction.revision)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Deletes at most `limit` interactions that expired before `before`, and answers how many.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM interactions WHERE id IN (SELECT id FROM interactions WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
