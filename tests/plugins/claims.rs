//! Several claims plugins for one token: filters, order, merging, failures, and the shared budget.

use crate::support::{API, EXCHANGE, Server, exchange};
use claimsmith_services::plugins::{ClaimsRefusal, PluginIssuance, PluginsOptions, TokenKind};
use serde_json::{Value, json};
use std::time::Duration;

/// A plugin that says that it was asked.
fn marks(name: &str) -> String {
    format!("export const getCustomJwtClaims = () => ({{ last: \"{name}\", {name}: true }});")
}

const THROWS: &str = "export const getCustomJwtClaims = () => { throw new Error('no luck'); };";
const LOOPS: &str = "export const getCustomJwtClaims = () => { for (;;) {} };";
const LARGE: &str = "export const getCustomJwtClaims = () => ({ large: 'x'.repeat(700) });";
const LARGE_TOO: &str = "export const getCustomJwtClaims = () => ({ larger: 'y'.repeat(700) });";
const SKIP: &str = "on_error = \"skip\"\n";

#[tokio::test]
async fn they_run_in_order_and_a_later_claim_wins() {
    let (a, b, c) = (marks("a"), marks("b"), marks("c"));
    let files = [("a.js", &*a), ("b.js", &*b), ("c.js", &*c), ("a.toml", "order = 1\n"), ("c.toml", "order = -1\n")];
    let server = Server::with(&files).await;
    let claims = server.exchange().await.unwrap();
    let ran: Vec<_> = claims.runs.iter().map(|run| (&*run.plugin, run.outcome)).collect();
    assert_eq!(ran, [("c", "ok"), ("b", "ok"), ("a", "ok")]);
    assert_eq!(Value::Object(claims.claims), json!({ "last": "a", "a": true, "b": true, "c": true }));
    assert!(claims.runs.iter().all(|run| run.digest.is_some() && run.generation == Some(1)), "{:?}", claims.runs);
}

