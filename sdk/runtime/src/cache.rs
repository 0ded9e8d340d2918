//! What a plugin keeps between its calls, on this node: entries of a user, of an application, or of everybody, each with
//! an end. The id of the owner is the host's to add, so that no call reaches an entry of another.

use crate::{
    CacheCapability, Context,
    json::{self, STORED},
};
use hashlink::LruCache;
use serde::Deserialize;
use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

/// Bytes of a key.
const MAX_KEY_BYTES: usize = 256;

/// Bytes of a value: what a guest can pass to the host in any one call.
const MAX_VALUE_BYTES: usize = 64 << 10;

/// Seconds that an entry may last.
const MAX_SECONDS: u32 = 3600;

/// Bytes that an entry takes beside its key and its value, about.
const ENTRY_BYTES: usize = 128;

/// The error of a plugin that declares no cache, or was granted none.
const NOT_GRANTED: &str = "the cache was not granted to this plugin (capabilities.cache)";

/// Whose an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// The user whom the token is about.
    User,
    /// The application that asks for it.
    Application,
    /// All calls of the plugin.
    Everybody,
}

/// An owner with its id.
#[derive(Debug, PartialEq, Eq, Hash)]
enum OwnerId {
    User(Box<str>),
    Application(Box<str>),
    Everybody,
}

type Key = (OwnerId, Box<str>);

/// The entries of one version of a plugin, within its bounds. What is used least goes first.
pub struct PluginCache {
    capability: CacheCapability,
    kept: Mutex<Kept>,
}

struct Kept {
    entries: LruCache<Key, Entry>,
    bytes: usize,
}

struct Entry {
    value: Box<[u8]>,
    ends: Instant,
}

/// What calls did with their cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct CacheCounts {
    /// Entries that were found.
    pub hits: u32,
    /// Entries that were not there.
    pub misses: u32,
    /// Entries that were kept.
    pub writes: u32,
    /// Entries that made room for others before their end.
    pub evicted: u32,
    /// Calls that were refused: not granted, without an owner, or too large.
    pub refused: u32,
}

/// The cache of one call, while it runs.
#[derive(Default)]
pub(crate) struct CacheCall {
    granted: Option<Arc<PluginCache>>,
    user: OwnerOfCall,
    application: OwnerOfCall,
    pub(crate) counts: CacheCounts,
}

/// A user or an application of the call, whose id is read once, and only if a plugin asks for it.
#[derive(Default)]
struct OwnerOfCall {
    object: Option<Arc<str>>,
    id: OnceLock<Option<Box<str>>>,
}

/// Who a user or an application is.
#[derive(Deserialize)]
struct Identified<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

impl PluginCache {
    /// Without entries, within these bounds.
    #[must_use]
    pub fn new(capability: CacheCapability) -> Self {
        let kept = Kept { entries: LruCache::new_unbounded(), bytes: 0 };
        Self { capability, kept: Mutex::new(kept) }
    }

    /// Another one without entries, within the same bounds: for calls that must neither see nor leave anything.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self::new(self.capability)
    }

    /// Keeps a value for calls in this context, as a call would, for as long as an entry may last. The error is for the
    /// plugin's author.
    pub fn keep(self: &Arc<Self>, context: &Context, owner: Owner, key: &str, value: Vec<u8>) -> Result<(), String> {
        CacheCall::new(Arc::clone(self), context).set(owner, key, value, MAX_SECONDS)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing in between can panic and leave it inconsistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: &Key, now: Instant) -> Option<Vec<u8>> {
        let mut kept = self.lock();
        let found = kept.entries.get(key).map(|entry| (entry.ends > now).then(|| entry.value.to_vec()))?;
        if found.is_none() {
            kept.remove(key);
        }
        found
    }

    /// How many others made room.
    fn set(&self, key: Key, value: Vec<u8>, ends: Instant) -> Result<u32, String> {
        let most = usize::try_from(self.capability.kib).unwrap_or(usize::MAX).saturating_mul(1 << 10);
        let size = size_of(&key, value.len());
        if size > most {
            return Err(format!(
                "an entry of {size} bytes does not fit in the cache of {most} (capabilities.cache.kib)"
            ));
        }
        let entries = usize::try_from(self.capability.entries).unwrap_or(usize::MAX);
        let mut kept = self.lock();
        kept.remove(&key);
        let mut evicted = 0;
        while kept.entries.len() >= entries || kept.bytes > most - size {
            let Some((key, entry)) = kept.entries.remove_lru() else { break };
            kept.bytes = kept.bytes.saturating_sub(size_of(&key, entry.value.len()));
            evicted += 1;
        }
        kept.bytes += size;
        kept.entries.insert(key, Entry { value: value.into(), ends });
        Ok(evicted)
    }
}

