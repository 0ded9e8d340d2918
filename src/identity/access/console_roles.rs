//! Granting console roles, from the user's side and from the role's: only by administrators, and the last one cannot be
//! removed (`docs/decisions/people-who-administer.md`). Administrators have all rights, so no grant can exceed theirs.

use super::{AccessRefusal, Caller};
use crate::accounts;
use claimsmith_domain::console::{ConsoleRole, roles};
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_storage::Tx;
use claimsmith_storage::roles::console;

/// Refuses to give these roles to a user, unless the caller may.
pub fn check_given(management: &Caller, role_ids: &[RoleId]) -> Result<(), AccessRefusal> {
    if role_ids.iter().any(|id| roles::is_role(id)) { management.demand_administrator() } else { Ok(()) }
}

/// Refuses to remove this role from a user, unless the caller may. Call it before anything else in the transaction.
pub async fn check_taken(
    management: &Caller,
    tx: &mut Tx,
    user_id: &UserId,
    role_id: &RoleId,
) -> Result<(), AccessRefusal> {
    if !roles::is_role(role_id) {
        return Ok(());
    }
    management.demand_administrator()?;
    if *role_id == *ConsoleRole::Admin.role_id() {
        accounts::keep_administrator(tx, user_id).await?;
    }
    Ok(())
}

/// Refuses to replace a user's roles by these, unless the caller may. Call it before anything else in the transaction.
pub async fn check_replaced(
    management: &Caller,
    tx: &mut Tx,
    user_id: &UserId,
    role_ids: &[RoleId],
) -> Result<(), AccessRefusal> {
    let held = console::of_user(tx, user_id).await?;
    let stays = |role: ConsoleRole| role_ids.iter().any(|id| *id == *role.role_id());
    if ConsoleRole::ALL.into_iter().all(|role| held.has(role) == stays(role)) {
        return Ok(());
    }
    management.demand_administrator()?;
    if !stays(ConsoleRole::Admin) {
        accounts::keep_administrator(tx, user_id).await?;
    }
    Ok(())
}
