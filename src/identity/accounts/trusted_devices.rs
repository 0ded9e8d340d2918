//! The end of trusted devices: one that its user or an operator takes away, and all of them when what they stand for
//! has changed (`docs/decisions/trusted-devices.md`).

use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{TrustedDeviceId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::{self, Event};
use claimsmith_storage::sessions::trusted_devices;
use serde_json::json;

/// Ends the trust in one device: `TrustedDevice.Deleted`. `false` when the user has no such device.
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

/// Ends the trust in all devices of a user, but for so many that were used last: `TrustedDevice.Deleted` for each.
pub async fn end_trusted_devices(work: &mut UnitOfWork, user_id: &UserId, kept: i64) -> Result<(), webhooks::Error> {
    let ended = trusted_devices::delete_of_user(work, user_id, kept).await?;
    for id in &ended {
        let event = Event::new(EventType::TrustedDeviceDeleted, 200_u16);
        // The request was about something else.
        work.emit_aside(&event.of("userId", user_id).of("trustedDeviceId", id)).await?;
    }
    audit(work, user_id, &ended).await
}

async fn audit(work: &mut UnitOfWork, user_id: &UserId, ended: &[TrustedDeviceId]) -> Result<(), webhooks::Error> {
    if ended.is_empty() {
        return Ok(());
    }
    let details = json!({ "userId": user_id, "trustedDeviceIds": ended });
    work.audit(&work.key("User.EndTrustedDevices"), details).await
}
