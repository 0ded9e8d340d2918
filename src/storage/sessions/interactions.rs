//! Interactions: sign-ins, registrations and consents in progress. A step is written only if no other step was written
//! since it was read (optimistic locking).

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
    /// The authorization request.
    pub request: Json<Option<AuthorizationRequest>>,
    /// The progress.
    pub state: Json<Option<Progress>>,
    /// Number of steps written.
    pub revision: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

impl Interaction {
    /// Whether it is finished or expired.
    #[must_use]
    pub fn is_over(&self, now: i64) -> bool {
        self.expires_at <= now
    }
}

/// Maximum clock skew between nodes, in milliseconds, so that an interaction that is over on one node is over on all.
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

/// The interactions of a browser's cookies, including those that are over.
pub async fn of_browser(tx: &mut Tx, hashes: &[String]) -> Result<Vec<Interaction>> {
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    let list = filter::placeholders(1, hashes.len());
    tx.assembled(format!("SELECT {COLUMNS} FROM interactions WHERE hash IN ({list})")).bind_all(hashes).all().await
}

/// Deletes the interactions of these cookies, which the browser abandoned.
pub async fn delete_of_browser(tx: &mut Tx, hashes: &[String]) -> Result<u64> {
    if hashes.is_empty() {
        return Ok(0);
    }
    let list = filter::placeholders(1, hashes.len());
    tx.assembled(format!("DELETE FROM interactions WHERE hash IN ({list})")).bind_all(hashes).execute().await
}

/// Makes an interaction the newest of its browser, in case another one was started in the same millisecond.
pub async fn make_newest(tx: &mut Tx, id: &str, created_at: i64) -> Result<()> {
    tx.sql("UPDATE interactions SET created_at = $1 WHERE id = $2 AND created_at < $1")
        .bind(created_at)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Writes the progress. `false` if another step was written since `interaction` was read, or it is over.
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

/// Ends an interaction: clears its progress, but keeps its request for a short time, so that the browser can start
/// again. `false` if another step was written since `interaction` was read, or it is over.
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

/// Deletes at most `limit` interactions that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM interactions WHERE id IN (SELECT id FROM interactions WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
