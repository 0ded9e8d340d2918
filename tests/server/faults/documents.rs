//! Unreadable stored documents: each affects only its own object, never a list, a token or a start, and `claimsmith
//! doctor` repairs them.

use crate::BINARY;
use claimsmith_services::tokens;
use claimsmith_storage::issuing::subject_tokens;
use claimsmith_storage::plugins;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_test_support::{Answer, Home, Process, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sqlx::types::Json;
use std::sync::Arc;

const MARK: &str = "$claimsmith::unreadable";

/// Where documents stand, each with the key of its row.
const ROWS: [(&str, &str, &str); 11] = [
    ("users", "custom_data", "UPDATE users SET custom_data = $1, revision = revision + 1 WHERE id = $2"),
    ("applications", "custom_data", "UPDATE applications SET custom_data = $1 WHERE id = $2"),
    ("organizations", "custom_data", "UPDATE organizations SET custom_data = $1 WHERE id = $2"),
    ("subject_tokens", "context", "UPDATE subject_tokens SET context = $1 WHERE id = $2"),
    ("issuances", "context", "UPDATE issuances SET context = $1 WHERE jti = $2"),
    ("logs", "payload", "UPDATE logs SET payload = $1 WHERE id = $2"),
    ("plugins", "customizer", "UPDATE plugins SET customizer = $1 WHERE name = $2"),
    ("hooks", "config", "UPDATE hooks SET config = $1 WHERE id = $2"),
    ("users", "settings", "UPDATE users SET settings = $1 WHERE id = $2"),
    ("issuances", "claims", "UPDATE issuances SET claims = $1 WHERE jti = $2"),
    ("plugins", "settings", "UPDATE plugins SET settings = $1 WHERE name = $2"),
];

/// What was accepted once: flat when it came, deep in its row.
pub(super) fn deep() -> String {
    format!(r#"{{"a":{}1{}}}"#, "[".repeat(240), "]".repeat(240))
}

/// What no reader but `serde_json`'s own takes for an order.
fn private() -> String {
    r#"{"$serde_json::private::RawValue":"[1]"}"#.to_owned()
}

/// Puts a text into a row, past everything that would refuse it.
async fn spoil(server: &TestServer, sql: &'static str, key: &str, text: String) {
    let mut tx = server.begin().await;
    let document = Json(RawValue::from_string(text).unwrap());
    assert_eq!(tx.sql(sql).bind(document).bind(key).execute().await.unwrap(), 1, "{sql}");
    revisions::bump(&mut tx, Changed::All).await.unwrap();
    plugins::begin_change(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// What is asked of a server that has such rows: every list, the keys, and a token of somebody else.
async fn ask(server: &TestServer) {
    let management = server.management().await;
    for list in [
        "/api/users",
        "/api/applications",
        "/api/organizations",
        "/api/subject-tokens",
        "/api/impersonations",
        "/api/logs",
        "/api/hooks",
        "/api/plugins",
        "/api/configs/jwt-customizer",
    ] {
        let answer = management.get(list).await.expect(200);
        assert!(!answer.body.as_array().unwrap().is_empty(), "{list}");
    }
    server.get("/oidc/jwks").await.expect(200);
    server.exchange(&server.customer_token().await).send().await.expect(200);
}

both!(an_unreadable_document_costs_one_object, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let management = server.management().await;
    let user = management.post("/api/users", json!({ "customData": { "a": 1 } })).await.expect(200).text("id");
    let application = json!({ "name": "spoiled", "type": "SPA" });
    let application = management.post("/api/applications", application).await.expect(200).text("id");
    let organization = management.post("/api/organizations", json!({ "name": "o" })).await.expect(201).text("id");
    let hook = json!({ "name": "h", "events": ["User.Created"], "config": { "url": "https://example.com/hook" } });
    let hook = management.post("/api/hooks", hook).await.expect(201).text("id");
    let script = json!({ "script": "const getCustomJwtClaims = async () => ({ scripted: true });" });
    management.put("/api/configs/jwt-customizer/access-token", script).await.expect(201);
    let issued = server.exchange(&server.customer_token().await).access_token().await;
    let jti = server.verify(&issued, &server.demo().resource).await.claims["jti"].as_str().unwrap().to_owned();
    let log = management.get("/api/logs?page_size=1").await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    let spoiled_token = server.customer_token().await;
    let token = subject_tokens::find_by_hash(&mut server.begin().await, &tokens::hash(&spoiled_token)).await;
    let token = token.unwrap().unwrap().id;
    let (demo, source) = (server.demo(), "export const getCustomJwtClaims = () => ({ uploaded: true });");
    let upload = management.request(Method::PUT, "/api/plugins/uploaded").header(CONTENT_TYPE, "text/javascript");
    Answer::of(upload.body(source)).await.expect(201);
    let opaque = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    let opaque_jti = server.introspect_as_web(&opaque).await["jti"].as_str().unwrap().to_owned();
    let keys = [
        user.as_str(),
        &application,
        &organization,
        &token,
        &jti,
        &log,
        "jwt-access-token",
        &hook,
        &user,
        &opaque_jti,
        "uploaded",
    ]
    .map(str::to_owned);

    ask(&server).await;
    for (number, ((.., sql), key)) in ROWS.iter().zip(&keys).enumerate() {
        spoil(&server, sql, key, if number % 2 == 0 { deep() } else { private() }).await;
        ask(&server).await;
    }
    let asked = server.exchange(&spoiled_token).send().await;
    asked.expect_oauth_error(400, "invalid_request");
    server.stop().await;

    let server = TestServer::start(&home, &[]).await.unwrap();
    ask(&server).await;
    let management = server.management().await;
    let path = format!("/api/users/{user}");
    let shown = management.get(&path).await.expect(200);
    assert!(shown["customData"][MARK].as_str().unwrap().contains("nested deeper"), "{:#}", shown.body);
    management.patch(&path, json!({ "name": "Ada" })).await.expect(200);
    let merged = management.patch(&format!("{path}/custom-data"), json!({ "customData": { "b": 2 } })).await;
    merged.expect_api_error(422, "entity.unreadable");
    let shown = management.get(&path).await.expect(200);
    assert!(shown["customData"][MARK].is_string(), "what is not changed stays as it is stored");
    let path = format!("/api/applications/{application}");
    management.patch(&path, json!({ "description": "still here" })).await.expect(200);
    assert!(management.get(&path).await.expect(200)["customData"][MARK].is_string());
    management.get(&format!("/api/logs/{log}")).await.expect(200);
    management.get(&format!("/api/hooks/{hook}")).await.expect(200);
    management.get(&format!("/api/users/{user}/logto-configs")).await.expect(200);
    // What its record says is still known of an opaque token, and it is revoked as any other.
    let known = server.introspect_as_web(&opaque).await;
    assert_eq!((&known["active"], &known["sub"]), (&json!(true), &json!(server.demo().engineer_user_id)));
    server.form("/oidc/token/revocation").with("token", &opaque).as_web().send().await.expect(200);
    assert_eq!(server.introspect_as_web(&opaque).await["active"], false);
    // A plugin does not run while nobody knows for whom it was meant.
    let uploaded = management.get("/api/plugins/uploaded").await.expect(200);
    assert!(uploaded["state"] != "active" && uploaded["lastError"].is_string(), "{:#}", uploaded.body);
    let issued = server.exchange(&server.customer_token().await).access_token().await;
    assert_eq!(server.verify(&issued, &server.demo().resource).await.claims.get("uploaded"), None);
    server.stop().await;

    let doctor = async |arguments: &[&str]| {
        let output = Process::run(BINARY, &home, &[], arguments).await;
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, told) = doctor(&["doctor", "--offline"]).await;
    assert_eq!(code, Some(2), "{told}");
    for ((table, column, _), key) in ROWS.iter().zip(&keys) {
        assert!(told.contains(&format!("{table} {key} {column}: ")), "{table} {key} {column} in:\n{told}");
    }
    assert!(told.contains(&format!("{} documents cannot be read", ROWS.len())), "{told}");
    let (code, told) = doctor(&["doctor", "--repair"]).await;
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = doctor(&["doctor", "--offline"]).await;
    assert_eq!((code, told.contains("Every stored document can be read.\n")), (Some(0), true), "{told}");

    let kept = std::fs::read_dir(home.data_dir()).unwrap().map(|entry| entry.unwrap().path());
    let kept = kept.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let lines: Vec<Value> = kept
        .flat_map(|path| std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    assert_eq!(lines.len(), ROWS.len());
    let of_user = lines.iter().find(|line| line["table"] == "users").unwrap();
    assert!(of_user["id"] == user.as_str() && of_user["document"].as_str().unwrap().contains(&"[".repeat(240)));

    let server = TestServer::start(&home, &[]).await.unwrap();
    let management = server.management().await;
    assert_eq!(management.get(&format!("/api/users/{user}")).await.expect(200)["customData"], json!({}));
    let asked = server.exchange(&spoiled_token).send().await;
    asked.expect_oauth_error(400, "invalid_request");
    server.exchange(&server.customer_token().await).send().await.expect(200);

    // A script is changed without its samples: what its settings still say of it stays as it is.
    let path = "/api/configs/jwt-customizer/access-token";
    let script = |number: u32| format!("const getCustomJwtClaims = async () => ({{ scripted: {number} }});");
    let given = json!({
        "script": script(1), "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true,
        "tokenSample": { "a": 1 }
    });
    management.put(path, given).await.expect(200);
    let (.., sql) = ROWS.into_iter().find(|(_, column, _)| *column == "customizer").unwrap();
    spoil(&server, sql, "jwt-access-token", deep()).await;
    let changed = management.patch(path, json!({ "script": script(2) })).await.expect(200);
    let kept = json!({
        "script": script(2), "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true
    });
    assert_eq!(changed.body, kept);
    assert_eq!(management.get(path).await.expect(200).body, kept);
    let issued = server.exchange(&server.customer_token().await).access_token().await;
    assert_eq!(server.verify(&issued, &server.demo().resource).await.claims["scripted"], 2);
});
