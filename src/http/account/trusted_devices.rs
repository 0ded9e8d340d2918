//! `/api/my-account/trusted-devices`: the browsers that are not asked for a second factor.

use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::id::TrustedDeviceId;
use claimsmith_domain::user_scope::TRUSTED_DEVICES;
use claimsmith_identity::own_account::{proof, trusted_devices};
use claimsmith_storage::sessions::trusted_devices::TrustedDevice;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::{OwnAccount, OwnChange};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::page::Page;
use serde_json::{Value, json};

/// Lists the devices.
pub(super) async fn list(account: OwnAccount, page: Page) -> Result<Response, ApiError> {
    account.demand_field(TRUSTED_DEVICES, Field::TrustedDevice)?;
    let owner = &account.owner;
    let mut tx = owner.read().await?;
    proof::check(owner, &mut tx).await?;
    let current = trusted_devices::current(owner, &mut tx).await?;
    let (found, total) = trusted_devices::list(owner, &mut tx, page.slice()).await?;
    page.answer(total, found.iter().map(|device| view(device, current.as_ref())).collect())
}

/// A device as JSON. It has no location, since the server does not locate IP addresses.
fn view(device: &TrustedDevice, current: Option<&TrustedDeviceId>) -> Value {
    json!({
        "id": device.id, "userAgent": device.user_agent, "ip": device.ip, "country": null, "city": null,
        "createdAt": iso8601(device.created_at), "lastUsedAt": iso8601(device.last_used_at),
        "expiresAt": iso8601(device.expires_at), "isCurrent": current == Some(&device.id),
    })
}

/// Revokes the trust in a device.
pub(super) async fn end(account: OwnChange, Id(id): Id<TrustedDeviceId>) -> Result<StatusCode, ApiError> {
    account.demand(TRUSTED_DEVICES)?;
    trusted_devices::end(&account.owner, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
