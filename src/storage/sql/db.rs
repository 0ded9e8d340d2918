//! The two databases, and their transactions: those that read, that write, and that issue tokens.

use super::outbox::{Outbox, OutboxNotification, OutboxNotifier};
use super::pools::{Pools, SEARCH_TIMEOUT, STATEMENT_TIMEOUT, open_postgres, open_sqlite};
use super::sqlite_connections::{BEGIN, COMMIT, SqliteConnections, Taken};
use super::uncancellable::Uncancellable;
use crate::Result;
use crate::revisions::{ADVISORY_LOCK, RecordedChanges};
use sqlx::pool::PoolConnection;
use sqlx::{Database, PgConnection, PgPool, Pool, Postgres, SqliteConnection, Transaction};
use std::sync::Arc;
use std::time::Duration;
use tracing::Instrument as _;

/// A database, cheap to clone.
#[derive(Clone)]
pub struct Db {
    pub(crate) pools: Pools,
    notifier: Arc<OutboxNotifier>,
}

/// The SQL dialect, for the few statements that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// A transaction, or for reads a connection in autocommit mode. Dropped without [`Tx::commit`], it rolls back.
pub struct Tx {
    inner: Inner,
    pools: Pools,
    /// Whether it reads on a search connection.
    searches: bool,
    /// Notifies the workers after the commit.
    notifier: Arc<OutboxNotifier>,
    notification: OutboxNotification,
    recorded_changes: RecordedChanges,
}

enum Inner {
    SqliteWrite(Taken),
    SqliteRead(Reader),
    PostgresWrite(Transaction<'static, Postgres>),
    PostgresRead(Lazy<Postgres>),
}

/// A connection that the first statement acquires from the pool.
struct Lazy<D: Database> {
    pool: Pool<D>,
    taken: Option<PoolConnection<D>>,
}

impl<D: Database> Lazy<D> {
    fn of(pool: &Pool<D>) -> Self {
        Self { pool: pool.clone(), taken: None }
    }

    async fn get(&mut self) -> Result<&mut PoolConnection<D>> {
        let connection = match self.taken.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        Ok(self.taken.insert(connection))
    }
}

/// The same for SQLite, with the statement timeout, which this server enforces.
struct Reader {
    connections: SqliteConnections,
    timeout: Duration,
    taken: Option<Taken>,
}

impl Reader {
    fn of(connections: &SqliteConnections, timeout: Duration) -> Self {
        Self { connections: connections.clone(), timeout, taken: None }
    }

    async fn get(&mut self) -> Result<&mut Taken> {
        let taken = match self.taken.take() {
            Some(taken) => taken,
            None => self.connections.take().await?,
        };
        Ok(self.taken.insert(taken))
    }
}

/// The native connection behind a [`Tx`], for one statement.
pub(crate) enum Connection<'t> {
    /// With what is to be set to `false` after the statement.
    Sqlite(&'t mut SqliteConnection, &'t mut bool),
    Postgres(&'t mut PgConnection),
}

impl Db {
    /// Opens `sqlite://PATH` or `postgres://…`. Creates a missing SQLite file and its folder.
    pub async fn connect(url: &str, max_connections: u32) -> Result<Self> {
        let pools = if url.starts_with("sqlite:") {
            open_sqlite(url, max_connections).await?
        } else {
            open_postgres(url, max_connections).await?
        };
        Ok(Self { pools, notifier: Arc::default() })
    }

