//! Used client assertions (RFC 7523 section 3: each `jti` is single-use). Only the hash of client and `jti` is stored.

use crate::sql::filter::Placeholders;
use crate::{Result, Tx};
use std::collections::{BTreeMap, HashSet};

/// The use of an assertion.
#[derive(Clone, Debug)]
pub struct AssertionUse {
    /// SHA-256 of client and `jti`, hexadecimal.
    pub hash: String,
    /// When the assertion expires, Unix milliseconds.
    pub expires_at: i64,
    /// When it was validated, Unix milliseconds: an earlier use of the same `jti` counts if it had not expired by then.
    pub checked_at: i64,
}

#[derive(crate::Row)]
struct Claimed {
    hash: String,
}

/// Records uses of assertions, and returns the hashes that were not used before. A hash that is listed twice is
/// returned once: the caller accepts the first use.
pub async fn claim(tx: &mut Tx, uses: &[&AssertionUse]) -> Result<HashSet<String>> {
    let Some(now) = uses.iter().map(|one| one.checked_at).min() else { return Ok(HashSet::new()) };
    // In the order of the hashes, so that concurrent transactions do not deadlock.
    let mut expiries = BTreeMap::<&str, i64>::new();
    for one in uses {
        expiries.entry(&one.hash).and_modify(|end| *end = one.expires_at.max(*end)).or_insert(one.expires_at);
    }
    let mut values = Placeholders::of(tx);
    let rows = values.rows(2, expiries.len());
    let sql = format!(
        "INSERT INTO client_assertions (hash, expires_at) VALUES {rows} ON CONFLICT (hash) DO UPDATE \
         SET expires_at = excluded.expires_at WHERE client_assertions.expires_at <= {} RETURNING hash",
        values.list(1)
    );
    let statement = expiries.iter().fold(tx.assembled(sql), |statement, (hash, end)| statement.bind(*hash).bind(*end));
    let claimed: Vec<Claimed> = statement.bind(now).all().await?;
    Ok(claimed.into_iter().map(|row| row.hash).collect())
}

/// Deletes at most `limit` uses of assertions that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM client_assertions WHERE hash IN \
         (SELECT hash FROM client_assertions WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
