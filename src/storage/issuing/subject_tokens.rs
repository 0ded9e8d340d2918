//! Subject tokens. Only their hash is stored; one is consumed in the commit of its issuance ([`super`]).

use crate::SharedDocument;
use crate::sql::conditions::Conditions;
use crate::sql::filter::Placeholders;
use crate::sql::slice::Slice;
use crate::{Dialect, Result, Stmt, Tx};
use claimsmith_domain::id::{SubjectTokenId, UserId};

/// A subject token as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct SubjectToken {
    /// 21 characters; not the token.
    pub id: SubjectTokenId,
    /// SHA-256 of the token, hexadecimal.
    pub hash: String,
    /// The user to be impersonated.
    pub user_id: UserId,
    /// The context from the backend: a JSON object of at most 16 KiB.
    pub context: SharedDocument,
    /// The principal that requested it.
    pub creator_id: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was exchanged.
    pub consumed_at: Option<i64>,
}

const COLUMNS: &str = "id, hash, user_id, context, creator_id, created_at, expires_at, consumed_at";

/// The SQL that adds `count` subject tokens.
pub(super) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    values.insert("subject_tokens", (COLUMNS, 8), count)
}

/// Binds one subject token of this SQL.
pub(super) fn bind<'t>(statement: Stmt<'t>, token: &SubjectToken) -> Stmt<'t> {
    statement
        .bind(&token.id)
        .bind(&token.hash)
        .bind(&token.user_id)
        .bind(&token.context)
        .bind(&token.creator_id)
        .bind(token.created_at)
        .bind(token.expires_at)
        .bind(token.consumed_at)
}

/// Adds a subject token. [`crate::Error::Missing`] when there is no such user.
pub async fn insert(tx: &mut Tx, token: &SubjectToken) -> Result<()> {
    let sql = insert_sql(&mut Placeholders::of(tx), 1);
    tx.assembled(sql).bind_rows(&[token], bind).execute().await?;
    Ok(())
}

/// The token with this hash.
pub async fn find_by_hash(tx: &mut Tx, hash: &str) -> Result<Option<SubjectToken>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM subject_tokens WHERE hash = $1")).bind(hash).optional().await
}

/// The filter of a list of subject tokens.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Of this user.
    pub user_id: Option<UserId>,
    /// Whether it can still be exchanged.
    pub is_live: bool,
    /// Unix milliseconds.
    pub now: i64,
}

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("subject_tokens", tx);
        conditions.text("user_id = ?", self.user_id.as_deref());
        let state = if self.is_live {
            "consumed_at IS NULL AND expires_at > ?"
        } else {
            "(consumed_at IS NOT NULL OR expires_at <= ?)"
        };
        conditions.number(state, Some(self.now));
        conditions
    }
}

/// Tokens, newest first.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<SubjectToken>> {
    wanted.conditions(tx).list(tx, COLUMNS, "created_at DESC, id DESC", slice).all().await
}

/// The number of matching tokens.
pub async fn count(tx: &mut Tx, wanted: &Filter) -> Result<i64> {
    wanted.conditions(tx).count(tx).await
}

/// Revokes a live token: exchanges treat it as unknown from then on. Returns it as it was.
pub async fn revoke(tx: &mut Tx, id: &SubjectTokenId, now: i64) -> Result<Option<SubjectToken>> {
    let sql = format!(
        "DELETE FROM subject_tokens WHERE id = $1 AND consumed_at IS NULL AND expires_at > $2 RETURNING {COLUMNS}"
    );
    tx.assembled(sql).bind(id).bind(now).optional().await
}

/// The data that an exchange needs of a live subject token with an active user.
#[derive(Clone, Debug)]
pub struct LiveSubject {
    /// See [`SubjectToken::id`].
    pub id: SubjectTokenId,
    /// See [`SubjectToken::hash`].
    pub hash: String,
    /// See [`SubjectToken::context`].
    pub context: SharedDocument,
    /// The user to be impersonated.
    pub user_id: UserId,
    /// The user's revision.
    pub user_revision: i64,
}

/// The revision, with one subject token or none.
#[derive(crate::Row)]
struct Opened {
    value: i64,
    id: Option<SubjectTokenId>,
    hash: Option<String>,
    context: Option<SharedDocument>,
    user_id: Option<UserId>,
    user_revision: Option<i64>,
}

impl Opened {
    fn subject(self) -> Option<LiveSubject> {
        Some(LiveSubject {
            id: self.id?,
            hash: self.hash?,
            // A subject token without its context is not valid.
            context: self.context.filter(|context| !context.is_unreadable())?,
            user_id: self.user_id?,
            user_revision: self.user_revision?,
        })
    }
}

/// The revision of the authorization data, and the live tokens with active users among the given hashes (at least one).
/// In one statement, since every exchange starts with it.
pub async fn open(tx: &mut Tx, hashes: &[&str], now: i64) -> Result<(i64, Vec<LiveSubject>)> {
    let mut values = Placeholders::of(tx);
    let (time, dialect) = (values.list(1), tx.dialect());
    let shown = match dialect {
        Dialect::Sqlite => format!("IN ({})", values.list(hashes.len())),
        // One text for all numbers of hashes: a connection prepares every text by itself.
        Dialect::Postgres => format!("= ANY({})", values.list(1)),
    };
    // The sum keeps PostgreSQL from the index of expiry times, which has all live tokens: a plan for any number of hashes
    // may be made while they are few.
    let statement = tx.assembled(format!(
        "SELECT r.value, s.id, s.hash, s.context, s.user_id, u.revision AS user_revision FROM revisions r \
         LEFT JOIN subject_tokens s ON s.consumed_at IS NULL AND s.expires_at + 0 > {time} AND s.hash {shown} \
         LEFT JOIN users u ON u.id = s.user_id AND u.is_suspended = FALSE WHERE r.name = 'authorization'"
    ));
    let statement = statement.bind(now);
    let statement = match dialect {
        Dialect::Sqlite => statement.bind_all(hashes),
        Dialect::Postgres => statement.bind_list(hashes),
    };
    let rows: Vec<Opened> = statement.all().await?;
    let revision = rows.first().map(|row| row.value).ok_or(sqlx::Error::RowNotFound)?;
    Ok((revision, rows.into_iter().filter_map(Opened::subject).collect()))
}

/// Deletes at most `limit` tokens that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM subject_tokens WHERE id IN (SELECT id FROM subject_tokens WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