impl Kept {
    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes = self.bytes.saturating_sub(size_of(key, entry.value.len()));
        }
    }
}

/// Bytes that an entry takes.
fn size_of((owner, key): &Key, value: usize) -> usize {
    let id = match owner {
        OwnerId::User(id) | OwnerId::Application(id) => id.len(),
        OwnerId::Everybody => 0,
    };
    ENTRY_BYTES + id + key.len() + value
}

/// Without entries, which are a plugin's own.
impl fmt::Debug for PluginCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginCache").field("capability", &self.capability).finish_non_exhaustive()
    }
}

impl CacheCall {
    pub(crate) fn new(granted: Arc<PluginCache>, context: &Context) -> Self {
        Self {
            granted: Some(granted),
            user: OwnerOfCall::of(context.user.as_ref()),
            application: OwnerOfCall::of(context.application.as_ref()),
            counts: CacheCounts::default(),
        }
    }

    pub(crate) fn get(&mut self, owner: Owner, key: &str) -> Result<Option<Vec<u8>>, String> {
        let found = self.place(owner, key).map(|(cache, key)| cache.get(&key, Instant::now()));
        match &found {
            Ok(Some(_)) => self.counts.hits = self.counts.hits.saturating_add(1),
            Ok(None) => self.counts.misses = self.counts.misses.saturating_add(1),
            Err(_) => self.counts.refused = self.counts.refused.saturating_add(1),
        }
        found
    }

    pub(crate) fn set(&mut self, owner: Owner, key: &str, value: Vec<u8>, seconds: u32) -> Result<(), String> {
        let kept = self.try_set(owner, key, value, seconds);
        match &kept {
            Ok(evicted) => {
                self.counts.writes = self.counts.writes.saturating_add(1);
                self.counts.evicted = self.counts.evicted.saturating_add(*evicted);
            }
            Err(_) => self.counts.refused = self.counts.refused.saturating_add(1),
        }
        kept.map(drop)
    }

    fn try_set(&self, owner: Owner, key: &str, value: Vec<u8>, seconds: u32) -> Result<u32, String> {
        let (cache, key) = self.place(owner, key)?;
        if !(1..=MAX_SECONDS).contains(&seconds) {
            return Err(format!("an entry lasts from 1 to {MAX_SECONDS} seconds, not {seconds}"));
        }
        if value.len() > MAX_VALUE_BYTES {
            return Err(format!("a value has at most {MAX_VALUE_BYTES} bytes, not {}", value.len()));
        }
        cache.set(key, value, Instant::now() + Duration::from_secs(seconds.into()))
    }

    /// The cache, and the whole key of an entry; the error is for the plugin's author.
    fn place(&self, owner: Owner, key: &str) -> Result<(&PluginCache, Key), String> {
        let cache = self.granted.as_deref().ok_or(NOT_GRANTED)?;
        if key.is_empty() || key.len() > MAX_KEY_BYTES {
            return Err(format!("a key has from 1 to {MAX_KEY_BYTES} bytes, not {}", key.len()));
        }
        let missing = |what: &str| format!("there is no {what} in this call whose entry it could be");
        let owner = match owner {
            Owner::User => OwnerId::User(self.user.id().ok_or_else(|| missing("user"))?),
            Owner::Application => OwnerId::Application(self.application.id().ok_or_else(|| missing("application"))?),
            Owner::Everybody if cache.capability.everybody => OwnerId::Everybody,
            Owner::Everybody => {
                let text = "entries of everybody were not granted to this plugin (capabilities.cache.everybody)";
                return Err(text.to_owned());
            }
        };
        Ok((cache, (owner, key.into())))
    }
}

impl OwnerOfCall {
    fn of(object: Option<&Arc<str>>) -> Self {
        Self { object: object.map(Arc::clone), id: OnceLock::new() }
    }

