//! Recordings of plugins' calls through the API: what they show, who may read them, and when they end.

use crate::fixtures::{self, find, narrow, user};
use claimsmith_identity::retention;
use claimsmith_services::plugins::Transform;
use claimsmith_storage::plugins::recordings;
use claimsmith_test_support::{Actor, Answer, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const GREETS: &str = "export const getCustomJwtClaims = ({ context, api }) => {
  const { user } = context;
  if (user?.customData?.banned) api.denyAccess(`${user.name} is banned`);
  return { plan: user?.customData?.plan, greeting: `Hello ${user?.name}`, vip: (user?.customData?.visits ?? 0) > 2 };
};";
const RECORDINGS: &str = "/api/plugins/greets/recordings";
/// What the input says of a person.
const PERSONAL: [&str; 5] = ["Lovelace", "lovelace", "Marylebone", "hunter22", "analytical"];

/// Uploads a plugin with these settings.
async fn upload(management: &Actor, name: &str, source: &str, manifest: &str) {
    let path = format!("/api/plugins/{name}");
    fixtures::upload(management, &path, source, &[("manifest", manifest)]).await.expect(201);
}

/// The customer is a person with a name and a history.
async fn describe(server: &TestServer, management: &Actor, more: Value) {
    let path = format!("/api/users/{}", server.demo().customer_user_id);
    let mut data = json!({
        "plan": "gold", "visits": 3, "street": "Marylebone Road 12", "lovelace@example.com": true,
        "note": "met at the analytical engine",
    });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let body = json!({ "name": "Ada Lovelace", "primaryEmail": "ada.lovelace@example.com", "customData": data });
    management.patch(&path, body).await.expect(200);
}

/// A token of the customer.
async fn issue(server: &TestServer) -> u16 {
    let token = server.subject_token(&server.demo().customer_user_id, json!({ "reason": "hunter22" })).await;
    server.exchange(&token).send().await.status
}

async fn start(management: &Actor, body: Value) -> String {
    management.post(RECORDINGS, body).await.expect(201).text("id")
}

/// Waits until a recording has so many samples.
async fn recorded(management: &Actor, id: &str, count: i64) -> Answer {
    until("the samples", async || {
        let recording = management.get(&format!("{RECORDINGS}/{id}")).await.expect(200);
        (recording["recorded"] == count).then_some(recording)
    })
    .await
}

/// A page of samples, with the `Link` of the next one.
async fn page(management: &Actor, path: &str) -> (Vec<Value>, Option<String>) {
    let response = management.request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("application/x-ndjson"));
    let link = header("link");
    let text = response.text().await.unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), link)
}

async fn samples(management: &Actor, id: &str) -> Vec<Value> {
    page(management, &format!("{RECORDINGS}/{id}/samples")).await.0
}

