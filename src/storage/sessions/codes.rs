//! Authorization codes. Only their hash is stored; one is consumed in the commit of its tokens
//! ([`crate::issuing`]).

use crate::sql::filter;
use crate::{Json, Result, Tx};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::id::{ApplicationId, GrantId, UserId};

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
    tx.assembled(format!("INSERT INTO authorization_codes ({COLUMNS}) VALUES {}", filter::rows(9, 1)))
        .bind(&code.hash)
        .bind(&code.grant_id)
        .bind(&code.user_id)
        .bind(&code.application_id)
        .bind(&code.authorization_details)
        .bind(&code.family_id)
        .bind(code.created_at)
        .bind(code.expires_at)
        .bind(code.consumed_at)
        .execute()
        .await?;
    Ok(())
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
