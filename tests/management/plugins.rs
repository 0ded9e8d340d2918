//! `/api/plugins`: upload, activation, rollback, deletion.

use crate::fixtures::narrow;
use claimsmith_test_support::{Actor, Answer, Home, Jwt, TestServer, Wire, both, until};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, IF_MATCH};
use serde_json::{Value, json};
use std::sync::Arc;

/// A plugin that says which version it is.
fn says(version: &str) -> String {
    format!("export const getCustomJwtClaims = async () => ({{ version: {version:?} }});")
}

/// A plugin that puts what the expression says into the token.
fn answers(expression: &str) -> String {
    format!("export const getCustomJwtClaims = async ({{ environmentVariables }}) => ({expression});")
}

async fn put(actor: &Actor, path: &str, kind: &str, body: impl Into<reqwest::Body>) -> Answer {
    Answer::of(actor.request(Method::PUT, path).header(CONTENT_TYPE, kind).body(body)).await
}

async fn upload(actor: &Actor, name: &str, source: &str) -> Answer {
    put(actor, &format!("/api/plugins/{name}"), "text/javascript", source.to_owned()).await
}

/// A form, as `curl -F` sends it.
fn form(parts: &[(&str, &str, &str)]) -> (&'static str, String) {
    let part = |(name, file, text): &(&str, &str, &str)| {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"");
        format!("--frontier\r\n{head}\r\n\r\n{text}\r\n")
    };
    let body: String = parts.iter().map(part).collect();
    ("multipart/form-data; boundary=frontier", body + "--frontier--\r\n")
}

/// Waits until a file of the folder is listed, and answers how.
async fn listed(management: &Actor, name: &str) -> Answer {
    until(&format!("the file {name} in the list"), async || {
        let answer = management.get(&format!("/api/plugins/{name}")).await;
        (answer.status != 404).then_some(answer)
    })
    .await
}

/// What the customer's token says.
async fn token(server: &TestServer) -> Jwt {
    let token = server.exchange(&server.customer_token().await).access_token().await;
    server.verify(&token, &server.demo().resource).await
}

async fn version(server: &TestServer) -> Value {
    token(server).await.claims["version"].clone()
}

both!(a_plugin_goes_into_service_and_back, async |server: TestServer| {
    let management = server.management().await;
    assert_eq!(version(&server).await, Value::Null);

    let first = upload(&management, "stamp", &says("one")).await.expect(201);
    assert_eq!((&first["version"]["id"], &first["version"]["active"]), (&json!("1"), &json!(true)));
    assert_eq!((&first["plugin"]["source"], &first["plugin"]["state"]), (&json!("store"), &json!("active")));
    assert_eq!(first["plugin"]["digest"], first["version"]["digest"]);
    assert_eq!(version(&server).await, "one", "it serves when the answer comes");

    let same = upload(&management, "stamp", &says("one")).await.expect(200);
    assert_eq!(same["version"]["id"], "1", "no version twice");

    let path = "/api/plugins/stamp?activate=false";
    let second = put(&management, path, "application/typescript", says("two")).await.expect(201);
    assert_eq!((&second["version"]["active"], &second["version"]["language"]), (&json!(false), &json!("typescript")));
    assert_eq!(version(&server).await, "one");

    let activated = management.post("/api/plugins/stamp/versions/2/activate", Value::Null).await.expect(200);
    assert_eq!(activated["plugin"]["deployment"]["activeVersion"], "2");
    assert_eq!(version(&server).await, "two");
    management.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    assert_eq!(version(&server).await, "one", "rolled back");

    let versions = management.get("/api/plugins/stamp/versions").await.expect(200).body;
    let listed: Vec<_> = versions.as_array().unwrap().iter().map(|v| (&v["id"], &v["active"])).collect();
    assert_eq!(listed, [(&json!("2"), &json!(false)), (&json!("1"), &json!(true))]);
    let shown = management.get("/api/plugins/stamp/versions/2").await.expect(200);
    assert_eq!(shown["source"], says("two"));

    management.delete("/api/plugins/stamp/versions/1").await.expect_api_error(409, "plugin.version_active");
    management.delete("/api/plugins/stamp/versions/2").await.expect(204);
    management.get("/api/plugins/stamp/versions/2").await.expect_api_error(404, "entity.not_exists_with_id");
    let third = upload(&management, "stamp", &says("three")).await.expect(201);
    assert_eq!(third["version"]["id"], "3", "an id is never used twice");

    management.delete("/api/plugins/stamp").await.expect(204);
    assert_eq!(version(&server).await, Value::Null);
    management.get("/api/plugins/stamp").await.expect_api_error(404, "entity.not_exists_with_id");
    management.delete("/api/plugins/stamp").await.expect_api_error(404, "entity.not_found");
});

