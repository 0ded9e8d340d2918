//! The commit of issuances in one statement on PostgreSQL, which is a transaction by itself: it locks what they depend
//! on, compares it with what their decisions saw, and writes all of them, or nothing if anything differs. The locked
//! rows are the newest, however long the statement waits for them; those that are written follow from them.

use super::parts::Parts;
use super::row_lock::{
    CODES, DEVICE_CODES, EXISTING_USERS, GRANTS, KNOWN_USERS, PERSONAL_ACCESS_TOKENS, REFRESH_TOKENS, SUBJECT_TOKENS,
    TOKENS, USERS,
};
use super::{Consume, Consumed, Dependencies, WriteBatch, to_lock};
use crate::revisions::ADVISORY_LOCK;
use crate::sql::filter::Placeholders;
use crate::{Db, Dialect, Result};
use claimsmith_domain::id::UserId;
use std::collections::BTreeMap;

/// What the decisions of a batch saw, in addition to the existence of their dependencies.
#[derive(Clone, Debug, Default)]
pub struct Seen<'i> {
    /// The revision of the authorization data; `None` if nothing depends on it.
    pub revision: Option<i64>,
    /// The revisions of the users.
    pub users: BTreeMap<&'i UserId, i64>,
    /// Those of the known users; `None` for one who only must exist.
    pub known_users: BTreeMap<&'i UserId, Option<i64>>,
}

/// Follows the condition of every row that is written.
const IF_IT_STANDS: &str = " AND EXISTS (SELECT 1 FROM stands)";

/// The locked rows as text, and how many of them there must be.
#[derive(Default)]
struct Lines {
    /// Those that are accepted.
    accepted: Vec<String>,
    expected: i64,
}

impl Lines {
    fn of(wanted: &Dependencies<'_>, seen: &Seen<'_>) -> Self {
        let mut lines = Self::default();
        if let Some(revision) = seen.revision {
            lines.one("revision", revision, "");
        }
        for (id, revision) in &seen.users {
            lines.one(USERS.kind, *revision, id);
        }
        for (id, revision) in &seen.known_users {
            match revision {
                Some(revision) => lines.one(KNOWN_USERS.kind, *revision, id),
                None => lines.one(EXISTING_USERS.kind, 0, id),
            }
        }
        for jti in &wanted.tokens {
            lines.one(TOKENS.kind, 0, jti);
        }
        for hash in &wanted.personal_access_tokens {
            lines.one(PERSONAL_ACCESS_TOKENS.kind, 0, hash);
        }
        for id in &wanted.grants {
            lines.one(GRANTS.kind, 0, id);
        }
        for credential in &wanted.single_use {
            match credential {
                Consume::SubjectToken(id) => lines.one(SUBJECT_TOKENS.kind, 0, id),
                Consume::Code(hash) => lines.one(CODES.kind, 0, hash),
                Consume::RefreshToken(hash) => lines.one(REFRESH_TOKENS.kind, 1, hash),
                Consume::DeviceCode(hash) => lines.one(DEVICE_CODES.kind, 0, hash),
            }
        }
        for hash in &wanted.refresh_tokens {
            let is_consumed = |one: &&Consume| matches!(one, Consume::RefreshToken(other) if other == hash);
            if !wanted.single_use.iter().any(is_consumed) {
                // It may have been replaced.
                lines.accepted.push(line(REFRESH_TOKENS.kind, 0, hash));
                lines.one(REFRESH_TOKENS.kind, 1, hash);
            }
        }
        lines
    }

    fn one(&mut self, kind: &str, number: i64, id: &str) {
        self.accepted.push(line(kind, number, id));
        self.expected += 1;
    }
}

fn line(kind: &str, number: i64, id: &str) -> String {
    format!("{kind} {number} {id}")
}

/// Commits the batch if everything stands as it was seen. `false` if something does not, or on SQLite: then nothing is
/// written, and a transaction has to find out what.
pub async fn commit(
    db: &Db,
    wanted: &Dependencies<'_>,
    seen: &Seen<'_>,
    batch: &WriteBatch<'_>,
    now: i64,
) -> Result<bool> {
    let Some(mut tx) = db.autocommit_issuing() else { return Ok(false) };
    if !batch.subject_tokens.is_empty() {
        tx.changes_what_is_shown();
    }
    let known_users = |is_checked: bool| -> Vec<&str> {
        let users = seen.known_users.iter().filter(|(_, revision)| revision.is_some() == is_checked);
        users.map(|(id, _)| id.as_str()).collect()
    };
    let lists = to_lock(wanted, [(KNOWN_USERS, known_users(true)), (EXISTING_USERS, known_users(false))]);
    let lines = Lines::of(wanted, seen);

    let mut values = Placeholders::only_if(&tx, IF_IT_STANDS);
    let mut held = format!(
        "SELECT 'revision' AS kind, '' AS id, r.number FROM hold_authorization({}) AS r(number)",
        values.list(1)
    );
    for (lock, _) in &lists {
        held.push_str(&lock.sql(Dialect::Postgres, &mut values));
    }
    let stands = format!(
        "SELECT 1 AS one WHERE (SELECT COUNT(*) FROM UNNEST({}) AS seen(line) \
         JOIN held ON seen.line = CONCAT_WS(' ', held.kind, held.number, held.id)) = {}",
        values.list(1),
        values.list(1)
    );
    let parts = Parts::of(&mut values, batch);
    if parts.is_empty() {
        return Ok(false);
    }
    // A locked credential is always consumed; if it were not, the division by zero would undo the statement.
    let mut consumed: Vec<String> = parts.consuming().map(|name| format!("(SELECT COUNT(*) FROM {name})")).collect();
    consumed.push("0".to_owned());
    let sql = format!(
        "WITH held AS MATERIALIZED ({held}), stands AS MATERIALIZED ({stands}), {} \
         SELECT CAST(1 / (CASE WHEN {} = {} THEN 1 ELSE 0 END) AS TEXT) AS id FROM stands",
        parts.named(),
        consumed.join(" + "),
        values.list(1)
    );
    let mut statement = tx.assembled(sql).bind(ADVISORY_LOCK);
    for (lock, keys) in &lists {
        if lock.timed {
            statement = statement.bind(now);
        }
        statement = statement.bind_list(keys);
    }
    let accepted: Vec<&str> = lines.accepted.iter().map(String::as_str).collect();
    statement = parts.bind(statement.bind_list(&accepted).bind(lines.expected), now);
    // All rows are read: the statement is committed only after the last one.
    let rows: Vec<Consumed> = statement.bind(i64::try_from(batch.consume.len()).unwrap_or(i64::MAX)).all().await?;
    let is_committed = !rows.is_empty();
    if is_committed {
        tx.commit().await?;
    }
    Ok(is_committed)
}
