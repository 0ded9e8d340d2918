//! Administrators: how a user becomes one at the terminal, and protection of the last one
//! (`docs/decisions/people-who-administer.md`).

use super::{AccountRefusal, signed_in};
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::roles::{self, console};
use claimsmith_storage::{Tx, users};
use serde_json::json;

/// Refuses a change that would remove the last administrator. Call it first in a transaction that deletes or suspends a
/// user or takes the role away: concurrent removals then wait for each other here.
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

/// Makes a user an administrator. Existing roles are kept.
pub async fn make_administrator(work: &mut UnitOfWork, id: &UserId) -> Result<(), AccountRefusal> {
    revisions::bump(work, Changed::All).await?;
    users::find_to_change(work, id).await?.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    let role_id = RoleId::from(ConsoleRole::Admin.role_id());
    let is_new = roles::assign_to_user(work, id, &role_id).await?;
    work.audit(work.key(AuditOperation::UserMakeAdministrator), json!({ "userId": id, "roleId": role_id })).await?;
    if is_new {
        let event = Event::new(EventType::UserRolesUpdated, 200_u16);
        work.emit(&event.of("userId", id).ids("addedRoleIds", &[role_id])).await?;
    }
    Ok(())
}

/// Restores an account that may have been taken over: ends a suspension, and revokes everything obtained by signing in
/// to it.
pub async fn restore_account(work: &mut UnitOfWork, id: &UserId) -> Result<(), AccountRefusal> {
    let user = users::find(work, id).await?.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    if user.is_suspended {
        super::set_suspended(work, id, false).await?;
    }
    Ok(signed_in::end(work, id).await?)
}
