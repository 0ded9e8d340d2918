//! Recordings and the answers of other servers: with `keepHttp` they are kept without credentials, and the active version
//! is answered from them; without it, nothing of them is in a sample.

use crate::fixtures::upload;
use claimsmith_test_support::{Actor, Home, Receiver, Reply, TestServer, both, until};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::sync::Arc;

/// Asks another server twice, and tells what it answered.
const ASKS: &str = "export const getCustomJwtClaims = async ({ context, environmentVariables: { URL } }) => {
  const person = await fetch(`${URL}?user=${context.user.id}`);
  const session = await fetch(`${URL}?session`, { method: 'POST', body: context.user.id });
  const { level, name, access_token } = await person.json();
  return { level, name, tokens: [access_token.length, (await session.text()).length], status: session.status };
};";
const RECORDINGS: &str = "/api/plugins/asks/recordings";
const CREDENTIAL: &str = "hunter22";
/// The name of a person, which no user of the demo has.
const NAME: &str = "Lovelace";

/// A server with a person and a session, and credentials in every place that an answer has.
async fn directory() -> Receiver {
    Receiver::answering(|_, request| {
        if request.path.contains("session") {
            let header = ("authorization", format!("Bearer {CREDENTIAL}"));
            return Reply::Status(201, Some(header), format!("the session {CREDENTIAL}"));
        }
        let person = json!({ "name": NAME, "level": 7, "access_token": CREDENTIAL, "more": { "apiKey": CREDENTIAL } });
        Reply::Status(200, Some(("set-cookie", format!("session={CREDENTIAL}"))), person.to_string())
    })
    .await
}

/// Uploads the plugin, and grants it the server.
async fn deploy(management: &Actor, directory: &Receiver) {
    let url = directory.url();
    let host = url.trim_start_matches("http://").trim_end_matches("/hook");
    let settings = format!(
        "[environment]\nURL = \"{url}\"\n[capabilities.http]\nhosts = [\"{host}\"]\nmethods = [\"GET\", \"POST\"]\n\
         plain = true\n[recording]\nkeep = [\"http.name\", \"http.level\", \"http.access_token\"]\n"
    );
    upload(management, "/api/plugins/asks", ASKS, &[("manifest", &settings)]).await.expect(201);
    let grant = json!({ "hosts": [host], "methods": ["GET", "POST"], "plain": true });
    management.put("/api/plugins/asks/grants/http", grant).await.expect(200);
}

/// Records one token of the customer, and answers its sample.
async fn recorded(server: &TestServer, management: &Actor, wanted: Value) -> Value {
    let id = management.post(RECORDINGS, wanted).await.expect(201).text("id");
    let token = server.exchange(&server.customer_token().await).access_token().await;
    let claims = server.verify(&token, &server.demo().resource).await.claims;
    assert_eq!((&claims["name"], &claims["level"]), (&json!(NAME), &json!(7)), "the token has all of it");
    let path = format!("{RECORDINGS}/{id}");
    until("the sample", async || (management.get(&path).await.expect(200)["state"] == "complete").then_some(())).await;
    // The one line of it is JSON.
    management.get(&format!("{path}/samples")).await.expect(200).body
}

both!(kept_answers_of_other_servers_have_no_credentials_and_are_answered_again, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap();
    let management = server.management().await;
    let directory = directory().await;
    deploy(&management, &directory).await;
    let customer = server.demo().customer_user_id.as_str();

    let keep = json!(["http.name", "http.level", "http.access_token"]);
    let sample = recorded(&server, &management, json!({ "count": 1, "keepHttp": true, "keep": keep })).await;
    let kept = sample["http"].as_array().unwrap();
    let asked: Vec<_> = kept.iter().map(|one| json!([one["method"], one["status"]])).collect();
    assert_eq!(json!(asked), json!([["GET", 200], ["POST", 201]]), "{sample:#}");
    let bodies: Vec<String> = kept
        .iter()
        .map(|one| {
            let body = BASE64.decode(one["body"].as_str().unwrap().as_bytes()).unwrap();
            String::from_utf8(body).unwrap()
        })
        .collect();
    for text in bodies.iter().chain([&sample.to_string()]) {
        assert!(!text.contains(CREDENTIAL) && !text.contains(customer), "{text}");
        assert!(!text.contains("authorization") && !text.contains("set-cookie"), "{text}");
    }
    let person: Value = serde_json::from_str(&bodies[0]).unwrap();
    assert_eq!((&person["name"], &person["level"]), (&json!(NAME), &json!(7)), "{person}");
    assert_eq!(person["access_token"].as_str().map(str::len), Some(CREDENTIAL.len()), "a pseudonym: {person}");

    // The active version was called over the redacted input, and answered from what was kept.
    let again = &sample["redactedAnswer"];
    assert_eq!((&again["outcome"], &again["answer"]["name"]), (&json!("ok"), &json!(NAME)), "{again}");
    let of_servers = |answer: &Value| json!([answer["level"], answer["tokens"], answer["status"]]);
    assert_eq!(of_servers(&again["answer"]), of_servers(&sample["answer"]), "{sample:#}");
    assert_eq!(directory.count(), 2, "nothing is sent for a recording");
    server.stop().await;
});

both!(without_keep_http_nothing_of_other_servers_is_recorded, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap();
    let management = server.management().await;
    let directory = directory().await;
    deploy(&management, &directory).await;
    // Not even what the operator would keep of them.
    let sample = recorded(&server, &management, json!({ "count": 1, "keep": ["http.name"] })).await;
    let text = sample.to_string();
    assert_eq!((&sample["outcome"], &sample["http"]), (&json!("ok"), &json!([])), "{text}");
    for private in [NAME, CREDENTIAL, "the session", "content-type", "apiKey"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
    // Without them, the active version has no answer to the redacted input, and nobody is asked for one.
    assert_eq!(sample["redactedAnswer"]["outcome"], "failed", "{text}");
    assert_eq!(directory.count(), 2);
    server.stop().await;
});
