//! Refresh tokens. Only their hash is stored. A rotated token is consumed in the commit of its successor
//! ([`crate::issuing`]); a token and its successors are a family ([`super::refresh_families`]).

use crate::sessions::refresh_families::WITHOUT_TOKENS;
use crate::sql::filter::Placeholders;
use crate::{Dialect, Json, Result, Stmt, Tx};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::id::{ApplicationId, GrantId, UserId};
use std::collections::BTreeSet;

/// A refresh token as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct RefreshToken {
    /// SHA-256 of the token, hexadecimal.
    pub hash: String,
    /// The grant that it was issued under.
    pub grant_id: GrantId,
    /// The user.
    pub user_id: UserId,
    /// The application.
    pub application_id: ApplicationId,
    /// The authorization.
    pub authorization_details: Json<Option<Authorized>>,
    /// Shared by all tokens from the same code.
    pub family_id: String,
    /// Whether it was requested with `offline_access`: it remains valid after the session ends.
    pub outlives_session: bool,
    /// The hash of the token that it replaces.
    pub parent_hash: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// When it was rotated, Unix milliseconds.
    pub consumed_at: Option<i64>,
    /// When it was first rotated, Unix milliseconds. Older nodes can make a rotated token valid again.
    pub rotated_at: Option<i64>,
}

pub(super) const COLUMNS: &str = "hash, grant_id, user_id, application_id, authorization_details, family_id, outlives_session, \
     parent_hash, created_at, expires_at, consumed_at, rotated_at";

/// The SQL that adds `count` tokens.
pub(crate) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    values.insert("refresh_tokens", (COLUMNS, 12), count)
}

/// Binds one token of this SQL.
pub(crate) fn bind<'t>(statement: Stmt<'t>, token: &RefreshToken) -> Stmt<'t> {
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

/// The token with this hash, even if rotated or expired.
pub async fn find(tx: &mut Tx, hash: &str) -> Result<Option<RefreshToken>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM refresh_tokens WHERE hash = $1")).bind(hash).optional().await
}

/// The newest token of a family, which is not rotated; it may have expired.
pub async fn newest(tx: &mut Tx, family_id: &str) -> Result<Option<RefreshToken>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM refresh_tokens WHERE family_id = $1 AND consumed_at IS NULL \
         ORDER BY created_at DESC LIMIT 1"
    );
    tx.assembled(sql).bind(family_id).optional().await
}

#[derive(crate::Row)]
struct Deleted {
    family_id: String,
}

/// Deletes at most `limit` tokens that expired before `before`, and returns their number. A family ends with its last
/// token.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    const EXPIRED: &str = "SELECT hash FROM refresh_tokens WHERE expires_at < $1 LIMIT $2";
    let sql = format!("DELETE FROM refresh_tokens WHERE hash IN ({EXPIRED}) RETURNING family_id");
    let deleted: Vec<Deleted> = tx.assembled(sql).bind(before).bind(limit).all().await?;
    let families: BTreeSet<&str> = deleted.iter().map(|token| token.family_id.as_str()).collect();
    if !families.is_empty() {
        let is_listed = match tx.dialect() {
            Dialect::Sqlite => "IN (SELECT value FROM json_each($1))",
            Dialect::Postgres => "= ANY($1)",
        };
        let sql = format!("DELETE FROM refresh_families WHERE id {is_listed} AND {WITHOUT_TOKENS}");
        tx.assembled(sql).bind_list(&families.into_iter().collect::<Vec<_>>()).execute().await?;
    }
    Ok(u64::try_from(deleted.len()).unwrap_or(u64::MAX))
}
