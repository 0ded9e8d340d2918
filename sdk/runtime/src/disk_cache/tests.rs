//! The disk cache: which entries it keeps, and which it removes.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::DiskCache;
use crate::scratch_directory::ScratchDirectory;
use std::{
    fs::{self, File},
    sync::Arc,
    time::{Duration, SystemTime},
};

#[test]
fn the_least_recently_used_file_is_removed_first() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Arc::new(ScratchDirectory::new(&folder.path().join("work")).unwrap());
    let cache = DiskCache { max_bytes: 3500, ..DiskCache::new(&folder.path().join("files"), scratch).unwrap() };
    for (age, key) in [(1, "one"), (2, "two"), (3, "three")] {
        cache.put(key, &[age; 1000]);
        let used = SystemTime::UNIX_EPOCH + Duration::from_secs(age.into());
        File::open(cache.folder.join(key)).unwrap().set_modified(used).unwrap();
    }
    assert_eq!(cache.get("one").unwrap(), vec![1; 1000]);
    cache.put("four", &[4; 1000]);
    assert_eq!(cache.get("two"), None);
    for (age, key) in [(1, "one"), (3, "three"), (4, "four")] {
        assert_eq!(cache.get(key).unwrap(), vec![age; 1000]);
    }
    assert_eq!(cache.write_failures(), 0);
}

#[test]
fn an_entry_is_intact_or_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Arc::new(ScratchDirectory::new(&folder.path().join("work")).unwrap());
    let cache = DiskCache::new(&folder.path().join("files"), scratch).unwrap();
    assert!(!cache.contains("one"));
    cache.put("one", &vec![1; 100_000]);
    assert!(cache.contains("one"));
    let file = fs::read(cache.path("one")).unwrap();
    cache.try_put_file("two", &file).unwrap();
    assert_eq!(cache.get("two"), cache.get("one"));
    for damaged in [&file[..99_000], &file[..10], &[], &[&file[..50_000], &[0][..], &file[50_001..]].concat()] {
        fs::write(cache.path("two"), damaged).unwrap();
        assert!(!cache.contains("two"));
        assert!(!cache.path("two").exists(), "it is made again");
    }
    assert_eq!(cache.get("two"), None);
    cache.hold("three", file);
    assert!(cache.contains("three"));
    assert_eq!(cache.get("three"), cache.get("one"));
    assert!(!cache.contains("three"), "it is kept until it is read");
    assert_eq!(cache.write_failures(), 1);
}
