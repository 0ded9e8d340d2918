//! Messages by a provider that a plugin knows: what the provider gets, what its answers mean, and when nothing is sent.

use super::{connect, has_failed, server, server_with, until_queued, write, write_more};
use crate::fixtures::narrow;
use claimsmith_domain::console::ConsoleRole::Read;
use claimsmith_domain::console::built_in::BuiltInClient;
use claimsmith_test_support::{Actor, Answer, Home, Receiver, Reply, both, until};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const SECRET: &str = "correct-horse-battery";
const COURIER: &str = r#"
export const composeMessage = ({ environmentVariables: { ORIGIN, KEY }, api, ...message }) => {
  const { id, channel, event, recipient, language, code, content, context } = message;
  if (recipient.endsWith("0001")) api.denyMessage("there is no such number");
  if (recipient.endsWith("0002")) throw new Error(`cannot send ${code}`);
  if (recipient.endsWith("0003")) return { url: "https://elsewhere.example/" };
  if (recipient.endsWith("0004")) return { url: "http://sms.example.com/", body: { to: recipient } };
  if (recipient.endsWith("0005")) return { url: `${ORIGIN}/messages`, body: { to: "+491511" + "234567", code } };
  const other = "+491511" + "234567";
  if (recipient.endsWith("0006")) return { url: `${ORIGIN}/messages`, body: { to: recipient, cc: other } };
  const digits = [...(code ?? "")];
  if (recipient.endsWith("0007")) console.log("spelled", digits.join(" "), content.text, digits.reverse().join(""));
  if (recipient.endsWith("0008")) api.denyMessage(`not ${code}`);
  console.log("sending with", KEY);
  return {
    url: `${ORIGIN}/messages`,
    headers: { authorization: `Bearer ${KEY}`, "idempotency-key": id },
    body: { channel, event, to: recipient, language, code, content, context },
  };
};
"#;

/// The scheme, host and port of a receiver.
fn origin(receiver: &Receiver) -> String {
    receiver.url().trim_end_matches("/hook").to_owned()
}

/// Uploads the plugin for a provider, with its secret, and grants what it declares.
async fn deploy(management: &Actor, provider: &Receiver) {
    let origin = origin(provider);
    let hosts = json!([origin.trim_start_matches("http://"), "sms.example.com"]);
    let settings = format!(
        "[environment]\nORIGIN = \"{origin}\"\n[capabilities.http]\nhosts = {hosts}\nmethods = [\"POST\"]\nplain = true\n"
    );
    let part = |name: &str, file: &str, text: &str| {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"");
        format!("--frontier\r\n{head}\r\n\r\n{text}\r\n")
    };
    let cases = json!([{
        "name": "somebody is not there", "input": { "message": { "channel": "Sms", "recipient": "+16502530001" } },
        "expected": { "denied": "there is no such number" },
    }]);
    let parts = [
        part("source", "courier.js", COURIER),
        part("manifest", "courier.toml", &settings),
        part("cases", "courier.cases.json", &cases.to_string()),
    ];
    let upload = management.request(Method::PUT, "/api/plugins/courier");
    let upload = upload.header(CONTENT_TYPE, "multipart/form-data; boundary=frontier");
    let uploaded = Answer::of(upload.body(parts.concat() + "--frontier--\r\n")).await.expect(201);
    assert_eq!(uploaded["plugin"]["kind"], "message");
    assert_eq!(uploaded["plugin"]["world"], "claimsmith:plugin/message");
    management.put("/api/plugins/courier/secrets/KEY", json!({ "value": SECRET })).await.expect(204);
    grant(management, &hosts).await;
}

async fn grant(management: &Actor, hosts: &Value) {
    let granted = json!({ "hosts": hosts, "methods": ["POST"], "plain": true });
    management.put("/api/plugins/courier/grants/http", granted).await.expect(200);
}

/// Waits for a line of the plugin's log that contains this.
async fn logged(management: &Actor, part: &str) -> Value {
    until(&format!("a line with {part}"), async || {
        let lines = management.get("/api/plugins/courier/logs").await.expect(200).body;
        let has = |line: &&Value| line["message"].as_str().is_some_and(|text| text.contains(part));
        lines.as_array().unwrap().iter().find(has).cloned()
    })
    .await
}

