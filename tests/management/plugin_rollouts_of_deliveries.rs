//! Rollouts of webhook transforms: a canary answers for its share of deliveries, a shadow changes none, and both are
//! compared by what would be sent.

use claimsmith_identity::rollouts;
use claimsmith_services::plugins::{Action, Transform};
use claimsmith_test_support::{Actor, Answer, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};

const ROLLOUT: &str = "/api/plugins/wraps/rollout";
/// Deliveries whose share is asked for.
const DELIVERIES: usize = 60;

/// A transform that says which version it is.
fn wraps(version: &str) -> String {
    format!("export const transformWebhook = () => ({{ body: {{ version: {version:?} }} }});")
}

async fn upload(management: &Actor, query: &str, source: String) {
    let request = management.request(Method::PUT, &format!("/api/plugins/wraps{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

/// The version that answers for each delivery.
async fn versions(server: &TestServer) -> Vec<String> {
    let mut found = Vec::new();
    for number in 0..DELIVERIES {
        let delivery = Transform {
            delivery_id: &format!("msg_{number}"),
            event: "User.Created",
            hook_id: "hook",
            hook_name: "CRM",
            hook_url: "https://crm.example.com/in",
            body: json!({ "event": "User.Created" }).to_string().into(),
        };
        let Action::Send { body, .. } = server.app.plugins.transform(&delivery).await.unwrap().action else {
            panic!("delivery {number} was dropped");
        };
        let body: Value = serde_json::from_str(&body).unwrap();
        found.push(body["version"].as_str().unwrap().to_owned());
    }
    found
}

both!(a_canary_of_a_transform_answers_for_its_share_of_deliveries, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", wraps("one")).await;
    upload(&management, "?activate=false", wraps("two")).await;
    let listed = json!({ "version": "2", "mode": "canary", "share": 0, "users": ["ada"] });
    management.post(ROLLOUT, listed).await.expect_api_error(400, "guard.invalid_input");

    let begun = json!({ "version": "2", "mode": "canary", "share": 50 });
    management.post(ROLLOUT, begun).await.expect(201);
    let half = versions(&server).await;
    let of_candidate = half.iter().filter(|version| *version == "two").count();
    assert!((10..=50).contains(&of_candidate), "{of_candidate} of {DELIVERIES}");
    assert_eq!(versions(&server).await, half, "a delivery that is tried again gets the same version");
    management.patch(ROLLOUT, json!({ "share": 80 })).await.expect(200);
    for (number, (before, after)) in half.iter().zip(versions(&server).await).enumerate() {
        assert!(before == "one" || after == "two", "delivery {number} moved back");
    }
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
    assert!(versions(&server).await.iter().all(|version| version == "one"));
});

both!(a_shadow_of_a_transform_changes_no_delivery, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", wraps("one")).await;
    upload(&management, "?activate=false", wraps("two")).await;
    let begun = json!({ "version": "2", "mode": "shadow", "share": 100 });
    management.post(ROLLOUT, begun).await.expect(201);
    let results = until("a comparison of deliveries", async || {
        assert!(versions(&server).await.iter().all(|version| version == "one"));
        rollouts::write(&server.app).await.unwrap();
        let results = management.get(ROLLOUT).await.expect(200).body["results"].clone();
        (results["compared"].as_u64() > Some(0)).then_some(results)
    })
    .await;
    assert_eq!(results["classes"][0]["class"], "different", "{results:#}");
    assert_eq!((&results["claims"][0]["name"], &results["candidate"]["failed"]), (&json!("body"), &json!(0)));
});
