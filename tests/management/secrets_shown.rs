//! Secrets on read routes: who may write them sees them, and nobody else; the list of what may hold one is complete.

use crate::fixtures::{narrow, narrow_as};
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::management::SCOPES;
use claimsmith_management::description;
use claimsmith_management::shown_secrets::{SHOWN, ShownTo};
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const CANARY: &str = "canary-9f2c";

/// Whether a member of this name may hold a secret: as it is called; yes and no are none.
fn may_hold_one(name: &str, member: &Value) -> bool {
    const NAMES: [&str; 12] = [
        "authorization",
        "config",
        "credentials",
        "environment",
        "environmentvariables",
        "headers",
        "password",
        "providerconfig",
        "secrets",
        "subjecttoken",
        "token",
        "value",
    ];
    let name = name.to_lowercase();
    let is_called_so =
        NAMES.contains(&name.as_str()) || name.ends_with("secret") || (name.ends_with("key") && name != "key");
    is_called_so && member["type"] != "boolean"
}

/// The schemas that a value leads to.
fn referred(value: &Value, document: &Value, seen: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(name) = members.get("$ref").and_then(Value::as_str).and_then(|of| of.rsplit('/').next())
                && seen.insert(name.to_owned())
            {
                referred(&document["components"]["schemas"][name], document, seen);
            }
            members.values().for_each(|member| referred(member, document, seen));
        }
        Value::Array(items) => items.iter().for_each(|item| referred(item, document, seen)),
        _ => {}
    }
}

/// The members of a schema, also of those that it is put together of.
fn members(schema: &Value) -> Vec<(String, Value)> {
    let own = schema["properties"].as_object().into_iter().flatten();
    let own = own.map(|(name, member)| (name.clone(), member.clone()));
    let parts = schema["allOf"].as_array().into_iter().flatten().flat_map(members);
    own.chain(parts).collect()
}

