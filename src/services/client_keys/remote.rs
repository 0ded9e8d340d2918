//! Keys of clients that are fetched from their `jwks_uri`, and kept for a while.
//!
//! There is one fetch at a time for each address, which all requests that need it wait for, and which ends whether they
//! wait or not; and at most one in ten seconds, whatever comes of it. Requests of other clients do not wait for it.

use super::fetch::fetch;
use super::key_set::KeySet;
use crate::egress::Egress;
use crate::supervisor::Tasks;
use claimsmith_domain::clock::Clock;
use quick_cache::sync::Cache;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How long fetched keys are used, in milliseconds: a key that the client took away verifies for so long.
const LIFETIME_MS: i64 = 300_000;
/// The time between two fetches from one address, in milliseconds: anybody can ask for an unknown key.
const INTERVAL_MS: i64 = 10_000;
/// The most addresses whose keys are kept.
const MAX_ADDRESSES: usize = 1024;

/// The keys of all clients that have them elsewhere.
pub struct RemoteKeys {
    egress: Arc<Egress>,
    clock: Clock,
    tasks: Tasks,
    sources: Cache<String, Arc<CachedKeySet>>,
}

/// One address.
#[derive(Default)]
struct CachedKeySet(Mutex<FetchState>);

#[derive(Default)]
struct FetchState {
    /// What was fetched, and when.
    fetched: Option<(i64, Arc<KeySet>)>,
    /// When the last fetch began.
    tried_at: Option<i64>,
    /// Changes, or closes, when the fetch that is under way ends.
    under_way: Option<watch::Receiver<()>>,
}

/// What a request does.
enum FetchDecision {
    /// Takes these, or nothing.
    Take(Option<Arc<KeySet>>),
    /// Waits for the fetch that is under way.
    Wait(watch::Receiver<()>),
    /// Begins a fetch, and waits for it as the others do.
    Begin(watch::Sender<()>, watch::Receiver<()>),
}

impl RemoteKeys {
    /// Nothing is fetched yet. Fetches run as `tasks`.
    #[must_use]
    pub fn new(egress: Arc<Egress>, clock: Clock, tasks: &Tasks) -> Self {
        Self { egress, clock, tasks: tasks.clone(), sources: Cache::new(MAX_ADDRESSES) }
    }

    /// The keys of an address, if they are here, are not too old, and satisfy `suits`.
    pub fn known(&self, uri: &str, suits: impl Fn(&KeySet) -> bool) -> Option<Arc<KeySet>> {
        self.sources.get(uri)?.lock().fresh(self.clock.now_ms()).filter(|keys| suits(keys))
    }

    /// The keys of an address, fetched if those that are here do not satisfy `suits` and the limits allow it. `None` if
    /// there are none, neither here nor there. The caller holds no connection to the database: this may take seconds.
    pub async fn fetched(&self, uri: &str, suits: impl Fn(&KeySet) -> bool) -> Option<Arc<KeySet>> {
        let Ok(source) = self.sources.get_or_insert_with(uri, || Ok::<_, Infallible>(Arc::<CachedKeySet>::default()));
        let next = source.lock().next(self.clock.now_ms(), suits);
        let mut under_way = match next {
            FetchDecision::Take(keys) => return keys,
            FetchDecision::Wait(under_way) => under_way,
            FetchDecision::Begin(done, under_way) => {
                self.begin(uri, Arc::clone(&source), done);
                under_way
            }
        };
        // Whether it changed or was closed, the fetch is over.
        let _ = under_way.changed().await;
        source.lock().fresh(self.clock.now_ms())
    }

    /// Fetches in a task of its own: the request that began it may end before, and others wait for the result.
    fn begin(&self, uri: &str, source: Arc<CachedKeySet>, done: watch::Sender<()>) {
        let (egress, clock, uri) = (Arc::clone(&self.egress), self.clock.clone(), uri.to_owned());
        self.tasks.spawn_item("keys of a client", async move {
            // Dropped at the end, and when the fetch panics: then nobody waits any more.
            let _done = done;
            match fetch(&egress, &uri).await {
                Ok(keys) => source.lock().fetched = Some((clock.now_ms(), Arc::new(keys))),
                Err(error) => {
                    let uri = uri.split('?').next();
                    tracing::warn!(uri, %error, "the keys of a client cannot be fetched");
                }
            }
        });
    }
}

impl CachedKeySet {
    /// What it holds is whole at any time.
    fn lock(&self) -> MutexGuard<'_, FetchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FetchState {
    fn fresh(&self, now: i64) -> Option<Arc<KeySet>> {
        let (at, keys) = self.fetched.as_ref()?;
        // A clock that was set back makes them too old.
        (0..LIFETIME_MS).contains(&(now - at)).then(|| Arc::clone(keys))
    }

    fn next(&mut self, now: i64, suits: impl Fn(&KeySet) -> bool) -> FetchDecision {
        let fresh = self.fresh(now);
        if fresh.as_ref().is_some_and(|keys| suits(keys)) {
            return FetchDecision::Take(fresh);
        }
        if let Some(under_way) = self.under_way.as_ref().filter(|under_way| under_way.has_changed().is_ok()) {
            return FetchDecision::Wait(under_way.clone());
        }
        if self.tried_at.is_some_and(|at| (0..INTERVAL_MS).contains(&(now - at))) {
            return FetchDecision::Take(fresh);
        }
        let (done, under_way) = watch::channel(());
        self.tried_at = Some(now);
        self.under_way = Some(under_way.clone());
        FetchDecision::Begin(done, under_way)
    }
}
