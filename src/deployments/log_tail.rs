//! Notifies the streams of plugin logs of new lines: one reader polls the database for all streams, while there are
//! any.

use crate::storage::plugins;
use crate::storage::{self, Db};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often it polls: other nodes write lines, too.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The reader. Cheap to clone.
#[derive(Clone)]
pub struct LogTail {
    db: Db,
    /// The revision of the log that was seen last.
    revision: watch::Sender<i64>,
}

/// A stream's position in the log.
pub struct Tail(watch::Receiver<i64>);

impl LogTail {
    /// Looks at nothing yet.
    #[must_use]
    pub fn new(db: &Db) -> Self {
        Self { db: db.clone(), revision: watch::Sender::new(0) }
    }

    /// A new stream.
    #[must_use]
    pub fn follow(&self) -> Tail {
        Tail(self.revision.subscribe())
    }

    /// Polls while there are streams, until shutdown.
    pub async fn run(self, stopping: CancellationToken) {
        while stopping.run_until_cancelled(tokio::time::sleep(POLL_INTERVAL)).await.is_some() {
            if self.revision.receiver_count() == 0 {
                continue;
            }
            match self.look().await {
                Ok(found) => {
                    self.revision.send_if_modified(|seen| std::mem::replace(seen, found) != found);
                }
                // The streams look for themselves, and end.
                Err(_) => self.revision.send_modify(|_| {}),
            }
        }
    }

    async fn look(&self) -> storage::Result<i64> {
        plugins::logs::revision(&mut self.db.read().await?).await
    }
}

impl Tail {
    /// Waits until lines may have come since the last time.
    pub async fn changed(&mut self) {
        // Nobody sends any more when the server ends, and then the streams do.
        self.0.changed().await.ok();
    }
}
