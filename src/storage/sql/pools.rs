//! The connection pools of the two databases, and opening them.
//!
//! SQLite has one writer connection, so that writers queue here and not for the file lock, and a pool of read-only
//! connections. PostgreSQL has one pool. On both, searches, whose cost callers control, and the readiness check have
//! small pools of their own; on PostgreSQL backpressure has one, too. Every statement has a timeout.

use super::postgres_tls;
use super::sqlite_connections::SqliteConnections;
use crate::{Error, Result};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgPool};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Maximum time that a caller waits for a connection before the request fails.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout of a statement; on SQLite only of reads.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);
/// The timeout of a search statement.
pub(super) const SEARCH_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum time that a search waits for a connection.
const SEARCH_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum concurrent searches: each keeps a CPU core busy, with SQLite one of this machine.
const SQLITE_SEARCHES: u32 = 2;
const POSTGRES_SEARCHES: u32 = 4;

/// Maximum time that a node waits for the backpressure of another, for a connection and for the lock, before it
/// proceeds.
const BACKPRESSURE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of connections that delay changes of other nodes, or wait for that.
const BACKPRESSURE_CONNECTIONS: u32 = 8;

/// The connection pools.
#[derive(Clone)]
pub(crate) enum Pools {
    /// The embedded database.
    Sqlite {
        /// The only connection that writes.
        writer: SqliteConnections,
        /// Connections that only read.
        readers: SqliteConnections,
        /// Connections for searches.
        searchers: SqliteConnections,
        /// The connection of the readiness check.
        probe: SqliteConnections,
    },
    /// PostgreSQL or a compatible database.
    Postgres {
        /// Connections for everything else.
        pool: PgPool,
        /// Connections for searches.
        searchers: PgPool,
        /// Connections for backpressure between nodes.
        backpressure: PgPool,
        /// The connection of the readiness check.
        probe: PgPool,
    },
}

pub(super) async fn open_sqlite(url: &str, max_connections: u32) -> Result<Pools> {
    let options = SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        // FULL: acknowledged commits survive a power failure. NORMAL could lose the last ones.
        .synchronous(SqliteSynchronous::Full)
        // SQLite has the REGEXP operator, but no implementation of it.
        .with_regexp()
        .busy_timeout(Duration::from_secs(5));
    if let Some(folder) = options.get_filename().parent().filter(|folder| *folder != Path::new("")) {
        claimsmith_config::folder::create_private(folder).map_err(|error| Error::Sqlx(sqlx::Error::Io(error)))?;
    }
    let writer = SqliteConnections::writer(options.clone(), ACQUIRE_TIMEOUT);
    // Opened now, so that an unusable file is noticed.
    drop(writer.take().await?);
    // The page cache of the operating system serves all readers; a cache per reader would only waste memory.
    let reading = options.read_only(true).pragma("cache_size", "-256");
    let probe = SqliteConnections::readers(reading.clone(), 1, ACQUIRE_TIMEOUT);
    let searchers = SqliteConnections::readers(reading.clone(), SQLITE_SEARCHES, SEARCH_ACQUIRE_TIMEOUT);
    let readers = SqliteConnections::readers(reading, max_connections.max(2), ACQUIRE_TIMEOUT);
    Ok(Pools::Sqlite { writer, readers, searchers, probe })
}

/// A connection of PostgreSQL that was used within this time is not checked again, which would take one more round trip
/// for each transaction.
const MAX_UNCHECKED_TIME: Duration = Duration::from_millis(100);

/// Makes the planner prefer indexes to table scans, as for disks without seek time. With PostgreSQL's default of 4, a
/// statement that is planned while a table is new or nearly empty scans the table each time, until it is analyzed.
const RANDOM_PAGE_COST: f64 = 1.1;

pub(super) async fn open_postgres(url: &str, max_connections: u32) -> Result<Pools> {
    let options = PgConnectOptions::from_str(url)?.application_name("claimsmith");
    let limited = |timeout: Duration| {
        // Formatted into the text, since `SET` allows no placeholders. Sent as statements, since a connection pooler
        // may refuse startup parameters.
        let settings =
            format!("SET statement_timeout = {}; SET random_page_cost = {RANDOM_PAGE_COST}", timeout.as_millis());
        // The pool checks each connection when it is returned. It is checked again if that was a while ago.
        let pool = PgPoolOptions::new().acquire_timeout(ACQUIRE_TIMEOUT).test_before_acquire(false);
        let pool = pool.before_acquire(|connection, state| {
            Box::pin(async move {
                if state.idle_for > MAX_UNCHECKED_TIME {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
        pool.after_connect(move |connection, _| {
            let settings = settings.clone();
            Box::pin(async move { connection.execute(AssertSqlSafe(settings)).await.map(drop) })
        })
    };
    let pool = limited(STATEMENT_TIMEOUT).max_connections(max_connections.max(2));
    let (pool, options) = postgres_tls::connect(pool, url, options).await?;
    // This one says whether the database is there, so it asks each time.
    let probe = limited(STATEMENT_TIMEOUT).max_connections(1).test_before_acquire(true);
    let probe = probe.connect_lazy_with(options.clone());
    let searchers = limited(SEARCH_TIMEOUT).acquire_timeout(SEARCH_ACQUIRE_TIMEOUT).max_connections(POSTGRES_SEARCHES);
    let searchers = searchers.connect_lazy_with(options.clone());
    let backpressure = limited(BACKPRESSURE_TIMEOUT).acquire_timeout(BACKPRESSURE_TIMEOUT);
    let backpressure = backpressure.max_connections(BACKPRESSURE_CONNECTIONS).connect_lazy_with(options);
    Ok(Pools::Postgres { pool, searchers, backpressure, probe })
}
