//! Backpressure on changes: a token request that has started over twice, because authorization data changed meanwhile,
//! makes further changes wait, on every node. Otherwise a caller who may change a role could block all token requests
//! by changing it again and again.

use claimsmith_storage::Db;
use claimsmith_storage::nodes::backpressure::{self, NodesHold};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, OwnedRwLockReadGuard, RwLock};

/// How long further requests of this node join those that hold back other nodes. Later ones begin a new round, behind
/// the changes that wait meanwhile.
const ROUND: Duration = Duration::from_millis(50);

/// Shared by the requests for tokens and by the changes of one server.
pub struct Backpressure {
    db: Db,
    here: Arc<RwLock<()>>,
    round: Mutex<Weak<Round>>,
}

/// Requests that hold back other nodes together, with one connection.
struct Round {
    began: Instant,
    _hold: NodesHold,
}

/// Changes that have not begun wait until this is dropped.
pub struct Hold {
    _here: OwnedRwLockReadGuard<()>,
    _elsewhere: Option<Arc<Round>>,
}

impl Backpressure {
    /// Nothing is held back. Other nodes are those with the same database.
    #[must_use]
    pub fn new(db: &Db) -> Self {
        Self { db: db.clone(), here: Arc::default(), round: Mutex::default() }
    }

    /// Holds back changes. Waits for earlier holds to end, so that a change waits for one round of requests at most.
    pub async fn hold(&self) -> Hold {
        let here = Arc::clone(&self.here).read_owned().await;
        Hold { _here: here, _elsewhere: self.hold_elsewhere().await }
    }

    async fn hold_elsewhere(&self) -> Option<Arc<Round>> {
        let mut round = self.round.lock().await;
        if let Some(round) = round.upgrade().filter(|round| round.began.elapsed() < ROUND) {
            return Some(round);
        }
        let hold = backpressure::hold(&self.db).await;
        let hold = hold.inspect_err(|error| tracing::warn!(%error, "changes on other nodes are not held back"));
        let new = Arc::new(Round { began: Instant::now(), _hold: hold.ok()?? });
        *round = Arc::downgrade(&new);
        Some(new)
    }

    /// Waits until no request holds back changes. Must be called before a change begins its transaction.
    pub async fn pass(&self) {
        drop(self.here.write().await);
        if let Err(error) = backpressure::pass(&self.db).await {
            tracing::warn!(%error, "a change does not wait for the token requests of other nodes");
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use futures_util::FutureExt as _;

    #[tokio::test]
    async fn a_change_waits_for_the_requests_before_it_and_they_for_no_change_behind_them() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite://{}/test.db", folder.path().display()), 2).await.unwrap();
        let backpressure = Backpressure::new(&db);
        assert!(backpressure.pass().now_or_never().is_some());
        let (one, other) = (backpressure.hold().await, backpressure.hold().await);
        let mut change = Box::pin(backpressure.pass());
        assert!((&mut change).now_or_never().is_none());
        // Queued behind the change, so that endless requests cannot keep it waiting.
        let mut later = Box::pin(backpressure.hold());
        assert!((&mut later).now_or_never().is_none());
        drop(one);
        assert!((&mut change).now_or_never().is_none());
        drop(other);
        change.await;
        drop(later.await);
    }
}
