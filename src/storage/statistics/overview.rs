//! Overview statistics for operators: counts of objects, and pending and failed deliveries.

use crate::hooks::Hook;
use crate::sql::slice::Count;
use crate::{Dialect, Result, Tx, hooks};
use claimsmith_domain::id::HookId;

/// The number of objects of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct ObjectCounts {
    /// Users.
    pub users: i64,
    /// Applications created after the first start.
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

/// Counts all objects. Large tables have counters that are updated with each change.
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

/// The backlog of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct QueueBacklog {
    /// Number of pending entries.
    pub waiting: i64,
    /// Due time of the oldest entry, Unix milliseconds.
    pub oldest_due_at: Option<i64>,
    /// Number of failures since the requested time.
    pub failed: i64,
}

/// Pending deliveries, and the attempts that failed since a time, Unix milliseconds.
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

/// Pending messages to users, and those that became dead since a time, Unix milliseconds.
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

/// The health of a hook.
#[derive(Clone, Debug, crate::Row)]
struct HookHealth {
    id: HookId,
    waiting: i64,
    failed: i64,
}

/// A hook with problems: it has failures or was disabled by the server.
#[derive(Clone, Debug)]
pub struct FailingHook {
    /// The hook.
    pub hook: Hook,
    /// Its pending deliveries.
    pub waiting: i64,
    /// Its failed attempts since the requested time.
    pub failed: i64,
}

/// The hooks with problems since a time, Unix milliseconds, worst first, at most 20.
pub async fn failing_hooks(tx: &mut Tx, since: i64) -> Result<Vec<FailingHook>> {
    let found: Vec<HookHealth> = tx
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
        |one: HookHealth| Some(FailingHook { hook: of.remove(&one.id)?, waiting: one.waiting, failed: one.failed });
    Ok(found.into_iter().filter_map(whole).collect())
}

/// A minimal query, to measure latency.
pub async fn ping(tx: &mut Tx) -> Result<()> {
    tx.sql("SELECT 1").execute().await?;
    Ok(())
}

/// Facts about the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Database {
    /// The number of the last migration.
    pub migration: i64,
    /// Size of its file in bytes, without the write-ahead log; `None` on PostgreSQL.
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
