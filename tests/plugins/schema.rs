//! The JSON Schema of the contract describes every request that a server sends to a plugin; the types of all languages
//! are generated from it.

use crate::cli::{BINARY, claims, plugin, write};
use claimsmith_harness::{Harness, HarnessOptions};
use claimsmith_test_support::{Browser, Home, Process, Received, Receiver, both, told};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

const SCHEMA: &str = include_str!("../../sdk/schema/plugin.schema.json");

/// What of a value the schema does not say. It is read more strictly than JSON Schema has it: where nothing is said of
/// other members there are none, since authors would not find them in their types.
fn problems(definition: &str, value: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut found = Vec::new();
    compare(&schema["$defs"], &schema["$defs"][definition], value, definition, &mut found);
    found
}

fn compare(definitions: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        return compare(definitions, &definitions[name], value, place, found);
    }
    let types = match &schema["type"] {
        Value::Null => return,
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    if !types.contains(&json!(type_of(value))) {
        found.push(format!("{place} is {value}"));
    }
    for item in value.as_array().into_iter().flatten() {
        compare(definitions, &schema["items"], item, &format!("{place}[]"), found);
    }
    let members = value.as_object();
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !members.is_some_and(|members| members.contains_key(required)) {
            found.push(format!("{place} has no {required}"));
        }
    }
    for (name, member) in members.into_iter().flatten() {
        let place = format!("{place}.{name}");
        match (schema["properties"].get(name), schema.get("additionalProperties")) {
            (Some(described), _) => compare(definitions, described, member, &place, found),
            (None, Some(Value::Bool(true))) => {}
            (None, Some(other @ Value::Object(_))) => compare(definitions, other, member, &place, found),
            (None, _) => found.push(format!("{place} is not described")),
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

const SEEN: &str = "export const getCustomJwtClaims = ({ token, context, environmentVariables }) =>
  ({ seen: { token, context, environmentVariables } });";
const COMPOSED: &str = "export const composeMessage = ({ api, environmentVariables, ...message }) =>
  ({ url: environmentVariables.URL, body: { ...message, environmentVariables } });";
const PASSED_ON: &str = "export const transformWebhook = ({ event, hook, deliveryId, environmentVariables }) =>
  ({ body: { event, hook, deliveryId, environmentVariables } });";

both!(the_request_of_a_plugin_is_in_the_schema, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let management = server.management().await;
    for (name, source) in [("seen", SEEN), ("passed-on", PASSED_ON)] {
        write(&home, &format!("{name}.js"), source);
        write(&home, &format!("{name}.toml"), "[environment]\nNAME = \"value\"\n");
        plugin(&home, &["deploy", &format!("{name}.js")]).await.ok();
    }

    // A customer of whom there is much to say.
    let user = &server.demo().customer_user_id;
    let change = json!({
        "name": "Casey", "avatar": "https://example.com/casey.png", "customData": { "plan": "gold" },
        "profile": { "givenName": "Casey" },
    });
    management.patch(&format!("/api/users/{user}"), change).await.expect(200);
    let organization = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    let role = management.post("/api/organization-roles", json!({ "name": "buyer" })).await.expect(201).text("id");
    let members = format!("/api/organizations/{organization}/users");
    management.post(&members, json!({ "userIds": [user] })).await.expect(201);
    let roles = json!({ "organizationRoleIds": [role] });
    management.post(&format!("{members}/{user}/roles"), roles).await.expect(201);

    let demo = server.demo();
    let form = server.exchange(&server.customer_token().await).with("organization_id", &organization);
    let answer = form.send().await.expect(200);
    let user_token = server.verify(&answer.text("access_token"), &demo.resource).await.claims["seen"].clone();
    assert_eq!(problems("ClaimsRequest", &user_token), [""; 0], "{user_token:#}");
    for member in
        ["/context/organization/id", "/context/user/organizationRoles/0/roleName", "/token/extra/subjectTokenId"]
    {
        assert!(user_token.pointer(member).is_some(), "{member} of {user_token:#}");
    }
    let scopes = user_token["context"]["user"]["roles"][0]["scopes"].as_array().unwrap();
    assert!(!scopes.is_empty(), "{user_token:#}");

    let form = server.form("/oidc/token").with("grant_type", "client_credentials").with("resource", &demo.resource);
    let answer = form.as_machine().send().await.expect(200);
    let machine = server.verify(&answer.text("access_token"), &demo.resource).await.claims["seen"].clone();
    assert_eq!(problems("ClaimsRequest", &machine), [""; 0], "{machine:#}");

    let signed_in = signed_in(&server).await;
    assert_eq!(problems("ClaimsRequest", &signed_in), [""; 0], "{signed_in:#}");
    let verified = signed_in.pointer("/context/interaction/verificationRecords/0/identifier/value");
    assert_eq!(verified, Some(&json!("customer")), "{signed_in:#}");

    let receiver = Receiver::start().await;
    let hook = json!({ "name": "crm", "events": ["Role.Created"], "config": { "url": receiver.url() } });
    management.post("/api/hooks", hook).await.expect(201);
    management.post("/api/roles", json!({ "name": "told", "description": "of it", "type": "User" })).await.expect(200);
    let delivery = receiver.wait(1).await[0].json();
    assert_eq!(problems("Delivery", &delivery), [""; 0], "{delivery:#}");

    // What is not in it is found.
    let mut more = user_token.clone();
    more["context"]["user"]["shoeSize"] = json!(42);
    more["token"]["aud"] = json!(1);
    assert_eq!(problems("ClaimsRequest", &more).len(), 2);
    assert_eq!(claims(&server).await["seen"]["environmentVariables"], json!({ "NAME": "value" }));
});

both!(the_message_of_a_plugin_is_in_the_schema, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap();
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let (url, host) = (receiver.url(), receiver.url().replace("http://", "").replace("/hook", ""));
    write(&home, "composed.js", COMPOSED);
    let settings = "[environment]\nURL = \"{url}\"\n[capabilities.http]\nhosts = [\"{host}\"]\nmethods = [\"POST\"]\nplain = true\n";
    write(&home, "composed.toml", &settings.replace("{url}", &url).replace("{host}", &host));
    plugin(&home, &["deploy", "composed.js"]).await.ok();
    plugin(&home, &["grant", "composed", "--declared"]).await.ok();

    let config = json!({ "plugin": "composed" });
    let email = json!({ "email": "ada@example.com", "config": config });
    management.post("/api/connectors/plugin-email/test", email).await.expect(204);
    let sms = json!({ "phone": "16502530000", "config": config, "locale": "de" });
    management.post("/api/connectors/plugin-sms/test", sms).await.expect(204);
    let received = receiver.wait(2).await;
    for message in received.iter().map(Received::json) {
        assert_eq!(problems("OutgoingMessage", &message), [""; 0], "{message:#}");
        assert_eq!(message["code"], "000000");
    }
    assert_eq!(received[0].json()["content"].as_object().unwrap().len(), 3, "{:#}", received[0].json());
    assert_eq!(received[1].json()["recipient"], "+16502530000");
});

