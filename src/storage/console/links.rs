//! One-time links to the console: for the first administrator, for a further one, and for one who is locked out.

use crate::sql::filter;
use crate::{Result, Tx};
use claimsmith_domain::console_link::Purpose;
use claimsmith_domain::id::UserId;

/// A link as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct ConsoleLink {
    /// SHA-256 of its code, hexadecimal.
    pub hash: String,
    /// Its purpose.
    pub purpose: Purpose,
    /// The user that it signs in; `None` if it creates an account.
    pub user_id: Option<UserId>,
    /// The initial email address of the account.
    pub email: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

const COLUMNS: &str = "hash, purpose, user_id, email, created_at, expires_at";

/// Adds a link. [`crate::Error::Missing`] when there is no such user.
pub async fn insert(tx: &mut Tx, link: &ConsoleLink) -> Result<()> {
    tx.assembled(format!("INSERT INTO console_links ({COLUMNS}) VALUES {}", filter::rows(6, 1)))
        .bind(&link.hash)
        .bind(link.purpose)
        .bind(&link.user_id)
        .bind(&link.email)
        .bind(link.created_at)
        .bind(link.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The link with this hash, if it has not expired.
pub async fn find(tx: &mut Tx, hash: &str, now: i64) -> Result<Option<ConsoleLink>> {
    let sql = format!("SELECT {COLUMNS} FROM console_links WHERE hash = $1 AND expires_at > $2");
    tx.assembled(sql).bind(hash).bind(now).optional().await
}

/// Consumes a link. Of concurrent calls, only one gets `true`.
pub async fn consume(tx: &mut Tx, hash: &str, now: i64) -> Result<bool> {
    let sql = "DELETE FROM console_links WHERE hash = $1 AND expires_at > $2";
    Ok(tx.sql(sql).bind(hash).bind(now).execute().await? > 0)
}

/// Deletes all links of a purpose, and returns their number.
pub async fn delete_of(tx: &mut Tx, purpose: Purpose) -> Result<u64> {
    tx.sql("DELETE FROM console_links WHERE purpose = $1").bind(purpose).execute().await
}

/// Deletes the links that sign in a user, and returns their number.
pub async fn delete_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.sql("DELETE FROM console_links WHERE user_id = $1").bind(user_id).execute().await
}

/// Deletes at most `limit` links that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM console_links WHERE hash IN (SELECT hash FROM console_links WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
