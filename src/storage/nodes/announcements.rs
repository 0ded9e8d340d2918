//! Notifications between nodes through the database: PostgreSQL's `LISTEN` and `NOTIFY`. They may be lost, so listeners
//! also poll.

use crate::sql::pools::Pools;
use crate::{Db, Result};
use sqlx::postgres::{PgListener, PgPoolOptions};
use std::time::Duration;

/// The channel of changes of plugins.
pub const PLUGINS: &str = "claimsmith_plugins";

/// The timeout for connecting, after which the listener gets an error.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Listens to announcements of one channel on its own connection.
pub struct Announcements(PgListener);

impl Announcements {
    /// Listens; `None` on SQLite, which has one process.
    pub async fn listen(db: &Db, channel: &str) -> Result<Option<Self>> {
        let Pools::Postgres { pool, .. } = &db.pools else { return Ok(None) };
        // The connections of the pool are for requests.
        let options = pool.connect_options().as_ref().clone();
        let own = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let own = own.acquire_timeout(CONNECT_TIMEOUT);
        let mut listener = PgListener::connect_with(&own.connect_with(options).await?).await?;
        listener.listen(channel).await?;
        Ok(Some(Self(listener)))
    }

    /// Waits for the next announcement, or for the loss of the connection, which may have lost announcements. An error
    /// means that the connection could not be reopened.
    pub async fn next(&mut self) -> Result<()> {
        self.0.try_recv().await?;
        Ok(())
    }
}
