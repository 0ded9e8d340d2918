//! Test calls of plugins, and the plugin log.

use claimsmith_test_support::{Actor, Answer, Home, TestServer, both, in_time, until};
use data_encoding::BASE64;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};
use std::sync::Arc;

const GUARD: &str = "export const getCustomJwtClaims = async ({ context, environmentVariables, api }) => {
  console.info('asked', environmentVariables.KEY);
  if (context.user?.id === 'mallory') api.denyAccess('Not today.');
  if (context.user?.id === 'bob') throw new Error('bob ' + environmentVariables.KEY);
  return { sub: 'forged', length: environmentVariables.KEY?.length ?? 0 };
};";

async fn upload(management: &Actor, name: &str, source: &'static str) {
    let request = management.request(Method::PUT, &format!("/api/plugins/{name}"));
    Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source)).await.expect(201);
}

fn ask(user: &str) -> Value {
    json!({ "input": { "context": { "user": { "id": user } } } })
}

both!(the_engine_of_trials_is_prepared_without_an_operator, async |server: TestServer| {
    server.app.plugins.warm_trials().await.unwrap();
    let begun = std::time::Instant::now();
    let body = json!({ "tokenType": "access-token", "token": {}, "context": {}, "script": GUARD });
    let management = server.management().await;
    management.post("/api/configs/jwt-customizer/test", body).await.expect(200);
    // Twenty times what it takes; the runtime alone takes as long to compile.
    assert!(begun.elapsed() < std::time::Duration::from_secs(8), "{:?}", begun.elapsed());
});

both!(a_version_answers_a_question, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "guard", GUARD).await;
    management.put("/api/plugins/guard/secrets/KEY", json!({ "value": "hunter2-hunter2" })).await.expect(204);

    let path = "/api/plugins/guard/test";
    let answer = management.post(path, ask("alice")).await.expect(200);
    assert_eq!((&answer["outcome"], &answer["claims"]), (&json!("ok"), &json!({ "length": 15 })));
    assert_eq!((&answer["dropped"], &answer["logs"][0]["message"]), (&json!(["sub"]), &json!("asked ***")));
    assert!(
        answer["instructions"].as_u64() > Some(1000) && answer["peakMemory"].as_u64() > Some(65535),
        "{}",
        answer.body
    );
    let denied = management.post(path, ask("mallory")).await.expect(200);
    assert_eq!((&denied["outcome"], &denied["message"]), (&json!("denied"), &json!("Not today.")));
    let failed = management.post(path, ask("bob")).await.expect(200);
    assert_eq!(failed["outcome"], "failed");
    assert!(failed["message"].as_str().unwrap().contains("bob ***"), "{}", failed.body);

    management.post(path, json!({ "version": "9" })).await.expect_api_error(404, "entity.not_exists_with_id");
    management.post(path, json!({ "input": { "tokn": {} } })).await.expect_api_error(400, "guard.invalid_input");
    let writer = crate::fixtures::narrow(&server, &management, &["plugins:write"]).await;
    let answer = writer.post(path, ask("alice")).await.expect(200);
    assert_eq!(answer["claims"], json!({ "length": "secret:KEY".len() }), "a placeholder");
});

both!(a_draft_answers_a_question, async |server: TestServer| {
    let management = server.management().await;
    let draft = |source: &str| json!({ "language": "javascript", "source": source, "environment": { "KEY": "abc" } });
    let answer = management.post("/api/plugins/test", draft(GUARD)).await.expect(200);
    assert_eq!(answer["claims"], json!({ "length": 3 }));
    let refused = management.post("/api/plugins/test", draft("export const x = ;")).await;
    refused.expect_api_error(422, "plugin.refused");
    assert_eq!(refused["data"]["findings"][0]["line"], 1);
    management
        .post("/api/plugins/test", json!({ "language": "cobol" }))
        .await
        .expect_api_error(400, "guard.invalid_input");
    assert!(management.get("/api/plugins").await.expect(200).body.as_array().unwrap().is_empty());
});

