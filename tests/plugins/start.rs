//! Plugins at startup: a mandatory plugin that does not load blocks the tokens that it applies to.

use crate::support::{EXCHANGE, Server, exchange, options, version};
use claimsmith_runtime::Context;
use claimsmith_services::plugins::{ClaimsRefusal, PluginIssuance, Plugins, PluginsStartError, State, TokenKind};
use serde_json::json;
use std::fs;

const BROKEN: &str = "export const getCustomJwtClaims = () => ({";

/// The token of a machine.
fn machine() -> PluginIssuance<'static> {
    PluginIssuance {
        kind: TokenKind::ClientCredentials,
        grant_type: "client_credentials",
        context: Context::default(),
        ..exchange()
    }
}

#[tokio::test]
async fn the_list_tells_what_is_there() {
    let server = Server::with(&[
        ("b.js", &version(1)),
        ("a.js", &version(2)),
        ("c.js", BROKEN),
        ("c.toml", "order = -5\non_error = \"skip\"\n"),
        ("d.js", BROKEN),
        ("d.toml", "enabled = false\n"),
    ])
    .await;
    let list = serde_json::to_value(server.plugins.list()).unwrap();
    let names: Vec<_> = list.as_array().unwrap().iter().map(|status| status["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["c", "a", "b", "d"], "in the order in which they run");
    let (failed, active, disabled) = (&list[0], &list[1], &list[3]);
    assert_eq!(active["kind"], "claims");
    assert_eq!(active["source"], "folder");
    assert_eq!(active["generation"], 1);
    assert_eq!(active["state"], "active");
    assert_eq!(active["lastError"], json!(null));
    assert_eq!(active["tokenKinds"], json!(["access-token", "client-credentials"]));
    let source =
        claimsmith_runtime::Source::new("a", claimsmith_runtime::Language::JavaScript, version(2).into_bytes());
    assert_eq!(active["digest"], source.digest());
    assert_eq!((&failed["state"], &failed["kind"]), (&json!("failed"), &json!(null)));
    assert!(failed["lastError"].as_str().unwrap().contains("c.js"), "{failed}");
    assert_eq!((&failed["onError"], &failed["refusesTokens"]), (&json!("skip"), &json!(false)));
    assert_eq!((&disabled["state"], &disabled["lastError"]), (&json!("disabled"), &json!(null)));
}

#[tokio::test]
async fn a_mandatory_plugin_that_never_loaded_refuses_until_it_does() {
    let manifest = format!("grant_types = [\"{EXCHANGE}\"]\n");
    let server = Server::with(&[("guard.js", BROKEN), ("guard.toml", &manifest), ("a.js", &version(1))]).await;
    assert!(server.status("guard").unwrap().refuses_tokens);
    let Err(ClaimsRefusal::Failed { plugin, outcome, runs }) = server.exchange().await else {
        panic!("a token was issued")
    };
    assert_eq!((plugin.as_str(), outcome), ("guard", "unavailable"));
    assert_eq!(runs.last().map(|run| (&*run.plugin, &run.digest, run.generation)), Some(("guard", &None, None)));
    // It applies to exchanges alone.
    assert_eq!(server.plugins.claims(&machine()).await.unwrap().claims["version"], 1);

    // Still broken, otherwise: still mandatory.
    server.write("guard.js", "also broken (");
    let first = server.status("guard").unwrap().last_error;
    server.until_plugin("guard", "another error", |status| status.last_error != first).await;
    assert!(server.exchange().await.is_err());

    server.write("guard.js", "export const getCustomJwtClaims = () => ({ guarded: true });");
    server.until_plugin("guard", "serves", |status| status.state == State::Active).await;
    assert_eq!(server.claims().await, json!({ "version": 1, "guarded": true }));
}

#[tokio::test]
async fn an_operator_can_lift_it_in_three_ways() {
    for (what, how) in [("skip", "on_error = \"skip\"\n"), ("disable", "enabled = false\n"), ("remove", "")] {
        let server = Server::with(&[("guard.js", BROKEN)]).await;
        assert!(server.exchange().await.is_err());
        if how.is_empty() {
            server.remove("guard.js");
        } else {
            server.write("guard.toml", how);
        }
        server.until(what, |list| list.iter().all(|status| !status.refuses_tokens)).await;
        assert_eq!(server.claims().await, json!({}), "{what}");
    }
}

#[tokio::test]
async fn an_unreadable_manifest_counts_as_the_default_one() {
    let server = Server::with(&[("guard.js", &version(1)), ("guard.toml", "on_error = \n")]).await;
    for issuance in [exchange(), machine()] {
        assert!(server.plugins.applies(issuance.kind, issuance.grant_type, issuance.application, issuance.resource));
        let refused = server.plugins.claims(&issuance).await;
        assert!(matches!(refused, Err(ClaimsRefusal::Failed { outcome: "unavailable", .. })), "{refused:?}");
    }
    assert!(!server.plugins.applies(TokenKind::IdToken, "authorization_code", "spa", None));
}

#[tokio::test]
async fn a_secret_that_is_missing_at_the_start_refuses() {
    let manifest = "[secrets]\nKEY = { env = \"CLAIMSMITH_NO_SUCH_VARIABLE\" }\n";
    let server = Server::with(&[("a.js", &version(1)), ("a.toml", manifest)]).await;
    let error = server.status("a").unwrap().last_error.unwrap();
    assert_eq!(error, "a.toml: secret `KEY`: the variable CLAIMSMITH_NO_SUCH_VARIABLE is not set");
    assert!(server.exchange().await.is_err());
}

#[tokio::test]
async fn a_misnamed_file_is_listed_and_refuses_nothing() {
    let server = Server::with(&[("Guard.js", &version(1)), ("a.test.js", &version(1))]).await;
    let list = server.plugins.list();
    assert!(list.iter().all(|status| status.state == State::Failed && !status.refuses_tokens), "{list:#?}");
    assert!(list[0].last_error.as_ref().unwrap().starts_with("`Guard` is not a valid plugin name"), "{list:#?}");
    assert_eq!(list.len(), 2);
    assert_eq!(server.claims().await, json!({}));
}

#[tokio::test]
async fn a_folder_that_cannot_be_listed_stops_the_start() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("plugins"), "a file").unwrap();
    let error = Plugins::start(options(&outside), Vec::new()).await.map(drop).unwrap_err();
    assert!(matches!(error, PluginsStartError::Folder { .. }), "{error}");
}
