//! Backpressure on changes: a token request that has started over twice, because authorization data changed meanwhile,
//! makes further changes wait. Otherwise whoever may change a role could keep all others from getting tokens, by
//! changing it again and again. It holds for the changes that come through this process.

use std::sync::Arc;
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

/// Shared by the requests for tokens and by the changes of one server.
#[derive(Clone, Debug, Default)]
pub struct Backpressure(Arc<RwLock<()>>);

/// Changes that have not begun wait until this is dropped.
pub struct Hold {
    _guard: OwnedRwLockReadGuard<()>,
}

impl Backpressure {
    /// Holds back changes. Waits for those that came before, so that a change waits for one round of requests at most.
    pub async fn hold(&self) -> Hold {
        Hold { _guard: Arc::clone(&self.0).read_owned().await }
    }

    /// Waits until no request holds back changes. To be called before a change begins its transaction.
    pub async fn pass(&self) {
        drop(self.0.write().await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[tokio::test]
    async fn a_change_waits_for_the_requests_before_it_and_they_for_no_change_behind_them() {
        let backpressure = Backpressure::default();
        assert!(backpressure.pass().now_or_never().is_some());
        let (one, other) = (backpressure.hold().await, backpressure.hold().await);
        let mut change = Box::pin(backpressure.pass());
        assert!((&mut change).now_or_never().is_none());
        // Behind the change, so that requests without end do not keep it waiting.
        let mut later = Box::pin(backpressure.hold());
        assert!((&mut later).now_or_never().is_none());
        drop(one);
        assert!((&mut change).now_or_never().is_none());
        drop(other);
        change.await;
        drop(later.await);
    }
}