both!(a_provider_gets_what_the_plugin_composes, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    deploy(&management, &provider).await;
    connect(&management, "plugin-sms", json!({ "plugin": "courier" })).await;
    let templates = json!([{ "usageType": "SignIn", "subject": "{{code}} is it", "content": "<b>{{code}}</b>" }]);
    connect(&management, "plugin-email", json!({ "plugin": "courier", "templates": templates })).await;

    let contents = json!({
        "code": "123456", "application": { "id": "a1", "name": "Shop" }, "user": { "id": "u1" }, "ip": "203.0.113.7",
    });
    let id = write_more(&server, ("Sms", "16502530000"), "de", contents.clone()).await;
    let [received] = provider.wait(1).await.try_into().unwrap();
    assert_eq!(received.path, "/messages");
    assert_eq!(received.header("authorization"), format!("Bearer {SECRET}"));
    assert_eq!(received.header("idempotency-key"), id.as_str());
    assert_eq!(received.header("content-type"), "application/json");
    let mut told = received.json();
    let text = told["content"]["text"].take();
    assert!(text.as_str().is_some_and(|text| text.contains("123456") && text.contains("Shop")), "{text}");
    let expected = json!({
        "channel": "Sms", "event": "SignIn", "to": "+16502530000", "language": "de", "code": "123456",
        "content": { "text": null },
        "context": { "application": { "id": "a1", "name": "Shop" }, "user": { "id": "u1" }, "ip": "203.0.113.7" },
    });
    assert_eq!(told, expected);
    until_queued(&server, &id, |found| found.state == "delivered").await;
    let line = logged(&management, "sending with").await;
    assert_eq!((&line["message"], &line["requestId"]), (&json!("sending with ***"), &json!(id.as_str())));

    let id = write_more(&server, ("Email", "ada@example.com"), "en", contents).await;
    let received = provider.wait(2).await[1].json();
    assert_eq!((&received["to"], &received["channel"]), (&json!("ada@example.com"), &json!("Email")));
    assert_eq!(received["content"], json!({ "html": "<b>123456</b>", "subject": "123456 is it" }));
    until_queued(&server, &id, |found| found.state == "delivered").await;
    let plugin = management.get("/api/plugins/courier").await.expect(200);
    assert_eq!((&plugin["statistics"]["calls"], &plugin["statistics"]["failed"]), (&json!(2), &json!(0)));
});

both!(what_a_provider_answers_decides_what_follows, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::answering(|number, _| match number {
        0 => Reply::from(503),
        1 => Reply::Status(429, Some(("retry-after", "90".to_owned())), String::new()),
        2 => Reply::from(202),
        3 => Reply::Status(400, None, "123456 cannot be sent".to_owned()),
        _ => Reply::Status(302, Some(("location", "http://127.0.0.1/".to_owned())), String::new()),
    })
    .await;
    deploy(&management, &provider).await;
    connect(&management, "plugin-sms", json!({ "plugin": "courier" })).await;

    let id = write(&server, "Sms", "16502530000", "123456").await;
    let failed = until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(failed.note.as_deref(), Some("the provider answered 503"));
    let wait = failed.due_at.unwrap() - server.clock.now_ms();
    server.clock.advance(Duration::from_millis(wait.unsigned_abs()));
    let failed = until_queued(&server, &id, has_failed(2)).await;
    assert_eq!(failed.due_at.unwrap() - server.clock.now_ms(), 90_000);
    server.clock.advance(Duration::from_secs(90));
    until_queued(&server, &id, |found| found.state == "delivered").await;
    let received = provider.wait(3).await;
    assert!(received.iter().all(|one| one.header("idempotency-key") == id.as_str()));

    for status in [400, 302] {
        let id = write(&server, "Sms", "16502530000", "123456").await;
        let dead = until_queued(&server, &id, |found| found.state == "dead").await;
        let note = format!("the provider answered {status}");
        assert_eq!((dead.note.as_deref(), dead.attempts), (Some(note.as_str()), 1));
    }
    assert_eq!(provider.count(), 5);
});

both!(what_is_not_composed_or_not_granted_is_not_sent, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    connect(&management, "plugin-sms", json!({ "plugin": "courier" })).await;
    let early = write(&server, "Sms", "16502530000", "123456").await;
    let missing = until_queued(&server, &early, has_failed(1)).await;
    assert_eq!(missing.note.as_deref(), Some("there is no active message plugin courier"));

    deploy(&management, &provider).await;
    for (to, note, line) in [
        ("16502530002", "the plugin courier failed: failed; see its log", Some("Error: cannot send")),
        (
            "16502530003",
            "the plugin courier failed: bad_output; see its log",
            Some("elsewhere.example/ was not granted"),
        ),
        // A message is for its recipient: the plugin does not send it to somebody else, or to more.
        (
            "16502530005",
            "the plugin courier failed: bad_output; see its log",
            Some("the request does not name the recipient of the message"),
        ),
        (
            "16502530006",
            "the plugin courier failed: bad_output; see its log",
            Some("the request names another recipient than that of the message"),
        ),
        ("16502530004", "the request of the plugin courier is not encrypted: https is expected", None),
    ] {
        let id = write(&server, "Sms", to, "123456").await;
        let failed = until_queued(&server, &id, has_failed(1)).await;
        assert_eq!(failed.note.as_deref(), Some(note));
        if let Some(line) = line {
            logged(&management, line).await;
        }
    }
    let id = write(&server, "Sms", "16502530001", "123456").await;
    let dead = until_queued(&server, &id, |found| found.state == "dead").await;
    assert_eq!(dead.note.as_deref(), Some("the plugin courier denied the message; see its log"));
    logged(&management, "the message was denied: there is no such number").await;
    assert_eq!(provider.count(), 0);

    management.delete("/api/plugins/courier/grants/http").await.expect(204);
    let id = write(&server, "Sms", "16502530000", "123456").await;
    let failed = until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(failed.note.as_deref(), Some("the plugin courier failed: bad_output; see its log"));
    assert_eq!(provider.count(), 0);

    // Once it is granted, all that still works is sent.
    grant(&management, &json!([origin(&provider).trim_start_matches("http://")])).await;
    server.clock.advance(Duration::from_mins(1));
    for id in [early, id] {
        until_queued(&server, &id, |found| found.state == "delivered").await;
    }
});

