//! What a claims plugin keeps for its later calls, as JSON. The settings must declare `[capabilities.cache]`, and an
//! operator must grant it to an uploaded plugin. An entry may be gone at any time.

use crate::Failure;
use crate::claims::bindings::claimsmith::plugin::cache as host;
use alloc::format;
use core::time::Duration;
use serde::{Serialize, de::DeserializeOwned};

/// Whose an entry is. The server adds the id, so that no call reaches an entry of another user or application.
pub use host::Owner;

/// What was stored under this key; none where there is no such entry.
pub fn get<T: DeserializeOwned>(owner: Owner, key: &str) -> Result<Option<T>, Failure> {
    match host::get(owner, key).map_err(Failure::Failed)? {
        Some(value) => serde_json::from_slice(&value).map(Some).map_err(|error| unusable(key, &error)),
        None => Ok(None),
    }
}

/// Stores a value for this long, in whole seconds from 1 to 3600, in the place of what was there.
pub fn set<T: Serialize + ?Sized>(owner: Owner, key: &str, value: &T, lifetime: Duration) -> Result<(), Failure> {
    let value = serde_json::to_vec(value).map_err(|error| unusable(key, &error))?;
    // More than the server accepts is refused by it, however much more.
    let seconds = u32::try_from(lifetime.as_secs()).unwrap_or(u32::MAX);
    host::set(owner, key, &value, seconds).map_err(Failure::Failed)
}

fn unusable(key: &str, error: &serde_json::Error) -> Failure {
    Failure::Failed(format!("the value of the cache entry {key:?}: {error}"))
}
