//! Statement timeout of SQLite readers, with the progress handler: SQLite has no timeout of its own.

use sqlx::SqliteConnection;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Instructions of `SQLite`'s virtual machine between two checks of the deadline: some rows, each of which may take a
/// millisecond if a regular expression is matched.
const INSTRUCTIONS_PER_CHECK: i32 = 100;

/// The deadline of the statements on one connection. A statement that is running when this is dropped is interrupted,
/// since no caller waits for it.
pub(crate) struct Deadline(Arc<Mutex<Option<Instant>>>);

impl Deadline {
    /// Installs the progress handler on this connection, replacing an earlier one.
    pub(crate) async fn of(connection: &mut SqliteConnection) -> sqlx::Result<Self> {
        let end = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&end);
        let goes_on = move || read(&seen).is_none_or(|end| Instant::now() < end);
        connection.lock_handle().await?.set_progress_handler(INSTRUCTIONS_PER_CHECK, goes_on);
        Ok(Self(end))
    }

    /// Sets the timeout of the next statement.
    pub(crate) fn give(&self, timeout: Duration) {
        self.set(Instant::now().checked_add(timeout));
    }

    /// Interrupts the statement that is running.
    pub(crate) fn interrupt(&self) {
        self.set(Some(Instant::now()));
    }

    fn set(&self, end: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }
}

fn read(end: &Mutex<Option<Instant>>) -> Option<Instant> {
    *end.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.interrupt();
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::Error;
    use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};

    const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";

    async fn count(connection: &mut SqliteConnection, sql: &'static str) -> Result<i64, Error> {
        Ok(sqlx::query_scalar(sql).fetch_one(connection).await?)
    }

    #[tokio::test]
    async fn a_statement_ends_with_its_time() {
        let mut connection = SqliteConnectOptions::new().in_memory(true).connect().await.unwrap();
        let deadline = Deadline::of(&mut connection).await.unwrap();
        deadline.give(Duration::from_millis(20));
        assert!(matches!(count(&mut connection, ENDLESS).await, Err(Error::TimedOut)));
        // The next statement has its own timeout.
        deadline.give(Duration::from_mins(10));
        let short =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT COUNT(*) FROM n";
        assert_eq!(count(&mut connection, short).await.unwrap(), 100_000);
    }

    #[tokio::test]
    async fn a_statement_ends_when_nobody_waits_for_it() {
        let mut connection = SqliteConnectOptions::new().in_memory(true).connect().await.unwrap();
        let deadline = Deadline::of(&mut connection).await.unwrap();
        deadline.give(Duration::from_mins(10));
        let (answer, ()) = tokio::join!(count(&mut connection, ENDLESS), async { drop(deadline) });
        assert!(matches!(answer, Err(Error::TimedOut)));
        let _next = Deadline::of(&mut connection).await.unwrap();
        assert_eq!(count(&mut connection, "SELECT 7").await.unwrap(), 7);
    }
}
