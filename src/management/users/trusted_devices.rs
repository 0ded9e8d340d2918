//! `/api/users/{userId}/trusted-devices`: the browsers in which a user is not asked for a second factor.

use super::grants::refuse_unknown;
use crate::refusals::{AccessRefused, NoSuchPage};
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::id::{TrustedDeviceId, UserId};
use claimsmith_domain::management::{UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard::check_user;
use claimsmith_identity::accounts;
use claimsmith_storage::sessions::trusted_devices::{self, TrustedDevice};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Serialize;

/// A browser in which a user is not asked for a second factor.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l7t5k2x9c4b1n8q3w", "userAgent": "Mozilla/5.0", "ip": "192.0.2.7",
    "createdAt": "2025-10-09T08:53:20.000Z", "lastUsedAt": "2025-10-19T08:53:20.000Z",
    "expiresAt": "2025-11-08T08:53:20.000Z"
}))]
pub(super) struct TrustedDeviceView {
    id: String,
    user_agent: Option<String>,
    /// The address, when it was last used.
    ip: Option<String>,
    /// ISO 8601.
    created_at: String,
    /// ISO 8601.
    last_used_at: String,
    /// ISO 8601.
    expires_at: String,
}

impl From<TrustedDevice> for TrustedDeviceView {
    fn from(device: TrustedDevice) -> Self {
        Self {
            id: device.id.into(),
            user_agent: device.user_agent,
            ip: device.ip,
            created_at: iso8601(device.created_at),
            last_used_at: iso8601(device.last_used_at),
            expires_at: iso8601(device.expires_at),
        }
    }
}

/// Lists where a user is not asked for a second factor, the device that was used last first.
#[utoipa::path(
    get, path = "/api/users/{userId}/trusted-devices", tag = "Users", summary = "List the trusted devices of a user",
    params(
        ("userId" = String, Path, description = "The user"),
        ("page" = Option<u32>, Query, description = "From 1; 1 when not given"),
        ("page_size" = Option<u32>, Query, description = "1 to 100; 20 when not given"),
    ),
    responses(
        (status = 200, description = "The devices", body = Vec<TrustedDeviceView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_trusted_devices(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
    page: Page,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    refuse_unknown(&mut tx, &id).await?;
    let now = management.now();
    let total = trusted_devices::count(&mut tx, &id, now).await?;
    let found = trusted_devices::of_user(&mut tx, &id, now, page.slice()).await?;
    page.answer(total, found.into_iter().map(TrustedDeviceView::from).collect())
}

/// Ends the trust in a device: there, the user is asked for a second factor again.
#[utoipa::path(
    delete, path = "/api/users/{userId}/trusted-devices/{trustedDeviceId}", tag = "Users",
    summary = "End the trust in a device of a user",
    params(
        ("userId" = String, Path, description = "The user"),
        ("trustedDeviceId" = String, Path, description = "The device"),
    ),
    responses(
        (status = 204, description = "Ended"),
        AccessRefused,
        (status = 404, description = "No such user or device", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_trusted_device(
    management: Management<UsersWrite>,
    IdPair(id, device_id): IdPair<UserId, TrustedDeviceId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    check_user(&management, &mut tx, &id).await?;
    if !accounts::end_trusted_device(&mut tx, &id, &device_id).await? {
        return Err(ApiError::nothing_to_delete("trusted device", &device_id));
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
