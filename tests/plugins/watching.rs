//! Watching the plugin folder: file system events, polling, and the loss of the folder itself.

use crate::support::{Server, is, options, version};
use claimsmith_services::plugins::{Plugins, PluginsOptions, State};
use serde_json::json;
use std::{fs, time::Duration};

const NEVER: Duration = Duration::from_hours(1);

#[tokio::test]
async fn events_are_enough() {
    let server = Server::with_options(&[], |options| PluginsOptions { poll: NEVER, ..options }).await;
    server.write("a.js", &version(1));
    server.until_plugin("a", "serves", |status| is(status, State::Active)).await;
    server.write("a.toml", "enabled = false\n");
    server.until_plugin("a", "disabled", |status| is(status, State::Disabled)).await;
    server.remove("a.js");
    server.until("nothing", <[_]>::is_empty).await;
}

#[tokio::test]
async fn the_folder_is_removed_and_recreated() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    fs::remove_dir_all(server.path("")).unwrap();
    server.until("nothing", <[_]>::is_empty).await;
    assert_eq!(server.claims().await, json!({}));
    assert!(server.plugins.ready());

    fs::create_dir(server.path("")).unwrap();
    server.write("a.js", &version(2));
    server.until_plugin("a", "serves", |status| is(status, State::Active)).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
}

#[tokio::test]
async fn the_folder_is_exchanged_for_another() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let first = server.generation("a");
    let (new, old) = (server.outside.path().join("new"), server.outside.path().join("old"));
    fs::create_dir(&new).unwrap();
    fs::write(new.join("a.js"), version(2)).unwrap();
    fs::rename(server.path(""), &old).unwrap();
    fs::rename(&new, server.path("")).unwrap();
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
}

#[tokio::test]
async fn a_folder_that_does_not_exist_yet_may_come_later() {
    let outside = tempfile::tempdir().unwrap();
    let plugins = Plugins::start(options(&outside), Vec::new()).await.unwrap();
    let server = Server { outside, plugins };
    assert!(server.plugins.list().is_empty() && server.plugins.ready());
    fs::create_dir(server.path("")).unwrap();
    server.write("a.js", &version(1));
    server.until_plugin("a", "serves", |status| is(status, State::Active)).await;
}

#[tokio::test]
async fn what_cannot_be_listed_leaves_everything_as_it_is() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let first = server.generation("a");
    let aside = server.outside.path().join("aside");
    fs::rename(server.path(""), &aside).unwrap();
    fs::write(server.outside.path().join("plugins"), "a file, not a folder").unwrap();
    // There is nothing to wait for but several looks at it.
    for _ in 0..5 {
        assert_eq!(server.claims().await, json!({ "version": 1 }));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(server.generation("a"), first);

    fs::remove_file(server.outside.path().join("plugins")).unwrap();
    fs::write(aside.join("a.js"), version(2)).unwrap();
    fs::rename(&aside, server.path("")).unwrap();
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "version": 2 }));
}

#[tokio::test]
async fn hidden_and_foreign_files_are_no_plugins() {
    let names = [".a.js", "a.js~", "a.d.ts", "README.md", "a.toml", "a.cases.json", "a.js.new"];
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "not a plugin")).collect();
    let good = version(1);
    files.push(("good.mjs", &good));
    let server = Server::with(&files).await;
    let listed: Vec<_> = server.plugins.list().iter().map(|status| status.name.to_string()).collect();
    assert_eq!(listed, ["good"]);
    assert_eq!(server.claims().await, json!({ "version": 1 }));
}
