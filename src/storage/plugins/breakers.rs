//! Circuit breakers of plugins: the open ones, and the failures that open them, over all nodes. A decision starts with
//! [`begin_change`], so that nodes decide one after the other.

use crate::nodes::announcements;
use crate::sql::filter::Placeholders;
use crate::sql::slice;
use crate::{Dialect, Result, Tx};

/// The maximum number of counts that one decision reads.
const MAX_COUNTS: i64 = 10_000;

/// The maximum number of rows of counts of a version: many users can fail for an hour before a breaker opens.
const MAX_ROWS: i64 = 20_000;

/// What a breaker is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, crate::Row)]
pub struct Place {
    /// The plugin.
    pub plugin: String,
    /// `sha256:…` of the version.
    pub digest: String,
    /// The application or hook; empty for all.
    pub caller: String,
    /// A hash of the user; empty for all.
    pub subject: String,
}

/// An open breaker.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct OpenBreaker {
    /// The plugin.
    pub plugin: String,
    /// `sha256:…` of the version that is not called.
    pub digest: String,
    /// The application or hook for which it is open; empty for all.
    pub caller: String,
    /// A hash of the user for whom it is open; empty for all.
    pub subject: String,
    /// A word for the last failure.
    pub outcome: String,
    /// What it said, in one line and without secrets.
    pub error: String,
    /// Unix milliseconds.
    pub opened_at: i64,
    /// When the next call may probe, Unix milliseconds.
    pub probe_at: i64,
    /// How many probes have failed.
    pub probes: i64,
    /// When the probe that is running counts as lost, Unix milliseconds; `None` if none is running.
    pub probe_until: Option<i64>,
}

/// Calls of one node, beside those that it wrote before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The plugin, its version, and who was concerned; without a subject also calls that are about no user.
    pub place: Place,
    /// Those that failed.
    pub failures: i64,
    /// Those that did not.
    pub successes: i64,
}

/// Calls of all nodes that concern the same caller and subject.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Counted {
    /// The application or hook.
    pub caller: String,
    /// A hash of the user; empty for none.
    pub subject: String,
    /// Those that failed.
    pub failures: i64,
    /// Those that did not.
    pub successes: i64,
}

/// How many rows there are that plugins can be about, up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, crate::Row)]
pub struct Population {
    /// Applications.
    pub applications: i64,
    /// Users.
    pub users: i64,
    /// Webhooks.
    pub hooks: i64,
}

const COLUMNS: &str = "plugin, digest, caller, subject, outcome, error, opened_at, probe_at, probes, probe_until";
const PLACE: &str = "plugin = $1 AND digest = $2 AND caller = $3 AND subject = $4";

impl OpenBreaker {
    /// What it is about.
    #[must_use]
    pub fn place(&self) -> Place {
        Place {
            plugin: self.plugin.clone(),
            digest: self.digest.clone(),
            caller: self.caller.clone(),
            subject: self.subject.clone(),
        }
    }
}

/// Must be called first in every transaction that changes breakers: no other one decides until the commit, and the nodes that
/// follow see that there is a change.
pub async fn begin_change(tx: &mut Tx) -> Result<()> {
    tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'plugin_breakers'").execute().await?;
    Ok(())
}

/// Notifies the other nodes of a change after the commit.
pub async fn announce(tx: &mut Tx) -> Result<()> {
    if tx.dialect() == Dialect::Postgres {
        tx.sql("SELECT pg_notify($1, '')").bind(announcements::PLUGINS).execute().await?;
    }
    Ok(())
}

/// All open breakers.
pub async fn all(tx: &mut Tx) -> Result<Vec<OpenBreaker>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_breakers ORDER BY plugin, digest, caller, subject")).all().await
}

/// Whether a version has an open breaker, for everybody or for anybody.
pub async fn is_any_open(tx: &mut Tx, plugin: &str, digest: &str) -> Result<bool> {
    let open: slice::Count = tx
        .sql("SELECT COUNT(*) AS count FROM plugin_breakers WHERE plugin = $1 AND digest = $2")
        .bind(plugin)
        .bind(digest)
        .one()
        .await?;
    Ok(open.count > 0)
}