    /// The SQL dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.pools {
            Pools::Sqlite { .. } => Dialect::Sqlite,
            Pools::Postgres { .. } => Dialect::Postgres,
        }
    }

    /// Begins a transaction that writes.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(self.tx(match &self.pools {
            Pools::Sqlite { writer, .. } => Inner::SqliteWrite(writer.take().await?),
            Pools::Postgres { pool, .. } => Inner::PostgresWrite(begin(pool).await?),
        }))
    }

    /// Begins a transaction that issues tokens: the authorization data cannot change until it ends
    /// ([`crate::revisions`]), so what was read is still valid at the commit.
    pub async fn begin_issuing(&self) -> Result<Tx> {
        let tx = match &self.pools {
            // There is only one writer at a time.
            Pools::Sqlite { .. } => self.begin().await?,
            Pools::Postgres { pool, .. } => self.tx(Inner::PostgresWrite(begin_sharing(pool, ADVISORY_LOCK).await?)),
        };
        Ok(Tx { notification: OutboxNotification::issuing(), ..tx })
    }

    /// A read connection in autocommit mode. On SQLite it refuses writes.
    pub async fn read(&self) -> Result<Tx> {
        let mut tx = self.reader();
        tx.connect().await?;
        Ok(tx)
    }

    /// Like [`Db::read`], but acquires a connection only for the first statement: for callers that usually find
    /// everything in a cache.
    #[must_use]
    pub fn reader(&self) -> Tx {
        self.tx(match &self.pools {
            Pools::Sqlite { readers, .. } => Inner::SqliteRead(Reader::of(readers, STATEMENT_TIMEOUT)),
            Pools::Postgres { pool, .. } => Inner::PostgresRead(Lazy::of(pool)),
        })
    }

    /// A connection for one statement that writes and is a transaction by itself, in one round trip. `None` on SQLite,
    /// whose only writer is shared by the group commit.
    #[must_use]
    pub fn autocommit(&self) -> Option<Tx> {
        match &self.pools {
            Pools::Sqlite { .. } => None,
            Pools::Postgres { .. } => Some(self.reader()),
        }
    }

    /// The same for a statement that issues tokens. It takes the lock of [`Db::begin_issuing`] itself.
    #[must_use]
    pub fn autocommit_issuing(&self) -> Option<Tx> {
        self.autocommit().map(|tx| Tx { notification: OutboxNotification::issuing(), ..tx })
    }

    /// Whether the database responds (readiness), however busy its other connections are.
    pub async fn is_there(&self) -> bool {
        match &self.pools {
            Pools::Sqlite { probe, .. } => probe.take().await.is_ok(),
            Pools::Postgres { probe, .. } => probe.acquire().await.is_ok(),
        }
    }

    /// Waits until this process has committed something to an outbox; returns at once if it did since the last wait.
    /// Commits of other nodes do not notify: the node that wrote a delivery is the first to attempt it.
    pub async fn written_to(&self, outbox: Outbox) {
        self.notifier.wait(outbox).await;
    }

    /// The number of transactions that this process has committed, except those that issue tokens. Data read before it
    /// changed may be stale.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.notifier.commits()
    }

    fn tx(&self, inner: Inner) -> Tx {
        Tx {
            inner,
            pools: self.pools.clone(),
            searches: false,
            notifier: Arc::clone(&self.notifier),
            notification: OutboxNotification::default(),
            recorded_changes: RecordedChanges::default(),
        }
    }

    /// Closes every connection after running statements have ended.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers, searchers, probe } => {
                for connections in [searchers, probe, readers, writer] {
                    connections.close().await;
                }
            }
            Pools::Postgres { pool, searchers, backpressure, probe } => {
                for pool in [searchers, backpressure, probe, pool] {
                    pool.close().await;
                }
            }
        }
    }
}

impl Tx {
    /// Makes the writes durable. For a read handle it does nothing.
    pub async fn commit(self) -> Result<()> {
        match self.inner {
            Inner::SqliteWrite(tx) => tx.commit().await?,
            Inner::PostgresWrite(tx) => tx.commit().instrument(round_trip("COMMIT")).await?,
            Inner::SqliteRead(_) | Inner::PostgresRead(_) => {}
        }
        self.notifier.notify(&self.notification);
        Ok(())
    }

    /// Acquires the connection now instead of at the first statement.
    pub async fn connect(&mut self) -> Result<()> {
        match &mut self.inner {
            Inner::SqliteRead(reader) => {
                reader.get().await?;
            }
            Inner::PostgresRead(lazy) => {
                lazy.get().await?;
            }
            Inner::SqliteWrite(_) | Inner::PostgresWrite(_) => {}
        }
        Ok(())
    }

