//! Rollouts over several nodes: one row decides, counts add up, and a node that was away or killed follows.

use super::{claims, says, start, until_it_says, upload};
use claimsmith_test_support::{Answer, Home, on_postgres, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROLLOUT: &str = "/api/plugins/stamp/rollout";
/// Polling alone does not find the end of a rollout in time.
const SELDOM: (&str, &str) = ("CLAIMSMITH_PLUGINS_POLL_MS", "3600000");

on_postgres!(an_aborted_canary_answers_on_no_node_and_counts_add_up, async |home: Arc<Home>| {
    let (one, two) = tokio::join!(start(&home, "one", &[SELDOM]), start(&home, "two", &[SELDOM]));
    upload(&one, "first").await;
    until_it_says(&two, &json!("first")).await;
    let management = one.management().await;
    let request = management.request(reqwest::Method::PUT, "/api/plugins/stamp?activate=false");
    let request = request.header(reqwest::header::CONTENT_TYPE, "text/javascript").body(says("second"));
    Answer::of(request).await.expect(201);
    let canary = json!({ "version": "2", "mode": "canary", "share": 100 });
    management.post(ROLLOUT, canary).await.expect(201);
    assert_eq!(claims(&one).await["version"], "second", "at once where it began");
    until_it_says(&two, &json!("second")).await;

    let far = two.management().await;
    until("what both nodes counted", async || {
        let before = far.get(ROLLOUT).await.expect(200)["results"]["candidate"]["runs"].as_u64()?;
        assert_eq!(
            (claims(&one).await["version"].clone(), claims(&two).await["version"].clone()),
            (json!("second"), json!("second"))
        );
        (before >= 6).then_some(())
    })
    .await;

    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
    let aborted = Instant::now();
    assert_eq!(claims(&one).await["version"], "first");
    until_it_says(&two, &json!("first")).await;
    // A second is promised; the machines of tests are slow.
    assert!(aborted.elapsed() < Duration::from_secs(5), "{:?}", aborted.elapsed());
    assert_eq!(far.get(ROLLOUT).await.expect(200)["state"], "aborted");
});

on_postgres!(a_node_that_was_killed_follows_the_row, async |home: Arc<Home>| {
    let (one, mut two) = tokio::join!(start(&home, "one", &[]), start(&home, "two", &[]));
    upload(&one, "first").await;
    let management = one.management().await;
    let request = management.request(reqwest::Method::PUT, "/api/plugins/stamp?activate=false");
    let request = request.header(reqwest::header::CONTENT_TYPE, "text/javascript").body(says("second"));
    Answer::of(request).await.expect(201);
    management.post(ROLLOUT, json!({ "version": "2", "mode": "canary", "share": 100 })).await.expect(201);
    until_it_says(&two, &json!("second")).await;
    two.kill().await;
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
    let two = start(&home, "two", &[]).await;
    assert_eq!(claims(&two).await["version"], "first", "one version for everybody");
    management.post(ROLLOUT, json!({ "version": "2", "mode": "canary", "share": 100 })).await.expect(201);
    until_it_says(&two, &json!("second")).await;
    management.post(&format!("{ROLLOUT}/promote"), Value::Null).await.expect(200);
    until_it_says(&two, &json!("second")).await;
    assert_eq!(two.management().await.get(ROLLOUT).await.expect(200)["state"], "promoted");
});
