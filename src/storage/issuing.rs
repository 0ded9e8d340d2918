//! The commit of issuances in two statements: one locks the rows that they depend on until the transaction ends, the
//! other writes all of them. Every statement costs a hand-over to another thread on SQLite, and a round trip on
//! PostgreSQL.

use super::audit::{self, Log};
use super::issuances::{self, Issuance};
use super::sql::filter::Placeholders;
use super::{Dialect, Result, Stmt, Tx};
use crate::domain::id::{SubjectTokenId, UserId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A single-use credential, which an issuance consumes. Of all issuances that present the same one, exactly one
/// succeeds (`docs/decisions/single-use-and-commit-order.md`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Consume {
    /// The subject token of this id.
    SubjectToken(SubjectTokenId),
}

/// The data that issuances depend on, beside the revision of the authorization data.
#[derive(Debug, Default)]
pub struct Dependencies<'i> {
    /// Users, by their ids: represented users and actors.
    pub users: BTreeSet<&'i UserId>,
    /// Tokens, by their `jti`.
    pub tokens: BTreeSet<&'i str>,
    /// Personal access tokens, by their hashes.
    pub personal_access_tokens: BTreeSet<&'i str>,
    /// The credentials to consume.
    pub single_use: BTreeSet<&'i Consume>,
}

/// Those of the dependencies that exist and are active, live and not consumed. They are locked until the transaction
/// ends.
#[derive(Debug, Default)]
pub struct Held {
    /// The revision of the authorization data.
    pub revision: i64,
    /// The active users, with their revisions.
    pub users: HashMap<UserId, i64>,
    /// The live tokens.
    pub tokens: HashSet<String>,
    /// The live personal access tokens.
    pub personal_access_tokens: HashSet<String>,
    /// The credentials that can be consumed.
    pub single_use: HashSet<Consume>,
}

#[derive(sqlx::FromRow)]
struct HeldRow {
    kind: String,
    id: String,
    number: i64,
}

/// Selects the rows of one table to lock.
struct RowLock {
    kind: &'static str,
    table: &'static str,
    key: &'static str,
    number: &'static str,
    condition: &'static str,
    /// Whether the condition compares with the time.
    timed: bool,
    /// How PostgreSQL locks the rows.
    lock: &'static str,
}

const USERS: RowLock = RowLock {
    kind: "user",
    table: "users",
    key: "id",
    number: "revision",
    condition: "is_suspended = FALSE",
    timed: false,
    lock: "FOR SHARE",
};
const TOKENS: RowLock = RowLock {
    kind: "token",
    table: "issuances",
    key: "jti",
    number: "0",
    condition: "revoked_at IS NULL AND expires_at > ",
    timed: true,
    lock: "FOR SHARE",
};
const PERSONAL_ACCESS_TOKENS: RowLock = RowLock {
    kind: "personal_access_token",
    table: "personal_access_tokens",
    key: "hash",
    number: "0",
    condition: "COALESCE(expires_at, 9223372036854775807) > ",
    timed: true,
    lock: "FOR SHARE",
};
const SUBJECT_TOKENS: RowLock = RowLock {
    kind: "subject_token",
    table: "subject_tokens",
    key: "id",
    number: "0",
    condition: "consumed_at IS NULL AND expires_at > ",
    timed: true,
    lock: "FOR UPDATE",
};

impl RowLock {
    /// Rows of `kind, id, number`. All transactions lock in the order of the keys, against deadlocks.
    fn sql(&self, dialect: Dialect, values: &mut Placeholders) -> String {
        let Self { kind, table, key, number, condition, lock, .. } = self;
        let time = if self.timed { values.list(1) } else { String::new() };
        let rows = format!("SELECT {key}, {number} AS number FROM {table} WHERE {condition}{time} AND {key}");
        match dialect {
            Dialect::Sqlite => {
                format!(" UNION ALL SELECT '{kind}', {key}, number FROM ({rows} IN (SELECT value FROM json_each(?)))")
            }
            Dialect::Postgres => {
                let list = values.list(1);
                format!(
                    " UNION ALL SELECT '{kind}', {key}, number FROM ({rows} = ANY({list}) ORDER BY {key} {lock}) held"
                )
            }
        }
    }
}