    /// What is sent before the next statement: on SQLite the first one begins the transaction. IMMEDIATE takes the write
    /// lock at once: otherwise a transaction that reads first could fail when it writes.
    pub(crate) fn begins(&mut self) -> &'static str {
        if let Inner::SqliteWrite(taken) = &mut self.inner
            && taken.begins()
        {
            BEGIN
        } else {
            ""
        }
    }

    /// What is sent after the last statement: on SQLite it commits, too. [`Tx::commit`] is called after it all the same.
    pub(crate) fn commits_itself(&mut self) -> &'static str {
        if let Inner::SqliteWrite(taken) = &mut self.inner {
            taken.commits_itself();
            COMMIT
        } else {
            ""
        }
    }

    /// The record of its changes of the authorization data.
    pub(crate) fn recorded_changes(&mut self) -> &mut RecordedChanges {
        &mut self.recorded_changes
    }

    /// Counts a transaction that issues tokens as one that changes what pages and APIs show, too ([`Db::commits`]).
    pub fn changes_what_is_shown(&mut self) {
        self.notification.changes();
    }

    /// Notifies the worker of an outbox after the commit.
    pub(crate) fn notify(&mut self, outbox: Outbox) {
        self.notification.add(outbox);
    }

    /// Switches reads to the search connections. A write transaction keeps its connection.
    pub(crate) fn search(&mut self) {
        if self.searches {
            return;
        }
        match (&mut self.inner, &self.pools) {
            (Inner::SqliteRead(reader), Pools::Sqlite { searchers, .. }) => {
                *reader = Reader::of(searchers, SEARCH_TIMEOUT);
            }
            (Inner::PostgresRead(lazy), Pools::Postgres { searchers, .. }) => *lazy = Lazy::of(searchers),
            _ => {}
        }
        self.searches = true;
    }

    /// The SQL dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.inner {
            Inner::SqliteWrite(_) | Inner::SqliteRead(_) => Dialect::Sqlite,
            Inner::PostgresWrite(_) | Inner::PostgresRead(_) => Dialect::Postgres,
        }
    }

    pub(crate) async fn connection(&mut self) -> Result<Connection<'_>> {
        Ok(match &mut self.inner {
            Inner::SqliteWrite(taken) => {
                let (connection, runs) = taken.statement(None)?;
                Connection::Sqlite(connection, runs)
            }
            Inner::SqliteRead(reader) => {
                let timeout = Some(reader.timeout);
                let (connection, runs) = reader.get().await?.statement(timeout)?;
                Connection::Sqlite(connection, runs)
            }
            Inner::PostgresWrite(tx) => Connection::Postgres(tx),
            Inner::PostgresRead(lazy) => Connection::Postgres(lazy.get().await?),
        })
    }
}

/// Begins a transaction. The driver rolls back only after the response to `BEGIN`: if the caller were dropped before,
/// for example because the client disconnects, the connection would return to the pool inside a transaction, and a
/// later rollback would undo the writes of another caller.
async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>> {
    let connection = pool.acquire().await?;
    Ok(Uncancellable::of(Transaction::begin(connection, None)).instrument(round_trip("BEGIN")).await?)
}

/// Begins a transaction that shares an advisory lock. The lock is a separate statement: if it were sent with the
/// `BEGIN` and timed out, the driver would not know of the transaction, and the connection would return to the pool
/// inside a failed one.
pub(crate) async fn begin_sharing(pool: &PgPool, lock: i64) -> Result<Transaction<'static, Postgres>> {
    let mut transaction = begin(pool).await?;
    let sql = "SELECT pg_advisory_xact_lock_shared($1)";
    sqlx::query(sql).bind(lock).execute(&mut *transaction).instrument(round_trip(sql)).await?;
    Ok(transaction)
}

/// The span of a statement of the transaction itself, like those of all others.
fn round_trip(sql: &'static str) -> tracing::Span {
    tracing::debug_span!("db.query", sql)
}
