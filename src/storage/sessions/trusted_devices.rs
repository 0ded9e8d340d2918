//! Trusted devices: browsers in which a user is not asked for a second factor for a while, identified by a cookie of
//! which only the hash is stored.

use crate::sql::filter;
use crate::sql::slice::Count;
use crate::{Result, Slice, Tx};
use claimsmith_domain::id::{TrustedDeviceId, UserId};

const COLUMNS: &str = "id, user_id, hash, user_agent, ip, created_at, last_used_at, expires_at";

/// A device.
#[derive(Clone, Debug, crate::Row)]
pub struct TrustedDevice {
    /// 21 characters.
    pub id: TrustedDeviceId,
    /// The user who trusts it.
    pub user_id: UserId,
    /// SHA-256 (hex) of the browser's cookie.
    pub hash: String,
    /// The browser's `User-Agent`.
    pub user_agent: Option<String>,
    /// The IP address of the last use.
    pub ip: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub last_used_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

#[derive(crate::Row)]
struct Deleted {
    id: TrustedDeviceId,
}

/// Adds a device; replaces the user's device in the same browser. [`crate::Error::Missing`] if there is no such user.
pub async fn put(tx: &mut Tx, device: &TrustedDevice) -> Result<()> {
    tx.sql("DELETE FROM trusted_devices WHERE hash = $1 AND user_id = $2")
        .bind(&device.hash)
        .bind(&device.user_id)
        .execute()
        .await?;
    tx.assembled(format!("INSERT INTO trusted_devices ({COLUMNS}) VALUES {}", filter::rows(8, 1)))
        .bind(&device.id)
        .bind(&device.user_id)
        .bind(&device.hash)
        .bind(&device.user_agent)
        .bind(&device.ip)
        .bind(device.created_at)
        .bind(device.last_used_at)
        .bind(device.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// Moves the devices of a browser to its new cookie.
pub async fn rename(tx: &mut Tx, old_hash: &str, new_hash: &str) -> Result<()> {
    tx.sql("UPDATE trusted_devices SET hash = $1 WHERE hash = $2").bind(new_hash).bind(old_hash).execute().await?;
    Ok(())
}

/// The live device of a user in the browser with this cookie.
pub async fn find_live(tx: &mut Tx, hash: &str, user_id: &UserId, now: i64) -> Result<Option<TrustedDevice>> {
    let sql = format!("SELECT {COLUMNS} FROM trusted_devices WHERE hash = $1 AND user_id = $2 AND expires_at > $3");
    tx.assembled(sql).bind(hash).bind(user_id).bind(now).optional().await
}

/// The live devices of a user, most recently used first.
pub async fn of_user(tx: &mut Tx, user_id: &UserId, now: i64, slice: Slice) -> Result<Vec<TrustedDevice>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM trusted_devices WHERE user_id = $1 AND expires_at > $2 \
         ORDER BY last_used_at DESC, id LIMIT $3 OFFSET $4"
    );
    tx.assembled(sql).bind(user_id).bind(now).bind(slice.limit).bind(slice.offset).all().await
}

/// The number of live devices of a user.
pub async fn count(tx: &mut Tx, user_id: &UserId, now: i64) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS count FROM trusted_devices WHERE user_id = $1 AND expires_at > $2";
    Ok(tx.sql(sql).bind(user_id).bind(now).one::<Count>().await?.count)
}

/// Records that a device was used. `false` if it no longer exists.
pub async fn used(tx: &mut Tx, id: &TrustedDeviceId, ip: Option<&str>, now: i64) -> Result<bool> {
    let sql = "UPDATE trusted_devices SET last_used_at = $1, ip = $2 WHERE id = $3 AND expires_at > $1";
    Ok(tx.sql(sql).bind(now).bind(ip).bind(id).execute().await? > 0)
}

/// Deletes a device of a user. `false` when there is none.
pub async fn delete(tx: &mut Tx, user_id: &UserId, id: &TrustedDeviceId) -> Result<bool> {
    let sql = "DELETE FROM trusted_devices WHERE user_id = $1 AND id = $2";
    Ok(tx.sql(sql).bind(user_id).bind(id).execute().await? > 0)
}

/// Deletes the devices of a user except the `kept` most recently used; returns the deleted ids.
pub async fn delete_of_user(tx: &mut Tx, user_id: &UserId, kept: i64) -> Result<Vec<TrustedDeviceId>> {
    let deleted: Vec<Deleted> = tx
        .sql(
            "DELETE FROM trusted_devices WHERE user_id = $1 AND id NOT IN \
             (SELECT id FROM trusted_devices WHERE user_id = $1 \
              ORDER BY last_used_at DESC, created_at DESC, id LIMIT $2) \
             RETURNING id",
        )
        .bind(user_id)
        .bind(kept)
        .all()
        .await?;
    Ok(deleted.into_iter().map(|one| one.id).collect())
}

/// Deletes at most `limit` that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM trusted_devices WHERE id IN (SELECT id FROM trusted_devices WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
