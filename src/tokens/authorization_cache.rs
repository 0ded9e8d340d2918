//! The authorization cache: applications, resources, signing keys and what users hold, cached for exactly one revision
//! of the database.
//!
//! A request reads the revision first; when it moved, the snapshot is dropped and a new one fills up. A value that is
//! loaded late can be newer than its snapshot, never older; an exchange compares the revision again when it commits.

use super::error::Error;
use super::keys::KeyRing;
use super::user_facts::UserFacts;
use crate::domain::application::ApplicationType;
use crate::encryption::Cipher;
use crate::storage::applications::{self, Application, Secret};
use crate::storage::resources::{self, Resource};
use crate::storage::{Tx, revisions, signing_keys, users};
use arc_swap::ArcSwapOption;
use lru::LruCache;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// How many clients, and how many users, one snapshot keeps.
const MAX_ENTRIES: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9_999);

/// The way to the current [`Snapshot`].
pub struct AuthorizationCache {
    cipher: Arc<Cipher>,
    current: ArcSwapOption<Snapshot>,
}

/// What was true at one revision.
pub struct Snapshot {
    /// The revision.
    pub revision: i64,
    /// The signing keys.
    pub keys: KeyRing,
    /// Origins that some application registered, for CORS.
    pub origins: HashSet<String>,
    clients: Cache<String, Arc<Client>>,
    resources: Cache<String, Arc<Resource>>,
    users: Cache<String, Arc<UserFacts>>,
}

/// An application with all that the token endpoint asks of it.
#[derive(Debug)]
pub struct Client {
    /// The application.
    pub application: Application,
    /// Its type.
    pub kind: ApplicationType,
    /// The hashes of its secrets.
    pub secrets: Vec<Secret>,
    /// Scope names that it holds through its roles, by resource id.
    pub held: BTreeMap<String, BTreeSet<String>>,
    /// The application as a plugin sees it, JSON without secrets.
    pub context: Arc<str>,
}

impl AuthorizationCache {
    /// Nothing is cached yet. Signing keys are decrypted with `cipher`.
    #[must_use]
    pub fn new(cipher: Arc<Cipher>) -> Self {
        Self { cipher, current: ArcSwapOption::empty() }
    }

    /// The snapshot of the current revision. One small read when nothing changed.
    pub async fn current(&self, tx: &mut Tx, now: i64) -> Result<Arc<Snapshot>, Error> {
        let revision = revisions::current(tx).await?;
        self.at(revision, tx, now).await
    }

    /// The snapshot of a revision that was just read.
    pub async fn at(&self, revision: i64, tx: &mut Tx, now: i64) -> Result<Arc<Snapshot>, Error> {
        if let Some(snapshot) = self.current.load_full().filter(|snapshot| snapshot.revision == revision) {
            return Ok(snapshot);
        }
        let keys = KeyRing::decrypt(&signing_keys::published(tx, now).await?, &self.cipher)?;
        let origins = applications::all(tx).await?.iter().flat_map(origins_of).collect();
        let snapshot = Arc::new(Snapshot {
            revision,
            keys,
            origins,
            clients: Cache::new(),
            resources: Cache::new(),
            users: Cache::new(),
        });
        self.current.store(Some(snapshot.clone()));
        Ok(snapshot)
    }
}

impl Snapshot {
    /// The client of that id.
    pub async fn client(&self, tx: &mut Tx, id: &str) -> Result<Option<Arc<Client>>, Error> {
        if let Some(client) = self.clients.get(id) {
            return Ok(Some(client));
        }
        let Some(application) = applications::find(tx, id).await? else { return Ok(None) };
        let client = Arc::new(Client::load(tx, application).await?);
        self.clients.put(id.to_owned(), client.clone());
        Ok(Some(client))
    }

    /// The resource of that indicator.
    pub async fn resource(&self, tx: &mut Tx, indicator: &str) -> Result<Option<Arc<Resource>>, Error> {
        if let Some(resource) = self.resources.get(indicator) {
            return Ok(Some(resource));
        }
        let Some(resource) = resources::find_by_indicator(tx, indicator).await?.map(Arc::new) else { return Ok(None) };
        self.resources.put(indicator.to_owned(), resource.clone());
        Ok(Some(resource))
    }

    /// What plugins see of a user who was just seen at `revision`, and what they hold; kept while the user does not
    /// change. `None` when there is no such user any more.
    pub async fn user_facts(&self, tx: &mut Tx, id: &str, revision: i64) -> Result<Option<Arc<UserFacts>>, Error> {
        if let Some(facts) = self.users.get(id).filter(|facts| facts.revision == revision) {
            return Ok(Some(facts));
        }
        let Some(user) = users::find(tx, id).await? else { return Ok(None) };
        let facts = Arc::new(UserFacts::load(tx, &user).await?);
        self.users.put(user.id, facts.clone());
        Ok(Some(facts))
    }
}

impl Client {
    async fn load(tx: &mut Tx, application: Application) -> Result<Self, Error> {
        let kind = ApplicationType::parse(&application.kind).ok_or(Error::Corrupt("application type"))?;
        let mut held = BTreeMap::<String, BTreeSet<String>>::new();
        for scope in applications::scopes_held(tx, &application.id).await? {
            held.entry(scope.resource_id).or_default().insert(scope.name);
        }
        let secrets = applications::secrets_of(tx, &application.id).await?;
        let context = super::context::application(&application).to_string().into();
        Ok(Self { application, kind, secrets, held, context })
    }

    /// Whether it may use the token-exchange grant.
    #[must_use]
    pub fn may_exchange(&self) -> bool {
        self.application.custom_client_metadata.allow_token_exchange == Some(true) && !self.application.is_third_party
    }

    /// Whether it accepts actor tokens that were issued to the application `id`.
    #[must_use]
    pub fn trusts_actors_of(&self, id: &str) -> bool {
        let trusted = self.application.custom_client_metadata.trusted_actor_client_ids.as_deref().unwrap_or_default();
        self.application.id == id || trusted.iter().any(|trusted| trusted == id)
    }
}

/// The origins whose browsers may call on behalf of an application.
fn origins_of(application: &Application) -> Vec<String> {
    let registered = application.custom_client_metadata.cors_allowed_origins.as_deref().unwrap_or_default();
    let redirects = &application.oidc_client_metadata.redirect_uris;
    registered
        .iter()
        .chain(redirects)
        .filter_map(|uri| url::Url::parse(uri).ok())
        .map(|uri| uri.origin())
        .filter(url::Origin::is_tuple)
        .map(|origin| origin.ascii_serialization())
        .collect()
}

/// A bounded map behind a lock that is never held across an await.
struct Cache<K: Hash + Eq, V>(Mutex<LruCache<K, V>>);

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    fn new() -> Self {
        Self(Mutex::new(LruCache::new(MAX_ENTRIES)))
    }

    fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: K, value: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key, value);
    }
}
