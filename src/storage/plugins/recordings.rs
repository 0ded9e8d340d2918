//! Recordings of calls of plugins, and their samples. One row decides how many samples a recording has, over all nodes:
//! whoever adds some locks it first.

use crate::sql::slice::Count;
use crate::{Dialect, Json, Result, Tx};
use serde_json::Value;

/// Bytes of all samples of one plugin.
pub const MAX_BYTES_OF_PLUGIN: i64 = 64 << 20;

/// A recording.
#[derive(Clone, Debug, crate::Row)]
pub struct Recording {
    /// Its id.
    pub id: String,
    /// The plugin.
    pub plugin_name: String,
    /// Which calls, and what of them is kept.
    pub options: Json<Value>,
    /// How many samples are wanted.
    pub wanted: i64,
    /// How many it has.
    pub recorded: i64,
    /// Calls that were to be recorded and were not.
    pub dropped: i64,
    /// Of all its samples.
    pub bytes: i64,
    /// What went wrong last.
    pub problem: Option<String>,
    /// The key of the pseudonyms, encrypted; `None` once it has ended.
    pub sealed_key: Option<String>,
    /// When it ends by itself, Unix milliseconds.
    pub ends_at: i64,
    /// When it ended, Unix milliseconds.
    pub stopped_at: Option<i64>,
    /// `complete`, `ended`, `full` or `stopped`, once it has ended.
    pub end_reason: Option<String>,
    /// When it is deleted, Unix milliseconds.
    pub expires_at: i64,
    /// The principal that started it.
    pub created_by: String,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A sample to add.
#[derive(Clone, Debug)]
pub struct NewSample {
    /// Its id, which its ciphertext is bound to.
    pub id: String,
    /// Whom the call was about.
    pub user_id: Option<String>,
    /// JSON, redacted and encrypted.
    pub sealed: String,
}

/// A sample.
#[derive(Clone, Debug, crate::Row)]
pub struct Sample {
    /// Its id.
    pub id: String,
    /// From 1.
    pub number: i64,
    /// Whom the call was about.
    pub user_id: Option<String>,
    /// JSON, redacted and encrypted.
    pub sealed: String,
}

/// How many samples a transaction added, and how many it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// They are stored.
    pub added: i64,
    /// About users who are deleted, beyond the wanted number, or beyond the bytes of the plugin.
    pub refused: i64,
}

const COLUMNS: &str = "id, plugin_name, options, wanted, recorded, dropped, bytes, problem, sealed_key, ends_at, \
     stopped_at, end_reason, expires_at, created_by, created_at";

/// Adds a recording.
pub async fn insert(tx: &mut Tx, recording: &Recording) -> Result<()> {
    let sql = format!(
        "INSERT INTO plugin_recordings ({COLUMNS}) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
    );
    tx.assembled(sql)
        .bind(&recording.id)
        .bind(&recording.plugin_name)
        .bind(&recording.options)
        .bind(recording.wanted)
        .bind(recording.recorded)
        .bind(recording.dropped)
        .bind(recording.bytes)
        .bind(&recording.problem)
        .bind(&recording.sealed_key)
        .bind(recording.ends_at)
        .bind(recording.stopped_at)
        .bind(&recording.end_reason)
        .bind(recording.expires_at)
        .bind(&recording.created_by)
        .bind(recording.created_at)
        .execute()
        .await?;
    Ok(())
}

/// A recording of this plugin.
pub async fn find(tx: &mut Tx, plugin: &str, id: &str) -> Result<Option<Recording>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_recordings WHERE plugin_name = $1 AND id = $2"))
        .bind(plugin)
        .bind(id)
        .optional()
        .await
}

/// The recordings of a plugin, newest first.
pub async fn list(tx: &mut Tx, plugin: &str) -> Result<Vec<Recording>> {
    tx.assembled(format!(
        "SELECT {COLUMNS} FROM plugin_recordings WHERE plugin_name = $1 ORDER BY created_at DESC, id DESC"
    ))
    .bind(plugin)
    .all()
    .await
}

/// The recordings of all plugins that go on.
pub async fn running(tx: &mut Tx, now: i64) -> Result<Vec<Recording>> {
    tx.assembled(format!(
        "SELECT {COLUMNS} FROM plugin_recordings WHERE stopped_at IS NULL AND ends_at > $1 ORDER BY id"
    ))
    .bind(now)
    .all()
    .await
}

