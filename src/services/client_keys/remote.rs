//! Keys of clients that are fetched from their `jwks_uri`, and cached.
//!
//! There is one fetch at a time for each URL, which all requests that need it wait for, and which completes even if
//! they give up. After a failure there is none for ten seconds, and one for an unknown key once in ten seconds, even if
//! the keys were just fetched, since the client may have changed them in between. Requests of other clients do not wait.

use super::fetch::fetch;
use super::key_set::KeySet;
use crate::egress::Egress;
use crate::supervisor::Tasks;
use claimsmith_domain::clock::Clock;
use quick_cache::sync::Cache;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How long fetched keys are used, in milliseconds: a key that the client removed still verifies for this time.
const LIFETIME_MS: i64 = 300_000;
/// The minimum time after a failed fetch from a URL, and between two fetches for an unknown key, in milliseconds:
/// unauthenticated requests can name one.
const INTERVAL_MS: i64 = 10_000;
/// The maximum number of URLs whose keys are cached.
const MAX_ADDRESSES: usize = 1024;

/// The keys of all clients with a `jwks_uri`.
pub struct RemoteKeys {
    egress: Arc<Egress>,
    clock: Clock,
    tasks: Tasks,
    sources: Cache<String, Arc<CachedKeySet>>,
}

/// The keys of one URL.
#[derive(Default)]
struct CachedKeySet(Mutex<FetchState>);

#[derive(Default)]
struct FetchState {
    /// What was fetched, and when.
    fetched: Option<(i64, Arc<KeySet>)>,
    /// When the last fetch that failed or is under way, or that was for an unknown key, began.
    tried_at: Option<i64>,
    /// Changes, or closes, when the current fetch ends.
    under_way: Option<watch::Receiver<()>>,
}

/// A fetch that begins.
struct BegunFetch {
    /// Dropped at its end, and when it panics: then all waiting requests continue.
    done: watch::Sender<()>,
    /// Whether it is for an unknown key, while others are cached.
    is_extra: bool,
}

/// What a request does.
enum FetchDecision {
    /// Takes these, or nothing.
    Take(Option<Arc<KeySet>>),
    /// Waits for the fetch that is under way.
    Wait(watch::Receiver<()>),
    /// Begins a fetch, and waits for it like the other requests.
    Begin(BegunFetch, watch::Receiver<()>),
}

impl RemoteKeys {
    /// Nothing is fetched yet. Fetches run as `tasks`.
    #[must_use]
    pub fn new(egress: Arc<Egress>, clock: Clock, tasks: &Tasks) -> Self {
        Self { egress, clock, tasks: tasks.clone(), sources: Cache::new(MAX_ADDRESSES) }
    }

    /// The cached keys of a URL, if they are not too old and satisfy `suits`.
    pub fn known(&self, uri: &str, suits: impl Fn(&KeySet) -> bool) -> Option<Arc<KeySet>> {
        self.sources.get(uri)?.lock().fresh(self.clock.now_ms()).filter(|keys| suits(keys))
    }

    /// The keys of a URL, fetched if the cached ones do not satisfy `suits` and the limits allow it. `None` if there
    /// are none, neither cached nor fetched. The caller must have no database connection open: this may take seconds.
    pub async fn fetched(&self, uri: &str, suits: impl Fn(&KeySet) -> bool) -> Option<Arc<KeySet>> {
        let Ok(source) = self.sources.get_or_insert_with(uri, || Ok::<_, Infallible>(Arc::<CachedKeySet>::default()));
        let next = source.lock().next(self.clock.now_ms(), suits);
        let mut under_way = match next {
            FetchDecision::Take(keys) => return keys,
            FetchDecision::Wait(under_way) => under_way,
            FetchDecision::Begin(fetch, under_way) => {
                self.begin(uri, Arc::clone(&source), fetch);
                under_way
            }
        };
        // Whether it changed or was closed, the fetch is over.
        let _ = under_way.changed().await;
        source.lock().fresh(self.clock.now_ms())
    }

    /// Fetches in a separate task: the request that began it may end earlier, and other requests wait for the result.
    fn begin(&self, uri: &str, source: Arc<CachedKeySet>, begun: BegunFetch) {
        let (egress, clock, uri) = (Arc::clone(&self.egress), self.clock.clone(), uri.to_owned());
        self.tasks.spawn_item("keys of a client", async move {
            let BegunFetch { done: _done, is_extra } = begun;
            match fetch(&egress, &uri).await {
                Ok(keys) => {
                    let mut state = source.lock();
                    state.fetched = Some((clock.now_ms(), Arc::new(keys)));
                    if !is_extra {
                        state.tried_at = None;
                    }
                }
                Err(error) => {
                    let uri = uri.split('?').next();
                    tracing::warn!(uri, %error, "the keys of a client cannot be fetched");
                }
            }
        });
    }
}

impl CachedKeySet {
    /// Its content is always consistent, so a poisoned lock can be used.
    fn lock(&self) -> MutexGuard<'_, FetchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FetchState {
    fn fresh(&self, now: i64) -> Option<Arc<KeySet>> {
        let (at, keys) = self.fetched.as_ref()?;
        // After a clock was set back they count as too old.
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
        FetchDecision::Begin(BegunFetch { done, is_extra: fresh.is_some() }, under_way)
    }
}
