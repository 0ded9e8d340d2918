//! Connections to an SQLite file, which transactions and reads take in turn.
//!
//! Each connection has a thread, and every message to it costs two switches. The driver's pool sends one whenever a
//! connection comes back, and its transactions two for `BEGIN` and two for `COMMIT`. Here a connection comes back
//! without one, `BEGIN` goes with the first statement, and `COMMIT` may go with the last.

use super::statement_timeout::Deadline;
use crate::Result;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What goes before the first statement of a transaction that writes.
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE; ";
/// What goes behind its last one.
pub(super) const COMMIT: &str = "; COMMIT";

/// Idle time after which a reader is closed: it keeps the schema, its statements and pages in memory.
const READER_IDLE: Duration = Duration::from_mins(1);

/// Connections of one kind, opened when they are needed and kept. Cheap to clone.
#[derive(Clone)]
pub(crate) struct SqliteConnections(Arc<Parts>);

struct Parts {
    options: SqliteConnectOptions,
    /// How many there are at most.
    max: u32,
    /// How long a caller waits for one.
    acquire_timeout: Duration,
    /// Whether they read, with a timeout of each statement.
    have_deadlines: bool,
    free: Arc<Semaphore>,
    /// The one that came back last is taken first; each with the time when it came back.
    idle: Mutex<Vec<(Open, Instant)>>,
}

/// An open connection.
struct Open {
    /// First, so that it is dropped before the connection.
    deadline: Option<Deadline>,
    connection: SqliteConnection,
}

impl SqliteConnections {
    /// One connection that writes.
    pub(super) fn writer(options: SqliteConnectOptions, acquire_timeout: Duration) -> Self {
        Self::new(options, 1, acquire_timeout, false)
    }

    /// Connections that read.
    pub(super) fn readers(options: SqliteConnectOptions, max: u32, acquire_timeout: Duration) -> Self {
        Self::new(options, max, acquire_timeout, true)
    }

    fn new(options: SqliteConnectOptions, max: u32, acquire_timeout: Duration, have_deadlines: bool) -> Self {
        let free = Arc::new(Semaphore::new(usize::try_from(max).unwrap_or(Semaphore::MAX_PERMITS)));
        Self(Arc::new(Parts { options, max, acquire_timeout, have_deadlines, free, idle: Mutex::default() }))
    }

    /// Takes a connection; callers get one in the order in which they asked.
    pub(super) async fn take(&self) -> Result<Taken> {
        let permit = tokio::time::timeout(self.0.acquire_timeout, Arc::clone(&self.0.free).acquire_owned()).await;
        let permit = permit.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?;
        let idle = self.idle().pop();
        let open = match idle {
            Some((open, _)) => open,
            None => self.open().await?,
        };
        Ok(Taken {
            open: Some(open),
            runs: false,
            is_in_transaction: false,
            commits_itself: false,
            connections: self.clone(),
            permit: Some(permit),
        })
    }

    async fn open(&self) -> Result<Open> {
        let mut connection = self.0.options.connect().await?;
        let deadline = if self.0.have_deadlines { Some(Deadline::of(&mut connection).await?) } else { None };
        Ok(Open { deadline, connection })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(Open, Instant)>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a connection for the next caller, and closes readers that nobody has needed for a while.
    fn keep(&self, open: Open) {
        let now = Instant::now();
        let mut idle = self.idle();
        idle.push((open, now));
        if self.0.have_deadlines {
            idle.retain(|(_, since)| now.duration_since(*since) < READER_IDLE);
        }
    }

    /// Closes them, when all have come back. No other is opened.
    pub(super) async fn close(&self) {
        let all = self.0.free.acquire_many(self.0.max).await;
        self.0.free.close();
        drop(all);
        let idle = std::mem::take(&mut *self.idle());
        for (open, _) in idle {
            if let Err(error) = open.connection.close().await {
                tracing::warn!(%error, "a connection to the database was not closed properly");
            }
        }
    }
}

/// A connection in use. Dropped without [`Taken::commit`], its transaction is rolled back.
pub(super) struct Taken {
    /// `None` once it is given back.
    open: Option<Open>,
    /// Whether a statement runs. It may go on when its caller no longer waits for it.
    runs: bool,
    is_in_transaction: bool,
    /// Whether the last statement commits the transaction.
    commits_itself: bool,
    connections: SqliteConnections,
    permit: Option<OwnedSemaphorePermit>,
}

impl Taken {
    /// The connection for one statement, and what is to be set to `false` after it.
    pub(super) fn statement(&mut self, timeout: Option<Duration>) -> Result<(&mut SqliteConnection, &mut bool)> {
        let open = self.open.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        if let (Some(deadline), Some(timeout)) = (&open.deadline, timeout) {
            deadline.give(timeout);
        }
        self.runs = true;
        Ok((&mut open.connection, &mut self.runs))
    }

    /// Whether the next statement is the first one of a transaction, and begins it.
    pub(super) fn begins(&mut self) -> bool {
        !std::mem::replace(&mut self.is_in_transaction, true)
    }

    /// The next statement commits the transaction, too.
    pub(super) fn commits_itself(&mut self) {
        self.commits_itself = true;
    }

    /// Commits the transaction, unless its last statement did.
    pub(super) async fn commit(mut self) -> Result<()> {
        if self.is_in_transaction && !self.commits_itself {
            let (connection, runs) = self.statement(None)?;
            let committed = sqlx::query("COMMIT").execute(connection).await;
            *runs = false;
            committed?;
        }
        self.is_in_transaction = false;
        Ok(())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let Some(open) = self.open.take() else { return };
        if !self.runs && !self.is_in_transaction {
            self.connections.keep(open);
            return;
        }
        // Without a runtime it is closed, which rolls back, too.
        let Ok(runtime) = Handle::try_current() else { return };
        let (connections, permit, rolls_back) = (self.connections.clone(), self.permit.take(), self.is_in_transaction);
        runtime.spawn(async move {
            if let Ok(settled) = settle(open, rolls_back).await {
                connections.keep(settled);
            }
            drop(permit);
        });
    }
}

/// Waits until no statement runs, and rolls back. Fails if the connection is to be closed: SQLite may have rolled back
/// by itself, as when the disk is full.
async fn settle(mut open: Open, rolls_back: bool) -> sqlx::Result<Open> {
    if let Some(deadline) = &open.deadline {
        deadline.interrupt();
    }
    if rolls_back {
        sqlx::query("ROLLBACK").execute(&mut open.connection).await?;
    } else {
        open.connection.ping().await?;
    }
    Ok(open)
}
