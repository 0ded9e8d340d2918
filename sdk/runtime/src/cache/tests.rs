//! What a cache keeps, and what it lets go.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::Cache;
use crate::scratch::Scratch;
use std::{
    fs::File,
    sync::Arc,
    time::{Duration, SystemTime},
};

#[test]
fn what_was_used_longest_ago_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Arc::new(Scratch::new(&folder.path().join("work")).unwrap());
    let cache = Cache { most: 3500, ..Cache::new(&folder.path().join("files"), scratch).unwrap() };
    for (age, key) in [(1, "one"), (2, "two"), (3, "three")] {
        cache.put(key, &[age; 1000]);
        let used = SystemTime::UNIX_EPOCH + Duration::from_secs(age.into());
        File::open(cache.folder.join(key)).unwrap().set_modified(used).unwrap();
    }
    assert_eq!(cache.get("one"), Some(vec![1; 1000]));
    cache.put("four", &[4; 1000]);
    assert_eq!(cache.get("two"), None);
    for (age, key) in [(1, "one"), (3, "three"), (4, "four")] {
        assert_eq!(cache.get(key), Some(vec![age; 1000]));
    }
    assert_eq!(cache.unkept(), 0);
}
