//! The revision counter of everything that decides what may be granted: applications, resources, scopes, roles
//! and signing keys. What is cached is valid for exactly one revision; an exchange re-checks it when it commits.

use super::{Dialect, Result, Tx};

#[derive(sqlx::FromRow)]
struct Revision {
    value: i64,
}

/// The current revision.
pub async fn current(tx: &mut Tx) -> Result<i64> {
    let row: Revision = tx.sql("SELECT value FROM revisions WHERE name = 'authorization'").one().await?;
    Ok(row.value)
}

/// The current revision, held until the transaction ends: a writer of another node waits for it.
pub async fn hold(tx: &mut Tx) -> Result<i64> {
    let row: Revision = match tx.dialect() {
        // The writer's lock is held already.
        Dialect::Sqlite => return current(tx).await,
        Dialect::Postgres => tx.sql("SELECT value FROM revisions WHERE name = 'authorization' FOR SHARE").one().await?,
    };
    Ok(row.value)
}

/// To be called in every transaction that changes what may be granted.
pub async fn bump(tx: &mut Tx) -> Result<()> {
    tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'authorization'").execute().await?;
    Ok(())
}
