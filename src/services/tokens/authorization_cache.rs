//! The authorization cache: applications, resources, signing keys, and the roles and scopes of users, as of one
//! revision of the database.
//!
//! A request reads the revision first. If it has changed, the request reads the changes too, and only the cached values
//! that they concern are loaded again. A value can be newer than the snapshot that loads it, but never older; an
//! exchange compares the revision again when it commits (`docs/architecture.md#authorization-cache`).

use super::error::Error;
use super::key_ring::KeyRing;
use super::user_facts::UserFacts;
use super::versions::Versions;
use crate::client_keys::KeySet;
use crate::encryption::Cipher;
use arc_swap::ArcSwapOption;
use claimsmith_domain::documents::resource::slash_variant;
use claimsmith_domain::id::{ApplicationId, ResourceId, UserId};
use claimsmith_domain::web_origin;
use claimsmith_storage::applications::{self, Application, ApplicationSecret};
use claimsmith_storage::resources::{self, Resource};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{self as storage, Tx, signing_keys, users};
use quick_cache::sync::Cache;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The most cached clients, and the most cached users.
const MAX_ENTRIES: usize = 10_000;

/// The cache, with the current [`Snapshot`].
pub struct AuthorizationCache {
    cipher: Arc<Cipher>,
    current: ArcSwapOption<Snapshot>,
    /// Locked by the request that makes the snapshot of another revision; the others wait for it.
    advancing: Mutex<()>,
}

/// The authorization data at one revision.
pub struct Snapshot {
    /// The revision.
    pub revision: i64,
    /// The signing keys.
    pub keys: Arc<KeyRing>,
    versions: Versions,
    loaded: Arc<Loaded>,
}

/// The loaded values, each keyed by the revision that changed it last. Concurrent requests for the same value share one
/// read. A request with an older snapshot has older keys, so that it replaces nothing that is newer.
struct Loaded {
    clients: Cache<(i64, ApplicationId), Arc<Client>>,
    resources: Cache<(i64, String), Arc<Resource>>,
    users: Cache<(i64, i64, UserId), LoadedUser>,
    origins: Cache<i64, Arc<HashSet<String>>>,
}

/// The facts of a user, at least as new as the revision of the snapshot that loaded them.
#[derive(Clone)]
struct LoadedUser {
    as_of: i64,
    facts: Arc<UserFacts>,
}

/// An application with all data that the token endpoint needs.
#[derive(Debug)]
pub struct Client {
    /// The application.
    pub application: Application,
    /// The hashes of its secrets.
    pub secrets: Vec<ApplicationSecret>,
    /// Its public keys, if they were registered by value.
    pub keys: Option<Arc<KeySet>>,
    /// Scope names that its roles grant, by resource id.
    pub held: BTreeMap<ResourceId, BTreeSet<String>>,
    /// The application as a plugin sees it, JSON without secrets.
    pub context: Arc<str>,
}

impl AuthorizationCache {
    /// Nothing is cached yet. Signing keys are decrypted with `cipher`.
    #[must_use]
    pub fn new(cipher: Arc<Cipher>) -> Self {
        Self { cipher, current: ArcSwapOption::empty(), advancing: Mutex::default() }
    }

    /// The snapshot of the current revision. One small read when nothing changed.
    pub async fn current(&self, tx: &mut Tx, now: i64) -> Result<Arc<Snapshot>, Error> {
        let revision = revisions::current(tx).await?;
        self.at(revision, tx, now).await
    }

    /// The snapshot of a revision that was just read, or of a newer one.
    pub async fn at(&self, revision: i64, tx: &mut Tx, now: i64) -> Result<Arc<Snapshot>, Error> {
        // A newer one can be used as well: every statement from here on sees at least the data of that snapshot.
        let is_current = |snapshot: &Arc<Snapshot>| snapshot.revision >= revision;
        if let Some(snapshot) = self.current.load_full().filter(is_current) {
            return Ok(snapshot);
        }
        tx.connect().await?;
        let _advancing = self.advancing.lock().await;
        let snapshot = Arc::new(match self.current.load_full() {
            Some(snapshot) if is_current(&snapshot) => return Ok(snapshot),
            Some(before) => before.advance(revision, tx, now, &self.cipher).await?,
            None => Snapshot::begin(revision, tx, now, &self.cipher).await?,
        });
        self.current.store(Some(snapshot.clone()));
        Ok(snapshot)
    }
}