/// Locks the dependencies, in one statement. The transaction must come from [`super::Db::begin_issuing`].
pub async fn hold(tx: &mut Tx, wanted: &Dependencies<'_>, now: i64) -> Result<Held> {
    let subject_tokens: Vec<&str> = wanted.single_use.iter().map(|Consume::SubjectToken(id)| id.as_str()).collect();
    let lists: Vec<(RowLock, Vec<&str>)> = [
        (USERS, wanted.users.iter().map(|id| id.as_str()).collect()),
        (TOKENS, wanted.tokens.iter().copied().collect()),
        (PERSONAL_ACCESS_TOKENS, wanted.personal_access_tokens.iter().copied().collect()),
        (SUBJECT_TOKENS, subject_tokens),
    ]
    .into_iter()
    .filter(|(_, keys): &(RowLock, Vec<&str>)| !keys.is_empty())
    .collect();
    let (dialect, mut values) = (tx.dialect(), Placeholders::of(tx));
    let mut sql =
        "SELECT 'revision' AS kind, '' AS id, value AS number FROM revisions WHERE name = 'authorization'".to_owned();
    for (lock, _) in &lists {
        sql.push_str(&lock.sql(dialect, &mut values));
    }
    let mut statement = tx.assembled(sql);
    for (lock, keys) in &lists {
        if lock.timed {
            statement = statement.bind(now);
        }
        statement = statement.bind_list(keys);
    }
    let mut held = Held::default();
    for HeldRow { kind, id, number } in statement.all().await? {
        match kind.as_str() {
            "revision" => held.revision = number,
            "user" => drop(held.users.insert(id.into(), number)),
            "token" => drop(held.tokens.insert(id)),
            "personal_access_token" => drop(held.personal_access_tokens.insert(id)),
            _ => drop(held.single_use.insert(Consume::SubjectToken(id.into()))),
        }
    }
    Ok(held)
}

/// The rows that a transaction writes. It must have locked the credentials that it consumes.
#[derive(Debug, Default)]
pub struct WriteBatch<'i> {
    /// The consumed credentials.
    pub consume: Vec<&'i Consume>,
    /// The records of the tokens.
    pub issuances: Vec<&'i Issuance>,
    /// The entries of the audit log.
    pub logs: Vec<&'i Log>,
}

#[derive(sqlx::FromRow)]
struct Consumed {
    /// Of the subject token.
    #[sqlx(rename = "id")]
    _id: String,
}

/// Writes the batch, in one statement. It fails when anything in it was consumed by somebody else.
pub async fn write(tx: &mut Tx, batch: &WriteBatch<'_>, now: i64) -> Result<()> {
    let dialect = tx.dialect();
    let mut values = Placeholders::of(tx);
    let mut parts = Vec::new();
    if !batch.consume.is_empty() {
        let time = values.list(1);
        let list = match dialect {
            Dialect::Sqlite => "IN (SELECT value FROM json_each(?))".to_owned(),
            Dialect::Postgres => format!("= ANY({})", values.list(1)),
        };
        parts.push(format!(
            "UPDATE subject_tokens SET consumed_at = {time} WHERE consumed_at IS NULL AND id {list} RETURNING id"
        ));
    }
    if !batch.issuances.is_empty() {
        parts.push(issuances::insert_sql(&mut values, batch.issuances.len()));
    }
    if !batch.logs.is_empty() {
        parts.push(audit::insert_sql(&mut values, batch.logs.len()));
    }
    if parts.is_empty() {
        return Ok(());
    }
    let sql = match dialect {
        // Several statements that one call runs after each other.
        Dialect::Sqlite => parts.join("; "),
        Dialect::Postgres => {
            let named: Vec<String> =
                parts.into_iter().enumerate().map(|(index, part)| format!("part{index} AS ({part})")).collect();
            let consumed = if batch.consume.is_empty() { "(SELECT '' AS id) none WHERE FALSE" } else { "part0" };
            format!("WITH {} SELECT id FROM {consumed}", named.join(", "))
        }
    };
    let mut statement: Stmt<'_> = tx.assembled(sql);
    if !batch.consume.is_empty() {
        let ids: Vec<&str> = batch.consume.iter().map(|Consume::SubjectToken(id)| id.as_str()).collect();
        statement = statement.bind(now).bind_list(&ids);
    }
    for issuance in &batch.issuances {
        statement = issuances::bind(statement, issuance);
    }
    for log in &batch.logs {
        statement = audit::bind(statement, log);
    }
    let consumed: Vec<Consumed> = statement.all().await?;
    if consumed.len() == batch.consume.len() { Ok(()) } else { Err(sqlx::Error::RowNotFound.into()) }
}