both!(a_file_that_is_no_plugin_is_refused_by_its_name, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "stamp", &says("good")).await.expect(201);
    let extism = r#"(module (import "extism:host/env" "input_length" (func (result i64))))"#;
    let extism = wat::parse_str(extism).unwrap();
    let files = [
        (extism.clone(), "an Extism plugin, not a component"),
        (extism[..20].to_vec(), "not a whole component"),
        (wat::parse_str(r#"(module (func (export "__wbindgen_malloc")))"#).unwrap(), "wasm-bindgen"),
        (wat::parse_str("(module)").unwrap(), "a core module without its WIT"),
        (b"<!DOCTYPE html><html>404".to_vec(), "an HTML or XML page"),
        (b"(module)".to_vec(), "the text format"),
        (vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "gzip"),
        (Vec::new(), "empty"),
    ];
    for (bytes, said) in files {
        let refused = put(&management, "/api/plugins/stamp", "application/wasm", bytes).await;
        refused.expect_api_error(422, "plugin.refused");
        let finding = &refused["data"]["findings"][0];
        let message = finding["message"].as_str().unwrap();
        assert!(finding["kind"] == "not_a_component" && message.contains(said), "{said}: {finding}");
    }
    assert_eq!(version(&server).await, "good");
    // From the folder, too: it is listed with the reason.
    std::fs::write(server.home.plugins_dir().join("other.wasm"), extism).unwrap();
    let error = until("the reason in the list", async || {
        management.get("/api/plugins/other").await["lastError"].as_str().map(str::to_owned)
    });
    let error = error.await;
    assert!(error.contains("an Extism plugin"), "{error}");
});

both!(what_is_wrong_is_refused_and_the_old_version_serves, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "stamp", &says("good")).await.expect(201);

    let bad = upload(&management, "stamp", "export const getCustomJwtClaims = async () => ({\n  a: ,\n});").await;
    bad.expect_api_error(422, "plugin.refused");
    let finding = &bad["data"]["findings"][0];
    assert_eq!((&finding["kind"], &finding["line"]), (&json!("syntax"), &json!(2)), "{finding}");
    assert!(finding["file"].is_string() && finding["column"].is_number(), "{finding}");

    let cases = json!([{ "name": "knows its version", "input": { "token": {}, "context": {} },
        "expect": { "claims": { "version": "other" } } }]);
    let (kind, body) = form(&[("source", "stamp.js", &says("good")), ("cases", "c.json", &cases.to_string())]);
    let failed = put(&management, "/api/plugins/stamp", kind, body).await;
    failed.expect_api_error(422, "plugin.refused");
    assert_eq!(failed["data"]["findings"][0]["kind"], "case", "{}", failed.body);

    let empty = wat::parse_str("(component)").unwrap();
    let world = put(&management, "/api/plugins/stamp", "application/wasm", empty).await;
    world.expect_api_error(422, "plugin.refused");
    assert_eq!(world["data"]["findings"][0]["kind"], "wrong_world", "{}", world.body);

    let (kind, body) =
        form(&[("source", "stamp.js", &says("x")), ("manifest", "m.toml", "[secrets]\nK = { env = \"PATH\" }")]);
    let greedy = put(&management, "/api/plugins/stamp", kind, body).await;
    greedy.expect_api_error(422, "plugin.refused");

    put(&management, "/api/plugins/stamp", "text/plain", "x")
        .await
        .expect_api_error(415, "request.unsupported_media_type");
    for name in ["Bad.Name", "%E1%B9%B0o", "%FF", "%00", &"a".repeat(129), &"%CC%BA".repeat(500)] {
        let refused = put(&management, &format!("/api/plugins/{name}"), "text/javascript", "x").await;
        refused.expect_api_error(400, "guard.invalid_input");
    }
    assert_eq!(version(&server).await, "good");
    assert_eq!(management.get("/api/plugins/stamp/versions").await.body.as_array().unwrap().len(), 1);
});

