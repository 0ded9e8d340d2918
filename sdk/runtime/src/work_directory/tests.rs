//! What is taken from the folder of a process that compiled: the one entry, and only if it is a whole file of its own.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::{HostOptions, Language};
use sha2::{Digest, Sha256};
use std::os::unix::fs::symlink;

const COMPILED: &[u8] = b"compiled";

/// A host with a cache, a source, and a folder in which it was compiled.
struct Compiled {
    folder: TempDir,
    host: Host,
    source: Source,
    work: WorkDirectory,
}

/// A file of the cache with these contents.
fn entry(contents: &[u8]) -> Vec<u8> {
    [Sha256::digest(contents).as_slice(), contents].concat()
}

impl Compiled {
    /// Nothing is in the folder yet.
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = HostOptions {
            cache_dir: Some(folder.path().join("cache")),
            concurrency: 1,
            queue: 0,
            max_memory: 1 << 20,
            max_source: 1 << 20,
            parallel_compilation: false,
            metered: false,
        };
        let host = Host::new(options).unwrap();
        let source = Source::new("one", Language::Wasm, b"source".to_vec());
        let work = host.work_directory(&source).await.unwrap();
        fs::create_dir(work.path().join(PLUGINS_FOLDER)).unwrap();
        Self { folder, host, source, work }
    }

    /// Where the process leaves what it made of a source.
    fn path(&self, source: &Source) -> PathBuf {
        self.work.path().join(PLUGINS_FOLDER).join(self.host.0.key(source))
    }

    async fn import(&self) -> Result<(), io::ErrorKind> {
        self.host.import_compiled(&self.work, &self.source).await.map_err(|error| error.kind())
    }

    /// The names of what the host's cache holds.
    fn cached(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("cache").join(PLUGINS_FOLDER)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[tokio::test]
async fn the_entry_of_the_source_is_taken_and_no_file_beside_it() {
    let compiled = Compiled::new().await;
    let other = Source::new("other", Language::Wasm, b"source".to_vec());
    fs::write(compiled.path(&compiled.source), entry(COMPILED)).unwrap();
    fs::write(compiled.path(&other), entry(b"of another plugin")).unwrap();
    fs::write(compiled.work.path().join(PLUGINS_FOLDER).join("planted"), entry(b"planted")).unwrap();
    assert_eq!(compiled.import().await, Ok(()));
    assert_eq!(compiled.cached(), [compiled.host.0.key(&compiled.source)]);
    let cache = compiled.host.0.plugin_cache.as_ref().unwrap();
    assert_eq!(cache.get(&compiled.host.0.key(&compiled.source)).as_deref(), Some(COMPILED));
    assert!(compiled.host.is_cached(&compiled.source).await && !compiled.host.is_cached(&other).await);
}

#[tokio::test]
async fn a_link_is_not_followed() {
    let compiled = Compiled::new().await;
    let (path, elsewhere) = (compiled.path(&compiled.source), compiled.folder.path().join("elsewhere"));
    fs::create_dir(&elsewhere).unwrap();
    let file = elsewhere.join(path.file_name().unwrap());
    fs::write(&file, entry(COMPILED)).unwrap();
    // In place of the entry, and of its folder.
    symlink(&file, &path).unwrap();
    assert_eq!(compiled.import().await, Err(io::ErrorKind::InvalidData));
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    symlink(&elsewhere, path.parent().unwrap()).unwrap();
    assert_eq!(compiled.import().await, Err(io::ErrorKind::InvalidData));
    assert!(compiled.cached().is_empty());
}

#[tokio::test]
async fn an_entry_that_is_damaged_or_missing_is_refused() {
    let compiled = Compiled::new().await;
    assert_eq!(compiled.import().await, Err(io::ErrorKind::NotFound));
    let path = compiled.path(&compiled.source);
    let whole = entry(COMPILED);
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for damaged in [changed.as_slice(), &whole[..whole.len() - 1], &whole[..8], &[]] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(compiled.import().await, Err(io::ErrorKind::InvalidData), "{} bytes", damaged.len());
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(compiled.import().await, Err(io::ErrorKind::InvalidData));
    assert!(compiled.cached().is_empty());
}