#[test]
fn each_member_that_may_hold_a_secret_is_in_the_list() {
    let document = serde_json::to_value(description()).unwrap();
    let mut read = BTreeSet::new();
    for operation in document["paths"].as_object().unwrap().values().filter_map(|methods| methods.get("get")) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            if status.starts_with('2') {
                referred(answer, &document, &mut read);
            }
        }
    }
    let mut missing = Vec::new();
    for schema in &read {
        for (name, member) in members(&document["components"]["schemas"][schema]) {
            let is_listed = SHOWN.iter().any(|(of, listed, _)| of == schema && *listed == name);
            if may_hold_one(&name, &member) && !is_listed {
                missing.push(format!("{schema}.{name}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "add them to src/management/shown_secrets.rs");
    let known: BTreeSet<&str> = SCOPES.into_iter().map(|(scope, _)| scope).collect();
    for (schema, member, shown) in SHOWN {
        let has_it = members(&document["components"]["schemas"][*schema]).iter().any(|(name, _)| name == member);
        assert!(has_it && read.contains(*schema), "{schema}.{member} is not there");
        if let ShownTo::Writers(scope) = shown {
            assert!(known.contains(scope), "{scope}");
        }
    }
}

/// Reads everything that a caller may read without naming an object, and these objects.
async fn read_all(actor: &Actor, paths: &[String]) -> String {
    let mut all = String::new();
    let document = serde_json::to_value(description()).unwrap();
    let lists = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, methods)| !path.contains('{') && methods.get("get").is_some() && !path.contains("/export"));
    let lists: Vec<String> = lists.map(|(path, _)| path.clone()).collect();
    for path in lists.iter().chain(paths) {
        all += &actor.get(path).await.body.to_string();
    }
    all
}

both!(who_may_not_write_a_secret_does_not_read_it, async |server: TestServer| {
    let management = server.management().await;
    let hook = json!({ "events": ["User.Created"], "config": {
        "url": format!("https://user:{CANARY}-url@hooks.example.com/in"),
        "headers": { "authorization": format!("Bearer {CANARY}-header") },
    } });
    let hook = management.post("/api/hooks", hook).await.expect(201);
    assert!(hook.body.to_string().contains(&format!("{CANARY}-header")), "who writes it sees it");
    let signing_key = hook.text("signingKey");
    let script = json!({
        "script": "const getCustomJwtClaims = async () => ({});",
        "environmentVariables": { "API_KEY": format!("{CANARY}-variable") },
    });
    management.put("/api/configs/jwt-customizer/access-token", script).await.expect(201);
    let plugin = "/api/plugins/shown";
    let upload = management.request(Method::PUT, plugin).header(CONTENT_TYPE, "text/javascript");
    Answer::of(upload.body("export const getCustomJwtClaims = async () => ({});")).await.expect(201);
    let variables = json!({ "environment": { "API_KEY": format!("{CANARY}-setting") } });
    management.patch(plugin, variables).await.expect(200);
    let smtp = json!({ "connectorId": "smtp", "config": {
        "host": "mail.example.com", "port": 587, "fromEmail": "a@example.com",
        "auth": { "user": "shop", "pass": format!("{CANARY}-relay") } } });
    let smtp = management.post("/api/connectors", smtp).await.expect(200).text("id");
    let captcha = json!({ "config": {
        "type": "Turnstile", "siteKey": "site", "secretKey": format!("{CANARY}-captcha") } });
    management.put("/api/captcha-provider", captcha).await.expect(200);
    let application = management.post("/api/applications", json!({ "name": "m", "type": "MachineToMachine" })).await;
    let application = application.expect(200).text("id");
    let secrets = format!("/api/applications/{application}/secrets");
    let secret = management.post(&secrets, json!({ "name": "canary" })).await.expect(201).text("value");
    let user = management.post("/api/users", json!({ "username": "ada" })).await.expect(200).text("id");
    let tokens = format!("/api/users/{user}/personal-access-tokens");
    let token = management.post(&tokens, json!({ "name": "canary" })).await.expect(201).text("value");
    let factors = format!("/api/users/{user}/mfa-verifications");
    let totp = management.post(&factors, json!({ "type": "Totp" })).await.expect(200).text("secret");
    let body = json!({ "email": "ada@example.com" });
    let link = management.post("/api/one-time-tokens", body).await.expect(201).text("token");
    let paths = [
        format!("/api/hooks/{}", hook.text("id")),
        "/api/configs/jwt-customizer/access-token".to_owned(),
        plugin.to_owned(),
        format!("{plugin}/source"),
        format!("{plugin}/versions/1"),
        format!("/api/connectors/{smtp}"),
        format!("/api/applications/{application}"),
        secrets,
        format!("/api/users/{user}"),
        tokens,
        factors,
        "/api/logs?page_size=100".to_owned(),
    ];
    // With every scope that reads, and none that writes.
    let reads: Vec<&str> =
        SCOPES.into_iter().map(|(scope, _)| scope).filter(|scope| scope.ends_with(":read")).collect();
    let reader = narrow_as(&server, &management, "reads all", &reads).await;
    let read = read_all(&reader, &paths).await;
    for hidden in [CANARY, &signing_key, &secret, &token, &totp, &link] {
        assert!(!read.contains(hidden), "{hidden}");
    }
    let shown = reader.get(&paths[0]).await.expect(200);
    assert_eq!((&shown["signingKey"], &shown["signingSecret"]), (&json!(HIDDEN), &json!(HIDDEN)));
    assert_eq!(shown["config"]["headers"], json!({ "authorization": HIDDEN }));
    // Who may write them sees them.
    let plugins = [(&paths[1], "-variable"), (&paths[2], "-setting"), (&paths[3], "-setting"), (&paths[4], "-setting")];
    for (scopes, seen) in [
        (["hooks:read", "hooks:write"], &[(&paths[0], "-header")][..]),
        (["plugins:read", "plugins:write"], &plugins[..]),
    ] {
        let writer = narrow(&server, &management, &scopes).await;
        for (path, canary) in seen {
            let answer = writer.get(path).await.expect(200).body.to_string();
            assert!(answer.contains(&format!("{CANARY}{canary}")), "{path}");
        }
    }
});
