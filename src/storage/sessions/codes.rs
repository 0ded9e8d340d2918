//! Authorization codes. Only their hash is stored; one is consumed in the commit of its tokens
//! ([`crate::issuing`]).

use crate::sql::filter::{self, Placeholders};
use crate::{Dialect, Json, Result, Stmt, Tx};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::id::{ApplicationId, GrantId, SessionId, UserId};

/// A code as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct Code {
    /// SHA-256 of the code, hexadecimal.
    pub hash: String,
    /// The grant that it was issued under.
    pub grant_id: GrantId,
    /// The user.
    pub user_id: UserId,
    /// The application.
    pub application_id: ApplicationId,
    /// The authorization.
    pub authorization_details: Json<Option<Authorized>>,
    /// Shared by all tokens from this code.
    pub family_id: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was exchanged.
    pub consumed_at: Option<i64>,
}

pub(super) const COLUMNS: &str = "hash, grant_id, user_id, application_id, authorization_details, family_id, created_at, \
     expires_at, consumed_at";

/// Adds a code. [`crate::Error::Missing`] when there is no such grant.
pub async fn insert(tx: &mut Tx, code: &Code) -> Result<()> {
    let sql = format!("INSERT INTO authorization_codes ({COLUMNS}) VALUES {}", filter::rows(9, 1));
    bind(tx.assembled(sql), code).execute().await?;
    Ok(())
}

fn bind<'t>(statement: Stmt<'t>, code: &Code) -> Stmt<'t> {
    statement
        .bind(&code.hash)
        .bind(&code.grant_id)
        .bind(&code.user_id)
        .bind(&code.application_id)
        .bind(&code.authorization_details)
        .bind(&code.family_id)
        .bind(code.created_at)
        .bind(code.expires_at)
        .bind(code.consumed_at)
}

/// Adds a code under a live grant of a live session, and records that the session was used, in one call. `false` if the
/// session or the grant has ended; then there is no code.
pub async fn add(tx: &mut Tx, code: &Code, session_id: &SessionId, now: i64) -> Result<bool> {
    let dialect = tx.dialect();
    let mut values = Placeholders::of(tx);
    let added: Vec<(String,)> = match dialect {
        // Two statements that one call runs in sequence, in a transaction.
        Dialect::Sqlite => {
            let sql = format!(
                "UPDATE sessions SET last_active_at = ? WHERE id = ? AND user_id = ? AND expires_at > ?; \
                 INSERT INTO authorization_codes ({COLUMNS}) SELECT {} WHERE EXISTS \
                 (SELECT 1 FROM sessions WHERE id = ? AND user_id = ? AND expires_at > ?) AND EXISTS \
                 (SELECT 1 FROM grants WHERE id = ? AND session_id = ? AND expires_at > ?) RETURNING hash",
                values.list(9)
            );
            let statement = tx.assembled(sql).bind(now).bind(session_id).bind(&code.user_id).bind(now);
            let statement = bind(statement, code).bind(session_id).bind(&code.user_id).bind(now);
            statement.bind(&code.grant_id).bind(session_id).bind(now).all().await?
        }
        // Locks the user, the session and the grant in this order, as sign-in and sign-out do, to prevent deadlocks.
        Dialect::Postgres => {
            let sql = format!(
                "WITH held AS (SELECT id FROM users WHERE id = {} FOR KEY SHARE), used AS \
                 (UPDATE sessions SET last_active_at = {} WHERE id = {} AND expires_at > {} \
                 AND user_id IN (SELECT id FROM held) RETURNING id), given AS \
                 (SELECT id FROM grants WHERE id = {} AND session_id IN (SELECT id FROM used) AND expires_at > {} \
                 FOR KEY SHARE) \
                 INSERT INTO authorization_codes ({COLUMNS}) SELECT {} FROM given RETURNING hash",
                values.list(1),
                values.list(1),
                values.list(1),
                values.list(1),
                values.list(1),
                values.list(1),
                values.list(9)
            );
            let statement = tx.assembled(sql).bind(&code.user_id).bind(now).bind(session_id).bind(now);
            bind(statement.bind(&code.grant_id).bind(now), code).all().await?
        }
    };
    Ok(!added.is_empty())
}

/// The code with this hash, even if consumed or expired.
pub async fn find(tx: &mut Tx, hash: &str) -> Result<Option<Code>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM authorization_codes WHERE hash = $1")).bind(hash).optional().await
}

/// Deletes at most `limit` codes that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM authorization_codes WHERE hash IN \
         (SELECT hash FROM authorization_codes WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
