//! Several servers on one PostgreSQL: changes through one apply to all, also to one that was disconnected.

mod atomic_changes;
mod backpressure;
mod concurrent_starts;
mod disconnected;
mod recordings;
mod risky_change;
mod rollouts;
mod sign_in;

use crate::BINARY;
use claimsmith_test_support::{Answer, Home, Process, until};
use serde_json::{Value, json};

/// A node that shares with others what nodes share, the database and the encryption key: its data folder, its compiled
/// plugins and its plugin folder are its own, as on machines of their own.
async fn start(home: &Home, name: &str, changes: &[(&str, &str)]) -> Process {
    let (folder, plugins) = (home.folder().join(name), home.folder().join(format!("{name}-plugins")));
    std::fs::create_dir_all(&plugins).unwrap();
    let mut all = vec![
        ("CLAIMSMITH_DATA_DIR", folder.to_str().unwrap()),
        // Below the data folder.
        ("CLAIMSMITH_PLUGINS_CACHE_DIR", ""),
        ("CLAIMSMITH_PLUGINS_DIR", plugins.to_str().unwrap()),
    ];
    all.extend(changes);
    Process::start(BINARY, home, &all).await.unwrap()
}

/// Three nodes, started at once on an empty database.
async fn start_three(home: &Home) -> [Process; 3] {
    tokio::join!(start(home, "one", &[]), start(home, "two", &[]), start(home, "three", &[])).into()
}

fn says(version: &str) -> String {
    format!("export const getCustomJwtClaims = async () => ({{ version: {version:?} }});")
}

async fn upload(node: &Process, version: &str) {
    let management = node.management().await;
    let request = management.request(reqwest::Method::PUT, "/api/plugins/stamp");
    let request = request.header(reqwest::header::CONTENT_TYPE, "text/javascript").body(says(version));
    Answer::of(request).await.expect(201);
}

/// The claims of a token that a node issues now.
async fn claims(node: &Process) -> Value {
    let token = node.exchange(&node.customer_token().await).access_token().await;
    json!(node.verify(&token, &node.demo().resource).await.claims)
}

/// Waits until what a node issues says so.
async fn until_it_says(node: &Process, version: &Value) {
    until(&format!("a token that says {version}"), async || {
        let claims = claims(node).await;
        (claims.get("version").unwrap_or(&Value::Null) == version).then_some(())
    })
    .await;
}
