//! Webhook transforms through the API: draft, golden cases, upload, settings, versions.

use claimsmith_services::plugins::{Action, Transform};
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

const STAMPS: &str = "export const transformWebhook = async ({ event, hook, deliveryId, environmentVariables }) => {
  console.info('asked by', hook.name);
  if (event.event === 'Role.Created') return { drop: 'no roles' };
  return {
    body: { ...event, stamp: environmentVariables.STAMP ?? 'none', deliveryId },
    headers: { 'x-kind': event.event, 'webhook-id': 'forged' },
    path: 'users',
  };
};";

const CLAIMS: &str = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";

async fn put(management: &Actor, path: &str, kind: &str, body: String) -> Answer {
    Answer::of(management.request(Method::PUT, path).header(CONTENT_TYPE, kind).body(body)).await
}

async fn upload(management: &Actor, source: &str) -> Answer {
    put(management, "/api/plugins/stamp", "text/javascript", source.to_owned()).await
}

/// An upload with settings and golden cases.
async fn upload_with(management: &Actor, manifest: &str, cases: &Value) -> Answer {
    let part = |name: &str, file: &str, text: &str| {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"");
        format!("--frontier\r\n{head}\r\n\r\n{text}\r\n")
    };
    let parts = [
        part("source", "stamp.ts", STAMPS),
        part("manifest", "stamp.toml", manifest),
        part("cases", "stamp.cases.json", &cases.to_string()),
    ];
    let body = parts.concat() + "--frontier--\r\n";
    put(management, "/api/plugins/stamp", "multipart/form-data; boundary=frontier", body).await
}

async fn body_sent(server: &TestServer, event: &str) -> Value {
    let delivery = Transform {
        delivery_id: "msg_1",
        event,
        hook_id: "hook-1",
        hook_name: "CRM",
        hook_url: "https://example.com/in",
        body: json!({ "event": event }).to_string().into(),
    };
    match server.app.plugins.transform(&delivery).await.unwrap().action {
        Action::Send { body, .. } => serde_json::from_str(&body).unwrap(),
        Action::Drop { reason, .. } => json!({ "dropped": reason }),
    }
}

both!(a_transform_answers_a_question, async |server: TestServer| {
    let management = server.management().await;
    let draft = |input: Value| json!({ "language": "javascript", "source": STAMPS, "input": input });
    let input = json!({ "event": { "event": "User.Created" }, "hook": { "name": "CRM" }, "id": "msg_7" });
    let answer = management.post("/api/plugins/test", draft(input)).await.expect(200);
    let body = r#"{"event":"User.Created","stamp":"none","deliveryId":"msg_7"}"#;
    assert_eq!((&answer["outcome"], &answer["body"], &answer["claims"]), (&json!("ok"), &json!(body), &Value::Null));
    assert_eq!((&answer["headers"], &answer["path"]), (&json!({ "x-kind": "User.Created" }), &json!("users")));
    assert_eq!((&answer["dropped"], &answer["logs"][0]["message"]), (&json!(["webhook-id"]), &json!("asked by CRM")));
    assert!(answer["instructions"].as_u64() > Some(1000) && answer.body.get("dropReason").is_none(), "{}", answer.body);

    upload(&management, STAMPS).await.expect(201);
    let path = "/api/plugins/stamp/test";
    let dropped = management.post(path, json!({ "input": { "event": { "event": "Role.Created" } } })).await.expect(200);
    assert_eq!((&dropped["outcome"], &dropped["dropReason"]), (&json!("ok"), &json!("no roles")));
    assert!(dropped.body.get("body").is_none(), "{}", dropped.body);
    let failed = management.post(path, json!({ "input": { "event": null } })).await.expect(200);
    assert_eq!(failed["outcome"], "failed");
    for input in [json!({}), json!({ "token": { "a": 1 }, "event": {} }), json!({ "event": {}, "hook": { "x": 1 } })] {
        management.post(path, json!({ "input": input })).await.expect_api_error(400, "guard.invalid_input");
    }
    let claims = json!({ "language": "javascript", "source": CLAIMS, "input": { "event": {} } });
    management.post("/api/plugins/test", claims).await.expect_api_error(400, "guard.invalid_input");
});

