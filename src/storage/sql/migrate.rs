//! Schema migrations, embedded in the binary, with the same numbers for both databases.

use super::pools::Pools;
use crate::{Db, Dialect, Error, Result, Tx};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{ConnectOptions, Connection, Executor as _};

static SQLITE: Migrator = sqlx_macros::migrate!("../../migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("../../migrations/postgres");

/// Makes the index that finds users by parts of what they are called, if the extension `pg_trgm` is there, in whichever
/// schema: it may have come after the migrations. Only one node at a time makes it (the number of the lock is "claimtri"
/// as ASCII). Whatever fails, users are found without it.
const TRIGRAMS: &str = "
    DO $$
    DECLARE
        operators TEXT;
    BEGIN
        IF to_regclass('users_by_trigrams') IS NOT NULL THEN
            IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('users_by_trigrams')) THEN
                RAISE WARNING 'users_by_trigrams is invalid: if nothing builds it now, drop it, and start again';
            END IF;
            RETURN;
        END IF;
        PERFORM pg_advisory_xact_lock(7164208212675424873);
        SELECT format('%I.gin_trgm_ops', n.nspname) INTO operators
            FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
        IF operators IS NOT NULL THEN
            EXECUTE format(
                'CREATE INDEX IF NOT EXISTS users_by_trigrams ON users USING gin '
                '(id %1$s, username_key %1$s, email_key %1$s, primary_phone %1$s, name_key %1$s)', operators);
        END IF;
    EXCEPTION WHEN OTHERS THEN
        RAISE NOTICE 'users are searched without trigrams: %', SQLERRM;
    END
    $$";

/// Brings the schema up to date, atomically. If several nodes call it at once, one of them does the work.
pub async fn migrate(db: &Db) -> Result<()> {
    match &db.pools {
        Pools::Sqlite { writer, .. } => {
            // The migrator takes no lock on SQLite. Under the write lock it sees the migrations of other processes, and
            // its own transactions become savepoints.
            let mut taken = writer.take().await?;
            let (connection, runs) = taken.statement(None)?;
            let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
            SQLITE.run(&mut *tx).await.map_err(of_migration)?;
            tx.commit().await?;
            *runs = false;
        }
        Pools::Postgres { pool, .. } => {
            // A separate connection without statement timeout: migrations of large tables may take long. The migrator
            // takes an advisory lock.
            let mut connection = pool.connect_options().connect().await?;
            POSTGRES.run(&mut connection).await.map_err(of_migration)?;
            connection.execute(TRIGRAMS).await?;
            connection.close().await?;
        }
    }
    Ok(())
}

/// The number of the newest migration of this version.
#[must_use]
pub fn schema_version() -> i64 {
    SQLITE.iter().map(|migration| migration.version).max().unwrap_or_default()
}

fn of_migration(error: MigrateError) -> Error {
    Error::Sqlx(sqlx::Error::Migrate(Box::new(error)))
}

/// Lets only one node at a time set up the database, until the transaction ends.
pub async fn lock_bootstrap(tx: &mut Tx) -> Result<()> {
    match tx.dialect() {
        // There is only one writer already.
        Dialect::Sqlite => {}
        Dialect::Postgres => {
            tx.sql("SELECT pg_advisory_xact_lock($1)").bind(BOOTSTRAP_LOCK).execute().await?;
        }
    }
    Ok(())
}

/// An arbitrary number that no other program uses: "claim" as ASCII.
const BOOTSTRAP_LOCK: i64 = 0x63_6c_61_69_6d;
