//! Caches of uploaded plugins, by declaration and grant, and versions that cost more than the one that serves.

use crate::fixtures::{narrow, upload};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

/// Counts the calls of a user.
const COUNTS: &str = r#"
export const getCustomJwtClaims = ({ api }) => {
  try {
    const seen = api.cache.get("user", "count") ?? 0;
    api.cache.set("user", "count", seen + 1, 600);
    return { says: `seen ${seen}` };
  } catch (error) {
    return { says: error.message };
  }
};
"#;

/// What the customer's token says.
async fn says(server: &TestServer) -> String {
    let token = server.exchange(&server.customer_token().await).access_token().await;
    let claims = server.verify(&token, &server.demo().resource).await.claims;
    claims["says"].as_str().unwrap_or_default().to_owned()
}

both!(a_plugin_keeps_what_it_declares_and_was_granted, async |server: TestServer| {
    let management = server.management().await;
    let settings = [("manifest", "[capabilities.cache]\nentries = 100\neverybody = true\n")];
    let made = upload(&management, "/api/plugins/counter", COUNTS, &settings).await.expect(201);
    let declared = json!({ "entries": 100, "kib": 1024, "everybody": true });
    assert_eq!(made["plugin"]["deployment"]["cache"], json!({ "declared": declared, "granted": null }));
    assert!(says(&server).await.contains("the cache was not granted"), "without a grant it keeps nothing");

    let path = "/api/plugins/counter/grants/cache";
    let writer = narrow(&server, &management, &["plugins:write"]).await;
    writer.put(path, json!({ "entries": 10 })).await.expect_api_error(403, "auth.forbidden");
    for refused in [json!({ "entries": 0 }), json!({ "entries": 10_001 }), json!({ "kib": 16_385 }), json!({ "a": 1 })]
    {
        management.put(path, refused).await.expect(400);
    }
    let granted = management.put(path, json!({ "entries": 10, "kib": 8 })).await.expect(200);
    let grant = json!({ "entries": 10, "kib": 8, "everybody": false });
    assert_eq!(granted["deployment"]["cache"]["granted"], grant);
    assert_eq!(granted["capabilities"]["cache"], grant, "both of them");
    assert_eq!([says(&server).await, says(&server).await], ["seen 0", "seen 1"]);

    let trial = json!({ "input": { "context": { "user": { "id": "somebody" } } } });
    for _ in 0..2 {
        let tried = management.post("/api/plugins/counter/test", trial.clone()).await.expect(200);
        assert_eq!(tried["claims"]["says"], "seen 0", "a trial has a cache of its own");
    }
    assert_eq!(says(&server).await, "seen 2");
    let counts = management.get("/api/plugins/counter").await.expect(200)["statistics"]["cache"].clone();
    assert_eq!(counts, json!({ "hits": 2, "misses": 1, "writes": 3, "evicted": 0, "refused": 1 }));

    let other = format!("// Another version.\n{COUNTS}");
    upload(&management, "/api/plugins/counter", &other, &[]).await.expect(201);
    assert_eq!(says(&server).await, "seen 0", "another version begins with nothing");
    management.delete(path).await.expect(204);
    assert!(says(&server).await.contains("the cache was not granted"));
});

both!(a_change_of_a_rollout_leaves_what_calls_keep, async |server: TestServer| {
    let management = server.management().await;
    let settings = [("manifest", "[capabilities.cache]\n")];
    upload(&management, "/api/plugins/counter", COUNTS, &settings).await.expect(201);
    management.put("/api/plugins/counter/grants/cache", json!({})).await.expect(200);
    assert_eq!([says(&server).await, says(&server).await], ["seen 0", "seen 1"]);
    let other = format!("// Another version.\n{COUNTS}");
    upload(&management, "/api/plugins/counter?activate=false", &other, &[]).await.expect(201);

    let rollout = "/api/plugins/counter/rollout";
    management.post(rollout, json!({ "version": "2", "mode": "canary", "share": 0 })).await.expect(201);
    assert_eq!(says(&server).await, "seen 2", "the active version is the same");
    management.patch(rollout, json!({ "share": 100 })).await.expect(200);
    assert_eq!([says(&server).await, says(&server).await], ["seen 0", "seen 1"], "a canary has a cache of its own");
    management.patch(rollout, json!({ "users": [server.demo().customer_user_id] })).await.expect(200);
    assert_eq!(says(&server).await, "seen 2", "and keeps it when others are chosen");
    management.post(&format!("{rollout}/abort"), Value::Null).await.expect(200);
    assert_eq!(says(&server).await, "seen 3");
});

