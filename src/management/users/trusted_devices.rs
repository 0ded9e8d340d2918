//! `/api/users/{userId}/trusted-devices`: the browsers in which a user is not asked for a second factor.

use crate::refusals::{AccessRefused, NoSuchPage};
use crate::views::IntoView;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::users::sessions::TrustedDeviceView;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::id::{TrustedDeviceId, UserId};
use claimsmith_domain::management::{BySupport, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard::check_user;
use claimsmith_identity::accounts;
use claimsmith_storage::sessions::trusted_devices::{self, TrustedDevice};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;

impl IntoView<TrustedDeviceView> for TrustedDevice {
    fn into_view(self) -> TrustedDeviceView {
        TrustedDeviceView {
            id: self.id,
            user_agent: self.user_agent,
            ip: self.ip,
            created_at: iso8601(self.created_at),
            last_used_at: iso8601(self.last_used_at),
            expires_at: iso8601(self.expires_at),
        }
    }
}

/// Lists where a user is not asked for a second factor, the device that was used last first.
#[utoipa::path(
    get, path = "/api/users/{userId}/trusted-devices", tag = "Users",
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
    super::find(&mut tx, &id).await?;
    let now = management.now();
    let total = trusted_devices::count(&mut tx, &id, now).await?;
    let found = trusted_devices::of_user(&mut tx, &id, now, page.slice()).await?;
    page.answer(total, found.into_iter().map(IntoView::<TrustedDeviceView>::into_view).collect())
}

/// Ends the trust in a device: there, the user is asked for a second factor again.
#[utoipa::path(
    delete, path = "/api/users/{userId}/trusted-devices/{trustedDeviceId}", tag = "Users",
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
    management: Management<BySupport<UsersWrite>>,
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
