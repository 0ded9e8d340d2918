//! Refresh tokens. Only their hash is stored. One that rotates is consumed in the commit of the tokens that replace it
//! ([`crate::storage::issuing`]); those that replace each other are a family.

use crate::domain::authorization::request::Authorized;
use crate::domain::id::{ApplicationId, GrantId, UserId};
use crate::storage::sql::filter::Placeholders;
use crate::storage::{Json, Result, Stmt, Tx};

/// A refresh token as stored.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct RefreshToken {
    /// SHA-256 of the token, hexadecimal.
    pub hash: String,
    /// What it was made for.
    pub grant_id: GrantId,
    /// Whose it is.
    pub user_id: UserId,
    /// The application.
    pub application_id: ApplicationId,
    /// What was authorized.
    pub authorization_details: Json<Option<Authorized>>,
    /// Of all tokens that come from the same code.
    pub family_id: String,
    /// Whether it was asked for with `offline_access`: it lives on when the session ends.
    pub outlives_session: bool,
    /// The hash of the token that it replaces.
    pub parent_hash: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, when it was replaced last.
    pub consumed_at: Option<i64>,
    /// Unix milliseconds, when it was replaced for the first time.
    pub rotated_at: Option<i64>,
}

const COLUMNS: &str = "hash, grant_id, user_id, application_id, authorization_details, family_id, outlives_session, \
     parent_hash, created_at, expires_at, consumed_at, rotated_at";

/// The text that adds `count` tokens.
pub(in crate::storage) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    format!("{} refresh_tokens ({COLUMNS}) VALUES {}", values.insert_or_give_up(), values.rows(12, count))
}

/// Binds one token of such a text.
pub(in crate::storage) fn bind<'t>(statement: Stmt<'t>, token: &RefreshToken) -> Stmt<'t> {
    statement
        .bind(&token.hash)
        .bind(&token.grant_id)
        .bind(&token.user_id)
        .bind(&token.application_id)
        .bind(&token.authorization_details)
        .bind(&token.family_id)
        .bind(token.outlives_session)
        .bind(&token.parent_hash)
        .bind(token.created_at)
        .bind(token.expires_at)
        .bind(token.consumed_at)
        .bind(token.rotated_at)
}

/// The token of that hash, also one that was replaced or has expired.
pub async fn find(tx: &mut Tx, hash: &str) -> Result<Option<RefreshToken>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM refresh_tokens WHERE hash = $1")).bind(hash).optional().await
}

/// Makes a replaced token valid again, for a client that never got the answer: what replaced it is deleted, if it was not
/// used. `false` when it was used, or `rotated_since` is later than the first replacement.
pub async fn reopen(tx: &mut Tx, hash: &str, rotated_since: i64) -> Result<bool> {
    let reopened = tx
        .sql(
            "UPDATE refresh_tokens SET consumed_at = NULL WHERE hash = $1 AND rotated_at >= $2 AND NOT EXISTS \
             (SELECT 1 FROM refresh_tokens used WHERE used.parent_hash = $1 AND used.rotated_at IS NOT NULL)",
        )
        .bind(hash)
        .bind(rotated_since)
        .execute()
        .await?;
    if reopened > 0 {
        tx.sql("DELETE FROM refresh_tokens WHERE parent_hash = $1").bind(hash).execute().await?;
    }
    Ok(reopened > 0)
}

/// Deletes at most `limit` tokens that expired before `before`, and answers how many.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM refresh_tokens WHERE hash IN (SELECT hash FROM refresh_tokens WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