both!(a_recording_shows_how_and_not_whom, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "[recording]\nkeep = [\"context.user.customData.plan\"]\n").await;
    describe(&server, &management, json!({})).await;
    let kept = json!(["context.user.customData.plan"]);
    let begun = management.post(RECORDINGS, json!({ "count": 2, "until": "1h", "keep": kept })).await.expect(201);
    assert_eq!((&begun["state"], &begun["keep"], &begun["plugin"]), (&json!("recording"), &kept, &json!("greets")));
    assert_eq!(begun["until"], server.clock.now_ms() + 3_600_000);
    let id = begun.text("id");
    for _ in 0..3 {
        assert_eq!(issue(&server).await, 200);
    }
    let done = recorded(&management, &id, 2).await;
    assert_eq!((&done["state"], &done["dropped"], &done["problem"]), (&json!("complete"), &json!(0), &Value::Null));

    let samples = samples(&management, &id).await;
    for (sample, number) in samples.iter().zip(1..) {
        let text = sample.to_string();
        for personal in PERSONAL.into_iter().chain([server.demo().customer_user_id.as_str()]) {
            assert!(!text.contains(personal), "{personal} in {text}");
        }
        let facts = ["number", "kind", "outcome", "version", "dropped"].map(|name| sample[name].clone());
        assert_eq!(json!(facts), json!([number, "claims", "ok", "1", false]));
        assert!(sample["digest"].as_str().unwrap().starts_with("sha256:") && sample["durationUs"].is_u64(), "{text}");
        assert!(sample["contract"].as_str().is_some_and(|version| version.starts_with("1.")), "{text}");
        let input = &sample["input"]["context"];
        assert_eq!(
            (&input["user"]["customData"]["plan"], &input["user"]["isSuspended"]),
            (&json!("gold"), &json!(false))
        );
        assert!(input["user"]["primaryEmail"].as_str().is_some_and(|email| email.contains('@')), "{text}");
        assert_eq!(input["grant"]["type"], claimsmith_test_support::TOKEN_EXCHANGE);
        // What the active version answers to that: its name of the user is the pseudonym.
        let redacted = &sample["redactedAnswer"];
        assert_eq!((&redacted["outcome"], &redacted["answer"]["plan"]), (&json!("ok"), &json!("gold")), "{text}");
        let greeting = format!("Hello {}", input["user"]["name"].as_str().unwrap());
        assert_eq!(redacted["answer"]["greeting"], greeting);
        assert_eq!((&sample["answer"]["plan"], &sample["answer"]["vip"]), (&json!("gold"), &json!(true)), "{text}");
        assert!(sample["instructions"].as_u64() > Some(1000), "{text}");
    }
    assert_eq!(samples.len(), 2);
    assert_eq!(
        samples[0]["input"]["context"]["user"], samples[1]["input"]["context"]["user"],
        "equal texts stay equal"
    );

    // Nor does the database show it, even to whoever has the key.
    let stored = recordings::samples(&mut server.begin().await, &id, 0, 10).await.unwrap();
    for sample in &stored {
        assert_eq!(sample.user_id.as_deref(), Some(server.demo().customer_user_id.as_str()));
        assert!(!sample.sealed.contains("context"));
        let text = server.app.recordings.read(sample).unwrap().to_string();
        assert!(PERSONAL.iter().all(|personal| !text.contains(personal)), "{text}");
    }
    let statistics = management.get("/api/plugins/greets").await.expect(200).body["statistics"].clone();
    assert_eq!(statistics["calls"], 3, "the calls over redacted inputs count nowhere");
    let logs = management.get("/api/logs?logKey=Management.Plugin.ReadRecording").await.expect(200).body;
    assert_eq!(logs[0]["payload"]["recording"], json!(id), "{logs}");
});

both!(what_cannot_be_recorded_is_refused_at_its_field, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "[recording]\nkeep = [\"context.user.name\"]\n").await;
    let now = server.clock.now_ms();
    for (field, body) in [
        ("count", json!({ "count": 0 })),
        ("count", json!({ "count": 1001 })),
        ("until", json!({ "count": 1, "until": "25h" })),
        ("until", json!({ "count": 1, "until": "soon" })),
        ("until", json!({ "count": 1, "until": true })),
        ("until", json!({ "count": 1, "until": now })),
        ("until", json!({ "count": 1, "until": now + 25 * 3_600_000 })),
        ("expiresInDays", json!({ "count": 1, "expiresInDays": 31 })),
        ("expiresInDays", json!({ "count": 1, "expiresInDays": 0 })),
        ("applications", json!({ "count": 1, "applications": [] })),
        ("users", json!({ "count": 1, "users": ["a".repeat(129)] })),
        ("outcomes", json!({ "count": 1, "outcomes": [] })),
        ("outcomes", json!({ "count": 1, "outcomes": ["slow"] })),
        ("keep", json!({ "count": 1, "keep": ["context.user.primaryEmail"] })),
        ("keep", json!({ "count": 1, "keep": ["context.user.name", "context.user.name"] })),
        ("sometimes", json!({ "count": 1, "sometimes": true })),
    ] {
        let refused = management.post(RECORDINGS, body).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.text("details").contains(field), "{}", refused.body);
    }
    management.post(RECORDINGS, json!({})).await.expect_api_error(400, "guard.invalid_input");

    for path in ["/api/plugins/nobody/recordings", "/api/plugins/nobody/recordings/nobody/stop"] {
        management.post(path, json!({ "count": 1 })).await.expect(404);
    }
    for path in [
        "/api/plugins/nobody/recordings".to_owned(),
        format!("{RECORDINGS}/nobody"),
        format!("{RECORDINGS}/nobody/samples"),
    ] {
        management.get(&path).await.expect(404);
    }
    management.delete(&format!("{RECORDINGS}/nobody")).await.expect(404);
    let compose = "export const composeMessage = () => ({ url: 'https://sms.example.com/' });";
    upload(&management, "texts", compose, "").await;
    let refused = management.post("/api/plugins/texts/recordings", json!({ "count": 1 })).await;
    refused.expect_api_error(422, "plugin.not_recordable");
    assert!(refused.text("message").contains("composes messages"), "{}", refused.body);
    management.patch("/api/plugins/greets", json!({ "enabled": false })).await.expect(200);
    let refused = management.post(RECORDINGS, json!({ "count": 1 })).await;
    refused.expect_api_error(422, "plugin.not_recordable");
    assert_eq!(management.get(RECORDINGS).await.expect(200).body, json!([]));
});

