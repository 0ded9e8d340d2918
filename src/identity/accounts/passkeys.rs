//! Passkeys of a user: adding and removing.

use super::AccountRefusal;
use super::trusted_devices::end_trusted_devices;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::{FactorId, UserId};
use claimsmith_domain::staged_factors::StagedPasskey;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::{self as storage, Json};
use serde_json::json;

/// Gives a user a passkey that they made, which they may call something.
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
        // Somebody else has it meanwhile.
        Err(storage::Error::Conflict) => return Err(AccountRefusal::PasskeyTaken),
        other => other?,
    }
    end_trusted_devices(work, user_id, 0).await?;
    let details = json!({ "userId": user_id, "factorId": passkey.id, "type": FactorType::WebAuthn });
    work.audit(&work.key("User.AddMfaFactor"), details).await?;
    Ok(())
}

/// Calls a passkey of a user otherwise. Whether there was one.
pub(super) async fn rename(
    work: &mut UnitOfWork,
    user_id: &UserId,
    id: &FactorId,
    name: &str,
) -> storage::Result<bool> {
    passkeys::rename(work, user_id, id, name).await
}

/// Takes a passkey from a user. Whether there was one.
pub(super) async fn remove(work: &mut UnitOfWork, user_id: &UserId, id: &FactorId) -> storage::Result<bool> {
    passkeys::delete(work, user_id, id).await
}
