//! Errors of the database, distinguished as far as callers can act on them.

/// PostgreSQL: `invalid_regular_expression`.
const INVALID_REGEX: &str = "2201B";

/// PostgreSQL: `query_canceled`, here by `statement_timeout`.
const CANCELED: &str = "57014";
/// `SQLite`: `SQLITE_INTERRUPT`, here by a deadline.
const INTERRUPTED: &str = "9";
/// PostgreSQL: `disk_full`.
const DISK_FULL: &str = "53100";
/// `SQLITE_FULL`, the lowest byte of extended codes.
const SQLITE_FULL: u32 = 13;
/// PostgreSQL: lock timeout, deadlock, serialization failure, too many connections, and a server that is starting or
/// shutting down.
const OVERLOADED: [&str; 8] = ["55P03", "40P01", "40001", "53300", "57P03", "57P01", "57P02", "53000"];
/// `SQLite`: `SQLITE_BUSY` and `SQLITE_LOCKED`, the lowest bytes of extended codes.
const LOCKED: [u32; 2] = [5, 6];

/// A statement or a connection failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A row with this key exists already.
    #[error("the value is already in use")]
    Conflict,
    /// The row refers to one that does not exist.
    #[error("a related row does not exist")]
    Missing,
    /// The database cannot read a regular expression.
    #[error("this is not a regular expression")]
    Pattern,
    /// A statement took longer than it may.
    #[error("a statement timed out")]
    TimedOut,
    /// No connection or lock was free in time, or the connection broke. A retry may succeed.
    #[error("the database is overloaded or away")]
    Overloaded(#[source] sqlx::Error),
    /// A column contains a name that this version of the server does not know.
    #[error("the database contains an unknown {kind}: {found:?}")]
    UnknownName {
        /// The type of the column.
        kind: &'static str,
        /// The name.
        found: String,
    },
    /// Everything else. The error chain is logged, never sent to a client.
    #[error(transparent)]
    Sqlx(sqlx::Error),
}

/// The result of storage functions.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whether the database refused these values and would do so again, as opposed to being unavailable, busy or full.
    #[must_use]
    pub fn is_of_the_values(&self) -> bool {
        match self {
            Self::Conflict | Self::Missing | Self::Pattern | Self::Sqlx(sqlx::Error::Encode(_)) => true,
            Self::Sqlx(sqlx::Error::Database(error)) => error.code().is_some_and(|code| is_of_the_values(&code)),
            Self::TimedOut | Self::Overloaded(_) | Self::UnknownName { .. } | Self::Sqlx(_) => false,
        }
    }

    /// Whether the database is overloaded: no connection or lock was free in time, or a statement timed out. A retry
    /// may succeed later.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Overloaded(_))
    }

    /// Whether the disk of the database is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let (Self::Sqlx(error) | Self::Overloaded(error)) = self else { return false };
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        let is_full = |code: u32| code & 0xff == SQLITE_FULL;
        // PostgreSQL's codes have five characters.
        code.is_some_and(|code| code == DISK_FULL || (code.len() < 5 && code.parse().is_ok_and(is_full)))
    }

    /// Whether no connection was free in time.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Overloaded(sqlx::Error::PoolTimedOut))
    }

    /// Whether another process holds the lock of an SQLite file.
    #[must_use]
    pub fn is_locked_file(&self) -> bool {
        let Self::Overloaded(error) = self else { return false };
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        // PostgreSQL's codes have five characters.
        code.is_some_and(|code| code.len() < 5)
    }

    /// The error for a database that did not respond in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self::Overloaded(sqlx::Error::PoolTimedOut)
    }
}

/// PostgreSQL's codes have five characters, the first two are the class: cardinality, data, integrity, view check,
/// program limit, PL/pgSQL error. `SQLite`'s are numbers, with the primary code in the lowest byte: too big,
/// constraint, mismatch.
fn is_of_the_values(code: &str) -> bool {
    if code.len() == 5 {
        return ["21", "22", "23", "44", "54", "P0"].iter().any(|class| code.starts_with(class));
    }
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 18..=20))
}

fn is_overload(code: &str) -> bool {
    let is_locked = |code: u32| LOCKED.contains(&(code & 0xff));
    if code.len() == 5 { OVERLOADED.contains(&code) } else { code.parse().is_ok_and(is_locked) }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() {
            Some(INVALID_REGEX) => return Self::Pattern,
            Some(CANCELED | INTERRUPTED) => return Self::TimedOut,
            Some(code) if is_overload(code) => return Self::Overloaded(error),
            _ => {}
        }
        // No connection in time, or none at all: the database may be back soon.
        if matches!(error, sqlx::Error::PoolTimedOut | sqlx::Error::Io(_)) {
            return Self::Overloaded(error);
        }
        // The kind is the same on both databases; the constraint's name is not (SQLite has none).
        match error.as_database_error().map(sqlx::error::DatabaseError::kind) {
            Some(sqlx::error::ErrorKind::UniqueViolation) => Self::Conflict,
            Some(sqlx::error::ErrorKind::ForeignKeyViolation) => Self::Missing,
            _ => Self::Sqlx(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permanent_errors_are_distinguished_from_temporary_ones() {
        for code in ["22021", "23514", "P0001", "54000", "19", "1811", "18"] {
            assert!(is_of_the_values(code), "{code}");
        }
        for code in ["40P01", "57P01", "53100", "08006", "25006", "5", "13", "10", "778", "9", ""] {
            assert!(!is_of_the_values(code), "{code}");
        }
    }

    #[test]
    fn overload_is_distinguished_from_failures() {
        for code in ["55P03", "40P01", "40001", "53300", "57P03", "5", "261", "517", "6", "262"] {
            assert!(is_overload(code), "{code}");
        }
        // Refused values, a full disk, an unreadable file.
        for code in ["23514", "53100", "58030", "19", "13", "10", "1", ""] {
            assert!(!is_overload(code), "{code}");
        }
        assert!(Error::from(sqlx::Error::PoolTimedOut).is_overload() && Error::TimedOut.is_overload());
        assert!(!Error::from(sqlx::Error::RowNotFound).is_overload() && !Error::Conflict.is_overload());
    }
}
