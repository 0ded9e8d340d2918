//! A stored plugin that no longer loads, as after an upgrade or with a damaged row: it is reported, its failure policy
//! applies, other plugins work, and a rollback or an upload repairs it.

use super::{claims, component, text, upload};
use crate::BINARY;
use crate::metrics::{scrape, value};
use claimsmith_runtime::{Language, Source};
use claimsmith_storage::Db;
use claimsmith_test_support::{Home, Process, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// Puts other bytes in the place of a version's.
async fn replace(db: &Db, plugin: &str, version: i64, bytes: &[u8], digest: &str) {
    let mut tx = db.begin().await.unwrap();
    let sql = "UPDATE plugin_versions SET source = $1, digest = $2 WHERE plugin_name = $3 AND id = $4";
    tx.sql(sql).bind(bytes).bind(digest).bind(plugin).bind(version).execute().await.unwrap();
    tx.commit().await.unwrap();
}

fn digest(bytes: &[u8]) -> String {
    Source::new("", Language::Wasm, bytes.to_vec()).digest().to_owned()
}

/// A component that claims `other` instead of `answer`.
fn other(number: u32) -> String {
    text(number).replace("\\\"answer\\\"", "\\\"others\\\"")
}

async fn plugin(server: &Process, name: &str) -> Value {
    server.management().await.get(&format!("/api/plugins/{name}")).await.expect(200).body
}

both!(one_that_no_longer_loads_is_reported_and_the_rest_serve, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_LOG_FORMAT", "json")];
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    for number in [1000, 1001] {
        upload(&server, "stamp", &text(number)).await.expect(201);
    }
    upload(&server, "others", &other(2000)).await.expect(201);
    server.management().await.patch("/api/plugins/stamp", json!({ "onError": "skip" })).await.expect(200);
    assert!(server.terminate().await.success());

    // One that may be left out, of a contract that this server does not know.
    let db = home.db().await;
    let foreign = component(&text(1001).replace("@1.0.0", "@9.0.0"));
    replace(&db, "stamp", 2, &foreign, &digest(&foreign)).await;
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    // The server is ready without one that may be skipped.
    let line = server.stderr.wait_for("plugin refused").await;
    assert!(line.contains("stamp") && line.contains("9.0.0"), "{line}");
    let told = plugin(&server, "stamp").await;
    assert_eq!((&told["state"], &told["refusesTokens"]), (&json!("failed"), &json!(false)), "{told:#}");
    assert!(told["lastError"].as_str().unwrap().contains("9.0.0"), "{told:#}");
    assert_eq!(value(&scrape(&server).await, "claimsmith_plugin_reloads_total", &["result=\"refused\""]), 1);
    let claimed = claims(&server).await;
    assert_eq!((claimed.get("answer"), &claimed["others"]), (None, &json!(2000)));

    let management = server.management().await;
    management.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    assert_eq!(claims(&server).await["answer"], 1000);
    assert_eq!(plugin(&server, "stamp").await["lastError"], Value::Null);
    assert!(server.terminate().await.success());

    // One without which no token may be issued: no component at all, and bytes that nobody uploaded.
    for (bytes, digest, part) in [
        (b"garbage".to_vec(), digest(b"garbage"), "magic number"),
        (component(&other(2001)), digest(&component(&other(2000))), "digest"),
    ] {
        let latest = plugin_versions(&db, "others").await;
        replace(&db, "others", latest, &bytes, &digest).await;
        let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
        let told = plugin(&server, "others").await;
        assert_eq!((&told["state"], &told["refusesTokens"]), (&json!("failed"), &json!(true)), "{told:#}");
        assert!(told["lastError"].as_str().unwrap().contains(part), "{told:#}");
        assert_eq!(plugin(&server, "stamp").await["state"], "active");
        let pending = server.customer_token().await;
        server.exchange(&pending).send().await.expect_oauth_error(500, "server_error");

        upload(&server, "others", &other(2002)).await.expect(201);
        server.exchange(&pending).send().await.expect(200);
        let claimed = claims(&server).await;
        assert_eq!((&claimed["answer"], &claimed["others"]), (&json!(1000), &json!(2002)));
        assert!(server.terminate().await.success());
    }
    db.close().await;
});

/// The newest version.
async fn plugin_versions(db: &Db, plugin: &str) -> i64 {
    let mut tx = db.read().await.unwrap();
    claimsmith_storage::plugins::find(&mut tx, plugin).await.unwrap().unwrap().last_version
}
