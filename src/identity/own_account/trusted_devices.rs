//! The trusted devices of one's own account, on which no second factor is requested.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use crate::accounts::{end_trusted_device, end_trusted_devices};
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::id::TrustedDeviceId;
use claimsmith_storage::sessions::trusted_devices::{self, TrustedDevice};
use claimsmith_storage::{Slice, Tx, sessions};

/// The live devices, most recently used first, with the total number.
pub async fn list(owner: &Owner, tx: &mut Tx, slice: Slice) -> Result<(Vec<TrustedDevice>, i64), OwnAccountRefusal> {
    let now = owner.now();
    let total = trusted_devices::count(tx, &owner.user_id, now).await?;
    Ok((trusted_devices::of_user(tx, &owner.user_id, now, slice).await?, total))
}

/// The trusted device in which the current session began.
pub async fn current(owner: &Owner, tx: &mut Tx) -> Result<Option<TrustedDeviceId>, OwnAccountRefusal> {
    let Some(id) = owner.session_id() else { return Ok(None) };
    let session = sessions::find(tx, id).await?;
    Ok(session.and_then(|session| session.details.0).and_then(|details| details.trusted_device_id))
}

/// Removes a trusted device.
pub async fn end(owner: &Owner, id: &TrustedDeviceId) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, _) = owner.begin().await?;
        check_edited(&mut work, &[Field::TrustedDevice]).await?;
        proof::check(owner, &mut work).await?;
        if !end_trusted_device(&mut work, &owner.user_id, id).await? {
            return Err(OwnAccountRefusal::UnknownDevice);
        }
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::of_account(AuditOperation::UserEndTrustedDevices), outcome.await)
}

/// Removes all trusted devices.
pub async fn end_all(owner: &Owner) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, _) = owner.begin().await?;
        check_edited(&mut work, &[Field::TrustedDevice]).await?;
        proof::check(owner, &mut work).await?;
        end_trusted_devices(&mut work, &owner.user_id, 0).await?;
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::of_account(AuditOperation::UserEndTrustedDevices), outcome.await)
}
