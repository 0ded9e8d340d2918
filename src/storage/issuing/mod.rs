//! The commit of issuances in two statements: one locks the rows that they depend on until the transaction ends, the
//! other writes all of them. Every statement costs a switch to another thread on SQLite, and a round trip on
//! PostgreSQL.

pub mod client_assertions;
pub mod impersonations;
pub mod issuances;
mod row_lock;
pub mod subject_tokens;

use self::row_lock::{
    CODES, DEVICE_CODES, GRANTS, KNOWN_USERS, PERSONAL_ACCESS_TOKENS, REFRESH_TOKENS, RowLock, SUBJECT_TOKENS, TOKENS,
    USERS,
};
use self::subject_tokens::SubjectToken;
use crate::audit::{self, StoredAuditEntry};
use crate::issuing::issuances::Issuance;
use crate::sessions::refresh_families::{self, RefreshFamily};
use crate::sessions::refresh_tokens::{self, RefreshToken};
use crate::sql::filter::Placeholders;
use crate::{Dialect, Result, Stmt, Tx};
use claimsmith_domain::id::{GrantId, SubjectTokenId, UserId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A single-use credential, which an issuance consumes. Of all issuances that present the same one, exactly one
/// succeeds (`docs/decisions/single-use-and-commit-order.md`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Consume {
    /// The subject token with this id.
    SubjectToken(SubjectTokenId),
    /// The authorization code with this hash.
    Code(String),
    /// The refresh token with this hash, which is rotated.
    RefreshToken(String),
    /// The device code with this hash, of an approved device.
    DeviceCode(String),
}

impl Consume {
    /// The key of its row.
    fn key(&self) -> &str {
        match self {
            Self::SubjectToken(id) => id,
            Self::Code(hash) | Self::RefreshToken(hash) | Self::DeviceCode(hash) => hash,
        }
    }

    /// The kind, which determines the table.
    fn kind(&self) -> &'static str {
        match self {
            Self::SubjectToken(_) => SUBJECT_TOKENS.kind,
            Self::Code(_) => CODES.kind,
            Self::RefreshToken(_) => REFRESH_TOKENS.kind,
            Self::DeviceCode(_) => DEVICE_CODES.kind,
        }
    }
}

/// The data that issuances depend on, in addition to the revision of the authorization data.
#[derive(Debug, Default)]
pub struct Dependencies<'i> {
    /// Users, by their ids: represented users and actors.
    pub users: BTreeSet<&'i UserId>,
    /// Users who may be suspended, by their ids.
    pub known_users: BTreeSet<&'i UserId>,
    /// Tokens, by their `jti`.
    pub tokens: BTreeSet<&'i str>,
    /// Personal access tokens, by their hashes.
    pub personal_access_tokens: BTreeSet<&'i str>,
    /// Grants of users, by their ids.
    pub grants: BTreeSet<&'i GrantId>,
    /// Refresh tokens that are not rotated, by their hashes.
    pub refresh_tokens: BTreeSet<&'i str>,
    /// The credentials to consume.
    pub single_use: BTreeSet<&'i Consume>,
}

/// The dependencies that exist and are active, live and not consumed, locked until the transaction ends.
#[derive(Debug, Default)]
pub struct LockedDependencies {
    /// The revision of the authorization data.
    pub revision: i64,
    /// The active users, with their revisions.
    pub users: HashMap<UserId, i64>,
    /// The known users, with their revisions.
    pub known_users: HashMap<UserId, i64>,
    /// The live tokens.
    pub tokens: HashSet<String>,
    /// The live personal access tokens.
    pub personal_access_tokens: HashSet<String>,
    /// The live grants.
    pub grants: HashSet<String>,
    /// The unexpired refresh tokens of live families, including rotated ones.
    pub refresh_tokens: HashSet<String>,
    /// The credentials that can be consumed.
    pub single_use: HashSet<Consume>,
}

#[derive(crate::Row)]
struct HeldRow {
    kind: String,
    id: String,
    number: i64,
}

