//! Passkeys of a user: adding and removing.

use super::AccountRefusal;
use super::trusted_devices::end_trusted_devices;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::{FactorId, UserId};
use claimsmith_domain::staged_factors::StagedPasskey;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::{self as storage, Json};
use serde_json::json;

/// Adds a new passkey to a user, with an optional name.
pub async fn add(
    work: &mut UnitOfWork,
    user_id: &UserId,
    staged: StagedPasskey,
    name: Option<String>,
) -> Result<(), AccountRefusal> {
    let passkey = Passkey {
        id: staged.id,
        user_id: user_id.clone(),
        credential_id: staged.credential_id,
        credential: Json(staged.credential),
        is_synced: staged.is_synced,
        name,
        agent: staged.agent,
        created_at: work.now(),
        last_used_at: None,
    };
    match passkeys::insert(work, &passkey).await {
        // Another user has registered it in the meantime.
        Err(storage::Error::Conflict) => return Err(AccountRefusal::PasskeyTaken),
        other => other?,
    }
    end_trusted_devices(work, user_id, 0).await?;
    let details = json!({ "userId": user_id, "factorId": passkey.id, "type": FactorType::WebAuthn });
    work.audit(work.key(AuditOperation::UserAddMfaFactor), details).await?;
    Ok(())
}

/// Renames a passkey of a user. Returns whether it existed.
pub(super) async fn rename(
    work: &mut UnitOfWork,
    user_id: &UserId,
    id: &FactorId,
    name: &str,
) -> storage::Result<bool> {
    passkeys::rename(work, user_id, id, name).await
}

/// Removes a passkey of a user. Returns whether it existed.
pub(super) async fn remove(work: &mut UnitOfWork, user_id: &UserId, id: &FactorId) -> storage::Result<bool> {
    passkeys::delete(work, user_id, id).await
}
