//! What is kept between starts, and that it is not believed when it is damaged.

use crate::support::{claims, options, request, source};
use claimsmith_runtime::{Host, HostOptions, Language, Limits};
use serde_json::json;
use std::{fs, path::Path};

const TEXT: &str = "export const getCustomJwtClaims = () => ({ answer: 42 });";

async fn start_and_ask(folder: &Path) {
    let host = Host::new(HostOptions { cache_dir: Some(folder.to_owned()), ..options() }).unwrap();
    let plugin = host.load(&source(Language::JavaScript, TEXT)).await.unwrap();
    let call = plugin.get_custom_jwt_claims(&request(&[]), &Limits::default()).await;
    assert_eq!(claims(call), json!({ "answer": 42 }));
}

fn components(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder.join("components"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_second_start_uses_what_the_first_made() {
    let folder = tempfile::tempdir().unwrap();
    start_and_ask(folder.path()).await;
    let made = components(folder.path());
    assert_eq!(made.len(), 2, "the base and the plugin");
    assert!(fs::read_dir(folder.path().join("native")).unwrap().next().is_some());
    start_and_ask(folder.path()).await;
    assert_eq!(components(folder.path()), made, "a snapshot made again would have other bytes");
}

#[tokio::test]
async fn a_damaged_file_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    start_and_ask(folder.path()).await;
    for (name, mut bytes) in components(folder.path()) {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(folder.path().join("components").join(name), bytes).unwrap();
    }
    let damaged = components(folder.path());
    start_and_ask(folder.path()).await;
    let mended = components(folder.path());
    assert!(mended.iter().zip(&damaged).all(|(mended, damaged)| mended.0 == damaged.0 && mended.1 != damaged.1));
    fs::write(folder.path().join("components").join(&mended[0].0), b"").unwrap();
    fs::write(folder.path().join("components").join(&mended[1].0), b"short").unwrap();
    start_and_ask(folder.path()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_may_enter_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data").join("cache");
    Host::new(HostOptions { cache_dir: Some(folder.clone()), ..options() }).unwrap();
    for folder in [folder.clone(), folder.join("components"), folder.join("native")] {
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
    fs::write(parent.path().join("file"), b"").unwrap();
    let blocked = HostOptions { cache_dir: Some(parent.path().join("file")), ..options() };
    let Err(error) = Host::new(blocked) else { panic!("a file is no folder") };
    assert!(error.to_string().contains("the cache folder"), "{error}");
}
