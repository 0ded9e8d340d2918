//! Schema migrations, embedded in the binary, numbered alike for both databases.

use super::{Db, Dialect, Error, Result, Tx};
use sqlx::migrate::Migrator;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Brings the schema up to date. Several nodes may do so at once: PostgreSQL's advisory lock, and on SQLite the
/// single writer, let one of them do the work.
pub async fn migrate(db: &Db) -> Result<()> {
    match db {
        Db::Sqlite { writer, .. } => SQLITE.run(writer).await,
        Db::Postgres(pool) => POSTGRES.run(pool).await,
    }
    .map_err(|error| Error::Sqlx(sqlx::Error::Migrate(Box::new(error))))
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
