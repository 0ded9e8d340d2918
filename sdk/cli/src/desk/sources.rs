//! Which files of a plugin's folder are sources, whether the built artifact is newer than all of them, and which of them
//! have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The sources by their paths, each with a hash of its contents.
pub(super) type Fingerprint = BTreeMap<PathBuf, u64>;

/// Larger files are compared by size and time.
const MAX_HASHED_BYTES: u64 = 16 << 20;

/// Folders that tools write to, beside all hidden ones.
const TOOL_FOLDERS: [&str; 7] = ["target", "node_modules", "__pycache__", "build", "dist", "zig-out", "bindings"];

/// Whether a path below the folder is one that its author writes; `outputs` are the files that the build writes.
pub(super) fn is_source(path: &Path, outputs: &[PathBuf]) -> bool {
    let is_tools = |part: &str| part.starts_with('.') || TOOL_FOLDERS.contains(&part);
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    !parts.any(|part| is_tools(&part)) && !outputs.iter().any(|output| output == path)
}

/// The sources of a folder as they are now. What cannot be read is left out.
pub(super) fn fingerprint(folder: &Path, outputs: &[PathBuf]) -> Fingerprint {
    let mut found = Fingerprint::new();
    // A folder that goes away meanwhile has no sources.
    let _ = add_sources(folder, Path::new(""), outputs, &mut found);
    found
}

/// The paths that are in one of both alone, or whose contents differ.
pub(super) fn differing(before: &Fingerprint, after: &Fingerprint) -> BTreeSet<PathBuf> {
    let paths = before.keys().chain(after.keys());
    paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

fn add_sources(folder: &Path, inside: &Path, outputs: &[PathBuf], found: &mut Fingerprint) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(inside))? {
        let entry = entry?;
        let path = inside.join(entry.file_name());
        if !is_source(&path, outputs) {
            continue;
        }
        let Ok(meta) = entry.metadata() else { continue };
        if meta.is_dir() {
            let _ = add_sources(folder, &path, outputs, found);
        } else if let Ok(hash) = hash_of(&entry.path(), &meta) {
            found.insert(path, hash);
        }
    }
    Ok(())
}

fn hash_of(path: &Path, meta: &fs::Metadata) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    meta.len().hash(&mut hasher);
    if meta.len() > MAX_HASHED_BYTES || !meta.is_file() {
        meta.modified()?.hash(&mut hasher);
    } else {
        fs::read(path)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Whether the artifact is newer than everything that it may be made of.
pub(super) fn is_fresh(folder: &Path, artifact: &str, outputs: &[PathBuf]) -> bool {
    let built = fs::metadata(folder.join(artifact)).and_then(|meta| meta.modified());
    built.is_ok_and(|built| newest(folder, Path::new(""), outputs).is_ok_and(|newest| newest < built))
}

/// When a source below `folder/inside` was written last.
fn newest(folder: &Path, inside: &Path, outputs: &[PathBuf]) -> io::Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(folder.join(inside))? {
        let entry = entry?;
        let path = inside.join(entry.file_name());
        if !is_source(&path, outputs) || is_test(&path) {
            continue;
        }
        let meta = entry.metadata()?;
        let written = if meta.is_dir() { self::newest(folder, &path, outputs)? } else { meta.modified()? };
        newest = newest.max(written);
    }
    Ok(newest)
}

/// Golden cases and tests are not compiled.
fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy();
    path == Path::new("tests") || name.ends_with(".cases.json") || name.ends_with("_test.go")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{differing, fingerprint, is_fresh, is_source};
    use std::fs::{self, File};
    use std::path::{Path, PathBuf};
    use std::time::{Duration, SystemTime};

    #[test]
    fn what_tools_write_is_no_source() {
        let table = [
            ("hello.js", true),
            ("src/lib.rs", true),
            ("hello.wasm", false),
            ("target/release/a.wasm", false),
            (".hello.wasm.new", false),
            (".git/index", false),
        ];
        for (path, expected) in table {
            assert_eq!(is_source(Path::new(path), &[PathBuf::from("hello.wasm")]), expected, "{path}");
        }
    }

    #[test]
    fn an_artifact_is_fresh_until_a_source_is_newer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let is_fresh = || is_fresh(path, "a.wasm", &["a.wasm", "out.wasm"].map(PathBuf::from));
        fs::create_dir(path.join("src")).unwrap();
        fs::create_dir(path.join("target")).unwrap();
        fs::create_dir(path.join("tests")).unwrap();
        let written = |file: &str, minutes: u64| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + minutes * 60);
            File::create(path.join(file)).unwrap().set_modified(time).unwrap();
        };
        written("src/lib.rs", 1);
        assert!(!is_fresh(), "there is none");
        written("a.wasm", 2);
        written("target/junk", 3);
        written("out.wasm", 3);
        written("a.cases.json", 3);
        written("tests/test_a.py", 3);
        assert!(is_fresh());
        written("src/lib.rs", 4);
        assert!(!is_fresh());
    }

    #[test]
    fn a_change_is_one_of_the_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("src")).unwrap();
        let write = |file: &str, text: &str| fs::write(path.join(file), text).unwrap();
        let outputs = ["a.wasm"].map(PathBuf::from);
        write("src/lib.rs", "1");
        write("a.toml", "1");
        let before = fingerprint(path, &outputs);
        write("src/lib.rs", "1");
        write("a.wasm", "1");
        assert!(differing(&before, &fingerprint(path, &outputs)).is_empty());
        write("src/lib.rs", "2");
        write("src/new.rs", "");
        fs::remove_file(path.join("a.toml")).unwrap();
        let changed = differing(&before, &fingerprint(path, &outputs));
        assert_eq!(changed, ["a.toml", "src/lib.rs", "src/new.rs"].map(PathBuf::from).into());
    }
}
