//! The plugin log. Ids ascend in commit order, over all nodes, so that a reader who has seen one has seen all before
//! it.

use crate::sql::filter::Placeholders;
use crate::sql::slice::{Count, Slice};
use crate::{Result, Tx};

/// A new line.
#[derive(Clone, Debug)]
pub struct NewLine {
    /// The plugin that wrote it.
    pub plugin_name: String,
    /// `debug`, `info`, `warn` or `error`.
    pub level: &'static str,
    /// The text, masked.
    pub message: String,
    /// The request during which it was written.
    pub request_id: Option<String>,
    /// `sha256:…` of the version that wrote it.
    pub digest: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A stored line.
#[derive(Clone, Debug, crate::Row)]
pub struct StoredLogLine {
    /// Ascending.
    pub id: i64,
    /// `debug`, `info`, `warn` or `error`.
    pub level: String,
    /// The text, masked.
    pub message: String,
    /// The request during which it was written.
    pub request_id: Option<String>,
    /// `sha256:…` of the version that wrote it.
    pub digest: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A stored line, with its plugin.
#[derive(Clone, Debug, crate::Row)]
pub struct TailLine {
    plugin_name: String,
    #[column(flatten)]
    line: StoredLogLine,
}

impl TailLine {
    /// Ascending.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.line.id
    }

    /// Length of its message in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.line.message.len()
    }

    /// The line, if it is from this plugin and matches the filter.
    #[must_use]
    pub fn of(&self, plugin: &str, wanted: &Filter) -> Option<&StoredLogLine> {
        let Self { plugin_name, line } = self;
        let level = match line.level.as_str() {
            "debug" => 0,
            "info" => 1,
            "warn" => 2,
            _ => 3,
        };
        let is_wanted = plugin_name == plugin
            && line.id > wanted.after
            && wanted.from.is_none_or(|from| line.created_at >= from)
            && wanted.to.is_none_or(|to| line.created_at < to)
            && (wanted.request_id.is_none() || line.request_id == wanted.request_id)
            && level >= wanted.level;
        is_wanted.then_some(line)
    }
}

/// The filter of a list of lines.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Minimum level: 0 for `debug` to 3 for `error`.
    pub level: i64,
    /// From this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Before this time, Unix milliseconds.
    pub to: Option<i64>,
    /// Of this request.
    pub request_id: Option<String>,
    /// After the line with this id.
    pub after: i64,
}

const COLUMNS: &str = "id, level, message, request_id, digest, created_at";

/// The condition of [`Filter`], whose values are bound in this order from `$1`. Must match [`TailLine::of`].
const CONDITION: &str = "plugin_name = $1 AND id > $2 AND created_at >= $3 AND created_at < $4 \
     AND (CAST($5 AS TEXT) IS NULL OR request_id = $5) \
     AND CASE level WHEN 'debug' THEN 0 WHEN 'info' THEN 1 WHEN 'warn' THEN 2 ELSE 3 END >= $6";

/// Appends lines.
pub async fn append(tx: &mut Tx, lines: &[NewLine]) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    // Locked until the commit, so that ids ascend in commit order.
    tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'plugin_logs'").execute().await?;
    let sql = format!(
        "INSERT INTO plugin_logs (plugin_name, level, message, request_id, digest, created_at) VALUES {}",
        Placeholders::of(tx).rows(6, lines.len())
    );
    let mut statement = tx.assembled(sql);
    for line in lines {
        statement = statement
            .bind(&line.plugin_name)
            .bind(line.level)
            .bind(&line.message)
            .bind(&line.request_id)
            .bind(&line.digest)
            .bind(line.created_at);
    }
    statement.execute().await?;
    Ok(())
}

/// Increases with every new line.
pub async fn revision(tx: &mut Tx) -> Result<i64> {
    let row: Count = tx.sql("SELECT value AS count FROM revisions WHERE name = 'plugin_logs'").one().await?;
    Ok(row.count)
}

/// The id of the newest line of all plugins, including deleted ones; 0 without any.
pub async fn last_id(tx: &mut Tx) -> Result<i64> {
    let row: Count = tx.sql("SELECT COALESCE(MAX(id), 0) AS count FROM plugin_logs").one().await?;
    Ok(row.count)
}

/// Lines of all plugins after this id, oldest first, at most `limit`.
pub async fn tail(tx: &mut Tx, after: i64, limit: usize) -> Result<Vec<TailLine>> {
    let sql = format!("SELECT plugin_name, {COLUMNS} FROM plugin_logs WHERE id > $1 ORDER BY id LIMIT $2");
    tx.assembled(sql).bind(after).bind(i64::try_from(limit).unwrap_or(i64::MAX)).all().await
}

/// Lines of a plugin, newest first.
pub async fn list(tx: &mut Tx, plugin: &str, wanted: &Filter, slice: Slice) -> Result<Vec<StoredLogLine>> {
    let sql = format!("SELECT {COLUMNS} FROM plugin_logs WHERE {CONDITION} ORDER BY id DESC LIMIT $7 OFFSET $8");
    bound(tx.assembled(sql), plugin, wanted).bind(slice.limit).bind(slice.offset).all().await
}

/// The number of matching lines of a plugin.
pub async fn count(tx: &mut Tx, plugin: &str, wanted: &Filter) -> Result<i64> {
    let sql = format!("SELECT COUNT(*) AS count FROM plugin_logs WHERE {CONDITION}");
    Ok(bound(tx.assembled(sql), plugin, wanted).one::<Count>().await?.count)
}

/// Lines of a plugin, oldest first, at most `limit`.
pub async fn follow(tx: &mut Tx, plugin: &str, wanted: &Filter, limit: usize) -> Result<Vec<StoredLogLine>> {
    let sql = format!("SELECT {COLUMNS} FROM plugin_logs WHERE {CONDITION} ORDER BY id LIMIT $7");
    bound(tx.assembled(sql), plugin, wanted).bind(i64::try_from(limit).unwrap_or(i64::MAX)).all().await
}

/// Deletes at most `limit` lines that were written before `before`, or are not among the newest `keep` of all.
pub async fn delete_expired(tx: &mut Tx, before: i64, keep: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_logs WHERE id IN (SELECT id FROM plugin_logs WHERE created_at < $1 \
         OR id <= (SELECT MAX(id) FROM plugin_logs) - $2 ORDER BY id LIMIT $3)",
    )
    .bind(before)
    .bind(keep)
    .bind(limit)
    .execute()
    .await
}

fn bound<'t>(statement: crate::Stmt<'t>, plugin: &str, wanted: &Filter) -> crate::Stmt<'t> {
    statement
        .bind(plugin)
        .bind(wanted.after)
        .bind(wanted.from.unwrap_or(i64::MIN))
        .bind(wanted.to.unwrap_or(i64::MAX))
        .bind(&wanted.request_id)
        .bind(wanted.level)
}