/// The request for a token of the demo's customer, who signs in with a password.
async fn signed_in(server: &Process) -> Value {
    const PASSWORD: &str = "violet-kettle-42";
    const CALLBACK: &str = "http://127.0.0.1/callback";
    // The verifier of RFC 7636 appendix B, and its challenge.
    let (verifier, challenge) =
        ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    let (management, demo) = (server.management().await, server.demo());
    let path = format!("/api/users/{}/password", demo.customer_user_id);
    management.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
    let application = json!({ "name": "App", "type": "Native", "oidcClientMetadata": { "redirectUris": [CALLBACK] } });
    let client_id = management.post("/api/applications", application).await.expect(200).text("id");
    let parameters = [
        ("client_id", client_id.as_str()),
        ("redirect_uri", CALLBACK),
        ("response_type", "code"),
        ("scope", "openid resource:read"),
        ("resource", &demo.resource),
        ("code_challenge", challenge),
        ("code_challenge_method", "S256"),
    ];
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let browser = Browser::new(server);
    browser.open(&format!("/oidc/auth?{query}")).await.expect(303);
    let step = async |method: Method, path: &str, body: Value| {
        let request = server.http.request(method, server.url(&format!("/api/experience{path}")));
        browser.send(request.json(&body)).await
    };
    step(Method::PUT, "", json!({ "interactionEvent": "SignIn" })).await.expect(204);
    let identifier = json!({ "type": "username", "value": "customer" });
    let credentials = json!({ "identifier": identifier, "password": PASSWORD });
    let proved = step(Method::POST, "/verification/password", credentials).await.expect(200);
    step(Method::POST, "/identification", proved.body).await.expect(204);
    let submitted = step(Method::POST, "/submit", json!({})).await.expect(200);
    let answer = browser.open(&submitted.text("redirectTo")).await.expect(303);
    let form = server.form("/oidc/token").with("grant_type", "authorization_code").with("client_id", &client_id);
    let form = form.with("code", &told(&answer)["code"]).with("redirect_uri", CALLBACK);
    let tokens = form.with("code_verifier", verifier).with("resource", &demo.resource).send().await.expect(200);
    server.verify(&tokens.text("access_token"), &demo.resource).await.claims["seen"].clone()
}