/// Opens a breaker. `false` if it is open already.
pub async fn open(tx: &mut Tx, breaker: &OpenBreaker) -> Result<bool> {
    let opened = tx
        .sql(
            "INSERT INTO plugin_breakers (plugin, digest, caller, subject, outcome, error, opened_at, probe_at, probes) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (plugin, digest, caller, subject) DO NOTHING",
        )
        .bind(&breaker.plugin)
        .bind(&breaker.digest)
        .bind(&breaker.caller)
        .bind(&breaker.subject)
        .bind(&breaker.outcome)
        .bind(&breaker.error)
        .bind(breaker.opened_at)
        .bind(breaker.probe_at)
        .bind(breaker.probes)
        .execute()
        .await?;
    Ok(opened > 0)
}

/// Closes a breaker, and those that are open for fewer within it. Returns the number of closed ones.
pub async fn close(tx: &mut Tx, place: &Place) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_breakers WHERE plugin = $1 AND digest = $2 AND ($3 = '' OR caller = $3) \
         AND ($4 = '' OR subject = $4)",
    )
    .bind(&place.plugin)
    .bind(&place.digest)
    .bind(&place.caller)
    .bind(&place.subject)
    .execute()
    .await
}

/// Begins a probe, until which no other call is made. `false` if it is too early, or another probe is running.
pub async fn begin_probe(tx: &mut Tx, place: &Place, probe: &str, (now, until): (i64, i64)) -> Result<bool> {
    let begun = tx
        .assembled(format!(
            "UPDATE plugin_breakers SET probe_id = $5, probe_until = $6 WHERE {PLACE} AND probe_at <= $7 \
             AND (probe_until IS NULL OR probe_until <= $7)"
        ))
        .bind(&place.plugin)
        .bind(&place.digest)
        .bind(&place.caller)
        .bind(&place.subject)
        .bind(probe)
        .bind(until)
        .bind(now)
        .execute()
        .await?;
    Ok(begun > 0)
}

/// Whether this probe is still the running one.
pub async fn is_probe(tx: &mut Tx, place: &Place, probe: &str) -> Result<bool> {
    let found: Option<Place> = tx
        .assembled(format!(
            "SELECT plugin, digest, caller, subject FROM plugin_breakers WHERE {PLACE} AND probe_id = $5"
        ))
        .bind(&place.plugin)
        .bind(&place.digest)
        .bind(&place.caller)
        .bind(&place.subject)
        .bind(probe)
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Ends a probe that told nothing: the next call may probe at once.
pub async fn end_probe(tx: &mut Tx, place: &Place, probe: &str) -> Result<()> {
    tx.assembled(format!(
        "UPDATE plugin_breakers SET probe_id = NULL, probe_until = NULL WHERE {PLACE} AND probe_id = $5"
    ))
    .bind(&place.plugin)
    .bind(&place.digest)
    .bind(&place.caller)
    .bind(&place.subject)
    .bind(probe)
    .execute()
    .await?;
    Ok(())
}

/// Ends a probe that failed: the next one may begin at a later time, Unix milliseconds.
pub async fn fail_probe(
    tx: &mut Tx,
    place: &Place,
    probe: &str,
    (outcome, error): (&str, &str),
    probe_at: i64,
) -> Result<()> {
    tx.assembled(format!(
        "UPDATE plugin_breakers SET probe_id = NULL, probe_until = NULL, probes = probes + 1, probe_at = $6, \
         outcome = $7, error = $8 WHERE {PLACE} AND probe_id = $5"
    ))
    .bind(&place.plugin)
    .bind(&place.digest)
    .bind(&place.caller)
    .bind(&place.subject)
    .bind(probe)
    .bind(probe_at)
    .bind(outcome)
    .bind(error)
    .execute()
    .await?;
    Ok(())
}

/// Adds the calls that a node has counted until now, Unix milliseconds.
pub async fn count(tx: &mut Tx, node: &str, now: i64, counts: &[Count]) -> Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(8, counts.len());
    let mut statement = tx.assembled(format!(
        "INSERT INTO plugin_failures (plugin, digest, counted_at, node, caller, subject, failures, successes) \
         VALUES {rows} ON CONFLICT (plugin, digest, counted_at, node, caller, subject) DO UPDATE SET \
         failures = plugin_failures.failures + excluded.failures, \
         successes = plugin_failures.successes + excluded.successes"
    ));
    for Count { place, failures, successes } in counts {
        statement = statement
            .bind(&place.plugin)
            .bind(&place.digest)
            .bind(now)
            .bind(node)
            .bind(&place.caller)
            .bind(&place.subject)
            .bind(*failures)
            .bind(*successes);
    }
    statement.execute().await?;
    Ok(())
}

