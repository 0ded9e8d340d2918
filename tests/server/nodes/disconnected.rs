//! A node that loses its connection to PostgreSQL, or the notifications of other nodes.

use super::{start, until_it_says, upload};
use claimsmith_test_support::{Home, on_postgres};
use serde_json::{Value, json};
use std::sync::Arc;

/// A node that looks by itself this seldom takes over in time only what is announced.
const NEVER: (&str, &str) = ("CLAIMSMITH_PLUGINS_POLL_MS", "3600000");
const OFTEN: (&str, &str) = ("CLAIMSMITH_PLUGINS_POLL_MS", "200");

on_postgres!(a_node_that_was_cut_off_catches_up_by_itself, async |home: Arc<Home>| {
    let wire = home.proxy().await;
    let url = wire.url();
    let by_wire = [("CLAIMSMITH_DATABASE_URL", url.as_str()), NEVER];
    let starts = (start(&home, "one", &[]), start(&home, "two", &[]), start(&home, "three", &by_wire));
    let (one, two, three) = tokio::join!(starts.0, starts.1, starts.2);
    upload(&one, "first").await;
    for node in [&one, &two, &three] {
        until_it_says(node, &json!("first")).await;
    }
    let (far, token) = (three.management().await, one.customer_token().await);

    wire.cut().await;
    upload(&one, "second").await;
    until_it_says(&two, &json!("second")).await;
    let near = two.management().await;
    near.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    near.patch("/api/plugins/stamp", json!({ "enabled": false })).await.expect(200);
    until_it_says(&one, &Value::Null).await;

    // What it cannot know it does not do, and says so.
    three.exchange(&token).send().await.expect_oauth_error(503, "temporarily_unavailable");
    three.client_credentials().send().await.expect_oauth_error(503, "temporarily_unavailable");
    far.get("/api/plugins").await.expect_api_error(503, "server.overloaded");
    far.patch("/api/plugins/stamp", json!({ "enabled": true })).await.expect_api_error(503, "server.overloaded");
    three.get("/api/status").await.expect(503);
    three.stderr.wait_for("plugin changes cannot be read").await;

    wire.mend();
    until_it_says(&three, &Value::Null).await;
    three.get("/api/status").await.expect(204);
    assert_eq!(far.get("/api/plugins").await.expect(200).body[0]["state"], "disabled");
    // The token that it refused is as good as it was.
    three.exchange(&token).send().await.expect(200);

    // It hears again what the others announce.
    near.patch("/api/plugins/stamp", json!({ "enabled": true })).await.expect(200);
    until_it_says(&three, &json!("first")).await;
    upload(&two, "third").await;
    until_it_says(&three, &json!("third")).await;
    assert!(!three.stderr.text().contains("panicked"), "{}", three.stderr.text());
});

on_postgres!(what_a_node_compiles_itself_serves_when_it_is_compiled, async |home: Arc<Home>| {
    let (one, two) = tokio::join!(start(&home, "one", &[NEVER]), start(&home, "two", &[NEVER]));
    for (there, here) in [(&one, &two), (&two, &one)] {
        let version = format!("by {}", there.id());
        upload(there, &version).await;
        // It heard of it at once, and compiles it for its own cache; nothing else tells it to look again for an hour.
        until_it_says(here, &json!(version)).await;
    }
    // An older version, whose code each node has by now.
    let near = one.management().await;
    near.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    until_it_says(&two, &json!(format!("by {}", one.id()))).await;
});

on_postgres!(a_node_that_hears_nothing_looks_by_itself, async |home: Arc<Home>| {
    let wire = home.proxy().await;
    let url = wire.url();
    let one = start(&home, "one", &[]).await;
    let deaf = start(&home, "deaf", &[("CLAIMSMITH_DATABASE_URL", url.as_str()), OFTEN]).await;
    wire.lose_notifications();
    for (lost, version) in ["first", "second"].into_iter().enumerate() {
        upload(&one, version).await;
        wire.has_lost(lost + 1).await;
        until_it_says(&deaf, &json!(version)).await;
    }
    let management = one.management().await;
    management.delete("/api/plugins/stamp").await.expect(204);
    wire.has_lost(3).await;
    until_it_says(&deaf, &Value::Null).await;
});

on_postgres!(a_node_whose_words_vanish_keeps_nobody_waiting, async |home: Arc<Home>| {
    let wire = home.proxy().await;
    let url = wire.url();
    let changes = [("CLAIMSMITH_DATABASE_URL", url.as_str()), OFTEN, ("CLAIMSMITH_REQUEST_TIMEOUT", "1")];
    let (one, far) = (start(&home, "one", &[]).await, start(&home, "far", &changes).await);
    let (token, management) = (one.customer_token().await, far.management().await);
    wire.freeze();
    upload(&one, "first").await;
    far.exchange(&token).send().await.expect(503);
    management.get("/api/users").await.expect(503);
    // Somebody on the way gives the connections up.
    wire.cut().await;
    wire.mend();
    until_it_says(&far, &json!("first")).await;
    far.exchange(&token).send().await.expect(200);
    upload(&one, "second").await;
    until_it_says(&far, &json!("second")).await;

    // Or they go on where they stood.
    wire.freeze();
    upload(&one, "third").await;
    far.client_credentials().send().await.expect(503);
    wire.mend();
    until_it_says(&far, &json!("third")).await;
    assert!(!far.stderr.text().contains("panicked"), "{}", far.stderr.text());
});
