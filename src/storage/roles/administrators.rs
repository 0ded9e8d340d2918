//! Administrators of the Management API: machine-to-machine applications with a role that carries all of it, and with a
//! secret that has not expired.

use crate::storage::{Result, Tx};

#[derive(sqlx::FromRow)]
struct Until {
    until: Option<i64>,
}

/// Until when one of them can sign in, Unix milliseconds; [`i64::MAX`] when a secret never expires, `None` when there are
/// none. `indicator` is the Management API's.
pub async fn until(tx: &mut Tx, indicator: &str) -> Result<Option<i64>> {
    let row: Until = tx
        .sql(
            "SELECT MAX(COALESCE(s.expires_at, 9223372036854775807)) AS until FROM application_secrets s \
             WHERE s.application_id IN (SELECT a.id FROM applications a \
             JOIN application_roles ar ON ar.application_id = a.id JOIN role_scopes rs ON rs.role_id = ar.role_id \
             JOIN scopes sc ON sc.id = rs.scope_id JOIN resources r ON r.id = sc.resource_id \
             WHERE a.type = 'MachineToMachine' AND sc.name = 'all' AND r.indicator = $1)",
        )
        .bind(indicator)
        .one()
        .await?;
    Ok(row.until)
}
