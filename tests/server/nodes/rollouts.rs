//! Rollouts over several nodes: one row decides, counts add up, and a node that was away or killed follows.

use super::{claims, says, start, until_it_says, upload};
use claimsmith_test_support::{Answer, Home, Process, on_postgres, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROLLOUT: &str = "/api/plugins/stamp/rollout";
/// After an abort, no node answers by the version of the rollout when this time is over.
const PROMISED: Duration = Duration::from_secs(1);
/// A build for tests is several times slower than a release, and other tests share its processors: the node that
/// follows may get its turn this much later. Without any notification it would follow after half of the promised time.
const SLACK: Duration = Duration::from_secs(1);
/// Polling alone does not find the end of a rollout in time.
const SELDOM: (&str, &str) = ("CLAIMSMITH_PLUGINS_POLL_MS", "3600000");

/// Waits until a node answers by the first version, and fails if a token that is asked for too late after the abort
/// still comes from the second one. How long the answer takes does not matter.
async fn until_it_follows(node: &Process, aborted: Instant) {
    until("the active version for everybody", async || {
        let subject_token = node.customer_token().await;
        let asked = aborted.elapsed();
        let token = node.exchange(&subject_token).access_token().await;
        let claims = node.verify(&token, &node.demo().resource).await.claims;
        let follows = json!(claims)["version"] == "first";
        assert!(follows || asked < PROMISED + SLACK, "the second version answers {asked:?} after the abort");
        follows.then_some(())
    })
    .await;
}

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
    let (here, ()) = tokio::join!(claims(&one), until_it_follows(&two, aborted));
    assert_eq!(here["version"], "first", "at once where it was aborted");
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