/// Whether a version has as many rows of counts as it may have. Further calls are not counted until some are deleted.
pub async fn is_full(tx: &mut Tx, plugin: &str, digest: &str) -> Result<bool> {
    let rows: slice::Count = tx
        .sql(
            "SELECT COUNT(*) AS count FROM \
             (SELECT 1 AS one FROM plugin_failures WHERE plugin = $1 AND digest = $2 LIMIT $3) AS counted",
        )
        .bind(plugin)
        .bind(digest)
        .bind(MAX_ROWS)
        .one()
        .await?;
    Ok(rows.count >= MAX_ROWS)
}

/// Deletes the calls of a version that were counted until a time, Unix milliseconds.
pub async fn delete_counts(tx: &mut Tx, plugin: &str, digest: &str, until: i64) -> Result<()> {
    tx.sql("DELETE FROM plugin_failures WHERE plugin = $1 AND digest = $2 AND counted_at <= $3")
        .bind(plugin)
        .bind(digest)
        .bind(until)
        .execute()
        .await?;
    Ok(())
}

/// The calls of a version that all nodes have counted: those with most failures first.
pub async fn counted(tx: &mut Tx, plugin: &str, digest: &str) -> Result<Vec<Counted>> {
    tx.sql(
        "SELECT caller, subject, CAST(SUM(failures) AS BIGINT) AS failures, CAST(SUM(successes) AS BIGINT) AS successes \
         FROM plugin_failures WHERE plugin = $1 AND digest = $2 GROUP BY caller, subject ORDER BY 3 DESC, 1, 2 LIMIT $3",
    )
    .bind(plugin)
    .bind(digest)
    .bind(MAX_COUNTS)
    .all()
    .await
}

/// Deletes what was counted of a place, and of those within it.
pub async fn forget_counts(tx: &mut Tx, place: &Place) -> Result<()> {
    tx.sql(
        "DELETE FROM plugin_failures WHERE plugin = $1 AND digest = $2 AND ($3 = '' OR caller = $3) \
         AND ($4 = '' OR subject = $4)",
    )
    .bind(&place.plugin)
    .bind(&place.digest)
    .bind(&place.caller)
    .bind(&place.subject)
    .execute()
    .await?;
    Ok(())
}

/// How many applications, users and webhooks there are, up to this many of each.
pub async fn population(tx: &mut Tx, most: i64) -> Result<Population> {
    tx.sql(
        "SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one FROM applications LIMIT $1) a) AS applications, \
         (SELECT COUNT(*) FROM (SELECT 1 AS one FROM users LIMIT $1) u) AS users, \
         (SELECT COUNT(*) FROM (SELECT 1 AS one FROM hooks LIMIT $1) h) AS hooks",
    )
    .bind(most)
    .one()
    .await
}

/// Closes all breakers of a plugin and deletes its counts.
pub async fn forget(tx: &mut Tx, plugin: &str) -> Result<()> {
    tx.sql("DELETE FROM plugin_breakers WHERE plugin = $1").bind(plugin).execute().await?;
    tx.sql("DELETE FROM plugin_failures WHERE plugin = $1").bind(plugin).execute().await?;
    Ok(())
}

/// Deletes counts and breakers of single users that are idle since a time, and all breakers that no call has probed since
/// `abandoned`, Unix milliseconds: their users or versions are gone.
pub async fn delete_expired(tx: &mut Tx, idle: i64, abandoned: i64) -> Result<()> {
    tx.sql("DELETE FROM plugin_failures WHERE counted_at < $1").bind(idle).execute().await?;
    tx.sql("DELETE FROM plugin_breakers WHERE (subject <> '' AND probe_at < $1) OR probe_at < $2")
        .bind(idle)
        .bind(abandoned)
        .execute()
        .await?;
    Ok(())
}
