//! The newest entries whose keys have a prefix. There are few keys, and an index has the entries of each in order: the newest
//! of each key are read, and merged.

use super::{COLUMNS, Filter, StoredAuditEntry};
use crate::sql::conditions::Conditions;
use crate::sql::slice::Slice;
use crate::{Dialect, Result, Tx};

/// More keys than this are not merged: SQLite has a limit.
const MAX_KEYS: usize = 400;
/// The most index entries that are read. Further behind, all entries are walked through.
const MAX_READ: i64 = 60_000;

#[derive(crate::Row)]
struct KeyRow {
    key: String,
}

/// A slice of the entries whose keys begin with `prefix`; `None` if another way is better.
pub(super) async fn list(
    tx: &mut Tx,
    wanted: &Filter,
    prefix: &str,
    slice: Slice,
) -> Result<Option<Vec<StoredAuditEntry>>> {
    let of_each = slice.limit.saturating_add(slice.offset);
    if of_each > MAX_READ {
        return Ok(None);
    }
    let mut keys = keys(tx, prefix).await?;
    keys.retain(|key| wanted.key.as_ref().is_none_or(|wanted| wanted == key));
    if keys.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if keys.len() > MAX_KEYS || of_each.saturating_mul(i64::try_from(keys.len()).unwrap_or(i64::MAX)) > MAX_READ {
        return Ok(None);
    }
    let rest = Filter { key: None, key_prefix: None, ..wanted.clone() };
    let mut conditions = rest.conditions(tx, true);
    let others = conditions.sql();
    let places: Vec<String> = keys.into_iter().map(|key| conditions.bind_text(key)).collect();
    let (of_each_place, limit, offset) = (conditions.next(0), conditions.next(1), conditions.next(2));
    let of_key = |(index, place): (usize, &String)| {
        format!(
            "SELECT created_at FROM (SELECT created_at FROM logs{others} AND key = {place} \
             ORDER BY created_at DESC LIMIT {of_each_place}) AS newest{index}"
        )
    };
    let times = places.iter().enumerate().map(of_key).collect::<Vec<_>>().join(" UNION ALL ");
    // The index has the time of the last entry that is wanted; only from there on, entries are read.
    let sql = format!(
        "SELECT {COLUMNS} FROM logs{others} AND key IN ({}) AND created_at >= (SELECT MIN(created_at) FROM \
         (SELECT created_at FROM ({times}) AS merged ORDER BY created_at DESC LIMIT {of_each_place}) AS newest) \
         ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {offset}",
        places.join(",")
    );
    let statement = conditions.bind_to(tx.assembled(sql));
    Ok(Some(statement.bind(of_each).bind(slice.limit).bind(slice.offset).all().await?))
}

/// The keys with a prefix that any entry has, each found behind the one before in the index.
async fn keys(tx: &mut Tx, prefix: &str) -> Result<Vec<String>> {
    let mut values = Conditions::on("logs", tx);
    let (among, further, chosen) = match tx.dialect() {
        Dialect::Sqlite => {
            let end = values.bind_text(format!("{prefix}{}", char::MAX));
            let begin = values.bind_text(prefix.to_owned());
            (format!(" WHERE key >= {begin} AND key < {end}"), format!(" AND key < {end}"), String::new())
        }
        // It sorts texts by the rules of a language, so that those with a prefix are no range: all keys are read.
        Dialect::Postgres => {
            let prefix = values.bind_text(prefix.to_owned());
            (String::new(), String::new(), format!(" AND starts_with(key, {prefix})"))
        }
    };
    let sql = format!(
        "WITH RECURSIVE known (key) AS (SELECT MIN(key) FROM logs{among} UNION ALL \
         SELECT (SELECT MIN(key) FROM logs WHERE key > known.key{further}) FROM known WHERE known.key IS NOT NULL) \
         SELECT key FROM known WHERE key IS NOT NULL{chosen}"
    );
    let found: Vec<KeyRow> = values.bind_to(tx.assembled(sql)).all().await?;
    // Older versions stored deliveries of webhooks here.
    Ok(found.into_iter().map(|row| row.key).filter(|key| !key.starts_with("TriggerHook.")).collect())
}
