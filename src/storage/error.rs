//! What can go wrong with the database, told apart as far as a caller can act on it.

/// PostgreSQL: `invalid_regular_expression`.
const INVALID_REGEX: &str = "2201B";

/// A statement or a connection failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A row with this key exists already.
    #[error("the value is taken")]
    Conflict,
    /// The row refers to one that does not exist.
    #[error("a related row does not exist")]
    Missing,
    /// The database cannot read a regular expression.
    #[error("this is no regular expression")]
    Pattern,
    /// Everything else. The chain goes to the log, never to a client.
    #[error(transparent)]
    Sqlx(sqlx::Error),
}

/// What storage functions answer.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The database did not answer in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self::Sqlx(sqlx::Error::PoolTimedOut)
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if error.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() == Some(INVALID_REGEX) {
            return Self::Pattern;
        }
        // The kind is the same on both databases; the constraint's name is not (SQLite has none).
        match error.as_database_error().map(sqlx::error::DatabaseError::kind) {
            Some(sqlx::error::ErrorKind::UniqueViolation) => Self::Conflict,
            Some(sqlx::error::ErrorKind::ForeignKeyViolation) => Self::Missing,
            _ => Self::Sqlx(error),
        }
    }
}