both!(a_file_of_the_folder_answers_a_question, async |server: TestServer| {
    let management = server.management().await;
    let write = |name: &str, text: &str| std::fs::write(server.home.plugins_dir().join(name), text).unwrap();
    let path = "/api/plugins/guard/test";
    management.post(path, ask("alice")).await.expect_api_error(404, "entity.not_exists_with_id");
    write("key", "hunter2-hunter2");
    write("guard.toml", "enabled = false\n[secrets]\nKEY = { file = \"key\" }\n");
    write("guard.js", GUARD);

    // Its file is asked, whether it is in service or not.
    let answer = management.post(path, ask("alice")).await.expect(200);
    assert_eq!((&answer["outcome"], &answer["claims"]), (&json!("ok"), &json!({ "length": 15 })));
    assert_eq!((&answer["dropped"], &answer["logs"][0]["message"]), (&json!(["sub"]), &json!("asked ***")));
    assert_eq!(management.post(path, ask("mallory")).await.expect(200)["outcome"], "denied");
    let writer = crate::fixtures::narrow(&server, &management, &["plugins:write"]).await;
    let answer = writer.post(path, ask("alice")).await.expect(200);
    assert_eq!(answer["claims"], json!({ "length": "secret:KEY".len() }), "a placeholder");
    management.post(path, json!({ "version": "1" })).await.expect_api_error(404, "entity.not_exists_with_id");

    write("guard.js", "export const x = ;");
    let refused = management.post(path, ask("alice")).await;
    refused.expect_api_error(422, "plugin.refused");
    std::fs::remove_file(server.home.plugins_dir().join("key")).unwrap();
    let refused = management.post(path, ask("alice")).await;
    refused.expect_api_error(422, "plugin.refused");
    assert_eq!(refused["data"]["findings"][0]["kind"], "file", "{}", refused.body);
    writer.post(path, ask("alice")).await.expect_api_error(422, "plugin.refused");
});

both!(a_draft_may_be_as_large_as_a_source, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_PLUGINS_MAX_SOURCE_MIB", "2")]).await.unwrap();
    let management = server.management().await;
    let text = include_str!("../../sdk/runtime/tests/guests/claims.wat");
    // A custom section, which nobody reads, makes it as large as it is to be.
    let draft = |size: usize| {
        let padding = format!("(component (@custom \"padding\" \"{}\")", "x".repeat(size));
        let component = wat::parse_str(text.replacen("(component", &padding, 1)).unwrap();
        json!({ "language": "wasm", "sourceBase64": BASE64.encode(&component) })
    };
    let answer = management.post("/api/plugins/test", draft(1900 << 10)).await.expect(200);
    assert_eq!(answer["outcome"], "ok", "{}", answer.body);
    for size in [2100 << 10, 5 << 20] {
        let large = management.post("/api/plugins/test", draft(size)).await;
        large.expect_api_error(413, "request.body_too_large");
    }
});

both!(what_a_plugin_writes_is_kept, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "guard", GUARD).await;
    management.put("/api/plugins/guard/secrets/KEY", json!({ "value": "hunter2-hunter2" })).await.expect(204);
    server.exchange(&server.customer_token().await).access_token().await;
    let path = "/api/plugins/guard/logs";
    // Written behind the answer.
    let lines = until("two lines of the log", async || {
        let lines = management.get(path).await.expect(200);
        // They may come between the counting and the reading.
        (lines.header("total-number") == Some("2")).then_some(lines)
    })
    .await;
    assert_eq!(lines.body.as_array().unwrap().len(), 2);
    assert_eq!((&lines.body[1]["message"], &lines.body[1]["level"]), (&json!("asked ***"), &json!("info")));
    assert_eq!(lines.body[0]["level"], "warn", "a reserved claim was dropped");
    let request = lines.body[0]["requestId"].as_str().unwrap();
    let found = management.get(&format!("{path}?level=warn&requestId={request}")).await.expect(200);
    assert_eq!(found.body.as_array().unwrap().len(), 1);
    assert_eq!(management.get(&format!("{path}?requestId=nobody")).await.expect(200).body, json!([]));
    management.get(&format!("{path}?level=loud")).await.expect_api_error(400, "guard.invalid_input");
    management.get("/api/plugins/nobody/logs").await.expect_api_error(404, "entity.not_exists_with_id");

    // The stream begins with the past and goes on.
    let mut stream = management.request(Method::GET, path).header(ACCEPT, "text/event-stream").send().await.unwrap();
    assert_eq!(stream.headers()[CONTENT_TYPE], "text/event-stream");
    let mut text = String::new();
    let mut asked_again = false;
    while text.matches("event: log").count() < 4 {
        let chunk = in_time("four events of the stream", stream.chunk()).await;
        text += std::str::from_utf8(&chunk.unwrap().unwrap()).unwrap();
        if !asked_again && text.matches("event: log").count() >= 2 {
            asked_again = true;
            server.exchange(&server.customer_token().await).access_token().await;
        }
    }
    assert!(text.contains("id: ") && text.contains("asked ***") && !text.contains("hunter2"), "{text}");
});

