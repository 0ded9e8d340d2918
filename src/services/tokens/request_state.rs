//! The first read of every token request: the authorization revision and, with a subject token, its user. Concurrent
//! requests share one read.

use super::batch::{Batch, BatchQueue};
use super::error::Error;
use crate::supervisor::Tasks;
use claimsmith_domain::clock::Clock;
use claimsmith_storage::issuing::subject_tokens::{self, LiveSubject};
use claimsmith_storage::{self as storage, Db, Dialect, Tx, revisions};

/// The state of the database when a request began.
pub struct RequestState {
    /// The authorization revision.
    pub revision: i64,
    /// The subject of the subject token, if the token is live and its user active.
    pub subject: Option<LiveSubject>,
}

/// The queue in front of the shared reads. Its workers end when it is dropped.
pub struct RequestStates(BatchQueue<Reads>);

impl RequestStates {
    /// Starts the workers: one for SQLite, where a second one would compete for the same CPU, and several for
    /// PostgreSQL, to hide the network latency.
    #[must_use]
    pub fn start(db: &Db, clock: &Clock, tasks: &Tasks) -> Self {
        let workers = match db.dialect() {
            Dialect::Sqlite => 1,
            Dialect::Postgres => 4,
        };
        let reads = (0..workers).map(|_| Reads { db: db.clone(), clock: clock.clone(), kept: None });
        Self(BatchQueue::start(reads, "read queue", tasks))
    }

    /// Reads the state for a request with the subject token of this hash, or without one.
    pub async fn read(&self, hash: Option<String>) -> Result<RequestState, Error> {
        self.0.ask(hash).await
    }
}

struct Reads {
    db: Db,
    clock: Clock,
    /// The connection of the last read. Returning it to the pool would cost as much as the read itself.
    kept: Option<Tx>,
}

impl Batch for Reads {
    type Job = Option<String>;
    type Answer = RequestState;

    async fn run(&mut self, hashes: &[Option<String>]) -> storage::Result<Vec<RequestState>> {
        let mut tx = self.kept.take().unwrap_or_else(|| self.db.reader());
        let shown: Vec<&str> = hashes.iter().flatten().map(String::as_str).collect();
        let (revision, found) = if shown.is_empty() {
            (revisions::current(&mut tx).await?, Vec::new())
        } else {
            subject_tokens::open(&mut tx, &shown, self.clock.now_ms()).await?
        };
        if self.db.dialect() == Dialect::Sqlite {
            self.kept = Some(tx);
        }
        let subject = |hash: &str| found.iter().find(|found| found.hash == hash).cloned();
        Ok(hashes.iter().map(|hash| RequestState { revision, subject: hash.as_deref().and_then(subject) }).collect())
    }
}
