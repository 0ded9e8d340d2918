//! The commit of issuances in two statements: one locks the rows that they depend on until the transaction ends, the
//! other writes all of them. Every statement costs a switch to another thread on SQLite, and a round trip on
//! PostgreSQL, where one statement may do both ([`at_once`]).

pub mod at_once;
pub mod client_assertions;
pub mod impersonations;
pub mod issuances;
mod parts;
mod row_lock;
pub mod subject_tokens;

use self::parts::Parts;
use self::row_lock::{
    CODES, DEVICE_CODES, GRANTS, KNOWN_USERS, PERSONAL_ACCESS_TOKENS, REFRESH_TOKENS, RowLock, SUBJECT_TOKENS, TOKENS,
    USERS,
};
use self::subject_tokens::SubjectToken;
use crate::audit::StoredAuditEntry;
use crate::issuing::issuances::Issuance;
use crate::sessions::refresh_families::RefreshFamily;
use crate::sessions::refresh_tokens::RefreshToken;
use crate::sql::filter::Placeholders;
use crate::{Dialect, Result, Tx};
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

/// The rows of each table to lock, in the order of all transactions; with the known users as the caller wants them.
fn to_lock<'i>(
    wanted: &Dependencies<'i>,
    known_users: impl IntoIterator<Item = (RowLock, Vec<&'i str>)>,
) -> Vec<(RowLock, Vec<&'i str>)> {
    let consumed = |lock: &RowLock| -> Vec<&'i str> {
        wanted.single_use.iter().filter(|one| one.kind() == lock.kind).map(|one| one.key()).collect()
    };
    let mut refresh_tokens = wanted.refresh_tokens.clone();
    refresh_tokens.extend(consumed(&REFRESH_TOKENS));
    let mut lists: Vec<(RowLock, Vec<&'i str>)> = vec![(USERS, wanted.users.iter().map(|id| id.as_str()).collect())];
    lists.extend(known_users);
    lists.extend([
        (TOKENS, wanted.tokens.iter().copied().collect()),
        (PERSONAL_ACCESS_TOKENS, wanted.personal_access_tokens.iter().copied().collect()),
        (SUBJECT_TOKENS, consumed(&SUBJECT_TOKENS)),
        // Before codes and tokens: revoking a grant locks in the same order.
        (GRANTS, wanted.grants.iter().map(|id| id.as_str()).collect()),
        (CODES, consumed(&CODES)),
        (REFRESH_TOKENS, refresh_tokens.into_iter().collect()),
        (DEVICE_CODES, consumed(&DEVICE_CODES)),
    ]);
    lists.retain(|(_, keys)| !keys.is_empty());
    lists
}

/// Locks the dependencies, in one statement. The transaction must come from [`crate::Db::begin_issuing`].
pub async fn lock_dependencies(tx: &mut Tx, wanted: &Dependencies<'_>, now: i64) -> Result<LockedDependencies> {
    let lists = to_lock(wanted, [(KNOWN_USERS, wanted.known_users.iter().map(|id| id.as_str()).collect())]);
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

/// Writes the batch and commits the transaction, on SQLite in one message. Fails like [`write`].
pub async fn commit(mut tx: Tx, batch: &WriteBatch<'_>, now: i64) -> Result<()> {
    write_parts(&mut tx, batch, now, true).await?;
    tx.commit().await
}

/// Writes the batch in one statement. Fails if a credential in it was consumed by another request.
pub async fn write(tx: &mut Tx, batch: &WriteBatch<'_>, now: i64) -> Result<()> {
    write_parts(tx, batch, now, false).await
}

async fn write_parts(tx: &mut Tx, batch: &WriteBatch<'_>, now: i64, is_last: bool) -> Result<()> {
    let dialect = tx.dialect();
    let parts = Parts::of(&mut Placeholders::of(tx), batch);
    if parts.is_empty() {
        return Ok(());
    }
    let sql = match dialect {
        // Several statements that one call runs in sequence.
        Dialect::Sqlite => parts.in_sequence(),
        Dialect::Postgres => {
            let mut rows: Vec<String> = parts.consuming().map(|name| format!("SELECT id FROM {name}")).collect();
            rows.push("SELECT '' WHERE FALSE".to_owned());
            format!("WITH {} {}", parts.named(), rows.join(" UNION ALL "))
        }
    };
    let mut statement = parts.bind(tx.assembled(sql), now);
    if is_last {
        statement = statement.last();
    }
    let written: Vec<Consumed> = statement.all().await?;
    let is_checked = dialect == Dialect::Sqlite || written.len() == batch.consume.len();
    if is_checked { Ok(()) } else { Err(sqlx::Error::RowNotFound.into()) }
}