impl Snapshot {
    async fn begin(revision: i64, tx: &mut Tx, now: i64, cipher: &Cipher) -> Result<Self, Error> {
        let loaded = Loaded {
            clients: Cache::new(MAX_ENTRIES),
            resources: Cache::new(MAX_ENTRIES),
            users: Cache::new(MAX_ENTRIES),
            origins: Cache::new(1),
        };
        let keys = read_keys(tx, now, cipher).await?;
        Ok(Self { revision, keys, versions: Versions::all_at(revision), loaded: Arc::new(loaded) })
    }

    /// The next snapshot, which keeps every value that no change concerns.
    async fn advance(&self, revision: i64, tx: &mut Tx, now: i64, cipher: &Cipher) -> Result<Self, Error> {
        let Some(changes) = revisions::changes_since(tx, self.revision, revision).await? else {
            return Self::begin(revision, tx, now, cipher).await;
        };
        let changes_keys = changes.iter().any(|change| change.changed() == Changed::Keys);
        let keys = if changes_keys { read_keys(tx, now, cipher).await? } else { Arc::clone(&self.keys) };
        let versions = self.versions.after(&changes);
        Ok(Self { revision, keys, versions, loaded: Arc::clone(&self.loaded) })
    }

    /// The client of that id.
    pub async fn client(&self, tx: &mut Tx, id: &ApplicationId) -> Result<Option<Arc<Client>>, Error> {
        let load = async |tx: &mut Tx| {
            let application = applications::find(tx, id).await?.ok_or(Absent::NotThere)?;
            Ok(Arc::new(Client::load(tx, application).await?))
        };
        let key = (self.versions.of_application(id), id.clone());
        found(cached(&self.loaded.clients, &key, tx, load).await)
    }

    /// The resource of that indicator.
    pub async fn resource(&self, tx: &mut Tx, indicator: &str) -> Result<Option<Arc<Resource>>, Error> {
        let load = async |tx: &mut Tx| {
            let resource = resources::find_by_indicator(tx, indicator).await?;
            resource.map(Arc::new).ok_or(Absent::NotThere)
        };
        let key = (self.versions.of_resources(), indicator.to_owned());
        found(cached(&self.loaded.resources, &key, tx, load).await)
    }

    /// The resource that a request names. An indicator without a path names it with and without its slash, unless
    /// there is one of each spelling; every other use of an indicator compares it exactly.
    pub async fn named_resource(&self, tx: &mut Tx, indicator: &str) -> Result<Option<Arc<Resource>>, Error> {
        match (self.resource(tx, indicator).await?, slash_variant(indicator)) {
            (None, Some(variant)) => self.resource(tx, &variant).await,
            (found, _) => Ok(found),
        }
    }

    /// The default resource; cached until any resource changes.
    pub async fn default_resource(&self, tx: &mut Tx) -> Result<Option<Arc<Resource>>, Error> {
        let load = async |tx: &mut Tx| resources::find_default(tx).await?.map(Arc::new).ok_or(Absent::NotThere);
        // No resource has an empty indicator.
        let key = (self.versions.of_resources(), String::new());
        found(cached(&self.loaded.resources, &key, tx, load).await)
    }

