//! The deletion of one's own account, where the settings allow it: never that of the last administrator.

use super::owner::{Owner, console_resource};
use super::proof;
use super::refusal::Refusal;
use crate::accounts;
use crate::storage::revisions::Changed;
use crate::storage::roles::console;
use crate::storage::sign_in::account_center;

/// The scope of whoever administers everything in the console.
const ADMIN: &str = "console:admin";

/// Deletes the account with all that hangs on it.
pub(crate) async fn delete(owner: &Owner) -> Result<(), Refusal> {
    let outcome = take(owner).await;
    owner.note("Account.User.Delete", outcome)
}

async fn take(owner: &Owner) -> Result<(), Refusal> {
    let resource = console_resource(&owner.app);
    let is_admin = console::holds(&mut owner.read().await?, &owner.user_id, &resource, ADMIN).await?;
    // Two administrators who leave at once wait for each other.
    let (mut work, user) = if is_admin { owner.begin_revision(Changed::All).await? } else { owner.begin().await? };
    if !account_center::find(&mut work).await?.deletion_enabled {
        return Err(Refusal::DeletionOff);
    }
    proof::check_if_possible(owner, &mut work, &user).await?;
    let is_last = console::holds(&mut work, &owner.user_id, &resource, ADMIN).await?
        && console::count_others(&mut work, &owner.user_id, &resource, ADMIN).await? == 0;
    if is_last {
        return Err(Refusal::LastAdministrator);
    }
    accounts::delete(&mut work, &owner.user_id).await?;
    Ok(work.commit().await?)
}