both!(only_its_own_scope_records_and_reads, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "").await;
    let id = start(&management, json!({ "count": 1 })).await;
    let samples = format!("{RECORDINGS}/{id}/samples");
    let others = narrow(&server, &management, &["plugins:read", "plugins:write"]).await;
    others.get(&samples).await.expect_api_error(403, "auth.forbidden");
    others.post(RECORDINGS, json!({ "count": 1 })).await.expect_api_error(403, "auth.forbidden");
    others.post(&format!("{RECORDINGS}/{id}/stop"), json!({})).await.expect_api_error(403, "auth.forbidden");
    others.delete(&format!("{RECORDINGS}/{id}")).await.expect_api_error(403, "auth.forbidden");
    assert_eq!(others.get(&format!("{RECORDINGS}/{id}")).await.expect(200).body["state"], "recording");
    let own = narrow(&server, &management, &["plugins:recordings"]).await;
    assert_eq!(page(&own, &samples).await, (Vec::new(), None));
    assert_eq!(own.post(&format!("{RECORDINGS}/{id}/stop"), json!({})).await.expect(200).body["state"], "stopped");
    own.get(RECORDINGS).await.expect_api_error(403, "auth.forbidden");
});

both!(only_the_calls_that_are_wanted_are_recorded, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "").await;
    let other = user(&management, "other").await;
    let of_nobody = start(&management, json!({ "count": 5, "users": [other] })).await;
    let of_others = start(&management, json!({ "count": 5, "applications": ["nobody"] })).await;
    let denied = start(&management, json!({ "count": 5, "outcomes": ["denied"] })).await;
    describe(&server, &management, json!({})).await;
    assert_eq!(issue(&server).await, 200);
    describe(&server, &management, json!({ "banned": true })).await;
    assert_ne!(issue(&server).await, 200);
    recorded(&management, &denied, 1).await;
    let [sample] = samples(&management, &denied).await.try_into().unwrap();
    let message = sample["message"].as_str().unwrap();
    assert_eq!((&sample["outcome"], &sample["answer"]), (&json!("denied"), &Value::Null));
    assert!(!message.contains("Lovelace") && message.len() == "Ada Lovelace is banned".len(), "{message}");
    for id in [of_nobody, of_others] {
        assert_eq!(management.get(&format!("{RECORDINGS}/{id}")).await.expect(200).body["recorded"], 0);
    }
    let listed = management.get(RECORDINGS).await.expect(200).body;
    assert_eq!(find(&listed, "id", &denied)["outcomes"], json!(["denied"]));
});

