//! Users who administer: how somebody becomes an administrator at the terminal, and that the last one stays
//! (`docs/decisions/people-who-administer.md`).

use super::{AccountRefusal, signed_in};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::roles::{self, console};
use claimsmith_storage::{Tx, users};
use serde_json::json;

/// Refuses what would leave nobody who administers, if this user is the last one. To be called before anything else in a
/// transaction that takes the account, its use, or the role from a user: two who go at once wait for each other here.
pub async fn keep_administrator(tx: &mut Tx, id: &UserId) -> Result<(), AccountRefusal> {
    if !console::of_user(tx, id).await?.has(ConsoleRole::Admin) {
        return Ok(());
    }
    revisions::bump(tx, Changed::All).await?;
    let is_admin = console::of_user(tx, id).await?.has(ConsoleRole::Admin);
    if is_admin && console::count_other_admins(tx, id).await? == 0 {
        return Err(AccountRefusal::LastAdministrator);
    }
    Ok(())
}

/// Makes a user an administrator, whatever they hold already.
pub async fn make_administrator(work: &mut UnitOfWork, id: &UserId) -> Result<(), AccountRefusal> {
    revisions::bump(work, Changed::All).await?;
    users::find_to_change(work, id).await?.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    let role_id = RoleId::from(ConsoleRole::Admin.role_id());
    roles::assign_to_user(work, id, &role_id).await?;
    work.audit(&work.key("User.MakeAdministrator"), json!({ "userId": id, "roleId": role_id })).await?;
    Ok(())
}

/// Gives an account back to a user who may have lost it: a suspension ends, and so does everything that somebody got by
/// signing in as them.
pub async fn restore_account(work: &mut UnitOfWork, id: &UserId) -> Result<(), AccountRefusal> {
    let user = users::find(work, id).await?.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    if user.is_suspended {
        super::set_suspended(work, id, false).await?;
    }
    Ok(signed_in::end(work, id).await?)
}