both!(a_secret_never_becomes_a_claim, async |server: TestServer| {
    let management = server.management().await;
    let leaky = "export const getCustomJwtClaims = ({ environmentVariables }) => ({ key: environmentVariables.KEY });";
    upload(&management, "leaky", leaky).await;
    management.put("/api/plugins/leaky/secrets/KEY", json!({ "value": "hunter2-hunter2" })).await.expect(204);
    let token = server.customer_token().await;
    server.exchange(&token).send().await.expect_oauth_error(500, "server_error");
    let told = management.post("/api/plugins/leaky/test", json!({})).await.expect(200);
    assert_eq!((&told["outcome"], &told["claims"]), (&json!("secret_in_claims"), &Value::Null));
    management.delete("/api/plugins/leaky").await.expect(204);
    server.exchange(&token).send().await.expect(200);
});

both!(requests_leave_when_declared_and_granted, async |server: TestServer| {
    let management = server.management().await;
    let source = "export const getCustomJwtClaims = async () => {
      try { return { answer: (await fetch('https://api.example.invalid/')).status }; }
      catch (error) { return { answer: String(error) }; }
    };";
    let manifest = "[capabilities.http]\nhosts = [\"api.example.invalid\"]\n";
    let part = |name: &str, file: &str, text: &str| {
        format!("--f\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n{text}\r\n")
    };
    let form = part("source", "caller.js", source) + &part("manifest", "caller.toml", manifest) + "--f--\r\n";
    let request = management.request(Method::PUT, "/api/plugins/caller");
    let made = Answer::of(request.header(CONTENT_TYPE, "multipart/form-data; boundary=f").body(form)).await.expect(201);
    let http = &made["plugin"]["deployment"]["http"];
    assert_eq!((&http["declared"]["hosts"], &http["granted"]), (&json!(["api.example.invalid"]), &Value::Null));

    let asked =
        async || management.post("/api/plugins/caller/test", json!({})).await.expect(200)["claims"]["answer"].clone();
    let before = asked().await;
    assert!(before.as_str().unwrap().contains("not granted"), "{before}");
    let path = "/api/plugins/caller/grants/http";
    let writer = crate::fixtures::narrow(&server, &management, &["plugins:write"]).await;
    writer.put(path, json!({ "hosts": ["*.invalid"] })).await.expect_api_error(403, "auth.forbidden");
    management.put(path, json!({ "hosts": [] })).await.expect(400);
    management.put(path, json!({ "hosts": ["elsewhere.invalid"] })).await.expect(200);
    assert!(asked().await.as_str().unwrap().contains("not granted"), "granted is something else");
    let granted = management.put(path, json!({ "hosts": ["*.example.invalid"] })).await.expect(200);
    assert_eq!(granted["deployment"]["http"]["granted"]["hosts"], json!(["*.example.invalid"]));
    let after = asked().await;
    assert!(!after.as_str().unwrap().contains("not granted"), "it went out, and found nobody: {after}");
    management.delete(path).await.expect(204);
    assert!(asked().await.as_str().unwrap().contains("not granted"));
});
