//! A recording that one node starts: all record, and together no more than was wanted.

use super::{start, start_three, until_it_says, upload};
use claimsmith_test_support::{Home, on_postgres, until};
use serde_json::json;
use std::sync::Arc;

on_postgres!(all_nodes_record_what_one_was_asked_for, async |home: Arc<Home>| {
    let nodes = start_three(&home).await;
    let [one, two, three] = &nodes;
    upload(one, "first").await;
    for node in &nodes {
        until_it_says(node, &json!("first")).await;
    }
    let management = one.management().await;
    let path = "/api/plugins/stamp/recordings";
    let id = management.post(path, json!({ "count": 6 })).await.expect(201).text("id");
    // Only the others issue tokens: they follow within moments.
    let done = until("six samples", async || {
        for node in [two, three] {
            node.exchange(&node.customer_token().await).send().await.expect(200);
        }
        let recording = three.management().await.get(&format!("{path}/{id}")).await.expect(200);
        (recording["state"] == "complete").then_some(recording)
    })
    .await;
    assert_eq!(done["recorded"], 6);
    let request = two.management().await.request(reqwest::Method::GET, &format!("{path}/{id}/samples"));
    let text = request.send().await.unwrap().text().await.unwrap();
    assert_eq!(text.lines().count(), 6, "one row decides");
    assert_eq!(two.management().await.get(path).await.expect(200).body[0]["dropped"], 0);
});

on_postgres!(a_recording_reaches_a_node_that_polls_seldom, async |home: Arc<Home>| {
    let seldom = [("CLAIMSMITH_PLUGINS_POLL_MS", "3600000")];
    let (one, two) = tokio::join!(start(&home, "one", &seldom), start(&home, "two", &seldom));
    upload(&one, "first").await;
    until_it_says(&two, &json!("first")).await;
    let management = one.management().await;
    let path = "/api/plugins/stamp/recordings";
    let id = management.post(path, json!({ "count": 1 })).await.expect(201).text("id");
    until("a sample of the other node", async || {
        two.exchange(&two.customer_token().await).send().await.expect(200);
        let recording = management.get(&format!("{path}/{id}")).await.expect(200);
        (recording["state"] == "complete").then_some(())
    })
    .await;
});
