//! Hot reload: changes of the plugin folder apply to the next token, and a broken version to none.

use crate::support::{Server, exchange, is, version};
use claimsmith_services::plugins::{Plugins, PluginsOptions, State};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::symlink,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
};

const BROKEN: &str = "export const getCustomJwtClaims = () => ({ version: ";

#[tokio::test]
async fn added_changed_and_removed() {
    let server = Server::with(&[]).await;
    assert_eq!(server.claims().await, json!({}));

    server.write("a.js", &version(1));
    server.until_plugin("a", "serves", |status| is(status, State::Active)).await;
    assert_eq!(server.claims().await, json!({ "version": 1 }));
    let first = server.generation("a");

    server.write("a.js", &version(2));
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));

    server.remove("a.js");
    server.until("nothing", <[_]>::is_empty).await;
    assert_eq!(server.claims().await, json!({}));
}

#[tokio::test]
async fn renamed_over() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let first = server.generation("a");
    server.write("a.js.new", &version(2));
    fs::rename(server.path("a.js.new"), server.path("a.js")).unwrap();
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
}

#[tokio::test]
async fn replaced_by_a_link_whose_target_then_changes() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let (target, first) = (server.outside.path().join("elsewhere.js"), server.generation("a"));
    fs::write(&target, version(2)).unwrap();
    symlink(&target, server.path("a.link")).unwrap();
    fs::rename(server.path("a.link"), server.path("a.js")).unwrap();
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));

    // The folder itself does not change any more: only looking finds this.
    let second = server.generation("a");
    fs::write(&target, version(3)).unwrap();
    server.until_newer("a", second).await;
    assert_eq!(server.claims().await, json!({ "version": 3 }));

    // A link that leads nowhere is a broken version, not a removal.
    fs::remove_file(&target).unwrap();
    server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;
    assert_eq!(server.claims().await, json!({ "version": 3 }));
}

#[tokio::test]
async fn a_bad_version_leaves_the_old_one_serving() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let before = server.status("a").unwrap();
    let zeros = "\0".repeat(1000);
    let table = [
        (BROKEN, "a.js"),
        ("export const somethingElse = 1;", "getCustomJwtClaims"),
        ("export const getCustomJwtClaims = () => ({}); throw new Error('at top level');", "at top level"),
        (&zeros, "a.js"),
    ];
    let mut last = None;
    for (text, part) in table {
        server.write("a.js", text);
        let fresh = |error: &String| error.contains(part) && Some(error) != last.as_ref();
        server.until_plugin("a", part, |status| status.last_error.as_ref().is_some_and(fresh)).await;
        let now = server.status("a").unwrap();
        assert!(is(&now, State::Active), "{now:?}");
        assert_eq!((&now.digest, now.generation), (&before.digest, before.generation));
        assert_eq!(server.claims().await, json!({ "version": 1 }));
        last = now.last_error;
    }
    server.write("a.js", &version(2));
    server.until_newer("a", before.generation.unwrap()).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
}

#[tokio::test]
async fn a_file_that_is_no_webassembly_or_too_large_is_listed_with_its_error() {
    let server = Server::with_options(&[], |options| PluginsOptions { max_source: 1 << 20, ..options }).await;
    server.write("text.wasm", "not wasm at all");
    server.write("large.js", &" ".repeat((1 << 20) + 1));
    server.until("both errors", |list| list.len() == 2).await;
    let errors: Vec<_> = server.plugins.list().into_iter().map(|status| status.last_error.unwrap()).collect();
    assert_eq!(errors[0], "large.js has 1048577 bytes; at most 1048576 are accepted");
    assert!(errors[1].contains("WebAssembly") || errors[1].contains("wasm"), "{errors:?}");
    assert_eq!(server.claims().await, json!({}));
}

#[tokio::test]
async fn half_written_and_then_completed() {
    let server = Server::with(&[("old.js", &version(1))]).await;
    server.write("old.js", BROKEN);
    server.write("new.js", "export const getCustomJwtClaims = () => ({ added: ");
    server.until_plugin("old", "its error", |status| status.last_error.is_some()).await;
    server.until_plugin("new", "its error", |status| is(status, State::Failed)).await;
    let new = server.status("new").unwrap();
    assert!(!new.refuses_tokens, "a plugin that appears while the server runs fails nobody's request: {new:?}");
    assert_eq!(server.claims().await, json!({ "version": 1 }));

    server.write("old.js", &version(2));
    server.write("new.js", "export const getCustomJwtClaims = () => ({ added: true });");
    server.until("both", |list| list.iter().all(|status| status.last_error.is_none())).await;
    assert_eq!(server.claims().await, json!({ "version": 2, "added": true }));
}

#[tokio::test]
async fn two_files_of_one_name_keep_what_served() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    server.write("a.ts", &version(2));
    server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;
    let error = server.status("a").unwrap().last_error.unwrap();
    assert_eq!(error, "several files are called a: a.js, a.ts; remove all but one");
    assert_eq!(server.claims().await, json!({ "version": 1 }));

    let generation = server.generation("a");
    server.remove("a.js");
    server.until_newer("a", generation).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
}

#[tokio::test]
async fn a_call_under_way_finishes_on_the_version_it_began_with() {
    let slow = "export const getCustomJwtClaims = () => {
        for (const end = Date.now() + 2000; Date.now() < end; );
        return { version: 1 };
    };";
    let server = Server::with(&[("a.js", slow)]).await;
    let first = server.generation("a");
    let question = exchange();
    let mut call = pin!(server.plugins.claims(&question));
    let begun = std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_pending())).await;
    assert!(begun, "the call was over at once");

    server.write("a.js", &version(2));
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
    let old = call.await.unwrap();
    assert_eq!(Value::Object(old.claims), json!({ "version": 1 }));
    assert_eq!(old.runs[0].generation, Some(first));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_fails_while_versions_come_and_go() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let stop = Arc::new(AtomicBool::new(false));
    let asking = tokio::spawn(ask_until(server.plugins.clone(), Arc::clone(&stop)));
    for number in 2..6 {
        let before = server.generation("a");
        server.write("a.js", BROKEN);
        server.write("other.js", BROKEN);
        server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;
        server.write("a.js", &version(number));
        server.until_newer("a", before).await;
        server.remove("other.js");
        server.until("only a", |list| list.len() == 1).await;
    }
    stop.store(true, Ordering::Relaxed);
    let seen = asking.await.unwrap();
    assert!(seen.is_sorted(), "versions only move on: {seen:?}");
    assert!(seen.len() > 5, "requests were answered all the while");
}

async fn ask_until(plugins: Plugins, stop: Arc<AtomicBool>) -> Vec<u64> {
    let mut seen = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let claims = plugins.claims(&exchange()).await.unwrap();
        seen.push(claims.claims["version"].as_u64().unwrap());
        tokio::task::yield_now().await;
    }
    seen
}