both!(samples_come_in_pages_and_every_page_is_in_the_audit_log, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "").await;
    let id = start(&management, json!({ "count": 3 })).await;
    for _ in 0..3 {
        issue(&server).await;
    }
    recorded(&management, &id, 3).await;
    let (first, link) = page(&management, &format!("{RECORDINGS}/{id}/samples?page_size=2")).await;
    assert_eq!(first.iter().map(|sample| sample["number"].clone()).collect::<Vec<_>>(), [1, 2]);
    let link = link.unwrap();
    assert!(link.contains("after=2") && link.ends_with("rel=\"next\""), "{link}");
    let (rest, link) = page(&management, &format!("{RECORDINGS}/{id}/samples?page_size=2&after=2")).await;
    assert_eq!((rest.len(), link), (1, None));
    // One that cannot be read costs that one alone.
    let mut tx = server.begin().await;
    tx.sql("UPDATE plugin_samples SET sealed = 'damaged' WHERE number = 3").execute().await.unwrap();
    tx.commit().await.unwrap();
    let (rest, link) = page(&management, &format!("{RECORDINGS}/{id}/samples?page_size=2&after=2")).await;
    assert_eq!((rest.len(), link), (0, None));
    let logs = management.get("/api/logs?logKey=Management.Plugin.ReadRecording").await.expect(200).body;
    assert_eq!(logs.as_array().unwrap().len(), 3);
    for query in ["page_size=0", "page_size=101", "after=-1", "after=x"] {
        let path = format!("{RECORDINGS}/{id}/samples?{query}");
        management.get(&path).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(a_recording_ends_and_expires_by_itself, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "").await;
    let id = start(&management, json!({ "count": 5, "until": "30m", "expiresInDays": 1 })).await;
    issue(&server).await;
    recorded(&management, &id, 1).await;
    server.clock.advance(Duration::from_secs(1801));
    let management = server.management().await;
    let ended = management.get(&format!("{RECORDINGS}/{id}")).await.expect(200);
    assert_eq!((&ended["state"], &ended["endedAt"]), (&json!("ended"), &ended["until"]));
    retention::delete_expired(&server.app).await.unwrap();
    let row = recordings::find(&mut server.begin().await, "greets", &id).await.unwrap().unwrap();
    assert_eq!((row.sealed_key, row.end_reason.as_deref()), (None, Some("ended")), "the key is forgotten");
    issue(&server).await;
    assert_eq!(samples(&management, &id).await.len(), 1, "they stay for now");

    server.clock.advance(Duration::from_secs(24 * 3600));
    retention::delete_expired(&server.app).await.unwrap();
    let management = server.management().await;
    management.get(&format!("{RECORDINGS}/{id}")).await.expect(404);
    assert!(recordings::samples(&mut server.begin().await, &id, 0, 10).await.unwrap().is_empty());
});

both!(samples_go_with_the_user_and_recordings_with_the_plugin, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "greets", GREETS, "").await;
    let id = start(&management, json!({ "count": 5 })).await;
    issue(&server).await;
    recorded(&management, &id, 1).await;
    management.delete(&format!("/api/users/{}", server.demo().customer_user_id)).await.expect(204);
    assert!(samples(&management, &id).await.is_empty());
    management.delete("/api/plugins/greets").await.expect(204);
    management.get(&format!("{RECORDINGS}/{id}")).await.expect(404);
});

both!(a_plugin_of_the_folder_is_recorded_and_a_recording_is_deleted, async |server: TestServer| {
    std::fs::write(server.home.plugins_dir().join("greets.js"), GREETS).unwrap();
    let management = server.management().await;
    until("the plugin", async || {
        let status = management.get("/api/plugins/greets").await;
        (status.status == 200 && status["state"] == "active").then_some(())
    })
    .await;
    let id = start(&management, json!({ "count": 1 })).await;
    issue(&server).await;
    recorded(&management, &id, 1).await;
    let [sample] = samples(&management, &id).await.try_into().unwrap();
    assert_eq!((&sample["version"], &sample["redactedAnswer"]["outcome"]), (&Value::Null, &json!("ok")));
    management.delete(&format!("{RECORDINGS}/{id}")).await.expect(204);
    assert_eq!(management.get(RECORDINGS).await.expect(200).body, json!([]));
    for _ in 0..20 {
        start(&management, json!({ "count": 1 })).await;
    }
    let refused = management.post(RECORDINGS, json!({ "count": 1 })).await;
    refused.expect_api_error(422, "plugin.too_many_recordings");
});

