//! A recording that one node starts: all record, and together no more than was wanted.

use super::{start_three, upload};
use claimsmith_test_support::{Home, on_postgres, until};
use serde_json::json;
use std::sync::Arc;

on_postgres!(all_nodes_record_what_one_was_asked_for, async |home: Arc<Home>| {
    let nodes = start_three(&home).await;
    let [one, two, three] = &nodes;
    upload(one, "first").await;
    for node in &nodes {
        super::until_it_says(node, &json!("first")).await;
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
