//! Which files of a plugin's folder are sources, and whether the built artifact is newer than all of them.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Folders that tools write to, beside all hidden ones.
const TOOL_FOLDERS: [&str; 7] = ["target", "node_modules", "__pycache__", "build", "dist", "zig-out", "bindings"];

/// Whether a path below the folder is one that its author writes; `artifact` is what is built.
pub(super) fn is_source(path: &Path, artifact: Option<&str>) -> bool {
    let is_tools = |part: &str| part.starts_with('.') || TOOL_FOLDERS.contains(&part);
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    !parts.any(|part| is_tools(&part)) && artifact.is_none_or(|artifact| path != Path::new(artifact))
}

/// Whether the artifact is newer than everything that it may be made of.
pub(super) fn is_fresh(folder: &Path, artifact: &str) -> bool {
    let built = fs::metadata(folder.join(artifact)).and_then(|meta| meta.modified());
    built.is_ok_and(|built| newest(folder, Path::new(""), artifact).is_ok_and(|newest| newest < built))
}

/// When a source below `folder/inside` was written last.
fn newest(folder: &Path, inside: &Path, artifact: &str) -> io::Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(folder.join(inside))? {
        let entry = entry?;
        let path = inside.join(entry.file_name());
        if !is_source(&path, Some(artifact)) || is_test(&path) {
            continue;
        }
        let meta = entry.metadata()?;
        let written = if meta.is_dir() { self::newest(folder, &path, artifact)? } else { meta.modified()? };
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

    use super::{is_fresh, is_source};
    use std::fs::{self, File};
    use std::path::Path;
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
            assert_eq!(is_source(Path::new(path), Some("hello.wasm")), expected, "{path}");
        }
    }

    #[test]
    fn an_artifact_is_fresh_until_a_source_is_newer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("src")).unwrap();
        fs::create_dir(path.join("target")).unwrap();
        fs::create_dir(path.join("tests")).unwrap();
        let written = |file: &str, minutes: u64| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + minutes * 60);
            File::create(path.join(file)).unwrap().set_modified(time).unwrap();
        };
        written("src/lib.rs", 1);
        assert!(!is_fresh(path, "a.wasm"), "there is none");
        written("a.wasm", 2);
        written("target/junk", 3);
        written("a.cases.json", 3);
        written("tests/test_a.py", 3);
        assert!(is_fresh(path, "a.wasm"));
        written("src/lib.rs", 4);
        assert!(!is_fresh(path, "a.wasm"));
    }
}
