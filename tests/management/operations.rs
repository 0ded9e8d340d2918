//! `/api/dashboard/activity`, `/api/dashboard/health` and `/api/configs/server`: what an operator looks at first.

use crate::fixtures::{NOBODY, find, texts, user};
use claimsmith_identity::{heartbeat, retention};
use claimsmith_test_support::{Home, TestServer, both, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const ACTIVITY: &str = "/api/dashboard/activity";
const HEALTH: &str = "/api/dashboard/health";
const HOUR_MS: i64 = 3_600_000;

/// The series of this kind and name.
fn series<'a>(activity: &'a Value, kind: &str, name: &str) -> Option<&'a Value> {
    let all = activity["series"].as_array().unwrap();
    all.iter().find(|one| one["kind"] == kind && one["name"] == name)
}

both!(what_happened_is_shown_by_the_step, async |home: Arc<Home>| {
    let plugin = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });\n";
    std::fs::write(home.plugins_dir().join("plan.js"), plugin).unwrap();
    let server = TestServer::start(&home, &[]).await.unwrap();
    let empty = server.management().await.get(ACTIVITY).await.expect(200).body;
    for kind in ["deliveries", "messages", "registrations", "signIns"] {
        assert_eq!(series(&empty, kind, "").unwrap()["total"]["count"], 0, "these are always there: {empty:#}");
    }
    assert_eq!((empty["times"].as_array().unwrap().len(), &empty["step"]), (25, &json!("hour")));

    server.exchange(&server.customer_token().await).send().await.expect(200);
    server.exchange("nonsense").send().await.expect_oauth_error(400, "invalid_request");
    heartbeat::beat(&server.app).await.unwrap();
    let at = server.clock.now_ms();
    // Nothing is counted twice, and what is counted again is added.
    heartbeat::beat(&server.app).await.unwrap();
    server.exchange(&server.customer_token().await).send().await.expect(200);
    heartbeat::beat(&server.app).await.unwrap();

    let management = server.management().await;
    let shown = management.get(&format!("{ACTIVITY}?step=minute")).await.expect(200).body;
    let exchanges = series(&shown, "tokens", "token_exchange").unwrap();
    assert_eq!((&exchanges["total"]["count"], &exchanges["total"]["failures"]), (&json!(3), &json!(1)), "{shown:#}");
    assert!(exchanges["total"]["meanMs"].as_f64().unwrap() > 0.0);
    let minute = (at - 1) / 60_000 * 60_000;
    let place = shown["times"].as_array().unwrap().iter().position(|time| *time == json!(minute)).unwrap();
    assert_eq!((&exchanges["count"][place], &exchanges["failures"][place]), (&json!(3), &json!(1)));
    let calls = series(&shown, "plugins", "plan").unwrap();
    assert_eq!((&calls["count"][place], &calls["total"]["failures"]), (&json!(2), &json!(0)));
    assert!(calls["maxMs"][place].as_f64().unwrap() >= calls["meanMs"][place].as_f64().unwrap());
    assert!(series(&shown, "tokens", "client_credentials").is_some());

    // Older counts are added up to hours, and forgotten after a month.
    server.clock.advance(Duration::from_hours(50));
    retention::delete_expired(&server.app).await.unwrap();
    let management = server.management().await;
    let shown = management.get(&format!("{ACTIVITY}?from={}&to={}", at - HOUR_MS, at + HOUR_MS)).await.expect(200).body;
    let hour = series(&shown, "tokens", "token_exchange").unwrap();
    assert_eq!(hour["total"], exchanges["total"]);
    let days = management.get(&format!("{ACTIVITY}?step=day")).await.expect(200).body;
    assert_eq!(series(&days, "tokens", "token_exchange").unwrap()["total"], exchanges["total"]);
    management
        .get(&format!("{ACTIVITY}?step=minute&from={at}&to={at}"))
        .await
        .expect_api_error(400, "guard.invalid_input");
    server.clock.advance(Duration::from_hours(24 * 30));
    retention::delete_expired(&server.app).await.unwrap();
    let management = server.management().await;
    let path = format!("{ACTIVITY}?step=day&from={}&to={}", at - HOUR_MS, at + HOUR_MS);
    assert!(series(&management.get(&path).await.expect(200).body, "tokens", "token_exchange").is_none());
    server.stop().await;
});

both!(a_time_that_is_none_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for query in [
        "step=second",
        "from=x",
        "from=-1",
        "step=minute&from=0",
        "from=0",
        "from=9223372036854775807",
        "to=-9223372036854775808",
        "from=-9223372036854775808&to=9223372036854775807",
    ] {
        let answer = management.get(&format!("{ACTIVITY}?{query}")).await;
        assert_eq!(answer.status, 400, "{query}: {:#}", answer.body);
    }
    for query in ["from=2&to=1", "from=253402300799999"] {
        let refused = management.get(&format!("{ACTIVITY}?{query}")).await;
        refused.expect_api_error(400, "log.invalid_time_window");
    }
});

