//! Administrators: users with a built-in role, or with scopes of the console or the Management API; and the console
//! roles of a user.

use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::console::{ConsoleRole, ConsoleRoles, built_in};
use claimsmith_domain::id::UserId;

#[derive(crate::Row)]
struct HeldRoleName {
    name: String,
}

/// Whether a user has a built-in role, or one with a scope of the console or of the Management API, whose indicator is
/// `management`.
pub async fn is_held_by(tx: &mut Tx, user_id: &UserId, management: &str) -> Result<bool> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM user_roles ur JOIN roles r ON r.id = ur.role_id \
         LEFT JOIN role_scopes rs ON rs.role_id = r.id LEFT JOIN scopes s ON s.id = rs.scope_id \
         LEFT JOIN resources a ON a.id = s.resource_id \
         WHERE ur.user_id = $1 AND (r.name LIKE '#internal:%' OR a.id = $2 OR a.indicator = $3)",
    );
    Ok(statement.bind(user_id).bind(built_in::RESOURCE_ID).bind(management).one::<Count>().await?.count > 0)
}

/// The console roles of a user.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<ConsoleRoles> {
    let statement = tx.sql(
        "SELECT s.name FROM user_roles ur JOIN role_scopes rs ON rs.role_id = ur.role_id \
         JOIN scopes s ON s.id = rs.scope_id WHERE ur.user_id = $1 AND s.resource_id = $2",
    );
    let held: Vec<HeldRoleName> = statement.bind(user_id).bind(built_in::RESOURCE_ID).all().await?;
    let names: Vec<String> = held.into_iter().map(|held| held.name).collect();
    Ok(ConsoleRoles::from_scope(&names.join(" ")))
}

/// The number of active administrators.
pub async fn count_admins(tx: &mut Tx) -> Result<i64> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM users u JOIN user_roles ur ON ur.user_id = u.id \
         WHERE ur.role_id = $1 AND u.is_suspended = FALSE",
    );
    Ok(statement.bind(ConsoleRole::Admin.role_id()).one::<Count>().await?.count)
}

/// The number of active administrators other than this user.
pub async fn count_other_admins(tx: &mut Tx, but: &UserId) -> Result<i64> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM users u JOIN user_roles ur ON ur.user_id = u.id \
         WHERE ur.role_id = $1 AND u.is_suspended = FALSE AND u.id <> $2",
    );
    Ok(statement.bind(ConsoleRole::Admin.role_id()).bind(but).one::<Count>().await?.count)
}
