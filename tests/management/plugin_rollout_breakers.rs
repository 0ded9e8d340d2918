//! The circuit breaker of a version in a rollout: rules do not promote the version while it is open, and the calls that
//! it spares are no failures.

use crate::fixtures::user;
use claimsmith_identity::rollouts;
use claimsmith_test_support::{Actor, Answer, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const ROLLOUT: &str = "/api/plugins/boom/rollout";
const WORKS: &str = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
/// Fails for users whose data say so.
const FAILS_FOR_SOME: &str = "export const getCustomJwtClaims = async ({ context }) => {\n  if \
                              (context.user.customData.bad) throw new TypeError('no plan');\n  return { plan: 'new' };\n};";

async fn upload(management: &Actor, query: &str, source: &'static str) {
    let request = management.request(Method::PUT, &format!("/api/plugins/boom{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

/// A token of this user: the status of the answer.
async fn token_of(server: &TestServer, user_id: &str) -> u16 {
    server.exchange(&server.subject_token(user_id, json!({})).await).send().await.status
}

/// The rollout, once what this node counted is written, and breakers are opened and closed by it.
async fn shown(server: &TestServer, management: &Actor) -> Value {
    rollouts::write(&server.app).await.unwrap();
    server.app.breakers.catch_up().await.unwrap();
    management.get(ROLLOUT).await.expect(200).body
}

/// Decides until the rollout is in this state: another round may be writing what was counted.
async fn until_it_is(server: &TestServer, management: &Actor, state: &str) -> Value {
    until(&format!("a rollout that is {state}"), async || {
        let found = shown(server, management).await;
        rollouts::decide(&server.app).await.unwrap();
        (found["state"] == state).then_some(found)
    })
    .await
}

async fn set_bad(management: &Actor, user_id: &str, bad: bool) {
    let data = json!({ "customData": { "bad": bad } });
    management.patch(&format!("/api/users/{user_id}/custom-data"), data).await.expect(200);
}

both!(rules_promote_a_version_only_once_its_breaker_is_closed, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", WORKS).await;
    management.patch("/api/plugins/boom", json!({ "breaker": { "failures": 3 } })).await.expect(200);
    upload(&management, "?activate=false", FAILS_FOR_SOME).await;
    let bad = user(&management, "bad").await;
    set_bad(&management, &bad, true).await;
    let customer = server.demo().customer_user_id.to_string();
    let rules = json!({ "promoteAfter": { "runs": 2, "minutes": 1 } });
    let expires = server.clock.now_ms() + 600_000;
    let canary = json!({ "version": "2", "mode": "canary", "share": 100, "rules": rules, "expires": expires });
    assert_eq!(management.post(ROLLOUT, canary).await.expect(201)["breakerOpen"], false);

    // It opens for the one user, whose next call is not made.
    for _ in 0..3 {
        assert_eq!(token_of(&server, &bad).await, 500);
    }
    until("the open breaker", async || shown(&server, &management).await["breakerOpen"].as_bool().filter(|open| *open))
        .await;
    assert_eq!((token_of(&server, &bad).await, token_of(&server, &customer).await), (500, 200));
    assert_eq!(token_of(&server, &customer).await, 200);
    until("the counts", async || {
        let candidate = shown(&server, &management).await["results"]["candidate"].clone();
        let counts = ["runs", "failed", "spared"].map(|what| candidate[what].as_u64());
        (counts == [Some(5), Some(3), Some(1)]).then_some(())
    })
    .await;

    // Its runs and minutes are over, and the next call may probe: a person may promote it, rules do not.
    server.clock.advance(Duration::from_secs(61));
    rollouts::decide(&server.app).await.unwrap();
    let found = shown(&server, &management).await;
    assert_eq!(
        (&found["state"], &found["breakerOpen"], &found["reason"]),
        (&json!("running"), &json!(true), &json!(null))
    );
    server.clock.advance(Duration::from_secs(600));
    let management = server.management().await;
    assert_eq!(until_it_is(&server, &management, "paused").await["reason"], "breakerOpen");
    let log = management.get("/api/logs?logKey=Server.Plugin.PauseRollout").await.expect(200).body;
    assert_eq!(log[0]["payload"]["reason"], "breakerOpen");
    let plugin = management.get("/api/plugins/boom").await.expect(200);
    assert_eq!(plugin["deployment"]["activeVersion"], "1");

    // A probe that works closes it, and the rules act again.
    let later = json!({ "paused": false, "expires": server.clock.now_ms() + 600_000 });
    management.patch(ROLLOUT, later).await.expect(200);
    set_bad(&management, &bad, false).await;
    assert_eq!(token_of(&server, &bad).await, 200);
    until("the closed breaker", async || {
        shown(&server, &management).await["breakerOpen"].as_bool().filter(|open| !open)
    })
    .await;
    rollouts::decide(&server.app).await.unwrap();
    assert_eq!(shown(&server, &management).await["state"], "running", "a minute from the end of the pause");
    server.clock.advance(Duration::from_secs(61));
    let management = server.management().await;
    assert_eq!(until_it_is(&server, &management, "promoted").await["reason"], "rules");
});
