//! The audit log: who did what and when, written in the transaction of the change.

pub mod counts;
mod newest;

use crate::sql::conditions::Conditions;
use crate::sql::filter::Placeholders;
use crate::sql::slice::Slice;
use crate::{Dialect, Json, Result, Stmt, Tx};
use claimsmith_domain::id::{ApplicationId, UserId};
use serde_json::Value;
use std::borrow::Borrow;

/// One entry of the audit log.
#[derive(Clone, Debug, crate::Row)]
pub struct StoredAuditEntry {
    /// 21 characters.
    pub id: String,
    /// The event, such as `ExchangeTokenBy.TokenExchange`.
    pub key: String,
    /// `{key, result, error?, ip?, userAgent?, userId?, applicationId?, …}`; never a secret.
    pub payload: Json<Value>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Maximum length of an indexed ticket: index rows are limited (PostgreSQL: 2704 bytes).
const MAX_TICKET_BYTES: usize = 256;

impl StoredAuditEntry {
    fn text(&self, member: &str) -> Option<&str> {
        self.payload.get(member).and_then(Value::as_str)
    }

    /// The ticket of the entry's subject token, unless it is too long.
    fn ticket(&self) -> Option<&str> {
        let ticket = self.payload.get("context")?.get("ticketId")?.as_str()?;
        (ticket.len() <= MAX_TICKET_BYTES).then_some(ticket)
    }
}

/// The filter of a list of audit entries.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// With this key.
    pub key: Option<String>,
    /// Of this user.
    pub user_id: Option<UserId>,
    /// Of this application.
    pub application_id: Option<ApplicationId>,
    /// From this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Until this time, Unix milliseconds.
    pub to: Option<i64>,
    /// Whose key has this prefix.
    pub key_prefix: Option<String>,
    /// With this user as the actor.
    pub actor_id: Option<UserId>,
    /// Of this user, or with this user as the actor.
    pub person_id: Option<UserId>,
    /// With this ticket.
    pub ticket_id: Option<String>,
    /// From this client address. Not indexed.
    pub ip: Option<String>,
    /// `Success` or `Error`. Only errors are indexed.
    pub result: Option<String>,
}

const COLUMNS: &str = "id, key, payload, created_at";
/// Excludes webhook deliveries, which older versions stored here. Must equal the condition of the partial indexes, or
/// they are not used.
const OF_THE_LOG: &str = "substr(key, 1, 12) <> 'TriggerHook.'";
/// Up to so many entries with a prefix are read to find those of an application.
const MAX_OF_PREFIX: i64 = 20_000;
/// The result of a failure.
const ERROR: &str = "Error";

impl Filter {
    /// Whether only keys, times and successes are wanted: entries by key answer that.
    fn is_by_key(&self) -> bool {
        self.application_id.is_none() && self.is_by_key_and_application()
    }

    /// The same, of an application or of all.
    fn is_by_key_and_application(&self) -> bool {
        self.user_id.is_none()
            && self.actor_id.is_none()
            && self.person_id.is_none()
            && self.ticket_id.is_none()
            && self.ip.is_none()
            && self.result.as_deref() != Some(ERROR)
    }

    /// Whether the entries of an application are found fastest among those whose keys have a prefix, since these are few.
    async fn has_few_of_prefix(&self, tx: &mut Tx) -> Result<bool> {
        if self.key_prefix.is_none() || self.application_id.is_none() || !self.is_by_key_and_application() {
            return Ok(false);
        }
        Ok(counts::count(tx, self.key.as_deref(), self.key_prefix.as_deref()).await? <= MAX_OF_PREFIX)
    }

    /// With the index of keys for a prefix, or with another.
    fn conditions(&self, tx: &Tx, by_key: bool) -> Conditions {
        let mut conditions = Conditions::on("logs", tx);
        conditions.holds(OF_THE_LOG);
        conditions.text("key = ?", self.key.as_deref());
        conditions.text("user_id = ?", self.user_id.as_deref());
        // The plus prevents the use of the index.
        let is_among_keys = by_key && tx.dialect() == Dialect::Sqlite;
        let of_application = if is_among_keys { "+application_id = ?" } else { "application_id = ?" };
        conditions.text(of_application, self.application_id.as_deref());
        conditions.text("actor_id = ?", self.actor_id.as_deref());
        // Uses both indexes: with `OR`, SQLite would read all entries.
        let by = |column: &str| format!("SELECT id FROM logs WHERE {OF_THE_LOG} AND {column} = ?");
        let of_person = format!("id IN ({} UNION ALL {})", by("user_id"), by("actor_id"));
        conditions.text(&of_person, self.person_id.as_deref());
        conditions.text("ticket_id = ?", self.ticket_id.as_deref());
        begins_with(&mut conditions, if by_key { "key" } else { "+key" }, self.key_prefix.as_deref());
        conditions.number("created_at >= ?", self.from);
        conditions.number("created_at <= ?", self.to);
        for (member, wanted) in [("ip", &self.ip), ("result", &self.result)] {
            conditions.searches |= wanted.is_some();
            let member = member_of(tx, "payload", member);
            if wanted.as_deref() == Some(ERROR) {
                // As in the partial index.
                conditions.holds(format!("{member} = '{ERROR}'"));
            } else {
                conditions.text(&format!("{member} = ?"), wanted.as_deref());
            }
        }
        conditions
    }
}