#[tokio::test]
async fn each_is_asked_about_its_own_tokens_alone() {
    let names = ["any", "exchanges", "spa", "api", "machines", "ids"];
    let exchanges = format!("grant_types = [\"{EXCHANGE}\"]\n");
    let api = format!("resources = [\"{API}\"]\n");
    let manifests = [
        "",
        &exchanges,
        "applications = [\"spa\"]\n",
        &api,
        "token_kinds = [\"client-credentials\"]\n",
        "token_kinds = [\"id-token\"]\n",
    ];
    let sources: Vec<_> = names.iter().map(|name| (format!("{name}.js"), marks(name))).collect();
    let settings: Vec<_> = names.iter().zip(manifests).map(|(name, text)| (format!("{name}.toml"), text)).collect();
    let mut files: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.extend(settings.iter().map(|(name, text)| (&**name, *text)));
    let server = Server::with(&files).await;

    let kind = TokenKind::AccessToken;
    let refresh = PluginIssuance { grant_type: "refresh_token", application: "web", resource: None, ..exchange() };
    let machine = PluginIssuance { kind: TokenKind::ClientCredentials, grant_type: "client_credentials", ..exchange() };
    let id =
        PluginIssuance { kind: TokenKind::IdToken, grant_type: "authorization_code", resource: None, ..exchange() };
    let table: [(PluginIssuance<'_>, &[&str]); 4] = [
        (exchange(), &["any", "api", "exchanges", "spa"]),
        (refresh, &["any"]),
        (machine, &["any", "api", "machines", "spa"]),
        (id, &["ids"]),
    ];
    for (issuance, expected) in table {
        let claims = server.plugins.claims(&issuance).await.unwrap();
        let ran: Vec<_> = claims.runs.iter().map(|run| &*run.plugin).collect();
        assert_eq!(ran, expected, "{issuance:?}");
    }

    for name in ["any", "exchanges", "spa", "api"] {
        server.remove(&format!("{name}.js"));
    }
    server.until("two plugins", |list| list.len() == 2).await;
    assert!(!server.plugins.applies(kind, EXCHANGE, "spa", Some(API)), "nobody is left for it");
    assert!(server.plugins.applies(TokenKind::IdToken, "authorization_code", "spa", None));
}

#[tokio::test]
async fn a_failure_refuses_or_is_left_out() {
    let last = marks("z");
    let server = Server::with(&[("a.js", THROWS), ("a.toml", SKIP), ("z.js", &last)]).await;
    let claims = server.exchange().await.unwrap();
    let ran: Vec<_> = claims.runs.iter().map(|run| (&*run.plugin, run.outcome)).collect();
    assert_eq!(ran, [("a", "failed"), ("z", "ok")]);
    assert_eq!(Value::Object(claims.claims), json!({ "last": "z", "z": true }));

    let first = server.generation("a");
    server.remove("a.toml");
    server.until_newer("a", first).await;
    let Err(ClaimsRefusal::Failed { plugin, outcome, runs }) = server.exchange().await else {
        panic!("a token was issued")
    };
    assert_eq!((plugin.as_str(), outcome, runs.len()), ("a", "failed", 1));
}

#[tokio::test]
async fn a_denial_always_refuses() {
    let denies = "export const getCustomJwtClaims = ({ api }) => api.denyAccess('Not today.');";
    let never = marks("z");
    let server = Server::with(&[("a.js", denies), ("a.toml", SKIP), ("z.js", &never)]).await;
    let Err(ClaimsRefusal::Denied { plugin, message, runs }) = server.exchange().await else {
        panic!("a token was issued")
    };
    assert_eq!((plugin.as_str(), message.as_str()), ("a", "Not today."));
    assert_eq!(runs.iter().map(|run| run.outcome).collect::<Vec<_>>(), ["denied"]);
}

#[tokio::test]
async fn the_budget_is_shared() {
    let last = marks("z");
    let files = [("a.js", LOOPS), ("a.toml", SKIP), ("z.js", &*last), ("z.toml", SKIP)];
    let budget = Duration::from_millis(200);
    let server = Server::with_options(&files, |options| PluginsOptions { budget, ..options }).await;
    let claims = server.exchange().await.unwrap();
    let ran: Vec<_> = claims.runs.iter().map(|run| (&*run.plugin, run.outcome)).collect();
    assert_eq!(ran, [("a", "timed_out"), ("z", "timed_out")], "nothing was left for the second");
    assert_eq!(claims.runs[1].duration, Duration::ZERO, "it was not even called");
    assert!(claims.claims.is_empty());
}

#[tokio::test]
async fn a_manifest_lowers_a_deadline() {
    let last = marks("z");
    let manifest = "on_error = \"skip\"\n[limits]\ndeadline_ms = 100\n";
    let server = Server::with(&[("a.js", LOOPS), ("a.toml", manifest), ("z.js", &last)]).await;
    let claims = server.exchange().await.unwrap();
    assert_eq!(claims.runs.iter().map(|run| run.outcome).collect::<Vec<_>>(), ["timed_out", "ok"]);
}

#[tokio::test]
async fn the_claims_of_all_together_have_a_size() {
    let files = [("a.js", LARGE), ("b.js", LARGE_TOO), ("b.toml", SKIP), ("c.js", LARGE)];
    let server = Server::with_options(&files, |options| PluginsOptions { claims_size: 1024, ..options }).await;
    let claims = server.exchange().await.unwrap();
    let outcomes: Vec<_> = claims.runs.iter().map(|run| run.outcome).collect();
    assert_eq!(outcomes, ["ok", "bad_output", "ok"], "the same claim again adds nothing");
    assert_eq!(claims.claims.keys().collect::<Vec<_>>(), ["large"]);

    let first = server.generation("b");
    server.remove("b.toml");
    server.until_newer("b", first).await;
    let refused = server.exchange().await;
    assert!(matches!(refused, Err(ClaimsRefusal::Failed { outcome: "bad_output", .. })), "{refused:?}");
}

#[tokio::test]
async fn reserved_claims_stay_what_they_are() {
    let forges = "export const getCustomJwtClaims = () => ({ sub: 'admin', scope: 'all', fine: 1 });";
    let server = Server::with(&[("a.js", forges)]).await;
    assert_eq!(server.claims().await, json!({ "fine": 1 }));
}

#[tokio::test]
async fn a_plugin_gets_the_whole_request() {
    let echoes = "export const getCustomJwtClaims = async ({ token, context }) => ({ token, context });";
    let server = Server::with(&[("a.js", echoes)]).await;
    let context = json!({
        "grant": { "type": EXCHANGE, "subjectTokenContext": { "ticketId": "T-1" } },
        "user": { "id": "customer", "roles": [{ "name": "customer" }] },
    });
    assert_eq!(server.claims().await, json!({ "token": { "kind": "AccessToken" }, "context": context }));
}
