//! Numbers that an operator looks at first: how many there are of each thing, and what waits or failed.

use crate::hooks::Hook;
use crate::sql::slice::Count;
use crate::{Dialect, Result, Tx, hooks};
use claimsmith_domain::id::HookId;

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct ObjectCounts {
    /// Users.
    pub users: i64,
    /// Applications that came after those of the first start.
    pub applications: i64,
    /// Roles.
    pub roles: i64,
    /// API resources.
    pub resources: i64,
    /// Organizations.
    pub organizations: i64,
    /// Hooks.
    pub hooks: i64,
    /// Connectors.
    pub connectors: i64,
}

/// Counts everything. Tables that may be long are counted elsewhere as they change.
pub async fn counts(tx: &mut Tx) -> Result<ObjectCounts> {
    tx.sql(
        "SELECT (SELECT CAST(SUM(value) AS BIGINT) FROM totals WHERE name = 'users') AS users, \
         (SELECT COUNT(*) FROM applications WHERE created_at > \
         (SELECT MIN(created_at) FROM applications)) AS applications, (SELECT COUNT(*) FROM roles) AS roles, \
         (SELECT COUNT(*) FROM resources) AS resources, (SELECT COUNT(*) FROM organizations) AS organizations, \
         (SELECT COUNT(*) FROM hooks) AS hooks, (SELECT COUNT(*) FROM connectors) AS connectors",
    )
    .one()
    .await
}

/// What waits in a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct QueueBacklog {
    /// How many.
    pub waiting: i64,
    /// Since when the oldest is due, Unix milliseconds.
    pub oldest_due_at: Option<i64>,
    /// How many failed since the time that was asked for.
    pub failed: i64,
}

/// Deliveries that wait, and the attempts that failed since a time, Unix milliseconds.
pub async fn deliveries(tx: &mut Tx, since: i64) -> Result<QueueBacklog> {
    tx.sql(
        "SELECT COUNT(*) AS waiting, MIN(due_at) AS oldest_due_at, \
         (SELECT COALESCE(CAST(SUM(requests - successes) AS BIGINT), 0) FROM hook_statistics \
         WHERE minute >= $1 / 60000) AS failed FROM deliveries WHERE due_at IS NOT NULL",
    )
    .bind(since)
    .one()
    .await
}

/// Messages to people that wait, and those that were given up since a time, Unix milliseconds.
pub async fn messages(tx: &mut Tx, since: i64) -> Result<QueueBacklog> {
    tx.sql(
        "SELECT COUNT(*) AS waiting, MIN(due_at) AS oldest_due_at, \
         (SELECT COUNT(*) FROM messages WHERE state = 'dead' AND finished_at >= $1) AS failed \
         FROM messages WHERE due_at IS NOT NULL",
    )
    .bind(since)
    .one()
    .await
}

/// How a hook does.
#[derive(Clone, Debug, crate::Row)]
struct Troubled {
    id: HookId,
    waiting: i64,
    failed: i64,
}

/// A hook in trouble: it fails, was disabled by the server, or has given deliveries up.
#[derive(Clone, Debug)]
pub struct TroubledHook {
    /// The hook.
    pub hook: Hook,
    /// Its deliveries that wait.
    pub waiting: i64,
    /// Its attempts that failed since the time that was asked for.
    pub failed: i64,
}

/// The hooks in trouble since a time, Unix milliseconds, the worst first, at most 20.
pub async fn troubled_hooks(tx: &mut Tx, since: i64) -> Result<Vec<TroubledHook>> {
    let found: Vec<Troubled> = tx
        .sql(
            "SELECT h.id, (SELECT COUNT(*) FROM deliveries d WHERE d.hook_id = h.id AND d.due_at IS NOT NULL) AS waiting, \
             COALESCE(s.failed, 0) AS failed FROM hooks h LEFT JOIN \
             (SELECT hook_id, CAST(SUM(requests - successes) AS BIGINT) AS failed FROM hook_statistics \
             WHERE minute >= $1 / 60000 GROUP BY hook_id) s ON s.hook_id = h.id \
             WHERE h.failures > 0 OR h.disabled_reason IS NOT NULL OR s.failed > 0 \
             ORDER BY COALESCE(s.failed, 0) DESC, h.failures DESC, h.id LIMIT 20",
        )
        .bind(since)
        .all()
        .await?;
    let ids: Vec<&HookId> = found.iter().map(|one| &one.id).collect();
    let mut of = hooks::of(tx, &ids).await?;
    let whole =
        |one: Troubled| Some(TroubledHook { hook: of.remove(&one.id)?, waiting: one.waiting, failed: one.failed });
    Ok(found.into_iter().filter_map(whole).collect())
}

/// The smallest query, to see how long one takes.
pub async fn ping(tx: &mut Tx) -> Result<()> {
    tx.sql("SELECT 1").execute().await?;
    Ok(())
}

/// The database itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Database {
    /// The number of the last migration.
    pub migration: i64,
    /// Bytes of its file, without what is only in the log of the file; none on PostgreSQL.
    pub size_bytes: Option<i64>,
}

/// Describes the database.
pub async fn database(tx: &mut Tx) -> Result<Database> {
    let migration = "SELECT MAX(version) AS count FROM _sqlx_migrations WHERE success";
    let migration = tx.sql(migration).one::<Count>().await?.count;
    let size_bytes = match tx.dialect() {
        Dialect::Postgres => None,
        Dialect::Sqlite => {
            let sql = "SELECT page_count * page_size AS count FROM pragma_page_count(), pragma_page_size()";
            Some(tx.sql(sql).one::<Count>().await?.count)
        }
    };
    Ok(Database { migration, size_bytes })
}