    fn id(&self) -> Option<Box<str>> {
        let read = || {
            let Identified { id } = json::read(self.object.as_deref()?, STORED).ok()?;
            (!id.is_empty()).then(|| id.into())
        };
        self.id.get_or_init(read).clone()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn call(cache: &Arc<PluginCache>, user: Option<&str>, application: Option<&str>) -> CacheCall {
        let identified = |id: &str| serde_json::json!({ "customData": { "id": "other" }, "id": id }).to_string().into();
        let context =
            Context { user: user.map(identified), application: application.map(identified), ..Context::default() };
        CacheCall::new(Arc::clone(cache), &context)
    }

    fn cache(entries: u32, kib: u32, everybody: bool) -> Arc<PluginCache> {
        Arc::new(PluginCache::new(CacheCapability { entries, kib, everybody }))
    }

    #[test]
    fn an_entry_is_its_owners_alone() {
        let cache = cache(10, 10, true);
        let (mut ada, mut bob) = (call(&cache, Some("ada"), Some("shop")), call(&cache, Some("bob"), Some("shop")));
        ada.set(Owner::User, "plan", b"gold".to_vec(), 60).unwrap();
        assert_eq!(ada.get(Owner::User, "plan").unwrap().unwrap(), b"gold");
        assert_eq!(bob.get(Owner::User, "plan").unwrap(), None);
        assert_eq!(call(&cache, None, Some("ada")).get(Owner::Application, "plan").unwrap(), None);
        ada.set(Owner::Application, "plan", b"all".to_vec(), 60).unwrap();
        assert_eq!(bob.get(Owner::Application, "plan").unwrap().unwrap(), b"all");
        bob.set(Owner::Everybody, "plan", b"any".to_vec(), 60).unwrap();
        assert_eq!(call(&cache, None, None).get(Owner::Everybody, "plan").unwrap().unwrap(), b"any");
        let counts = CacheCounts { hits: 1, misses: 1, writes: 1, ..CacheCounts::default() };
        assert_eq!(bob.counts, counts);
        let apart = Arc::new(cache.apart());
        assert_eq!(call(&apart, Some("ada"), None).get(Owner::User, "plan").unwrap(), None);
    }

    #[test]
    fn without_an_owner_or_a_grant_there_is_an_error() {
        let cache = cache(10, 1, false);
        let mut nobody = call(&cache, None, None);
        for (owner, part) in
            [(Owner::User, "no user"), (Owner::Application, "no application"), (Owner::Everybody, "not granted")]
        {
            assert!(nobody.get(owner, "a").unwrap_err().contains(part), "{owner:?}");
            assert!(nobody.set(owner, "a", vec![], 1).unwrap_err().contains(part), "{owner:?}");
        }
        assert_eq!(nobody.counts, CacheCounts { refused: 6, ..CacheCounts::default() });
        assert!(CacheCall::default().get(Owner::User, "a").unwrap_err().contains("capabilities.cache"));
        let mut ada = call(&cache, Some("ada"), None);
        for (key, size, seconds) in [("", 1, 1), (&*"k".repeat(257), 1, 1), ("k", 1, 0), ("k", 1, 3601), ("k", 1024, 1)]
        {
            assert!(ada.set(Owner::User, key, vec![0; size], seconds).is_err(), "{} {size} {seconds}", key.len());
        }
        assert!(ada.set(Owner::User, "k", vec![0; MAX_VALUE_BYTES + 1], 1).unwrap_err().contains("at most"));
    }

    #[test]
    fn what_was_used_least_makes_room() {
        let by_entries = cache(2, 10, false);
        let mut ada = call(&by_entries, Some("ada"), None);
        for key in ["a", "b"] {
            ada.set(Owner::User, key, vec![1], 60).unwrap();
        }
        assert!(ada.get(Owner::User, "a").unwrap().is_some());
        ada.set(Owner::User, "c", vec![1], 60).unwrap();
        assert!(ada.get(Owner::User, "b").unwrap().is_none() && ada.get(Owner::User, "a").unwrap().is_some());
        assert_eq!(ada.counts.evicted, 1);
        let by_bytes = cache(100, 1, false);
        let mut ada = call(&by_bytes, Some("ada"), None);
        for key in ["a", "b"] {
            ada.set(Owner::User, key, vec![1; 600], 60).unwrap();
        }
        assert!(ada.get(Owner::User, "a").unwrap().is_none() && ada.get(Owner::User, "b").unwrap().is_some());
        // A value that is replaced does not count twice.
        ada.set(Owner::User, "b", vec![2; 800], 60).unwrap();
        assert_eq!(ada.counts.evicted, 1);
    }

    #[test]
    fn an_entry_ends() {
        let cache = cache(10, 10, false);
        let (key, start) = ((OwnerId::Everybody, "a".into()), Instant::now());
        cache.set((OwnerId::Everybody, "a".into()), vec![1], start + Duration::from_secs(10)).unwrap();
        assert!(cache.get(&key, start + Duration::from_millis(9_999)).is_some());
        assert!(cache.get(&key, start + Duration::from_secs(10)).is_none());
        assert_eq!(cache.lock().bytes, 0);
    }
}