both!(settings_change_without_an_upload, async |server: TestServer| {
    let management = server.management().await;
    let manifest = "order = 5\n[environment]\nREGION = \"eu\"\n";
    let source = answers("{ region: environmentVariables.REGION }");
    let (kind, body) = form(&[("source", "region.js", &source), ("manifest", "region.toml", manifest)]);
    let made = put(&management, "/api/plugins/region", kind, body).await.expect(201);
    assert_eq!(made["plugin"]["order"], 5);
    assert_eq!(token(&server).await.claims["region"], "eu");

    let path = "/api/plugins/region";
    let changed =
        management.patch(path, json!({ "environment": { "REGION": "us" }, "onError": "skip" })).await.expect(200);
    assert_eq!((&changed["order"], &changed["onError"]), (&json!(5), &json!("skip")));
    assert_eq!(token(&server).await.claims["region"], "us");
    management.patch(path, json!({ "applications": ["somebody-else"] })).await.expect(200);
    assert_eq!(token(&server).await.claims.get("region"), None);
    management.patch(path, json!({ "applications": null, "enabled": false })).await.expect(200);
    assert_eq!(token(&server).await.claims.get("region"), None);
    let shown = management.patch(path, json!({ "enabled": true, "limits": { "memoryMib": 32 } })).await.expect(200);
    assert_eq!(shown["limits"]["memoryMib"], 32);
    assert_eq!(token(&server).await.claims["region"], "us");

    for bad in
        [json!({ "ordr": 1 }), json!({ "applications": [] }), json!({ "onError": "ignore" }), json!({ "order": null })]
    {
        management.patch(path, bad).await.expect_api_error(400, "guard.invalid_input");
    }
    management.patch("/api/plugins/nothing", json!({ "order": 1 })).await.expect_api_error(404, "entity.not_exists");
});

both!(a_secret_reaches_the_plugin_and_nobody_else, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "keyed", &answers("{ length: environmentVariables.KEY?.length ?? 0 }")).await.expect(201);
    assert_eq!(token(&server).await.claims["length"], 0);

    let path = "/api/plugins/keyed/secrets/KEY";
    management.put(path, json!({ "value": "hunter2hunter2" })).await.expect(204);
    assert_eq!(token(&server).await.claims["length"], 14);
    let listed = management.get("/api/plugins/keyed/secrets").await.expect(200).body;
    assert_eq!((&listed[0]["name"], listed[0].get("value")), (&json!("KEY"), None));
    for shown in [management.get("/api/plugins/keyed").await, management.get("/api/plugins").await] {
        assert!(!shown.expect(200).body.to_string().contains("hunter2"));
    }
    let mut tx = server.begin().await;
    let stored = claimsmith_storage::plugins::secrets::list(&mut tx, "keyed").await.unwrap();
    assert!(!stored[0].sealed.contains("hunter2"));
    drop(tx);

    management.patch("/api/plugins/keyed", json!({ "environment": { "KEY": "x" } })).await.expect(400);
    management.put(path, json!({ "value": "" })).await.expect(400);
    management.put("/api/plugins/keyed/secrets/A=B", json!({ "value": "x" })).await.expect(422);
    management.delete(path).await.expect(204);
    management.delete(path).await.expect(404);
    assert_eq!(token(&server).await.claims["length"], 0);
});

both!(lost_updates_are_refused, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "stamp", &says("one")).await.expect(201);
    let tag = management.get("/api/plugins/stamp").await.expect(200).header("etag").unwrap().to_owned();
    let with_tag = async |tag: &str, source: &str| {
        let request = management.request(Method::PUT, "/api/plugins/stamp").header(CONTENT_TYPE, "text/javascript");
        Answer::of(request.header(IF_MATCH, tag).body(says(source))).await
    };
    with_tag(&tag, "two").await.expect(201);
    with_tag(&tag, "three").await.expect_api_error(412, "request.precondition_failed");
    assert_eq!(version(&server).await, "two");
    let request = management.request(Method::DELETE, "/api/plugins/stamp").header(IF_MATCH, &tag);
    Answer::of(request).await.expect_api_error(412, "request.precondition_failed");
    let request = management.request(Method::DELETE, "/api/plugins/stamp").header(IF_MATCH, "*");
    Answer::of(request).await.expect(204);
});

both!(two_uploads_of_one_name_both_become_versions, async |server: TestServer| {
    let management = server.management().await;
    let (one, two) = (says("one"), says("two"));
    let (first, second) = tokio::join!(upload(&management, "stamp", &one), upload(&management, "stamp", &two));
    assert_eq!((first.status, second.status), (201, 201));
    let versions = management.get("/api/plugins/stamp/versions").await.expect(200).body;
    let active: Vec<_> = versions.as_array().unwrap().iter().filter(|v| v["active"] == true).collect();
    assert_eq!((versions.as_array().unwrap().len(), active.len()), (2, 1));
    assert_eq!(active[0]["id"], "2");
    let serving = management.get("/api/plugins/stamp").await.expect(200);
    assert_eq!(serving["digest"], active[0]["digest"]);
});

