//! Manifests of plugins in the folder: settings, and secrets from environment or files.

use crate::support::{Server, version};
use claimsmith_services::plugins::State;
use serde_json::json;
use std::fs;

/// A plugin that sets every variable that it sees.
const ENVIRONMENT: &str = "export const getCustomJwtClaims = ({ environmentVariables }) => environmentVariables;";

/// The same letter by letter, since the value of a secret is no claim.
const SPELLED: &str = "export const getCustomJwtClaims = ({ environmentVariables }) => \
     Object.fromEntries(Object.entries(environmentVariables).map(([name, value]) => [name, [...value].join(' ')]));";

#[tokio::test]
async fn a_change_of_settings_serves_the_next_token_without_a_new_source() {
    let server = Server::with(&[("a.js", ENVIRONMENT), ("a.toml", "[environment]\nCOLOR = \"red\"\n")]).await;
    let first = server.status("a").unwrap();
    assert_eq!(server.claims().await, json!({ "COLOR": "red" }));

    server.write("a.toml", "[environment]\nCOLOR = \"green\"\n");
    server.until_newer("a", first.generation.unwrap()).await;
    assert_eq!(server.claims().await, json!({ "COLOR": "green" }));
    assert_eq!(server.status("a").unwrap().digest, first.digest);

    let second = server.generation("a");
    server.remove("a.toml");
    server.until_newer("a", second).await;
    assert_eq!(server.claims().await, json!({}));
}

#[tokio::test]
async fn bad_settings_leave_the_old_ones_in_force() {
    let server = Server::with(&[("a.js", ENVIRONMENT), ("a.toml", "[environment]\nCOLOR = \"red\"\n")]).await;
    server.write("a.toml", "[environment]\nCOLOR = \"green\"\n[limits]\ndeadline = 5\n");
    server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;
    let error = server.status("a").unwrap().last_error.unwrap();
    assert!(error.starts_with("a.toml, line 4, `limits.deadline`: unknown field"), "{error}");
    assert_eq!(server.claims().await, json!({ "COLOR": "red" }));
}

#[tokio::test]
async fn disabled_and_enabled_again() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    server.write("a.toml", "enabled = false\n");
    server.until_plugin("a", "disabled", |status| status.state == State::Disabled).await;
    assert_eq!(server.claims().await, json!({}));

    server.write("a.toml", "enabled = true\n");
    server.until_plugin("a", "active", |status| status.state == State::Active).await;
    assert_eq!(server.claims().await, json!({ "version": 1 }));
}

#[tokio::test]
async fn a_secret_is_read_again_when_it_changes_and_kept_when_it_is_gone() {
    let manifest = "[secrets]\nKEY = { file = \"../key\" }\nNAME = { env = \"CARGO_PKG_NAME\" }\n";
    let server = Server::with(&[("a.js", SPELLED)]).await;
    let key = server.outside.path().join("key");
    let first = server.generation("a");
    server.write("a.toml", manifest);
    server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;
    let error = server.status("a").unwrap().last_error.unwrap();
    assert!(error.starts_with("a.toml: secret `KEY`: ../key cannot be read"), "{error}");
    assert_eq!(server.claims().await, json!({}), "without its secrets the new version is not accepted");

    fs::write(&key, "one\n").unwrap();
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({ "KEY": "o n e", "NAME": "c l a i m s m i t h" }));

    let second = server.generation("a");
    fs::write(&key, "two\n").unwrap();
    server.until_newer("a", second).await;
    assert_eq!(server.claims().await, json!({ "KEY": "t w o", "NAME": "c l a i m s m i t h" }));

    fs::remove_file(&key).unwrap();
    server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;
    assert_eq!(server.claims().await, json!({ "KEY": "t w o", "NAME": "c l a i m s m i t h" }));
    let listed = serde_json::to_string(&server.plugins.list()).unwrap();
    assert!(!listed.contains("two"), "{listed}");
}
