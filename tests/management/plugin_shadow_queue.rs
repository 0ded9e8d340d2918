//! The queue of shadows at a server: calls that have no room are dropped and counted, and tokens are issued as if there
//! were no shadow.

use crate::fixtures::{credentials, machine, upload};
use claimsmith_identity::rollouts;
use claimsmith_test_support::{TestServer, both, until};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const SAYS: &str = "export const getCustomJwtClaims = () => ({ version: 'one' });";
/// Uses up the second that a call has, so that no machine is slow enough to keep its shadows up with the tokens.
const HANGS: &str = "export const getCustomJwtClaims = () => { console.log('in the shadow'); for (;;) {} };";
const PLUGIN: &str = "/api/plugins/stamp";
const ROLLOUT: &str = "/api/plugins/stamp/rollout";
/// Tokens that are requested at once.
const AT_ONCE: u64 = 16;

both!(a_full_queue_of_shadows_drops_and_counts_while_tokens_are_answered, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, PLUGIN, SAYS, &[]).await.expect(201);
    upload(&management, &format!("{PLUGIN}?activate=false"), HANGS, &[]).await.expect(201);
    management.post(ROLLOUT, json!({ "version": "2", "mode": "shadow", "share": 100 })).await.expect(201);
    let (id, secret) = machine(&management, "machine").await;
    let form = credentials(&server, &id, &secret).with("resource", &server.demo().resource).without("scope");
    let results = async || {
        rollouts::write(&server.app).await.unwrap();
        management.get(ROLLOUT).await.expect(200)["results"].clone()
    };

    let mut issued = 0;
    until("a dropped call", async || {
        let mut calls = JoinSet::new();
        for _ in 0..AT_ONCE {
            let form = form.clone();
            calls.spawn(async move { form.send().await });
        }
        for answer in calls.join_all().await {
            let token = answer.expect(200).text("access_token");
            let claims = server.verify(&token, &server.demo().resource).await.claims;
            assert_eq!(claims["version"], "one");
        }
        issued += AT_ONCE;
        (results().await["dropped"].as_u64() > Some(0)).then_some(())
    })
    .await;
    // Another round may still be writing what was counted.
    let counted = until("the counts of all calls", async || {
        let results = results().await;
        (results["active"]["runs"] == issued).then_some(results)
    })
    .await;
    let of = |side: &str, what: &str| counted[side][what].as_u64().unwrap();
    assert_eq!((of("active", "failed"), of("active", "denied")), (0, 0), "{counted:#}");
    assert_eq!(of("candidate", "failed"), of("candidate", "runs"), "{counted:#}");
    assert!(of("candidate", "runs") + counted["dropped"].as_u64().unwrap() <= issued, "others wait: {counted:#}");

    // Nothing of it is the plugin's: neither calls, nor failures, nor lines, nor its breaker.
    let shown = management.get(PLUGIN).await.expect(200);
    let statistics = ["calls", "failed", "denied"].map(|name| shown["statistics"][name].clone());
    assert_eq!(json!(statistics), json!([issued, 0, 0]));
    assert_eq!((&shown["state"], &shown["breaker"]["state"]), (&json!("active"), &json!("closed")));
    assert_eq!(management.get(&format!("{PLUGIN}/logs")).await.expect(200).body, json!([]));
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
});