/// Locks the dependencies, in one statement. The transaction must come from [`crate::Db::begin_issuing`].
pub async fn lock_dependencies(tx: &mut Tx, wanted: &Dependencies<'_>, now: i64) -> Result<LockedDependencies> {
    let consumed = |lock: &RowLock| -> Vec<&str> {
        wanted.single_use.iter().filter(|one| one.kind() == lock.kind).map(|one| one.key()).collect()
    };
    let mut refresh_tokens = wanted.refresh_tokens.clone();
    refresh_tokens.extend(consumed(&REFRESH_TOKENS));
    let lists: Vec<(RowLock, Vec<&str>)> = [
        (USERS, wanted.users.iter().map(|id| id.as_str()).collect()),
        (KNOWN_USERS, wanted.known_users.iter().map(|id| id.as_str()).collect()),
        (TOKENS, wanted.tokens.iter().copied().collect()),
        (PERSONAL_ACCESS_TOKENS, wanted.personal_access_tokens.iter().copied().collect()),
        (SUBJECT_TOKENS, consumed(&SUBJECT_TOKENS)),
        // Before codes and tokens: revoking a grant locks in the same order.
        (GRANTS, wanted.grants.iter().map(|id| id.as_str()).collect()),
        (CODES, consumed(&CODES)),
        (REFRESH_TOKENS, refresh_tokens.into_iter().collect()),
        (DEVICE_CODES, consumed(&DEVICE_CODES)),
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
    let mut held = LockedDependencies::default();
    for HeldRow { kind, id, number } in statement.all().await? {
        match kind.as_str() {
            "revision" => held.revision = number,
            "user" => drop(held.users.insert(id.into(), number)),
            "known_user" => drop(held.known_users.insert(id.into(), number)),
            "token" => drop(held.tokens.insert(id)),
            "personal_access_token" => drop(held.personal_access_tokens.insert(id)),
            "grant" => drop(held.grants.insert(id)),
            "code" => drop(held.single_use.insert(Consume::Code(id))),
            "device_code" => drop(held.single_use.insert(Consume::DeviceCode(id))),
            "refresh_token" => {
                held.refresh_tokens.insert(id.clone());
                if number == 1 {
                    held.single_use.insert(Consume::RefreshToken(id));
                }
            }
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
    /// The new refresh tokens.
    pub refresh_tokens: Vec<&'i RefreshToken>,
    /// The families that get a key.
    pub refresh_families: Vec<&'i RefreshFamily>,
    /// The grants under which an application gets its first tokens.
    pub first_tokens: BTreeSet<&'i GrantId>,
    /// The new subject tokens, whose users exist.
    pub subject_tokens: Vec<&'i SubjectToken>,
    /// The entries of the audit log.
    pub logs: Vec<&'i StoredAuditEntry>,
}

#[derive(crate::Row)]
struct Consumed {
    /// The key of the credential.
    #[column(rename = "id")]
    _id: String,
}

/// The `SET` clause that consumes the credentials of each table, with `{}` for the time.
const CONSUMED: [(&RowLock, &str); 4] = [
    (&SUBJECT_TOKENS, "consumed_at = {}"),
    (&CODES, "consumed_at = {}"),
    (&REFRESH_TOKENS, "consumed_at = {}, rotated_at = COALESCE(rotated_at, {})"),
    (&DEVICE_CODES, "consumed_at = {}"),
];

/// Marks grants under which applications got tokens: these are notified when the session ends.
fn first_tokens_sql(dialect: Dialect, values: &mut Placeholders) -> String {
    let wanted = match dialect {
        Dialect::Sqlite => "has_tokens = FALSE AND id IN (SELECT value FROM json_each(?))".to_owned(),
        // In key order, to prevent deadlocks.
        Dialect::Postgres => format!(
            "id IN (SELECT id FROM grants WHERE has_tokens = FALSE AND id = ANY({}) ORDER BY id FOR NO KEY UPDATE)",
            values.list(1)
        ),
    };
    format!("UPDATE grants SET has_tokens = TRUE WHERE {wanted}")
}

/// Writes the batch and commits the transaction, on SQLite in one message. Fails like [`write`].
pub async fn commit(mut tx: Tx, batch: &WriteBatch<'_>, now: i64) -> Result<()> {
    write_parts(&mut tx, batch, now, true).await?;
    tx.commit().await
}

/// Writes the batch in one statement. Fails if a credential in it was consumed by another request.
pub async fn write(tx: &mut Tx, batch: &WriteBatch<'_>, now: i64) -> Result<()> {
    write_parts(tx, batch, now, false).await
}

/// Fails unless the previous statement changed as many rows as it should: the next one may commit.
const CHECK_CHANGES: &str = "SELECT '' AS id WHERE CASE changes() WHEN ? THEN FALSE ELSE json('') IS NULL END";

async fn write_parts(tx: &mut Tx, batch: &WriteBatch<'_>, now: i64, is_last: bool) -> Result<()> {
    let dialect = tx.dialect();
    let mut values = Placeholders::of(tx);
    let mut parts = Vec::new();
    let consumed: Vec<(&RowLock, &str, Vec<&str>)> = CONSUMED
        .into_iter()
        .map(|(lock, set)| {
            let keys = batch.consume.iter().filter(|one| one.kind() == lock.kind).map(|one| one.key());
            (lock, set, keys.collect())
        })
        .filter(|(_, _, keys): &(_, _, Vec<&str>)| !keys.is_empty())
        .collect();
    for (RowLock { table, key, .. }, set, _) in &consumed {
        let times = set.matches("{}").map(|_| values.list(1)).collect::<Vec<_>>();
        let set = times.iter().fold((*set).to_owned(), |set, time| set.replacen("{}", time, 1));
        let list = match dialect {
            Dialect::Sqlite => "IN (SELECT value FROM json_each(?))".to_owned(),
            Dialect::Postgres => format!("= ANY({})", values.list(1)),
        };
        let update = format!("UPDATE {table} SET {set} WHERE consumed_at IS NULL AND {key} {list}");
        match dialect {
            // Each row that is returned would wake this thread.
            Dialect::Sqlite => parts.extend([update, CHECK_CHANGES.to_owned()]),
            Dialect::Postgres => parts.push(format!("{update} RETURNING {key} AS id")),
        }
    }
    if !batch.issuances.is_empty() {
        parts.push(issuances::insert_sql(&mut values, batch.issuances.len()));
    }
    if !batch.refresh_tokens.is_empty() {
        parts.push(refresh_tokens::insert_sql(&mut values, batch.refresh_tokens.len()));
    }
    if !batch.refresh_families.is_empty() {
        parts.push(refresh_families::insert_sql(&mut values, batch.refresh_families.len()));
    }
    if !batch.first_tokens.is_empty() {
        parts.push(first_tokens_sql(dialect, &mut values));
    }
    if !batch.subject_tokens.is_empty() {
        parts.push(subject_tokens::insert_sql(&mut values, batch.subject_tokens.len()));
    }
    if !batch.logs.is_empty() {
        parts.push(audit::insert_sql(&mut values, batch.logs.len()));
    }
    if parts.is_empty() {
        return Ok(());
    }
    let sql = match dialect {
        // Several statements that one call runs in sequence.
        Dialect::Sqlite => parts.join("; "),
        Dialect::Postgres => {
            let named: Vec<String> =
                parts.into_iter().enumerate().map(|(index, part)| format!("part{index} AS ({part})")).collect();
            let mut rows: Vec<String> =
                (0..consumed.len()).map(|index| format!("SELECT id FROM part{index}")).collect();
            rows.push("SELECT '' WHERE FALSE".to_owned());
            format!("WITH {} {}", named.join(", "), rows.join(" UNION ALL "))
        }
    };
    let mut statement: Stmt<'_> = tx.assembled(sql);
    for (_, set, keys) in &consumed {
        statement = statement.bind_all(set.matches("{}").map(|_| now)).bind_list(keys);
        if dialect == Dialect::Sqlite {
            statement = statement.bind(i64::try_from(keys.len()).unwrap_or(i64::MAX));
        }
    }
    statement = statement.bind_rows(&batch.issuances, issuances::bind);
    statement = statement.bind_rows(&batch.refresh_tokens, refresh_tokens::bind);
    for family in &batch.refresh_families {
        statement = refresh_families::bind(statement, family);
    }
    if !batch.first_tokens.is_empty() {
        statement = statement.bind_list(&batch.first_tokens.iter().map(|id| id.as_str()).collect::<Vec<_>>());
    }
    statement = statement.bind_rows(&batch.subject_tokens, subject_tokens::bind);
    statement = statement.bind_rows(&batch.logs, audit::bind);
    if is_last {
        statement = statement.last();
    }
    let written: Vec<Consumed> = statement.all().await?;
    let is_checked = dialect == Dialect::Sqlite || written.len() == batch.consume.len();
    if is_checked { Ok(()) } else { Err(sqlx::Error::RowNotFound.into()) }
}