    /// The facts of a user for plugins, and the user's scopes, for a user that was just read at `revision`; cached
    /// until the user or one of their roles, organizations or organization roles changes. `None` if the user no longer
    /// exists.
    pub async fn user_facts(&self, tx: &mut Tx, id: &UserId, revision: i64) -> Result<Option<Arc<UserFacts>>, Error> {
        let Some(first) = self.user_at(tx, id, revision, self.versions.of_resources()).await? else { return Ok(None) };
        // Joining an organization or getting a role changes the user, so these are those of this revision of the user,
        // or were until one of them was deleted.
        let version = self.versions.of_user(&first.facts);
        if first.as_of >= version {
            return Ok(Some(first.facts));
        }
        Ok(self.user_at(tx, id, revision, version).await?.map(|newer| newer.facts))
    }

    /// The facts of a user at least as of a version of what they depend on.
    async fn user_at(
        &self,
        tx: &mut Tx,
        id: &UserId,
        revision: i64,
        version: i64,
    ) -> Result<Option<LoadedUser>, Error> {
        let load = async |tx: &mut Tx| {
            let user = users::find(tx, id).await?.ok_or(Absent::NotThere)?;
            Ok(LoadedUser { as_of: self.revision, facts: Arc::new(UserFacts::load(tx, &user).await?) })
        };
        found(cached(&self.loaded.users, &(version, revision, id.clone()), tx, load).await)
    }

    /// Whether some application registered this origin, for CORS.
    pub async fn knows_origin(&self, tx: &mut Tx, origin: &str) -> Result<bool, Error> {
        let load = async |tx: &mut Tx| -> Result<_, Error> {
            Ok(Arc::new(applications::all(tx).await?.iter().flat_map(origins_of).collect::<HashSet<String>>()))
        };
        let known = cached(&self.loaded.origins, &self.versions.of_applications(), tx, load).await?;
        Ok(known.contains(origin))
    }
}

/// The cached value of a key; otherwise it is loaded once for all concurrent requests. Each of them takes its
/// connection before it waits, so that the one that loads never waits for a connection of the others (deadlock).
async fn cached<K, V, E>(
    cache: &Cache<K, V>,
    key: &K,
    tx: &mut Tx,
    load: impl AsyncFnOnce(&mut Tx) -> Result<V, E>,
) -> Result<V, E>
where
    K: Clone + Eq + Hash,
    V: Clone,
    E: From<storage::Error>,
{
    if let Some(value) = cache.get(key) {
        return Ok(value);
    }
    tx.connect().await?;
    cache.get_or_insert_async(key, load(tx)).await
}

/// Why nothing was loaded.
enum Absent {
    /// It does not exist, which is not cached, since clients can send any number of unknown ids.
    NotThere,
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Absent {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn found<T>(loaded: Result<T, Absent>) -> Result<Option<T>, Error> {
    match loaded {
        Ok(value) => Ok(Some(value)),
        Err(Absent::NotThere) => Ok(None),
        Err(Absent::Failed(error)) => Err(error),
    }
}

async fn read_keys(tx: &mut Tx, now: i64, cipher: &Cipher) -> Result<Arc<KeyRing>, Error> {
    Ok(Arc::new(KeyRing::decrypt(signing_keys::all(tx).await?, cipher, now)?))
}

impl Client {
    async fn load(tx: &mut Tx, application: Application) -> Result<Self, Error> {
        let mut held = BTreeMap::<ResourceId, BTreeSet<String>>::new();
        for scope in applications::scopes_held(tx, &application.id).await? {
            held.entry(scope.resource_id).or_default().insert(scope.name);
        }
        let secrets = applications::secrets_of(tx, &application.id).await?;
        let context = super::context::application(&application).to_string().into();
        let keys = application.oidc_client_metadata.jwks.as_ref().map(|set| Arc::new(KeySet::of(set)));
        Ok(Self { application, secrets, keys, held, context })
    }
}

/// The origins whose browsers may call on behalf of an application.
fn origins_of(application: &Application) -> Vec<String> {
    let registered = application.custom_client_metadata.cors_allowed_origins.as_deref().unwrap_or_default();
    let redirects = &application.oidc_client_metadata.redirect_uris;
    registered.iter().chain(redirects).filter_map(|uri| web_origin::origin_of(uri)).collect()
}