both!(a_version_that_costs_more_says_so_before_it_serves, async |server: TestServer| {
    let management = server.management().await;
    let cases = |says: &str, more: Value| {
        let mut case = json!({ "name": "a", "input": {}, "expected": { "claims": { "says": says } } });
        case.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([case]).to_string()
    };
    let none = || json!({});
    let cheap = "export const getCustomJwtClaims = () => ({ says: 'one' });";
    let costly = "export const getCustomJwtClaims = () => {\n  let sum = 0;\n\
                  for (let at = 0; at < 20000; at += 1) sum += at;\n  return { says: sum > 0 ? 'two' : '' };\n};";
    let path = "/api/plugins/stamp";
    let first = upload(&management, path, cheap, &[("cases", &cases("one", none()))]).await.expect(201);
    assert_eq!(first["warnings"], json!([]));

    let golden = cases("two", none());
    let draft = json!({ "name": "stamp", "language": "javascript", "source": costly, "cases": golden });
    let checked = management.post("/api/plugin-checks", draft).await.expect(200);
    assert_eq!(checked["accepted"], true);
    assert!(checked["warnings"][0].as_str().unwrap().contains("more than 2 times as much"), "{}", checked.body);

    let second = upload(&management, path, costly, &[("cases", &golden)]).await.expect(201);
    assert_eq!((&second["version"]["id"], &second["version"]["active"]), (&json!("2"), &json!(false)));
    let warning = second["warnings"][0].as_str().unwrap();
    assert!(warning.contains("active version 1") && warning.contains("does not serve yet"), "{warning}");
    let shown = management.get("/api/plugins/stamp/versions/2").await.expect(200);
    assert!(shown["warnings"][0].as_str().unwrap().contains("more than 2 times as much"), "{}", shown.body);
    let active = management.get("/api/plugins/stamp/versions/1").await.expect(200);
    assert_eq!(active["warnings"], json!([]));
    let rollout = json!({ "version": "2", "mode": "canary", "share": 0 });
    let cost = management.post("/api/plugins/stamp/rollout", rollout).await.expect(201)["cost"].clone();
    assert_eq!(cost["cases"], 1);
    assert!(cost["candidate"].as_u64() > cost["active"].as_u64().map(|active| 2 * active), "{cost}");
    management.post("/api/plugins/stamp/rollout/abort", Value::Null).await.expect(200);
    assert_eq!(says(&server).await, "one");
    management.post("/api/plugins/stamp/versions/2/activate", Value::Null).await.expect(200);
    assert_eq!(says(&server).await, "two");
    management.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    let agreed = format!("{path}?acceptCost=true");
    let third = upload(&management, &agreed, costly, &[("cases", &golden)]).await.expect(201);
    assert_eq!((&third["version"]["active"], third["warnings"].as_array().unwrap().len()), (&json!(true), 1));
    assert_eq!(says(&server).await, "two");

    // Instructions that a case bounds are counted before the version is taken.
    let bounded = cases("two", json!({ "instructions": 1000 }));
    let refused = upload(&management, &agreed, costly, &[("cases", &bounded)]).await.expect(422);
    assert!(refused["message"].as_str().unwrap().contains("at most 1000 are allowed"), "{}", refused.body);
    let settings = "[limits]\ninstructions = 1000\n";
    let both = [("manifest", settings), ("cases", &*golden)];
    upload(&management, &agreed, costly, &both).await.expect(422);
    let generous = cases("two", json!({ "instructions": 1_000_000_000 }));
    upload(&management, &agreed, costly, &[("manifest", settings), ("cases", &generous)]).await.expect(201);

    // The bound of the settings is changed like every other limit, and holds for uploads without settings.
    let change = |limits: Value| json!({ "limits": limits });
    management.patch(path, change(json!({ "instructions": 0 }))).await.expect_api_error(400, "guard.invalid_input");
    management.patch(path, change(json!({ "instructions": 500 }))).await.expect(200);
    management.patch(path, change(json!({ "deadlineMs": 900 }))).await.expect(200);
    let refused = upload(&management, &agreed, costly, &[("cases", &golden)]).await.expect(422);
    assert!(refused["message"].as_str().unwrap().contains("at most 500 are allowed"), "{}", refused.body);
    management.patch(path, change(json!({ "instructions": null }))).await.expect(200);
    upload(&management, &agreed, costly, &[("cases", &golden)]).await.expect(201);
});