/// Adds the condition that a key begins with this, if there is anything. SQLite takes it as a range, for which it reads the
/// index of the column; not with a plus before its name.
fn begins_with(conditions: &mut Conditions, column: &str, prefix: Option<&str>) {
    if conditions.dialect == Dialect::Postgres {
        conditions.text("starts_with(key, ?)", prefix);
    } else {
        let end = prefix.map(|prefix| format!("{prefix}{}", char::MAX));
        conditions.text(&format!("{column} >= ?"), prefix);
        conditions.text(&format!("{column} < ?"), end.as_deref());
    }
}

/// SQL for a string member of a document.
pub(super) fn member_of(tx: &Tx, column: &str, member: &str) -> String {
    match tx.dialect() {
        // Invalid JSON has no members.
        Dialect::Sqlite => {
            format!("CASE WHEN json_valid({column}) THEN json_extract({column}, '$.{member}') END")
        }
        Dialect::Postgres => format!("{column} ->> '{member}'"),
    }
}

/// The SQL that appends `count` entries.
pub(super) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    let columns = "id, key, payload, user_id, application_id, actor_id, ticket_id, created_at";
    values.insert("logs", (columns, 8), count)
}

/// Binds one entry of this SQL.
pub(super) fn bind<'t>(statement: Stmt<'t>, log: &StoredAuditEntry) -> Stmt<'t> {
    statement
        .bind(&log.id)
        .bind(&log.key)
        .bind(&log.payload)
        .bind(log.text("userId"))
        .bind(log.text("applicationId"))
        // The administrator at the console, or else the actor.
        .bind(log.text("byUserId").or_else(|| log.text("actorId")))
        .bind(log.ticket())
        .bind(log.created_at)
}

/// Appends entries.
pub async fn append(tx: &mut Tx, logs: &[impl Borrow<StoredAuditEntry>]) -> Result<()> {
    if logs.is_empty() {
        return Ok(());
    }
    counts::add_late(tx, logs).await?;
    let sql = insert_sql(&mut Placeholders::of(tx), logs.len());
    let logs: Vec<&StoredAuditEntry> = logs.iter().map(Borrow::borrow).collect();
    tx.assembled(sql).bind_rows(&logs, bind).execute().await?;
    Ok(())
}

/// Entries, newest first, without webhook deliveries.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<StoredAuditEntry>> {
    if let Some(prefix) = wanted.key_prefix.as_deref().filter(|_| wanted.is_by_key())
        && let Some(found) = newest::list(tx, wanted, prefix, slice).await?
    {
        return Ok(found);
    }
    let by_key = wanted.has_few_of_prefix(tx).await?;
    wanted.conditions(tx, by_key).list(tx, COLUMNS, "created_at DESC, id DESC", slice).all().await
}

/// The number of matching entries, at most `most`.
pub async fn count(tx: &mut Tx, wanted: &Filter, most: i64) -> Result<i64> {
    let is_of_all_times = wanted.from.is_none() && wanted.to.is_none();
    if most == i64::MAX && wanted.is_by_key() && is_of_all_times && wanted.result.is_none() {
        return counts::count(tx, wanted.key.as_deref(), wanted.key_prefix.as_deref()).await;
    }
    let by_key = wanted.is_by_key() || wanted.has_few_of_prefix(tx).await?;
    wanted.conditions(tx, by_key).count_to(tx, most).await
}

/// The entries of tokens issued at one of these times; usually one token per time.
pub async fn issued_at(tx: &mut Tx, times: &[i64]) -> Result<Vec<StoredAuditEntry>> {
    if times.is_empty() {
        return Ok(Vec::new());
    }
    // The first condition is that of the partial index.
    let places = Placeholders::of(tx).list(times.len());
    let sql = format!(
        "SELECT {COLUMNS} FROM logs WHERE substr(key, 1, 12) <> 'TriggerHook.' AND created_at IN ({places}) \
         AND substr(key, 1, 16) = 'ExchangeTokenBy.'"
    );
    tx.assembled(sql).bind_all(times.iter().copied()).all().await
}

/// The entry with this id, whatever its key.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<StoredAuditEntry>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM logs WHERE id = $1")).bind(id).optional().await
}

/// Entries with this key, newest first.
pub async fn list_by_key(tx: &mut Tx, key: &str, limit: i64) -> Result<Vec<StoredAuditEntry>> {
    tx.sql("SELECT id, key, payload, created_at FROM logs WHERE key = $1 ORDER BY created_at DESC, id LIMIT $2")
        .bind(key)
        .bind(limit)
        .all()
        .await
}

/// What is to be known of a deleted entry.
#[derive(crate::Row)]
struct DeletedEntry {
    key: String,
    created_at: i64,
}

/// Deletes at most `limit` entries from before a time, Unix milliseconds, oldest first; skips those that another node
/// is deleting.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    let unlocked = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    counts::hold(tx).await?;
    let mut deleted: Vec<DeletedEntry> = Vec::new();
    // In two parts, one per index: older versions stored webhook deliveries here.
    for part in [
        "substr(key, 1, 12) <> 'TriggerHook.' AND created_at < $1 ORDER BY created_at",
        "key >= 'TriggerHook.' AND key < 'TriggerHook/' AND created_at < $1 ORDER BY key, created_at",
    ] {
        let sql = format!(
            "DELETE FROM logs WHERE id IN (SELECT id FROM logs WHERE {part} LIMIT $2{unlocked}) RETURNING key, created_at"
        );
        let left = limit - i64::try_from(deleted.len()).unwrap_or(limit);
        deleted.extend(tx.assembled(sql).bind(before).bind(left).all::<DeletedEntry>().await?);
    }
    let entries: Vec<(&str, i64)> = deleted.iter().map(|entry| (entry.key.as_str(), entry.created_at)).collect();
    counts::subtract(tx, &entries).await?;
    Ok(deleted.len() as u64)
}
