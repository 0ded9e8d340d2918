//! Servers that start concurrently, and a change through one of them.

use super::{start, start_three, until_it_says, upload};
use claimsmith_test_support::{Home, on_postgres};
use serde_json::json;
use std::sync::Arc;

on_postgres!(one_of_them_sets_the_database_up, async |home: Arc<Home>| {
    let nodes = start_three(&home).await;
    let reports = ["one", "two", "three"].map(|name| home.folder().join(name).join("bootstrap.json").exists());
    assert_eq!(reports.iter().filter(|exists| **exists).count(), 1);
    let keys = nodes[0].get("/oidc/jwks").await.expect(200).body;
    let algorithms: Vec<_> = keys["keys"].as_array().unwrap().iter().map(|key| key["alg"].clone()).collect();
    assert_eq!(algorithms, ["ES256", "RS256"], "one key of each");
    for node in &nodes {
        assert_eq!(node.get("/oidc/jwks").await.expect(200).body, keys);
        node.client_credentials().send().await.expect(200);
    }
});

on_postgres!(a_change_through_one_holds_for_all, async |home: Arc<Home>| {
    let [one, two, three] = start_three(&home).await;
    let management = one.management().await;
    // Every node has looked at what it will have to look at again.
    for node in [&one, &two, &three] {
        node.exchange(&node.customer_token().await).send().await.expect(200);
    }
    let token = two.exchange(&one.customer_token().await).as_web().access_token().await;
    assert_eq!(three.introspect_as_web(&token).await["active"], true);

    let pending = one.customer_token().await;
    let customer = &one.demo().customer_user_id;
    let path = format!("/api/users/{customer}/is-suspended");
    management.patch(&path, json!({ "isSuspended": true })).await.expect(200);
    for node in [&two, &three] {
        node.exchange(&pending).send().await.expect_oauth_error(400, "invalid_request");
        assert_eq!(node.introspect_as_web(&token).await, json!({ "active": false }));
    }
    management.patch(&path, json!({ "isSuspended": false })).await.expect(200);
    assert_eq!(three.introspect_as_web(&token).await["active"], true);

    management.delete(&format!("/api/applications/{}", one.demo().spa_client_id)).await.expect(204);
    for node in [&two, &three] {
        node.exchange(&pending).send().await.expect_oauth_error(401, "invalid_client");
    }
    two.form("/oidc/token/revocation").with("token", &token).as_web().send().await.expect(200);
    assert_eq!(three.introspect_as_web(&token).await, json!({ "active": false }));
    three.exchange(&pending).as_web().send().await.expect(200);
});

on_postgres!(what_is_uploaded_through_one_serves_on_all, async |home: Arc<Home>| {
    let [one, two, mut three] = start_three(&home).await;
    upload(&one, "first").await;
    for node in [&one, &two, &three] {
        until_it_says(node, &json!("first")).await;
    }
    // A node that was away catches up when it returns.
    three.kill().await;
    upload(&two, "second").await;
    for node in [&one, &two] {
        until_it_says(node, &json!("second")).await;
    }
    let three = start(&home, "three", &[]).await;
    until_it_says(&three, &json!("second")).await;

    let management = three.management().await;
    management.post("/api/plugins/stamp/versions/1/activate", serde_json::Value::Null).await.expect(200);
    for node in [&one, &two, &three] {
        until_it_says(node, &json!("first")).await;
    }
    management.delete("/api/plugins/stamp").await.expect(204);
    for node in [&one, &two, &three] {
        until_it_says(node, &serde_json::Value::Null).await;
    }
});