both!(no_code_and_no_link_stands_in_the_log_of_the_plugin, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    deploy(&management, &provider).await;
    connect(&management, "plugin-sms", json!({ "plugin": "courier" })).await;
    // Thrown, logged in several spellings, and said in a denial.
    for (to, line) in [
        ("16502530002", "Error: cannot send ***"),
        ("16502530007", "spelled *** "),
        ("16502530008", "the message was denied: not ***"),
    ] {
        write(&server, "Sms", to, "482915").await;
        logged(&management, line).await;
    }
    let link = "https://id.example.com/invitation?id=inv1&token=kT9xQ2pL7vB4nM1z";
    let contents = json!({ "link": link, "application": { "name": "Shop" } });
    write_more(&server, ("Sms", "16502530000"), "en", contents).await;
    provider.wait(2).await;
    logged(&management, "sending with ***").await;
    let all = management.get("/api/plugins/courier/logs?page_size=100").await.expect(200).body.to_string();
    for secret in ["482915", "519284", "4 8 2", "kT9xQ2pL7vB4nM1z"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
});

both!(a_plugin_that_a_connector_uses_is_changed_by_whoever_may_change_the_connector, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    deploy(&management, &provider).await;
    let narrow = narrow(&server, &management, &["plugins:write", "plugins:read", "plugins:grant"]).await;
    let source = |text: &str| format!("// {text}\n{COURIER}");
    let upload = async |actor: &Actor, query: &str, text: &str| {
        let request = actor.request(Method::PUT, &format!("/api/plugins/courier{query}"));
        Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source(text))).await
    };
    // Before a connector names it, it is a plugin like any other.
    upload(&narrow, "", "one").await.expect(201);
    connect(&management, "plugin-sms", json!({ "plugin": "courier" })).await;
    let before = management.get("/api/plugins/courier/versions").await.expect(200).body[0]["id"].clone();
    let stored = upload(&narrow, "?activate=false", "two").await.expect(201);
    let version = stored["version"]["id"].as_str().unwrap().to_owned();
    upload(&narrow, "", "three").await.expect_api_error(403, "auth.forbidden");
    let activate = format!("/api/plugins/courier/versions/{version}/activate");
    for (method, path, body) in [
        (Method::POST, activate.as_str(), Value::Null),
        (Method::PATCH, "/api/plugins/courier", json!({ "environment": { "ORIGIN": "https://evil.example" } })),
        (Method::PUT, "/api/plugins/courier/secrets/KEY", json!({ "value": "another account" })),
        (Method::DELETE, "/api/plugins/courier/secrets/KEY", Value::Null),
        (Method::PUT, "/api/plugins/courier/grants/http", json!({ "hosts": ["evil.example"] })),
        (Method::DELETE, "/api/plugins/courier/grants/http", Value::Null),
        (Method::DELETE, "/api/plugins/courier", Value::Null),
    ] {
        narrow.send(method, path, body).await.expect_api_error(403, "auth.forbidden");
    }
    // What serves is what served.
    let versions = management.get("/api/plugins/courier/versions").await.expect(200);
    let active = versions.body.as_array().unwrap().iter().find(|one| one["active"] == true).cloned().unwrap();
    assert_eq!(active["id"], before);
    // Whoever may change the connector may change its plugin, and a plugin that no connector names is free again.
    management.post(&activate, Value::Null).await.expect(200);
    let connectors = management.get("/api/connectors").await.expect(200);
    let id = connectors.body[0]["id"].as_str().unwrap().to_owned();
    management.delete(&format!("/api/connectors/{id}")).await.expect(204);
    upload(&narrow, "", "four").await.expect(201);
});

