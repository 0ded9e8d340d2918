//! Damaged cache files: they are not used, and are made again.

use super::{claims, component, files, text, upload};
use crate::BINARY;
use claimsmith_test_support::{Home, Kind, Process};
use serde_json::json;
use std::fs;
use std::path::Path;

const SCRIPT: &str = "export const getCustomJwtClaims = () => ({ script: true });";

/// Does the same to every file that a cache keeps.
fn damage(cache: &Path, how: impl Fn(&mut Vec<u8>)) {
    for path in files(cache).into_iter().filter(|path| !path.starts_with(cache.join("work"))) {
        let mut bytes = fs::read(&path).unwrap();
        how(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_files_are_written_again() {
    let home = Home::new(Kind::Sqlite).await;
    fs::write(home.plugins_dir().join("stamp.wasm"), component(&text(1000))).unwrap();
    fs::write(home.plugins_dir().join("script.js"), SCRIPT).unwrap();
    let cache = home.folder().join("cache");
    let changes = [("CLAIMSMITH_PLUGINS_CACHE_DIR", cache.to_str().unwrap())];
    let serves = async || {
        let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
        let claims = claims(&server).await;
        assert_eq!((&claims["answer"], &claims["script"]), (&json!(1000), &json!(true)));
        assert!(server.terminate().await.success());
        assert!(!server.stderr.text().contains("wasmtime_internal_cache"), "{}", server.stderr.text());
        server.stderr.text().matches("a file in the plugin cache is damaged; it is removed and made again").count()
    };
    assert_eq!(serves().await, 0);
    let kept = ["native", "components", "plugins"].map(|part| files(&cache.join(part)).len());
    assert_eq!(kept, [2, 2, 2], "the code and the memory of the runtime, their native code, and both plugins");

    // One of the six is not looked at: where the runtime's code is damaged, its memory is made anew with it.
    damage(&cache, |bytes| bytes.truncate(bytes.len() / 2));
    assert_eq!(serves().await, 5);
    damage(&cache, Vec::clear);
    assert_eq!(serves().await, 5);
    damage(&cache, |bytes| {
        let middle = bytes.len() / 2;
        if let Some(byte) = bytes.get_mut(middle) {
            *byte ^= 1;
        }
    });
    assert_eq!(serves().await, 5);
    assert_eq!(serves().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_cannot_be_written_is_a_warning() {
    let home = Home::new(Kind::Sqlite).await;
    fs::write(home.plugins_dir().join("script.js"), SCRIPT).unwrap();
    // A file in its place: not even root writes into it.
    let cache = home.folder().join("cache");
    fs::write(&cache, "").unwrap();
    let changes = [("CLAIMSMITH_PLUGINS_CACHE_DIR", cache.to_str().unwrap())];
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    let warning = server.stderr.text();
    let line = warning.lines().find(|line| line.contains("plugins.cache_dir")).unwrap();
    assert!(line.contains(cache.to_str().unwrap()) && line.contains("WARN"), "{line}");
    // Plugins serve and are uploaded as ever.
    upload(&server, "stamp", &text(1000)).await.expect(201);
    let claims = claims(&server).await;
    assert_eq!((&claims["answer"], &claims["script"]), (&json!(1000), &json!(true)));
    assert!(server.terminate().await.success());
    assert!(fs::read(&cache).unwrap().is_empty());
}