both!(an_upload_passes_its_golden_cases_and_serves, async |server: TestServer| {
    let management = server.management().await;
    let case = |sent: Value| json!([{ "name": "stamps", "input": { "event": { "event": "User.Created" }, "id": "msg_1" }, "expected": sent }]);
    let refused = upload_with(&management, "", &case(json!({ "dropped": "no users" }))).await;
    refused.expect_api_error(422, "plugin.refused");
    let finding = &refused["data"]["findings"][0];
    assert_eq!((&finding["kind"], &finding["case"]), (&json!("case"), &json!("stamps")));
    let wrong = upload_with(&management, "on_error = \"skip\"\n", &json!([])).await;
    wrong.expect_api_error(422, "plugin.refused");
    assert_eq!(wrong["data"]["findings"][0]["key"], "on_error", "{}", wrong.body);

    let drops = json!([{ "name": "drops", "input": { "event": { "event": "Role.Created" } }, "expected": { "dropped": "no roles" } }]);
    let manifest = "events = [\"User.*\", \"Role.*\"]\nhooks = [\"CRM\"]\n[environment]\nSTAMP = \"blue\"\n";
    let first = upload_with(&management, manifest, &drops).await.expect(201);
    let plugin = &first["plugin"];
    let shown =
        ["kind", "world", "onError", "events", "hooks", "tokenKinds", "holdsDeliveries"].map(|key| plugin[key].clone());
    let expected = json!([
        "webhook-transform",
        "claimsmith:plugin/webhook-transform",
        "retry",
        ["User.*", "Role.*"],
        ["CRM"],
        [],
        false
    ]);
    assert_eq!(json!(shown), expected);
    assert_eq!(first["version"]["kind"], "webhook-transform");
    assert_eq!(body_sent(&server, "User.Created").await["stamp"], "blue", "it serves when the answer comes");
    assert_eq!(body_sent(&server, "Scope.Created").await, json!({ "event": "Scope.Created" }), "none of its events");

    let changed = json!({ "events": null, "onError": "original", "environment": { "STAMP": "red" } });
    let changed = management.patch("/api/plugins/stamp", changed).await.expect(200);
    assert_eq!((&changed["events"], &changed["onError"]), (&Value::Null, &json!("original")));
    assert_eq!(body_sent(&server, "Scope.Created").await["stamp"], "red");
    for wrong in [
        json!({ "onError": "deny" }),
        json!({ "applications": ["spa"] }),
        json!({ "events": ["user"] }),
        json!({ "hooks": [] }),
    ] {
        management.patch("/api/plugins/stamp", wrong).await.expect_api_error(400, "guard.invalid_input");
    }

    // Its settings are for transforms: no version of it can compute claims.
    let other = upload(&management, CLAIMS).await;
    other.expect_api_error(422, "plugin.refused");
    assert_eq!(other["data"]["findings"][0]["kind"], "manifest", "{}", other.body);
    let second = upload(&management, &STAMPS.replace("'none'", "'never'")).await.expect(201);
    assert_eq!(second["version"]["id"], "2");
    management.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    management.delete("/api/plugins/stamp").await.expect(204);
    assert_eq!(body_sent(&server, "User.Created").await, json!({ "event": "User.Created" }));
});

both!(a_claims_plugin_knows_nothing_of_deliveries, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, CLAIMS).await.expect(201);
    let shown = management.get("/api/plugins/stamp").await.expect(200);
    assert_eq!(
        (&shown["onError"], &shown["tokenKinds"]),
        (&json!("deny"), &json!(["access-token", "client-credentials"]))
    );
    for wrong in [json!({ "events": ["*"] }), json!({ "hooks": ["CRM"] }), json!({ "onError": "retry" })] {
        management.patch("/api/plugins/stamp", wrong).await.expect_api_error(400, "guard.invalid_input");
    }
    assert_eq!(body_sent(&server, "User.Created").await, json!({ "event": "User.Created" }));
    let script = json!({ "script": STAMPS });
    management
        .put("/api/configs/jwt-customizer/access-token", script)
        .await
        .expect_api_error(400, "guard.invalid_input");
});