both!(the_server_says_how_it_does, async |server: TestServer| {
    let management = server.management().await;
    let refused = json!({ "name": "crm", "events": ["User.Created"], "config": { "url": "http://127.0.0.1:9/" } });
    let hook = management.post("/api/hooks", refused).await.expect(201).text("id");
    server.clock.advance(Duration::from_secs(1));
    management.post("/api/applications", json!({ "name": "Shop", "type": "SPA" })).await.expect(200);
    user(&management, "ada").await;
    std::fs::write(server.home.plugins_dir().join("broken.js"), "export const = ;").unwrap();
    heartbeat::beat(&server.app).await.unwrap();

    let health = until("a plugin and a delivery that fail", async || {
        let health = management.get(HEALTH).await.expect(200).body;
        let has_plugin = !health["plugins"]["failing"].as_array().unwrap().is_empty();
        let has_hook = !health["deliveries"]["hooks"].as_array().unwrap().is_empty();
        (has_plugin && has_hook).then_some(health)
    })
    .await;

    assert_eq!(health["now"], server.clock.now_ms());
    let node = &health["nodes"][0];
    assert_eq!((&node["isHere"], &node["isAlive"]), (&json!(true), &json!(true)), "{health:#}");
    assert_eq!((health["nodes"].as_array().unwrap().len(), &node["version"]), (1, &json!(env!("CARGO_PKG_VERSION"))));
    let database = &health["database"];
    assert!(database["migration"].as_i64().unwrap() >= 30 && database["roundTripMs"].as_f64().unwrap() > 0.0);
    assert_eq!(database["kind"] == "sqlite", database["sizeBytes"].as_i64().is_some_and(|size| size > 4096));
    let failing = &health["deliveries"]["hooks"][0];
    assert_eq!((&failing["id"], &failing["waiting"]), (&json!(hook), &json!(1)), "{health:#}");
    assert!(failing["failedLastDay"].as_i64().unwrap() >= 1 && failing["failingSince"].is_i64());
    assert_eq!((&health["deliveries"]["waiting"], &health["messages"]["waiting"]), (&json!(1), &json!(0)));
    assert!(health["deliveries"]["oldestDueAt"].as_i64().unwrap() > server.clock.now_ms());
    let broken = find(&health["plugins"]["failing"], "name", "broken");
    assert_eq!(broken["state"], "failed");
    assert!(broken["message"].as_str().is_some_and(|text| !text.is_empty()));
    assert_eq!((&health["counts"]["users"], &health["counts"]["hooks"]), (&json!(3), &json!(1)));
    assert_eq!(health["counts"]["applications"], 1, "those of the first start are not counted");

    // A node that is silent is not alive, and is forgotten after a day.
    server.clock.advance(Duration::from_mins(5));
    let health = server.management().await.get(HEALTH).await.expect(200).body;
    assert_eq!(health["nodes"][0]["isAlive"], true, "whoever answers is");
    server.clock.advance(Duration::from_hours(25));
    retention::delete_expired(&server.app).await.unwrap();
    let health = server.management().await.get(HEALTH).await.expect(200).body;
    assert_eq!(health["nodes"], json!([]));
});

both!(settings_say_where_they_came_from_and_no_secret, async |home: Arc<Home>| {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let changes = [
        ("CLAIMSMITH_REQUEST_TIMEOUT", "31"),
        ("CLAIMSMITH_ENCRYPTION_KEY", key),
        ("CLAIMSMITH_PLUGINS_CACHE_DIR", ""),
    ];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let management = server.management().await;
    let all = management.get("/api/configs/server").await.expect(200).body;
    assert!(!all.to_string().contains(key));
    let set = find(&all, "key", "server.request_timeout");
    assert_eq!((&set["value"], &set["defaultValue"]), (&json!("31"), &json!("30")));
    assert_eq!(set["source"], json!({ "kind": "environment", "name": "CLAIMSMITH_REQUEST_TIMEOUT" }));
    assert_eq!(
        (&set["environment"], &set["flag"]),
        (&json!("CLAIMSMITH_REQUEST_TIMEOUT"), &json!("--request-timeout"))
    );
    assert!(!set["description"].as_str().unwrap().is_empty() && set["accepts"] == "1 to 600 seconds");
    let secret = find(&all, "key", "encryption.key");
    assert_eq!((&secret["value"], &secret["isSecret"], &secret["flag"]), (&json!("***"), &json!(true), &Value::Null));
    let left = find(&all, "key", "passwords.breached_file");
    assert_eq!((&left["value"], &left["source"]["kind"]), (&Value::Null, &json!("default")));
    let follows = find(&all, "key", "plugins.cache_dir");
    assert_eq!(follows["source"]["kind"], "follows");
    let documented = std::fs::read_to_string("docs/configuration.md").unwrap();
    for key in texts(&all, "key") {
        assert!(documented.contains(&format!("`{key}`")), "{key}");
    }
    if let Some(url) = find(&all, "key", "database.url")["value"].as_str() {
        assert!(!url.contains('@') || url.contains("***"), "{url}");
    }
    management.get(&format!("/api/configs/server/{NOBODY}")).await.expect(404);
    server.stop().await;
});
