//! Schema migrations, embedded in the binary, with the same numbers for both databases.

use super::db::Pools;
use crate::{Db, Dialect, Error, Result, Tx};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{ConnectOptions, Connection};

static SQLITE: Migrator = sqlx_macros::migrate!("../../migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("../../migrations/postgres");

/// Brings the schema up to date, whole or not at all. Several nodes may do so at once: one of them does the work.
pub async fn migrate(db: &Db) -> Result<()> {
    match &db.pools {
        Pools::Sqlite { writer, .. } => {
            // The migrator locks nothing on SQLite. Under the write lock it sees what another process has done, and
            // its own transactions become savepoints.
            let mut tx = writer.begin_with("BEGIN IMMEDIATE").await?;
            SQLITE.run(&mut *tx).await.map_err(of_migration)?;
            tx.commit().await?;
        }
        Pools::Postgres { pool, .. } => {
            // One of its own: what is done to large tables may take its time. The migrator takes an advisory lock.
            let mut connection = pool.connect_options().connect().await?;
            POSTGRES.run(&mut connection).await.map_err(of_migration)?;
            connection.close().await?;
        }
    }
    Ok(())
}

fn of_migration(error: MigrateError) -> Error {
    Error::Sqlx(sqlx::Error::Migrate(Box::new(error)))
}

/// Lets one node at a time set the database up, until the transaction ends.
pub async fn lock_bootstrap(tx: &mut Tx) -> Result<()> {
    match tx.dialect() {
        // Writers are one at a time already.
        Dialect::Sqlite => {}
        Dialect::Postgres => {
            tx.sql("SELECT pg_advisory_xact_lock($1)").bind(BOOTSTRAP_LOCK).execute().await?;
        }
    }
    Ok(())
}

/// Any number that no other program takes: "claim" as ASCII.
const BOOTSTRAP_LOCK: i64 = 0x63_6c_61_69_6d;
