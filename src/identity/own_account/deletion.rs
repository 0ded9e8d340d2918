//! Deletion of one's own account, if the settings allow it; the last administrator cannot be deleted.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use crate::accounts;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles::console;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;

/// Deletes the account with all data that belong to it.
pub async fn delete(owner: &Owner) -> Result<(), OwnAccountRefusal> {
    let outcome = take(owner).await;
    owner.note(AuditKey::of_account(AuditOperation::UserDelete), outcome)
}

async fn take(owner: &Owner) -> Result<(), OwnAccountRefusal> {
    let is_admin = console::of_user(&mut owner.read().await?, &owner.user_id).await?.has(ConsoleRole::Admin);
    // Concurrent deletions of administrators wait for each other, before either locks a user.
    let (mut work, user) = if is_admin { owner.begin_revision(Changed::All).await? } else { owner.begin().await? };
    if !ACCOUNT_CENTER.find(&mut work).await?.deletion_enabled {
        return Err(OwnAccountRefusal::DeletionOff);
    }
    proof::check_if_possible(owner, &mut work, &user).await?;
    accounts::keep_administrator(&mut work, &owner.user_id).await?;
    accounts::delete(&mut work, &owner.user_id).await?;
    Ok(work.commit().await?)
}
