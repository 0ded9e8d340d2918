//! The parts of the statement that writes a batch, one for each table: their SQL, and their values in the same order.

use super::row_lock::{CODES, DEVICE_CODES, REFRESH_TOKENS, RowLock, SUBJECT_TOKENS};
use super::{WriteBatch, issuances, subject_tokens};
use crate::audit;
use crate::sessions::{refresh_families, refresh_tokens};
use crate::sql::filter::Placeholders;
use crate::{Dialect, Stmt};

/// The `SET` clause that consumes the credentials of each table, with `{}` for the time.
const CONSUMED: [(&RowLock, &str); 4] = [
    (&SUBJECT_TOKENS, "consumed_at = {}"),
    (&CODES, "consumed_at = {}"),
    (&REFRESH_TOKENS, "consumed_at = {}, rotated_at = COALESCE(rotated_at, {})"),
    (&DEVICE_CODES, "consumed_at = {}"),
];

/// Fails unless the previous statement changed as many rows as it should: the next one may commit.
const CHECK_CHANGES: &str = "SELECT '' AS id WHERE CASE changes() WHEN ? THEN FALSE ELSE json('') IS NULL END";

/// The parts that write a batch.
pub(super) struct Parts<'b, 'i> {
    dialect: Dialect,
    batch: &'b WriteBatch<'i>,
    /// What each of the first parts sets, and the keys of the credentials that it consumes.
    consumed: Vec<(&'static str, Vec<&'i str>)>,
    sql: Vec<String>,
}

impl<'b, 'i> Parts<'b, 'i> {
    /// Those with rows. The condition of the placeholders holds for all of them.
    pub(super) fn of(values: &mut Placeholders, batch: &'b WriteBatch<'i>) -> Self {
        let dialect = values.dialect();
        let (mut consumed, mut sql) = (Vec::new(), Vec::new());
        for (lock, set) in CONSUMED {
            let keys: Vec<&'i str> =
                batch.consume.iter().filter(|one| one.kind() == lock.kind).map(|one| one.key()).collect();
            if keys.is_empty() {
                continue;
            }
            let update = consume_sql(values, lock, set);
            match dialect {
                // Each row that is returned would wake this thread.
                Dialect::Sqlite => sql.extend([update, CHECK_CHANGES.to_owned()]),
                Dialect::Postgres => sql.push(format!("{update} RETURNING {} AS id", lock.key)),
            }
            consumed.push((set, keys));
        }
        if !batch.issuances.is_empty() {
            sql.push(issuances::insert_sql(values, batch.issuances.len()));
        }
        if !batch.refresh_tokens.is_empty() {
            sql.push(refresh_tokens::insert_sql(values, batch.refresh_tokens.len()));
        }
        if !batch.refresh_families.is_empty() {
            sql.push(refresh_families::insert_sql(values, batch.refresh_families.len()));
        }
        if !batch.first_tokens.is_empty() {
            sql.push(first_tokens_sql(values));
        }
        if !batch.subject_tokens.is_empty() {
            sql.push(subject_tokens::insert_sql(values, batch.subject_tokens.len()));
        }
        if !batch.logs.is_empty() {
            sql.push(audit::insert_sql(values, batch.logs.len()));
        }
        Self { dialect, batch, consumed, sql }
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.sql.is_empty()
    }

    /// As statements in sequence.
    pub(super) fn in_sequence(&self) -> String {
        self.sql.join("; ")
    }

    /// As common table expressions.
    pub(super) fn named(&self) -> String {
        let named: Vec<String> =
            self.sql.iter().enumerate().map(|(index, part)| format!("part{index} AS ({part})")).collect();
        named.join(", ")
    }

    /// The names of those that return a row for each credential that they consume.
    pub(super) fn consuming(&self) -> impl Iterator<Item = String> {
        (0..self.consumed.len()).map(|index| format!("part{index}"))
    }

    /// Binds the values.
    pub(super) fn bind<'t>(&self, mut statement: Stmt<'t>, now: i64) -> Stmt<'t> {
        for (set, keys) in &self.consumed {
            statement = statement.bind_all(set.matches("{}").map(|_| now)).bind_list(keys);
            if self.dialect == Dialect::Sqlite {
                statement = statement.bind(i64::try_from(keys.len()).unwrap_or(i64::MAX));
            }
        }
        statement = statement.bind_rows(&self.batch.issuances, issuances::bind);
        statement = statement.bind_rows(&self.batch.refresh_tokens, refresh_tokens::bind);
        statement = statement.bind_rows(&self.batch.refresh_families, refresh_families::bind);
        if !self.batch.first_tokens.is_empty() {
            statement = statement.bind_list(&self.batch.first_tokens.iter().map(|id| id.as_str()).collect::<Vec<_>>());
        }
        statement = statement.bind_rows(&self.batch.subject_tokens, subject_tokens::bind);
        statement.bind_rows(&self.batch.logs, audit::bind)
    }
}

/// Consumes the credentials of one table.
fn consume_sql(values: &mut Placeholders, RowLock { table, key, .. }: &RowLock, set: &str) -> String {
    let times = set.matches("{}").map(|_| values.list(1)).collect::<Vec<_>>();
    let set = times.iter().fold(set.to_owned(), |set, time| set.replacen("{}", time, 1));
    let list = match values.dialect() {
        Dialect::Sqlite => "IN (SELECT value FROM json_each(?))".to_owned(),
        Dialect::Postgres => format!("= ANY({})", values.list(1)),
    };
    format!("UPDATE {table} SET {set} WHERE consumed_at IS NULL AND {key} {list}{}", values.condition())
}

/// Marks grants under which applications got tokens: these are notified when the session ends.
fn first_tokens_sql(values: &mut Placeholders) -> String {
    let wanted = match values.dialect() {
        Dialect::Sqlite => "has_tokens = FALSE AND id IN (SELECT value FROM json_each(?))".to_owned(),
        // In key order, to prevent deadlocks.
        Dialect::Postgres => format!(
            "id IN (SELECT id FROM grants WHERE has_tokens = FALSE AND id = ANY({}) ORDER BY id FOR NO KEY UPDATE)",
            values.list(1)
        ),
    };
    format!("UPDATE grants SET has_tokens = TRUE WHERE {wanted}{}", values.condition())
}
