//! The cache between starts: what is cached, and that damaged files are not used.

use crate::support::{ample, claims, options, request, source};
use claimsmith_runtime::{CacheUse, Host, HostOptions, Language};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

const CLAIMS: &str = include_str!("../guests/claims.wat");
const TEXT: &str = "export const getCustomJwtClaims = () => ({ answer: 42 });";

async fn start_and_ask(folder: &Path) {
    let host = Host::new(HostOptions { cache_dir: Some(folder.to_owned()), ..options() }).unwrap();
    let plugin = host.load(&source(Language::JavaScript, TEXT)).await.unwrap();
    let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
    assert_eq!(claims(call), json!({ "answer": 42 }));
}

/// The runtime of the language, and what was made of the plugin.
fn kept(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = ["components", "plugins"].into_iter().flat_map(|part| fs::read_dir(folder.join(part)).unwrap());
    let mut files: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_second_start_uses_what_the_first_made() {
    let folder = tempfile::tempdir().unwrap();
    start_and_ask(folder.path()).await;
    let made = kept(folder.path());
    assert_eq!(made.len(), 3, "the runtime, its memory, and the plugin");
    assert!(fs::read_dir(folder.path().join("native")).unwrap().next().is_some());
    start_and_ask(folder.path()).await;
    assert_eq!(kept(folder.path()), made, "a snapshot made again would have other bytes");
}

#[tokio::test]
async fn a_damaged_file_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    start_and_ask(folder.path()).await;
    for (path, mut bytes) in kept(folder.path()) {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    let damaged = kept(folder.path());
    start_and_ask(folder.path()).await;
    let mended = kept(folder.path());
    assert!(mended.iter().zip(&damaged).all(|(mended, damaged)| mended.0 == damaged.0 && mended.1 != damaged.1));
    fs::write(&mended[0].0, b"").unwrap();
    fs::write(&mended[1].0, b"short").unwrap();
    start_and_ask(folder.path()).await;
}

/// Wasmtime itself would believe a file of native code in which a byte is another one.
#[tokio::test]
async fn damaged_native_code_is_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache_use = async || {
        let host = Host::new(HostOptions { cache_dir: Some(folder.path().to_owned()), ..options() }).unwrap();
        let plugin = host.load(&source(Language::Wasm, wat::parse_str(CLAIMS).unwrap())).await.unwrap();
        let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
        assert_eq!(claims(call), json!({ "answer": 42.5 }));
        host.cache_use()
    };
    let (hit, miss) = (CacheUse { hits: 1, ..CacheUse::default() }, CacheUse { misses: 1, ..CacheUse::default() });
    assert_eq!(cache_use().await, miss);
    let path = fs::read_dir(folder.path().join("plugins")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&path).unwrap();
    let mut flipped = Vec::new();
    for part in 1..10 {
        let mut bytes = whole.clone();
        bytes[whole.len() * part / 10] ^= 1;
        flipped.push(bytes);
    }
    for damaged in [Vec::new(), whole[..31].to_vec(), whole[..whole.len() / 2].to_vec()].into_iter().chain(flipped) {
        fs::write(&path, &damaged).unwrap();
        assert_eq!(cache_use().await, miss);
        assert_eq!(fs::read(&path).unwrap(), whole, "the same code, kept once more");
        assert_eq!(cache_use().await, hit);
    }
}

#[tokio::test]
async fn files_of_dead_processes_are_removed_and_those_of_live_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let start = || Host::new(HostOptions { cache_dir: Some(folder.path().to_owned()), ..options() }).unwrap();
    let work = folder.path().join("work");
    let (one, other) = (start(), start());
    let left = work.join("left");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("lock"), b"").unwrap();
    fs::write(left.join("half.part"), b"half").unwrap();
    let third = start();
    assert!(!left.exists());
    let folders = || fs::read_dir(&work).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert_eq!(folders(), 3);
    let component = wat::parse_str(CLAIMS).unwrap();
    for host in [&one, &other, &third] {
        host.load(&source(Language::Wasm, component.clone())).await.unwrap();
    }
    drop((one, other, third));
    assert_eq!(folders(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_enter_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data").join("cache");
    Host::new(HostOptions { cache_dir: Some(folder.clone()), ..options() }).unwrap();
    for part in ["", "components", "native", "plugins", "work"] {
        let folder = folder.join(part);
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
    fs::write(parent.path().join("file"), b"").unwrap();
    let blocked = HostOptions { cache_dir: Some(parent.path().join("file")), ..options() };
    let Err(error) = Host::new(blocked) else { panic!("a file is no folder") };
    assert!(error.to_string().contains("the cache folder"), "{error}");
}
