//! Device authorizations (RFC 8628): devices that wait for a user's approval. Only the hashes of their two codes are
//! stored; a device code is consumed in the commit of its tokens ([`crate::issuing`]).

use crate::sql::filter;
use crate::{Json, Result, Tx};
use claimsmith_domain::authorization::request::{AuthorizationRequest, Authorized};
use claimsmith_domain::id::{ApplicationId, DeviceAuthorizationId, GrantId, UserId};

/// Increase of the polling interval after a `slow_down` error, in seconds (section 3.5).
const SLOW_DOWN_S: i64 = 5;
/// Maximum polling interval, in seconds: the lifetime of the code.
const MAX_INTERVAL_S: i64 = 600;
/// Tolerance of the polling interval, in milliseconds: network latency varies.
const LEEWAY_MS: i64 = 500;

/// A device authorization as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct DeviceAuthorization {
    /// 21 characters; also the family of its tokens.
    pub id: DeviceAuthorizationId,
    /// SHA-256 of the device code, hexadecimal.
    pub hash: String,
    /// SHA-256 of the user code, hexadecimal.
    pub user_code_hash: String,
    /// The application on the device.
    pub application_id: ApplicationId,
    /// The authorization request.
    pub request: Json<Option<AuthorizationRequest>>,
    /// The IP address of the device's request.
    pub address: Option<String>,
    /// Polling interval in seconds.
    pub poll_interval: i64,
    /// Time of the last poll, Unix milliseconds.
    pub polled_at: Option<i64>,
    /// The user who approved it.
    pub user_id: Option<UserId>,
    /// The grant from the approval.
    pub grant_id: Option<GrantId>,
    /// The authorization.
    pub authorization_details: Option<Json<Option<Authorized>>>,
    /// When a user denied it, Unix milliseconds.
    pub denied_at: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it got its tokens.
    pub consumed_at: Option<i64>,
}

const COLUMNS: &str = "id, hash, user_code_hash, application_id, request, address, poll_interval, polled_at, user_id, \
     grant_id, authorization_details, denied_at, created_at, expires_at, consumed_at";

/// Condition: neither approved nor denied, and not expired.
const WAITS: &str = "grant_id IS NULL AND denied_at IS NULL AND expires_at >";

/// Adds a device. [`crate::Error::Conflict`] if another one has its user code.
pub async fn insert(tx: &mut Tx, device: &DeviceAuthorization) -> Result<()> {
    tx.assembled(format!("INSERT INTO device_authorizations ({COLUMNS}) VALUES {}", filter::rows(15, 1)))
        .bind(&device.id)
        .bind(&device.hash)
        .bind(&device.user_code_hash)
        .bind(&device.application_id)
        .bind(&device.request)
        .bind(&device.address)
        .bind(device.poll_interval)
        .bind(device.polled_at)
        .bind(&device.user_id)
        .bind(&device.grant_id)
        .bind(&device.authorization_details)
        .bind(device.denied_at)
        .bind(device.created_at)
        .bind(device.expires_at)
        .bind(device.consumed_at)
        .execute()
        .await?;
    Ok(())
}

/// The device with this device code, even if consumed or expired.
pub async fn find(tx: &mut Tx, hash: &str) -> Result<Option<DeviceAuthorization>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM device_authorizations WHERE hash = $1")).bind(hash).optional().await
}

/// The waiting device with this user code.
pub async fn find_waiting(tx: &mut Tx, user_code_hash: &str, now: i64) -> Result<Option<DeviceAuthorization>> {
    let sql = format!("SELECT {COLUMNS} FROM device_authorizations WHERE user_code_hash = $1 AND {WAITS} $2");
    tx.assembled(sql).bind(user_code_hash).bind(now).optional().await
}

/// Approves a device and stores the authorization. `false` if it is no longer waiting: already approved, denied or
/// expired.
pub async fn approve(
    tx: &mut Tx,
    id: &DeviceAuthorizationId,
    (user_id, grant_id): (&UserId, &GrantId),
    authorized: &Json<Option<Authorized>>,
    now: i64,
) -> Result<bool> {
    let sql = format!(
        "UPDATE device_authorizations SET user_id = $1, grant_id = $2, authorization_details = $3 \
         WHERE id = $4 AND {WAITS} $5"
    );
    let approved = tx.assembled(sql).bind(user_id).bind(grant_id).bind(authorized).bind(id).bind(now).execute().await?;
    Ok(approved > 0)
}

/// Denies a device. `false` if it is no longer waiting.
pub async fn deny(tx: &mut Tx, id: &DeviceAuthorizationId, now: i64) -> Result<bool> {
    let sql = format!("UPDATE device_authorizations SET denied_at = $1 WHERE id = $2 AND {WAITS} $1");
    Ok(tx.assembled(sql).bind(now).bind(id).execute().await? > 0)
}

/// Records a poll of a device. `false` if it was too early; then its polling interval increases.
pub async fn poll(tx: &mut Tx, id: &DeviceAuthorizationId, now: i64) -> Result<bool> {
    let in_time = tx
        .sql(
            "UPDATE device_authorizations SET polled_at = $1 WHERE id = $2 \
             AND (polled_at IS NULL OR polled_at + poll_interval * 1000 - $3 <= $1)",
        )
        .bind(now)
        .bind(id)
        .bind(LEEWAY_MS)
        .execute()
        .await?;
    if in_time > 0 {
        return Ok(true);
    }
    tx.sql(
        "UPDATE device_authorizations SET polled_at = $1, \
         poll_interval = CASE WHEN poll_interval + $3 > $4 THEN $4 ELSE poll_interval + $3 END WHERE id = $2",
    )
    .bind(now)
    .bind(id)
    .bind(SLOW_DOWN_S)
    .bind(MAX_INTERVAL_S)
    .execute()
    .await?;
    Ok(false)
}

/// Deletes at most `limit` devices that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM device_authorizations WHERE id IN \
         (SELECT id FROM device_authorizations WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
