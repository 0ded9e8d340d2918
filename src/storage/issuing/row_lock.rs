//! The rows that issuances depend on: how each table's are selected, and locked until the transaction ends.

use crate::Dialect;
use crate::sql::filter::Placeholders;

/// Selects the rows of one table to lock.
pub(super) struct RowLock {
    pub(super) kind: &'static str,
    pub(super) table: &'static str,
    pub(super) key: &'static str,
    number: &'static str,
    condition: &'static str,
    /// Whether the condition compares with the current time.
    pub(super) timed: bool,
    /// How PostgreSQL locks the rows.
    lock: &'static str,
}

pub(super) const USERS: RowLock = RowLock {
    kind: "user",
    table: "users",
    key: "id",
    number: "revision",
    condition: "is_suspended = FALSE",
    timed: false,
    lock: "FOR SHARE",
};
/// Users for whom a subject token is made, suspended or not: they must not be deleted before the commit, but may change.
pub(super) const KNOWN_USERS: RowLock =
    RowLock { kind: "known_user", condition: "TRUE", lock: "FOR KEY SHARE", ..USERS };
/// The same, whatever their revisions.
pub(super) const EXISTING_USERS: RowLock = RowLock { kind: "existing_user", number: "0", ..KNOWN_USERS };
pub(super) const TOKENS: RowLock = RowLock {
    kind: "token",
    table: "issuances",
    key: "jti",
    number: "0",
    condition: "revoked_at IS NULL AND expires_at > ",
    timed: true,
    lock: "FOR SHARE",
};
pub(super) const PERSONAL_ACCESS_TOKENS: RowLock = RowLock {
    kind: "personal_access_token",
    table: "personal_access_tokens",
    key: "hash",
    number: "0",
    condition: "COALESCE(expires_at, 9223372036854775807) > ",
    timed: true,
    lock: "FOR SHARE",
};
pub(super) const SUBJECT_TOKENS: RowLock = RowLock {
    kind: "subject_token",
    table: "subject_tokens",
    key: "id",
    number: "0",
    condition: "consumed_at IS NULL AND expires_at > ",
    timed: true,
    lock: "FOR UPDATE",
};

pub(super) const CODES: RowLock = RowLock {
    kind: "code",
    table: "authorization_codes",
    key: "hash",
    number: "0",
    condition: "consumed_at IS NULL AND expires_at > ",
    timed: true,
    lock: "FOR UPDATE",
};
/// The number tells whether it can be consumed. A rotated token only proves that its family is live.
pub(super) const REFRESH_TOKENS: RowLock = RowLock {
    kind: "refresh_token",
    table: "refresh_tokens",
    number: "CASE WHEN consumed_at IS NULL THEN 1 ELSE 0 END",
    condition: "expires_at > ",
    ..CODES
};
pub(super) const DEVICE_CODES: RowLock = RowLock {
    kind: "device_code",
    table: "device_authorizations",
    condition: "consumed_at IS NULL AND grant_id IS NOT NULL AND expires_at > ",
    ..CODES
};
pub(super) const GRANTS: RowLock = RowLock {
    kind: "grant",
    table: "grants",
    key: "id",
    number: "0",
    condition: "expires_at > ",
    timed: true,
    lock: "FOR KEY SHARE",
};

impl RowLock {
    /// SQL that selects and locks rows of `kind, id, number`. All transactions lock in key order to prevent deadlocks.
    pub(super) fn sql(&self, dialect: Dialect, values: &mut Placeholders) -> String {
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
