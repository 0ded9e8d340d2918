//! Errors of the database, distinguished as far as callers can act on them.

/// PostgreSQL: `invalid_regular_expression`.
const INVALID_REGEX: &str = "2201B";

/// PostgreSQL: `query_canceled`, here by `statement_timeout`.
const CANCELED: &str = "57014";
/// `SQLite`: `SQLITE_INTERRUPT`, here by a deadline.
const INTERRUPTED: &str = "9";
/// PostgreSQL: a lock that was not free in time, or that two transactions would wait for forever; too many connections,
/// and a server that takes none at this moment, or ends them, since it starts or stops.
const OVERLOADED: [&str; 8] = ["55P03", "40P01", "40001", "53300", "57P03", "57P01", "57P02", "53000"];
/// `SQLite`: `SQLITE_BUSY` and `SQLITE_LOCKED`, the lowest bytes of codes that say more.
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
    /// No connection or no lock was free in time, or the connection broke. The same may work in a moment.
    #[error("the database is overloaded or away")]
    Overloaded(#[source] sqlx::Error),
    /// Everything else. The chain goes to the log, never to a client.
    #[error(transparent)]
    Sqlx(sqlx::Error),
}

/// What storage functions answer.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whether the database refused these very values, and would again; not, that it was away, busy or full.
    #[must_use]
    pub fn is_of_the_values(&self) -> bool {
        match self {
            Self::Conflict | Self::Missing | Self::Pattern | Self::Sqlx(sqlx::Error::Encode(_)) => true,
            Self::Sqlx(sqlx::Error::Database(error)) => error.code().is_some_and(|code| is_of_the_values(&code)),
            Self::TimedOut | Self::Overloaded(_) | Self::Sqlx(_) => false,
        }
    }

    /// Whether too much is asked of the database: no connection or no lock was free in time, or a statement took too
    /// long. The same request may work later.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Overloaded(_))
    }

    /// Whether no connection was free in time.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Overloaded(sqlx::Error::PoolTimedOut))
    }

    /// The database did not answer in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self::Overloaded(sqlx::Error::PoolTimedOut)
    }
}

/// PostgreSQL's codes have five characters, of which two name a class: cardinality, data, integrity, a view's check,
/// a limit of the program, a function's own refusal. `SQLite`'s are numbers, with the primary one in the lowest byte:
/// too big, constraint, mismatch.
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
        // No connection in time, or none at all: the database is away, and may be back in a moment.
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
        // Values that are refused, a full disk, a file that cannot be read.
        for code in ["23514", "53100", "58030", "19", "13", "10", "1", ""] {
            assert!(!is_overload(code), "{code}");
        }
        assert!(Error::from(sqlx::Error::PoolTimedOut).is_overload() && Error::TimedOut.is_overload());
        assert!(!Error::from(sqlx::Error::RowNotFound).is_overload() && !Error::Conflict.is_overload());
    }
}
