//! Users who administer: those with a role of the server's own, or with scopes of one of its own resources.

use crate::domain::id::UserId;
use crate::storage::sql::slice::Count;
use crate::storage::{Result, Tx};

/// Whether a user holds a role of the server's own, or one that carries a scope of one of these two resources.
pub async fn is_held_by(tx: &mut Tx, user_id: &UserId, indicators: [&str; 2]) -> Result<bool> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM user_roles ur JOIN roles r ON r.id = ur.role_id \
         LEFT JOIN role_scopes rs ON rs.role_id = r.id LEFT JOIN scopes s ON s.id = rs.scope_id \
         LEFT JOIN resources a ON a.id = s.resource_id \
         WHERE ur.user_id = $1 AND (r.name LIKE '#internal:%' OR a.indicator = $2 OR a.indicator = $3)",
    );
    let [first, second] = indicators;
    Ok(statement.bind(user_id).bind(first).bind(second).one::<Count>().await?.count > 0)
}

/// The active users who hold this scope of a resource, but for one of them: how many there are.
pub async fn count_others(tx: &mut Tx, but: &UserId, indicator: &str, scope: &str) -> Result<i64> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM users u WHERE u.id <> $1 AND u.is_suspended = FALSE AND u.id IN \
         (SELECT ur.user_id FROM user_roles ur JOIN role_scopes rs ON rs.role_id = ur.role_id \
         JOIN scopes s ON s.id = rs.scope_id JOIN resources a ON a.id = s.resource_id \
         WHERE s.name = $3 AND a.indicator = $2)",
    );
    Ok(statement.bind(but).bind(indicator).bind(scope).one::<Count>().await?.count)
}

/// Whether a user holds this scope of a resource.
pub async fn holds(tx: &mut Tx, user_id: &UserId, indicator: &str, scope: &str) -> Result<bool> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM user_roles ur JOIN role_scopes rs ON rs.role_id = ur.role_id \
         JOIN scopes s ON s.id = rs.scope_id JOIN resources a ON a.id = s.resource_id \
         WHERE ur.user_id = $1 AND a.indicator = $2 AND s.name = $3",
    );
    Ok(statement.bind(user_id).bind(indicator).bind(scope).one::<Count>().await?.count > 0)
}