both!(a_file_of_the_folder_keeps_its_name, async |server: TestServer| {
    let management = server.management().await;
    std::fs::write(server.home.plugins_dir().join("mine.js"), says("file")).unwrap();
    listed(&management, "mine").await;
    upload(&management, "mine", &says("upload")).await.expect_api_error(409, "plugin.name_in_use");
    management.patch("/api/plugins/mine", json!({ "order": 1 })).await.expect_api_error(409, "plugin.name_in_use");
    management.delete("/api/plugins/mine").await.expect_api_error(409, "plugin.name_in_use");

    // A file that takes the name of an upload does not run.
    upload(&management, "stamp", &says("upload")).await.expect(201);
    std::fs::write(server.home.plugins_dir().join("stamp.js"), says("file")).unwrap();
    std::fs::write(server.home.plugins_dir().join("later.js"), "export const getCustomJwtClaims = () => ({});")
        .unwrap();
    listed(&management, "later").await;
    assert_eq!(management.get("/api/plugins/stamp").await.expect(200)["source"], "store");
});

both!(no_plugin_is_called_test, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/plugins/test";
    let refused = upload(&management, "test", &says("one")).await;
    refused.expect_api_error(400, "guard.invalid_input");
    assert!(refused.text("details").contains("the route for testing drafts"), "{}", refused.body);
    management.get(path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(path, json!({ "order": 1 })).await.expect_api_error(404, "entity.not_exists");
    management.delete(path).await.expect_api_error(404, "entity.not_exists");

    // A file of that name is listed with what is wrong with it, and takes no part.
    std::fs::write(server.home.plugins_dir().join("test.js"), says("file")).unwrap();
    let shown = listed(&management, "test").await.expect(200);
    assert_eq!((&shown["state"], &shown["refusesTokens"]), (&json!("failed"), &json!(false)));
    assert!(shown.text("lastError").contains("`test` cannot be the name of a plugin"), "{}", shown.body);
    assert_eq!(version(&server).await, Value::Null);
    management.delete(path).await.expect_api_error(409, "plugin.name_in_use");
});

both!(narrow_scopes_open_what_they_name, async |server: TestServer| {
    let management = server.management().await;
    let reader = narrow(&server, &management, &["plugins:read"]).await;
    reader.get("/api/plugins").await.expect(200);
    upload(&reader, "stamp", &says("one")).await.expect_api_error(403, "auth.forbidden");
    reader.delete("/api/plugins/stamp").await.expect_api_error(403, "auth.forbidden");
    upload(&server.anonymous(), "stamp", &says("one")).await.expect(401);
});

both!(every_change_is_in_the_audit_log, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "stamp", &says("one")).await.expect(201);
    management.put("/api/plugins/stamp/secrets/KEY", json!({ "value": "hunter2" })).await.expect(204);
    management.post("/api/plugins/stamp/versions/1/activate", Value::Null).await.expect(200);
    management.delete("/api/plugins/stamp").await.expect(204);
    let mut tx = server.begin().await;
    for key in ["Upload", "SetSecret", "Activate", "Delete"] {
        let key = format!("Management.Plugin.{key}");
        let logs = claimsmith_storage::audit::list_by_key(&mut tx, &key, 2).await.unwrap();
        let [log] = logs.as_slice() else { panic!("{key}: {logs:?}") };
        assert_eq!(log.payload["plugin"], "stamp");
        assert!(!log.payload.to_string().contains("hunter2"));
    }
});

/// Begins an upload of so many bytes and comes as far as to be asked for them.
async fn begin_upload(server: &TestServer, token: &str, name: &str, length: usize) -> Wire {
    let mut wire = Wire::open(server).await.unwrap();
    let host = server.origin.trim_start_matches("http://");
    let head = format!(
        "PUT /api/plugins/{name} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
         Expect: 100-continue\r\nContent-Type: text/javascript\r\nContent-Length: {length}\r\n\r\n"
    );
    wire.say(head).await.unwrap();
    assert_eq!(wire.answer().await.unwrap().status, 100);
    wire
}

both!(an_upload_takes_its_place_before_its_body_is_read, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_PLUGINS_COMPILE_QUEUE", "0")]).await.unwrap();
    let (management, token) = (server.management().await, server.management_token().await);
    let source = says("slow");
    let mut slow = begin_upload(&server, &token, "slow", source.len()).await;
    let script = ("text/javascript", says("other"));
    for (kind, body) in [script, form(&[("source", "a.js", &says("other"))])] {
        let busy = put(&management, "/api/plugins/other", kind, body).await;
        busy.expect_api_error(503, "plugin.busy");
        assert_eq!(busy.header("retry-after"), Some("5"));
    }
    slow.say(source).await.unwrap();
    slow.answer().await.unwrap().expect(201);
    upload(&management, "other", &says("other")).await.expect(201);

    drop(begin_upload(&server, &token, "gone", 10).await);
    until("the place of one that broke off", async || {
        (upload(&management, "other", &says("again")).await.status == 201).then_some(())
    })
    .await;
});
