//! Signing keys, encrypted. Algorithm and timestamps decide which key signs and which are published; only timestamps
//! change.

use super::{Result, Tx, revisions};
use crate::Json;
use crate::revisions::Changed;
use crate::sql::filter;
use claimsmith_domain::documents::algorithm::Algorithm;
use serde_json::Value;

/// A signing key as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct SigningKey {
    /// RFC 7638 thumbprint, base64url.
    pub kid: String,
    /// The algorithm of its signatures.
    pub algorithm: Algorithm,
    /// The public part, as published.
    pub public_jwk: Json<Value>,
    /// PKCS#8, encrypted, base64.
    pub sealed_private: String,
    /// Unix milliseconds; published from then on.
    pub created_at: i64,
    /// Unix milliseconds; signs from then on, until a later key does.
    pub activates_at: i64,
    /// Unix milliseconds; no longer published from then on.
    pub retires_at: Option<i64>,
}

const COLUMNS: &str = "kid, algorithm, public_jwk, sealed_private, created_at, activates_at, retires_at";

/// The key that activates last comes first.
const ORDER: &str = "activates_at DESC, algorithm, kid";

/// Every key that has not retired, last to activate first.
pub async fn published(tx: &mut Tx, now: i64) -> Result<Vec<SigningKey>> {
    let sql =
        format!("SELECT {COLUMNS} FROM signing_keys WHERE retires_at IS NULL OR retires_at > $1 ORDER BY {ORDER}");
    tx.assembled(sql).bind(now).all().await
}

/// Every key, including retired ones that are not deleted yet, last to activate first.
pub async fn all(tx: &mut Tx) -> Result<Vec<SigningKey>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM signing_keys ORDER BY {ORDER}")).all().await
}

/// Adds a key.
pub async fn insert(tx: &mut Tx, key: &SigningKey) -> Result<()> {
    tx.assembled(format!("INSERT INTO signing_keys ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&key.kid)
        .bind(key.algorithm)
        .bind(&key.public_jwk)
        .bind(&key.sealed_private)
        .bind(key.created_at)
        .bind(key.activates_at)
        .bind(key.retires_at)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Keys).await
}

/// Sets the retirement time of the keys of an algorithm that activate before `activates_at` and have none yet.
pub async fn retire_before(tx: &mut Tx, algorithm: Algorithm, activates_at: i64, retires_at: i64) -> Result<()> {
    tx.sql("UPDATE signing_keys SET retires_at = $1 WHERE retires_at IS NULL AND algorithm = $2 AND activates_at < $3")
        .bind(retires_at)
        .bind(algorithm)
        .bind(activates_at)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Keys).await
}

/// Deletes the keys of an algorithm that would activate after `activates_at`, a time in the future: they have signed
/// nothing yet.
pub async fn delete_later(tx: &mut Tx, algorithm: Algorithm, activates_at: i64) -> Result<()> {
    tx.sql("DELETE FROM signing_keys WHERE algorithm = $1 AND activates_at > $2")
        .bind(algorithm)
        .bind(activates_at)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Keys).await
}

/// Removes a key from the key set at once: tokens that it signed are no longer valid. `false` if there is none.
pub async fn delete(tx: &mut Tx, kid: &str) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM signing_keys WHERE kid = $1").bind(kid).execute().await?;
    revisions::bump(tx, Changed::Keys).await?;
    Ok(deleted > 0)
}

/// Deletes keys that retired before `before`.
pub async fn delete_expired(tx: &mut Tx, before: i64) -> Result<u64> {
    tx.sql("DELETE FROM signing_keys WHERE retires_at IS NOT NULL AND retires_at < $1").bind(before).execute().await
}
