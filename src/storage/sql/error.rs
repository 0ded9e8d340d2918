//! Errors of the database, distinguished as far as callers can act on them.

/// PostgreSQL: `invalid_regular_expression`.
const INVALID_REGEX: &str = "2201B";

/// PostgreSQL: `query_canceled`, here by `statement_timeout`.
const CANCELED: &str = "57014";
/// `SQLite`: `SQLITE_INTERRUPT`, here by a deadline.
const INTERRUPTED: &str = "9";

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
            Self::TimedOut | Self::Sqlx(_) => false,
        }
    }

    /// Whether no connection was free in time.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Sqlx(sqlx::Error::PoolTimedOut))
    }

    /// The database did not answer in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self::Sqlx(sqlx::Error::PoolTimedOut)
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

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() {
            Some(INVALID_REGEX) => return Self::Pattern,
            Some(CANCELED | INTERRUPTED) => return Self::TimedOut,
            _ => {}
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
}