/// Adds samples as far as they are wanted and fit, and ends the recording with the last one.
pub async fn add(tx: &mut Tx, id: &str, samples: &[NewSample], now: i64) -> Result<Added> {
    let refused = Added { added: 0, refused: i64::try_from(samples.len()).unwrap_or(i64::MAX) };
    // Locked until the commit: other nodes add samples as well.
    let sql = format!("UPDATE plugin_recordings SET recorded = recorded WHERE id = $1 RETURNING {COLUMNS}");
    let Some(recording) = tx.assembled(sql).bind(id).optional::<Recording>().await? else { return Ok(refused) };
    if recording.stopped_at.is_some() || recording.ends_at <= now {
        return Ok(refused);
    }
    let taken: Count = tx
        .sql("SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS count FROM plugin_recordings WHERE plugin_name = $1")
        .bind(&recording.plugin_name)
        .one()
        .await?;
    let (mut left, mut number, mut bytes, mut is_full) =
        (MAX_BYTES_OF_PLUGIN - taken.count, recording.recorded, 0, false);
    for sample in samples {
        let size = i64::try_from(sample.sealed.len()).unwrap_or(i64::MAX);
        is_full = is_full || size > left;
        if is_full || number >= recording.wanted {
            break;
        }
        if insert_sample(tx, id, number + 1, sample).await? {
            (number, left, bytes) = (number + 1, left - size, bytes + size);
        }
    }
    let reason = if number >= recording.wanted {
        Some("complete")
    } else if is_full {
        Some("full")
    } else {
        None
    };
    let added = number - recording.recorded;
    let unwritten = refused.refused - added;
    // What comes after the last sample that was wanted is not lost.
    let dropped = if reason == Some("complete") { 0 } else { unwritten };
    tx.sql(
        "UPDATE plugin_recordings SET recorded = $2, bytes = bytes + $3, dropped = dropped + $4, end_reason = $5, \
         stopped_at = CASE WHEN CAST($5 AS TEXT) IS NULL THEN NULL ELSE $6 END, \
         sealed_key = CASE WHEN CAST($5 AS TEXT) IS NULL THEN sealed_key ELSE NULL END WHERE id = $1",
    )
    .bind(id)
    .bind(number)
    .bind(bytes)
    .bind(dropped)
    .bind(reason)
    .bind(now)
    .execute()
    .await?;
    Ok(Added { added, refused: unwritten })
}

/// `false` if it is about a user who is deleted.
async fn insert_sample(tx: &mut Tx, recording: &str, number: i64, sample: &NewSample) -> Result<bool> {
    // PostgreSQL: the user stays until the commit.
    if let (Some(user), Dialect::Postgres) = (&sample.user_id, tx.dialect()) {
        tx.sql("SELECT COUNT(*) AS count FROM (SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE) AS kept")
            .bind(user)
            .one::<Count>()
            .await?;
    }
    let inserted = tx
        .sql(
            "INSERT INTO plugin_samples (id, recording_id, number, user_id, sealed) \
             SELECT $1, $2, $3, $4, $5 \
             WHERE CAST($4 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = $4)",
        )
        .bind(&sample.id)
        .bind(recording)
        .bind(number)
        .bind(&sample.user_id)
        .bind(&sample.sealed)
        .execute()
        .await?;
    Ok(inserted > 0)
}

/// Counts calls that were to be recorded and were not, and says why.
pub async fn note(tx: &mut Tx, id: &str, dropped: i64, problem: Option<&str>) -> Result<()> {
    tx.sql(
        "UPDATE plugin_recordings SET dropped = dropped + $2, problem = COALESCE(CAST($3 AS TEXT), problem) WHERE id = $1",
    )
    .bind(id)
    .bind(dropped)
    .bind(problem)
    .execute()
    .await?;
    Ok(())
}

/// Ends a recording. `false` if it has ended already.
pub async fn stop(tx: &mut Tx, plugin: &str, id: &str, now: i64) -> Result<bool> {
    let stopped = tx
        .sql(
            "UPDATE plugin_recordings SET stopped_at = $3, end_reason = 'stopped', sealed_key = NULL \
             WHERE plugin_name = $1 AND id = $2 AND stopped_at IS NULL AND ends_at > $3",
        )
        .bind(plugin)
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(stopped > 0)
}

/// Forgets the keys of recordings whose time is over.
pub async fn end_overdue(tx: &mut Tx, now: i64) -> Result<u64> {
    tx.sql(
        "UPDATE plugin_recordings SET stopped_at = ends_at, end_reason = 'ended', sealed_key = NULL \
         WHERE stopped_at IS NULL AND ends_at <= $1",
    )
    .bind(now)
    .execute()
    .await
}

/// Samples after this number, in order, at most `limit`.
pub async fn samples(tx: &mut Tx, recording: &str, after: i64, limit: i64) -> Result<Vec<Sample>> {
    tx.sql(
        "SELECT id, number, user_id, sealed FROM plugin_samples WHERE recording_id = $1 AND number > $2 \
         ORDER BY number LIMIT $3",
    )
    .bind(recording)
    .bind(after)
    .bind(limit)
    .all()
    .await
}

/// Deletes a recording with its samples. `false` when there is none.
pub async fn delete(tx: &mut Tx, plugin: &str, id: &str) -> Result<bool> {
    let deleted = tx
        .sql("DELETE FROM plugin_recordings WHERE plugin_name = $1 AND id = $2")
        .bind(plugin)
        .bind(id)
        .execute()
        .await?;
    Ok(deleted > 0)
}

/// Deletes the recordings of a plugin.
pub async fn delete_of_plugin(tx: &mut Tx, plugin: &str) -> Result<u64> {
    tx.sql("DELETE FROM plugin_recordings WHERE plugin_name = $1").bind(plugin).execute().await
}

/// Deletes at most `limit` recordings that have expired, with their samples.
pub async fn delete_expired(tx: &mut Tx, now: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_recordings WHERE id IN \
         (SELECT id FROM plugin_recordings WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
    )
    .bind(now)
    .bind(limit)
    .execute()
    .await
}
