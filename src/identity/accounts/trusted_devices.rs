//! Removal of trusted devices: one by its user or an operator, and all of a user when the user's authentication methods
//! change (`docs/decisions/trusted-devices.md`).

use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{TrustedDeviceId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::{self, Event};
use claimsmith_storage::sessions::trusted_devices;
use serde_json::json;

/// Removes a trusted device: `TrustedDevice.Deleted`. `false` if the user has no such device.
pub async fn end_trusted_device(
    work: &mut UnitOfWork,
    user_id: &UserId,
    id: &TrustedDeviceId,
) -> Result<bool, webhooks::Error> {
    if !trusted_devices::delete(work, user_id, id).await? {
        return Ok(false);
    }
    let event = Event::new(EventType::TrustedDeviceDeleted, 204_u16);
    work.emit(&event.of("userId", user_id).of("trustedDeviceId", id)).await?;
    audit(work, user_id, std::slice::from_ref(id)).await?;
    Ok(true)
}

/// Removes the trusted devices of a user, except for the `kept` most recently used: `TrustedDevice.Deleted` for each.
pub async fn end_trusted_devices(work: &mut UnitOfWork, user_id: &UserId, kept: i64) -> Result<(), webhooks::Error> {
    let ended = trusted_devices::delete_of_user(work, user_id, kept).await?;
    for id in &ended {
        let event = Event::new(EventType::TrustedDeviceDeleted, 200_u16);
        // A side effect, not the subject of the request.
        work.emit_aside(&event.of("userId", user_id).of("trustedDeviceId", id)).await?;
    }
    audit(work, user_id, &ended).await
}

async fn audit(work: &mut UnitOfWork, user_id: &UserId, ended: &[TrustedDeviceId]) -> Result<(), webhooks::Error> {
    if ended.is_empty() {
        return Ok(());
    }
    let details = json!({ "userId": user_id, "trustedDeviceIds": ended });
    work.audit(work.key(AuditOperation::UserEndTrustedDevices), details).await
}