both!(deliveries_are_recorded_too, async |server: TestServer| {
    let management = server.management().await;
    let transform = "export const transformWebhook = ({ event }) => event.event === 'Role.Created'
      ? { drop: 'no roles' } : { body: { who: event.data.name }, headers: { 'x-kind': 'user' } };";
    upload(&management, "greets", transform, "").await;
    for (field, never) in [("applications", json!(["spa"])), ("keepHttp", json!(true))] {
        let mut body = json!({ "count": 2 });
        body[field] = never;
        let refused = management.post("/api/plugins/greets/recordings", body).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.body["data"].to_string().contains(field), "{}", refused.body);
    }
    let id = start(&management, json!({ "count": 2 })).await;
    let customer = &server.demo().customer_user_id;
    for body in [
        json!({ "event": "User.Data.Updated", "data": { "id": customer, "name": "Ada Lovelace" } }),
        json!({ "event": "Role.Created", "data": { "name": "Marylebone" } }),
    ] {
        let delivery = Transform {
            delivery_id: "msg_1",
            event: body["event"].as_str().unwrap(),
            hook_id: "hook-1",
            hook_name: "Lovelace",
            hook_url: "https://crm.example.com/in",
            body: body.to_string().into(),
        };
        server.app.plugins.transform(&delivery).await.unwrap();
    }
    recorded(&management, &id, 2).await;
    let [sent, dropped] = samples(&management, &id).await.try_into().unwrap();
    let text = format!("{sent}{dropped}");
    assert!(PERSONAL.iter().all(|personal| !text.contains(personal)), "{text}");
    assert_eq!(
        (&sent["kind"], &sent["input"]["event"]["event"]),
        (&json!("webhook-transform"), &json!("User.Data.Updated"))
    );
    assert_eq!(sent["redactedAnswer"]["answer"]["body"]["who"], sent["input"]["event"]["data"]["name"]);
    assert_eq!(sent["answer"]["body"]["who"], sent["redactedAnswer"]["answer"]["body"]["who"]);
    assert_eq!(
        (&dropped["dropped"], &dropped["redactedAnswer"]["answer"]),
        (&json!(true), &json!({ "drop": "no roles" }))
    );
    let stored = recordings::samples(&mut server.begin().await, &id, 0, 10).await.unwrap();
    assert_eq!(
        stored.iter().map(|sample| sample.user_id.clone()).collect::<Vec<_>>(),
        [Some(customer.as_str().to_owned()), None]
    );
});

both!(variables_and_secrets_of_a_plugin_are_not_recorded, async |server: TestServer| {
    let management = server.management().await;
    let source = "export const getCustomJwtClaims = ({ environmentVariables: { REGION, KEY } }) =>
      ({ lengths: [REGION.length, KEY.length] });";
    upload(&management, "greets", source, "[environment]\nREGION = \"analytical-region\"\n").await;
    let secret = json!({ "value": "difference-engine" });
    management.put("/api/plugins/greets/secrets/KEY", secret).await.expect(204);
    let begun = management.post(RECORDINGS, json!({ "count": 1 })).await.expect(201);
    let kept_for = begun["expiresAt"].as_i64().unwrap() - begun["createdAt"].as_i64().unwrap();
    assert_eq!(kept_for, 7 * 24 * 3_600_000, "a week, where nothing is said");
    let id = begun.text("id");
    assert_eq!(issue(&server).await, 200);
    recorded(&management, &id, 1).await;
    let [sample] = samples(&management, &id).await.try_into().unwrap();
    assert_eq!(sample["answer"]["lengths"], json!([17, 17]));
    let text = sample.to_string();
    assert!(!text.contains("analytical") && !text.contains("difference"), "{text}");
});