const ANSWERS_CLAIMS: &str = "export const getCustomJwtClaims = ({ token }) => token.answer;";
const ANSWERS_OUTCOMES: &str = "export const transformWebhook = ({ event }) => event.answer;";
const ANSWERS_REQUESTS: &str = "export const composeMessage = ({ context }) => context.answer;";

/// How the calls of a plugin end that answers each of these.
async fn outcomes(source: &str, answers: &[Value]) -> Vec<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    let case = |answer: &Value| {
        let input = match source {
            ANSWERS_CLAIMS => json!({ "token": { "answer": answer } }),
            ANSWERS_OUTCOMES => json!({ "event": { "answer": answer } }),
            _ => json!({ "message": { "context": { "answer": answer } } }),
        };
        json!({ "name": answer.to_string(), "input": input, "expected": { "failed": "" } })
    };
    if source == ANSWERS_REQUESTS {
        let settings = "[capabilities.http]\nhosts = [\"api.example.com\"]\nmethods = [\"POST\", \"PUT\"]\n";
        std::fs::write(folder.path().join("answers.toml"), settings).unwrap();
    }
    let cases: Value = answers.iter().map(case).collect();
    std::fs::write(folder.path().join("answers.js"), source).unwrap();
    std::fs::write(folder.path().join("answers.cases.json"), cases.to_string()).unwrap();
    let harness = Harness::new(HarnessOptions::default()).unwrap();
    let report = harness.run_file(&folder.path().join("answers.js")).await.unwrap();
    report.cases.unwrap().iter().map(|case| case.outcome).collect()
}

/// Results are described as they are taken: the schema and the server agree on which are any good.
#[tokio::test]
async fn what_a_plugin_answers_is_in_the_schema() {
    let claims =
        [json!({}), json!({ "plan": "gold", "roles": ["a"], "none": null }), json!(["a"]), json!("a"), json!(1)];
    for (answer, outcome) in claims.iter().zip(outcomes(ANSWERS_CLAIMS, &claims).await) {
        assert_eq!(problems("Claims", answer).is_empty(), outcome == "ok", "{answer}: {outcome}");
    }
    let good = [
        json!({}),
        json!({ "body": "text" }),
        json!({ "body": { "id": "u1" }, "headers": { "x-a": "b" }, "path": "a/b" }),
        json!({ "body": [1] }),
        json!({ "drop": "why" }),
    ];
    let bad = [
        json!({ "event": "User.Created" }),
        json!({ "headers": "x-a" }),
        json!({ "headers": { "x-a": {} } }),
        json!({ "path": 1 }),
        json!({ "drop": 1 }),
        json!({ "drop": "why", "path": "a" }),
        json!(["a"]),
    ];
    let described = |answer: &Value| ["Changed", "Dropped"].iter().any(|kind| problems(kind, answer).is_empty());
    for (answer, outcome) in good.iter().zip(outcomes(ANSWERS_OUTCOMES, &good).await) {
        assert!(described(answer) && outcome == "ok", "{answer}: {outcome}");
    }
    for (answer, outcome) in bad.iter().zip(outcomes(ANSWERS_OUTCOMES, &bad).await) {
        assert!(!described(answer) && outcome == "failed", "{answer}: {outcome}");
    }
    let url = "https://api.example.com/";
    let requests = [
        json!({ "url": url }),
        json!({ "url": url, "method": "PUT", "headers": { "x-a": "b" }, "body": "text" }),
        json!({ "url": url, "body": { "to": "ada" } }),
        json!({ "url": url, "body": [1] }),
        json!({}),
        json!({ "url": 1 }),
        json!({ "url": url, "method": 1 }),
        json!({ "url": url, "headers": "x-a" }),
        json!({ "url": url, "headers": { "x-a": {} } }),
        json!({ "url": url, "to": "ada" }),
        json!(url),
        json!([url]),
    ];
    for (answer, outcome) in requests.iter().zip(outcomes(ANSWERS_REQUESTS, &requests).await) {
        assert_eq!(problems("MessageRequest", answer).is_empty(), outcome == "ok", "{answer}: {outcome}");
    }
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for kind in ["Changed", "Dropped"] {
        for member in schema["$defs"][kind]["properties"].as_object().unwrap().keys() {
            assert!(good.iter().any(|answer| answer.get(member).is_some()), "no answer has {member}");
        }
    }
}