both!(nothing_that_goes_to_whoever_administers_is_composed_by_a_plugin, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    deploy(&management, &provider).await;
    for factory in ["plugin-email", "plugin-sms"] {
        connect(&management, factory, json!({ "plugin": "courier" })).await;
    }
    let (ada, grace) = (server.operator("ada", &[Read]).await, server.operator("grace", &[]).await);
    for (id, email, phone) in [(&ada, "Ada@example.com", "16502530000"), (&grace, "grace@example.com", "16502530009")] {
        let addresses = json!({ "primaryEmail": email, "primaryPhone": phone });
        management.patch(&format!("/api/users/{id}"), addresses).await.expect(200);
    }
    let note = "messages to administrators are not composed by plugins";
    for (channel, to) in [("Email", "ada@example.com"), ("Sms", "16502530000")] {
        let id = write(&server, channel, to, "123456").await;
        let dead = until_queued(&server, &id, |found| found.state == "dead").await;
        assert_eq!((dead.note.as_deref(), dead.attempts), (Some(note), 1));
    }
    // Whoever signs in at the console, too, before anybody knows who it is.
    for client in BuiltInClient::ALL {
        let contents = json!({ "code": "123456", "application": { "id": client.id(), "name": client.name() } });
        let id = write_more(&server, ("Email", "nobody@example.com"), "en", contents).await;
        until_queued(&server, &id, |found| found.state == "dead").await;
    }
    assert_eq!(provider.count(), 0);
    for (channel, to) in [("Email", "grace@example.com"), ("Sms", "16502530009")] {
        let id = write(&server, channel, to, "123456").await;
        until_queued(&server, &id, |found| found.state == "delivered").await;
    }
    assert_eq!(provider.count(), 2);
    // Who administers no more is like everybody.
    server.hold(&ada, &[]).await;
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    until_queued(&server, &id, |found| found.state == "delivered").await;
});

both!(a_provider_in_a_private_network_is_refused, async |home: Arc<Home>| {
    let server = server_with(&home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "")]).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    deploy(&management, &provider).await;
    connect(&management, "plugin-sms", json!({ "plugin": "courier" })).await;
    let id = write(&server, "Sms", "16502530000", "123456").await;
    let refused = until_queued(&server, &id, has_failed(1)).await;
    assert!(refused.note.as_deref().unwrap_or_default().contains("egress.allowed_networks"), "{:?}", refused.note);
    assert_eq!(provider.count(), 0);
});

both!(a_connector_and_its_plugin_can_be_tried, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let provider = Receiver::start().await;
    deploy(&management, &provider).await;
    let path = "/api/connectors/plugin-sms/test";
    let trial = |plugin: &str, phone: &str| json!({ "phone": phone, "config": { "plugin": plugin } });
    management.post(path, trial("courier", "16502530000")).await.expect(204);
    let received = provider.received()[0].json();
    assert_eq!((&received["code"], &received["event"]), (&json!("000000"), &json!("Generic")));
    for (plugin, phone, part) in [
        ("nobody", "16502530000", "there is no active message plugin nobody"),
        ("courier", "16502530001", "the plugin courier denied the message"),
        ("courier", "16502530002", "the plugin courier failed: failed"),
    ] {
        let refused = management.post(path, trial(plugin, phone)).await;
        refused.expect_api_error(422, "connector.general");
        assert!(refused.text("message").contains(part), "{:#}", refused.body);
    }
    for config in [json!({}), json!({ "plugin": "../courier" }), json!({ "plugin": 1 })] {
        let refused = management.post(path, json!({ "phone": "16502530000", "config": config })).await;
        refused.expect_api_error(400, "connector.invalid_config");
    }

    // The plugin alone: what it composes is shown, and not sent.
    let message =
        json!({ "channel": "Sms", "recipient": "+16502530000", "code": "123456", "content": { "text": "Hi" } });
    let path = "/api/plugins/courier/test";
    let asked = management.post(path, json!({ "input": { "message": message } })).await.expect(200);
    assert_eq!((&asked["outcome"], &asked["method"]), (&json!("ok"), &json!("POST")));
    assert_eq!(asked["url"], format!("{}/messages", origin(&provider)));
    assert_eq!(asked["headers"]["authorization"], "Bearer ***");
    let body: Value = serde_json::from_str(&asked.text("body")).unwrap();
    assert_eq!((&body["to"], &body["code"]), (&json!("+16502530000"), &json!("123456")));
    let denied = management.post(path, json!({ "input": { "message": { "recipient": "+16502530001" } } })).await;
    let denied = denied.expect(200);
    assert_eq!((&denied["outcome"], &denied["message"]), (&json!("denied"), &json!("there is no such number")));
    for input in [json!({}), json!({ "event": {} }), json!({ "message": { "to": "ada" } })] {
        management.post(path, json!({ "input": input })).await.expect_api_error(400, "guard.invalid_input");
    }
    assert_eq!(provider.count(), 1);
});
