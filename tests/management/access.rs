//! Authorization: every operation refuses callers without a token, with a foreign one, and without its scope.

use crate::fixtures::{NOBODY, find, management_scopes, narrow, role};
use crate::openapi::is_public;
use claimsmith::domain::management::{ALL, SCOPES};
use claimsmith_test_support::{Actor, TestServer, Wire, both, in_time};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// Method, path and the narrow scope that opens it.
const OPERATIONS: &[(&str, &str, &str)] = &[
    ("POST", "/api/users", "users:write"),
    ("GET", "/api/users", "users:read"),
    ("POST", "/api/users/import", "users:write"),
    ("GET", "/api/users/export", "users:read"),
    ("GET", "/api/users/nobody", "users:read"),
    ("PATCH", "/api/users/nobody/is-suspended", "users:write"),
    ("DELETE", "/api/users/nobody", "users:write"),
    ("PATCH", "/api/users/nobody", "users:write"),
    ("GET", "/api/users/nobody/custom-data", "users:read"),
    ("PATCH", "/api/users/nobody/custom-data", "users:write"),
    ("PATCH", "/api/users/nobody/profile", "users:write"),
    ("PATCH", "/api/users/nobody/password", "users:write"),
    ("POST", "/api/users/nobody/password/verify", "users:write"),
    ("GET", "/api/users/nobody/has-password", "users:read"),
    ("GET", "/api/users/nobody/identities/github", "users:read"),
    ("POST", "/api/users/nobody/identities", "users:write"),
    ("PUT", "/api/users/nobody/identities/github", "users:write"),
    ("DELETE", "/api/users/nobody/identities/github", "users:write"),
    ("GET", "/api/users/nobody/mfa-verifications", "users:read"),
    ("POST", "/api/users/nobody/mfa-verifications", "users:write"),
    ("DELETE", "/api/users/nobody/mfa-verifications/nobody", "users:write"),
    ("GET", "/api/users/nobody/personal-access-tokens", "users:read"),
    ("POST", "/api/users/nobody/personal-access-tokens", "users:write"),
    ("PATCH", "/api/users/nobody/personal-access-tokens", "users:write"),
    ("PATCH", "/api/users/nobody/personal-access-tokens/nobody", "users:write"),
    ("GET", "/api/users/nobody/logto-configs", "users:read"),
    ("PATCH", "/api/users/nobody/logto-configs", "users:write"),
    ("DELETE", "/api/users/nobody/personal-access-tokens/nobody", "users:write"),
    ("POST", "/api/users/nobody/personal-access-tokens/delete", "users:write"),
    ("GET", "/api/users/nobody/grants", "users:read"),
    ("DELETE", "/api/users/nobody/grants/nobody", "users:write"),
    ("GET", "/api/users/nobody/sessions", "users:read"),
    ("GET", "/api/users/nobody/sessions/nobody", "users:read"),
    ("DELETE", "/api/users/nobody/sessions/nobody", "users:write"),
    ("GET", "/api/users/nobody/trusted-devices", "users:read"),
    ("DELETE", "/api/users/nobody/trusted-devices/nobody", "users:write"),
    ("GET", "/api/users/nobody/roles", "users:read"),
    ("POST", "/api/users/nobody/roles", "roles:write"),
    ("PUT", "/api/users/nobody/roles", "roles:write"),
    ("DELETE", "/api/users/nobody/roles/nobody", "roles:write"),
    ("POST", "/api/roles", "roles:write"),
    ("GET", "/api/roles", "roles:read"),
    ("GET", "/api/roles/nobody", "roles:read"),
    ("PATCH", "/api/roles/nobody", "roles:write"),
    ("DELETE", "/api/roles/nobody", "roles:write"),
    ("GET", "/api/roles/nobody/scopes", "roles:read"),
    ("POST", "/api/roles/nobody/scopes", "roles:write"),
    ("DELETE", "/api/roles/nobody/scopes/nobody", "roles:write"),
    ("GET", "/api/roles/nobody/users", "users:read"),
    ("POST", "/api/roles/nobody/users", "roles:write"),
    ("DELETE", "/api/roles/nobody/users/nobody", "roles:write"),
    ("GET", "/api/roles/nobody/applications", "applications:read"),
    ("POST", "/api/roles/nobody/applications", "roles:write"),
    ("DELETE", "/api/roles/nobody/applications/nobody", "roles:write"),
    ("POST", "/api/resources", "resources:write"),
    ("GET", "/api/resources", "resources:read"),
    ("GET", "/api/resources/nobody", "resources:read"),
    ("PATCH", "/api/resources/nobody", "resources:write"),
    ("PATCH", "/api/resources/nobody/is-default", "resources:write"),
    ("DELETE", "/api/resources/nobody", "resources:write"),
    ("GET", "/api/resources/nobody/scopes", "resources:read"),
    ("POST", "/api/resources/nobody/scopes", "resources:write"),
    ("PATCH", "/api/resources/nobody/scopes/nobody", "resources:write"),
    ("DELETE", "/api/resources/nobody/scopes/nobody", "resources:write"),
    ("POST", "/api/applications", "applications:write"),
    ("GET", "/api/applications", "applications:read"),
    ("GET", "/api/applications/nobody", "applications:read"),
    ("PATCH", "/api/applications/nobody", "applications:write"),
    ("DELETE", "/api/applications/nobody", "applications:write"),
    ("GET", "/api/applications/nobody/secrets", "applications:read"),
    ("POST", "/api/applications/nobody/secrets", "applications:write"),
    ("PATCH", "/api/applications/nobody/secrets/nobody", "applications:write"),
    ("DELETE", "/api/applications/nobody/secrets/nobody", "applications:write"),
    ("PATCH", "/api/applications/nobody/custom-data", "applications:write"),
    ("GET", "/api/applications/nobody/roles", "applications:read"),
    ("POST", "/api/applications/nobody/roles", "roles:write"),
    ("PUT", "/api/applications/nobody/roles", "roles:write"),
    ("DELETE", "/api/applications/nobody/roles/nobody", "roles:write"),
    ("GET", "/api/plugins", "plugins:read"),
    ("GET", "/api/plugins/nobody", "plugins:read"),
    ("PUT", "/api/plugins/nobody", "plugins:write"),
    ("PATCH", "/api/plugins/nobody", "plugins:write"),
    ("DELETE", "/api/plugins/nobody", "plugins:write"),
    ("GET", "/api/plugins/nobody/versions", "plugins:read"),
    ("GET", "/api/plugins/nobody/versions/1", "plugins:read"),
    ("POST", "/api/plugins/nobody/versions/1/activate", "plugins:write"),
    ("DELETE", "/api/plugins/nobody/versions/1", "plugins:write"),
    ("GET", "/api/plugins/nobody/secrets", "plugins:read"),
    ("PUT", "/api/plugins/nobody/secrets/KEY", "plugins:write"),
    ("DELETE", "/api/plugins/nobody/secrets/KEY", "plugins:write"),
    ("PUT", "/api/plugins/nobody/grants/http", "plugins:grant"),
    ("DELETE", "/api/plugins/nobody/grants/http", "plugins:grant"),
    ("POST", "/api/plugins/nobody/test", "plugins:write"),
    ("GET", "/api/plugins/nobody/logs", "plugins:read"),
    ("GET", "/api/plugins/nobody/source", "plugins:read"),
    ("GET", "/api/plugin-examples", "plugins:read"),
    ("GET", "/api/plugin-examples/templates", "plugins:read"),
    ("GET", "/api/plugin-examples/types", "plugins:read"),
    ("GET", "/api/plugin-examples/nobody", "plugins:read"),
    ("POST", "/api/plugin-checks", "plugins:write"),
    ("POST", "/api/applications/nobody/token-preview", "plugins:write"),
    ("GET", "/api/issuances", "logs:read"),
    ("GET", "/api/issuances/nobody", "logs:read"),
    ("POST", "/api/plugins/test", "plugins:write"),
    ("GET", "/api/plugins/test", "plugins:read"),
    ("PUT", "/api/plugins/test", "plugins:write"),
    ("PATCH", "/api/plugins/test", "plugins:write"),
    ("DELETE", "/api/plugins/test", "plugins:write"),
    ("GET", "/api/configs/jwt-customizer", "plugins:read"),
    ("GET", "/api/configs/jwt-customizer/access-token", "plugins:read"),
    ("PUT", "/api/configs/jwt-customizer/access-token", "plugins:write"),
    ("PATCH", "/api/configs/jwt-customizer/access-token", "plugins:write"),
    ("DELETE", "/api/configs/jwt-customizer/access-token", "plugins:write"),
    ("POST", "/api/configs/jwt-customizer/test", "plugins:write"),
    ("POST", "/api/hooks", "hooks:write"),
    ("GET", "/api/hooks", "hooks:read"),
    ("GET", "/api/hooks/nobody", "hooks:read"),
    ("PATCH", "/api/hooks/nobody", "hooks:write"),
    ("GET", "/api/hooks/events", "hooks:read"),
    ("PATCH", "/api/hooks/nobody/signing-key", "hooks:write"),
    ("POST", "/api/hooks/nobody/test", "hooks:write"),
    ("GET", "/api/hooks/nobody/recent-logs", "hooks:read"),
    ("GET", "/api/hooks/nobody/deliveries", "hooks:read"),
    ("POST", "/api/hooks/nobody/deliveries/replay", "hooks:write"),
    ("GET", "/api/hooks/nobody/deliveries/nothing", "hooks:read"),
    ("POST", "/api/hooks/nobody/deliveries/nothing/replay", "hooks:write"),
    ("DELETE", "/api/hooks/nobody", "hooks:write"),
    ("POST", "/api/hook-receivers", "hooks:write"),
    ("GET", "/api/hook-receivers", "hooks:read"),
    ("PATCH", "/api/hook-receivers/nobody", "hooks:write"),
    ("DELETE", "/api/hook-receivers/nobody", "hooks:write"),
    ("GET", "/api/hook-receivers/nobody/requests", "hooks:read"),
    ("POST", "/api/subject-tokens", "subject-tokens:write"),
    ("GET", "/api/subject-tokens", "subject-tokens:read"),
    ("DELETE", "/api/subject-tokens/nobody", "subject-tokens:write"),
    ("GET", "/api/impersonations", "subject-tokens:read"),
    ("GET", "/api/impersonations/nobody", "subject-tokens:read"),
    ("DELETE", "/api/impersonations/nobody", "subject-tokens:write"),
    ("GET", "/api/logs", "logs:read"),
    ("GET", "/api/logs/nobody", "logs:read"),
    ("GET", "/api/dashboard/users/total", "logs:read"),
    ("GET", "/api/dashboard/users/new", "logs:read"),
    ("GET", "/api/dashboard/users/active", "logs:read"),
    ("GET", "/api/dashboard/activity", "logs:read"),
    ("GET", "/api/dashboard/health", "logs:read"),
    ("GET", "/api/configs/oidc/private-keys", "configs:read"),
    ("POST", "/api/configs/oidc/private-keys/rotate", "configs:write"),
    ("DELETE", "/api/configs/oidc/private-keys/nobody", "configs:write"),
    ("GET", "/api/configs/server", "configs:read"),
    ("GET", "/api/configs/id-token", "configs:read"),
    ("PUT", "/api/configs/id-token", "configs:write"),
    ("POST", "/api/organization-scopes", "organizations:write"),
    ("GET", "/api/organization-scopes", "organizations:read"),
    ("GET", "/api/organization-scopes/nobody", "organizations:read"),
    ("PATCH", "/api/organization-scopes/nobody", "organizations:write"),
    ("DELETE", "/api/organization-scopes/nobody", "organizations:write"),
    ("POST", "/api/organization-roles", "organizations:write"),
    ("GET", "/api/organization-roles", "organizations:read"),
    ("GET", "/api/organization-roles/nobody", "organizations:read"),
    ("PATCH", "/api/organization-roles/nobody", "organizations:write"),
    ("DELETE", "/api/organization-roles/nobody", "organizations:write"),
    ("POST", "/api/organizations", "organizations:write"),
    ("GET", "/api/organizations", "organizations:read"),
    ("GET", "/api/organizations/nobody", "organizations:read"),
    ("PATCH", "/api/organizations/nobody", "organizations:write"),
    ("DELETE", "/api/organizations/nobody", "organizations:write"),
    ("GET", "/api/organization-roles/nobody/scopes", "organizations:read"),
    ("POST", "/api/organization-roles/nobody/scopes", "organizations:write"),
    ("PUT", "/api/organization-roles/nobody/scopes", "organizations:write"),
    ("DELETE", "/api/organization-roles/nobody/scopes/nobody", "organizations:write"),
    ("GET", "/api/organization-roles/nobody/resource-scopes", "organizations:read"),
    ("POST", "/api/organization-roles/nobody/resource-scopes", "organizations:write"),
    ("PUT", "/api/organization-roles/nobody/resource-scopes", "organizations:write"),
    ("DELETE", "/api/organization-roles/nobody/resource-scopes/nobody", "organizations:write"),
    ("GET", "/api/organizations/nobody/users", "organizations:read"),
    ("POST", "/api/organizations/nobody/users", "organizations:write"),
    ("PUT", "/api/organizations/nobody/users", "organizations:write"),
    ("DELETE", "/api/organizations/nobody/users/nobody", "organizations:write"),
    ("POST", "/api/organizations/nobody/users/roles", "organizations:write"),
    ("GET", "/api/organizations/nobody/users/nobody/roles", "organizations:read"),
    ("POST", "/api/organizations/nobody/users/nobody/roles", "organizations:write"),
    ("PUT", "/api/organizations/nobody/users/nobody/roles", "organizations:write"),
    ("DELETE", "/api/organizations/nobody/users/nobody/roles/nobody", "organizations:write"),
    ("GET", "/api/organizations/nobody/applications", "organizations:read"),
    ("POST", "/api/organizations/nobody/applications", "organizations:write"),
    ("PUT", "/api/organizations/nobody/applications", "organizations:write"),
    ("DELETE", "/api/organizations/nobody/applications/nobody", "organizations:write"),
    ("POST", "/api/organizations/nobody/applications/roles", "organizations:write"),
    ("GET", "/api/organizations/nobody/applications/nobody/roles", "organizations:read"),
    ("POST", "/api/organizations/nobody/applications/nobody/roles", "organizations:write"),
    ("PUT", "/api/organizations/nobody/applications/nobody/roles", "organizations:write"),
    ("DELETE", "/api/organizations/nobody/applications/nobody/roles/nobody", "organizations:write"),
    ("GET", "/api/organizations/nobody/users/nobody/scopes", "organizations:read"),
    ("GET", "/api/organizations/nobody/jit/email-domains", "organizations:read"),
    ("POST", "/api/organizations/nobody/jit/email-domains", "organizations:write"),
    ("PUT", "/api/organizations/nobody/jit/email-domains", "organizations:write"),
    ("DELETE", "/api/organizations/nobody/jit/email-domains/example.com", "organizations:write"),
    ("GET", "/api/organizations/nobody/jit/roles", "organizations:read"),
    ("POST", "/api/organizations/nobody/jit/roles", "organizations:write"),
    ("PUT", "/api/organizations/nobody/jit/roles", "organizations:write"),
    ("DELETE", "/api/organizations/nobody/jit/roles/nobody", "organizations:write"),
    ("POST", "/api/organization-invitations", "organizations:write"),
    ("GET", "/api/organization-invitations", "organizations:read"),
    ("GET", "/api/organization-invitations/nobody", "organizations:read"),
    ("DELETE", "/api/organization-invitations/nobody", "organizations:write"),
    ("PUT", "/api/organization-invitations/nobody/status", "organizations:write"),
    ("GET", "/api/users/nobody/organizations", "users:read"),
    ("GET", "/api/applications/nobody/organizations", "applications:read"),
    ("GET", "/api/applications/nobody/sign-in-experience", "applications:read"),
    ("PUT", "/api/applications/nobody/sign-in-experience", "applications:write"),
    ("GET", "/api/sign-in-exp", "configs:read"),
    ("PATCH", "/api/sign-in-exp", "configs:write"),
    ("POST", "/api/sign-in-exp/preview", "configs:read"),
    ("POST", "/api/sign-in-exp/default/check-password", "configs:read"),
    ("GET", "/api/sign-in-exp/username-policy/case-sensitivity-conflicts", "configs:read"),
    ("GET", "/api/custom-phrases", "configs:read"),
    ("GET", "/api/custom-phrases/nobody", "configs:read"),
    ("PUT", "/api/custom-phrases/nobody", "configs:write"),
    ("DELETE", "/api/custom-phrases/nobody", "configs:write"),
    ("GET", "/api/custom-profile-fields", "configs:read"),
    ("POST", "/api/custom-profile-fields", "configs:write"),
    ("POST", "/api/custom-profile-fields/batch", "configs:write"),
    ("POST", "/api/custom-profile-fields/properties/sie-order", "configs:write"),
    ("GET", "/api/custom-profile-fields/nobody", "configs:read"),
    ("PUT", "/api/custom-profile-fields/nobody", "configs:write"),
    ("DELETE", "/api/custom-profile-fields/nobody", "configs:write"),
    ("GET", "/api/account-center", "configs:read"),
    ("PATCH", "/api/account-center", "configs:write"),
    ("GET", "/api/captcha-provider", "configs:read"),
    ("PUT", "/api/captcha-provider", "configs:write"),
    ("DELETE", "/api/captcha-provider", "configs:write"),
    ("GET", "/api/connector-factories", "configs:read"),
    ("GET", "/api/connector-factories/nobody", "configs:read"),
    ("GET", "/api/connectors", "configs:read"),
    ("POST", "/api/connectors", "configs:write"),
    ("POST", "/api/connectors/nobody/test", "configs:write"),
    ("POST", "/api/connectors/nobody/authorization-uri", "configs:read"),
    ("GET", "/api/connectors/nobody", "configs:read"),
    ("DELETE", "/api/connectors/nobody", "configs:write"),
    ("PATCH", "/api/connectors/nobody", "configs:write"),
    ("GET", "/api/email-templates", "configs:read"),
    ("PUT", "/api/email-templates", "configs:write"),
    ("DELETE", "/api/email-templates", "configs:write"),
    ("GET", "/api/email-templates/nobody", "configs:read"),
    ("DELETE", "/api/email-templates/nobody", "configs:write"),
    ("PATCH", "/api/email-templates/nobody/details", "configs:write"),
    ("GET", "/api/one-time-tokens", "users:read"),
    ("POST", "/api/one-time-tokens", "users:write"),
    ("POST", "/api/one-time-tokens/verify", "users:write"),
    ("GET", "/api/one-time-tokens/nobody", "users:read"),
    ("DELETE", "/api/one-time-tokens/nobody", "users:write"),
    ("PUT", "/api/one-time-tokens/nobody/status", "users:write"),
    ("POST", "/api/organization-invitations/nobody/message", "organizations:write"),
    ("POST", "/api/sentinel-activities/delete", "users:write"),
    ("GET", "/api/sso-connector-providers", "configs:read"),
    ("GET", "/api/sso-connectors", "configs:read"),
    ("POST", "/api/sso-connectors", "configs:write"),
    ("GET", "/api/sso-connectors/nobody", "configs:read"),
    ("DELETE", "/api/sso-connectors/nobody", "configs:write"),
    ("PATCH", "/api/sso-connectors/nobody", "configs:write"),
    ("POST", "/api/verification-codes", "users:write"),
    ("POST", "/api/verification-codes/verify", "users:write"),
];

/// A body that the operation takes; scripts and sources in it are none.
fn body(path: &str) -> Value {
    if path.ends_with("/grants/http") {
        return json!({ "hosts": ["api.example.com"] });
    }
    if path == "/api/plugins/nobody" {
        return json!({});
    }
    if path.starts_with("/api/plugin") || path.starts_with("/api/configs") {
        return json!({
            "value": "secret", "language": "javascript", "source": "(", "script": "(", "tokenType": "access-token",
            "token": {}, "context": {},
        });
    }
    if path == "/api/captcha-provider" {
        return json!({ "config": { "type": "ProofOfWork" } });
    }
    if path.ends_with("/check-password") {
        return json!({ "password": "p" });
    }
    if path.ends_with("/mfa-verifications") {
        return json!({ "type": "Totp" });
    }
    json!({
        "customData": {}, "profile": {}, "password": "p", "userId": "x",
        "name": "name", "description": "description", "type": "MachineToMachine", "indicator": "https://orders.test",
        "isSuspended": true, "isDefault": true, "roleIds": ["x"], "scopeIds": ["x"], "userIds": ["x"], "applicationIds": ["x"],
        "events": ["User.Created"], "config": { "url": "https://receiver.test" },
        "userId": "nobody",
        "organizationScopeIds": ["x"], "organizationRoleIds": ["x"], "emailDomain": "example.com",
        "emailDomains": ["example.com"], "invitee": "ada@example.com", "organizationId": "x",
        "expiresAt": 9_000_000_000_000_i64, "status": "Revoked",
    })
}

async fn call(actor: &Actor, method: &str, path: &str) -> claimsmith_test_support::Answer {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    if method == Method::PUT && path == "/api/plugins/nobody" {
        let request = actor.request(method, path).header(reqwest::header::CONTENT_TYPE, "text/javascript").body("(");
        return claimsmith_test_support::Answer::of(request).await;
    }
    let body = if matches!(method, Method::GET | Method::DELETE) { Value::Null } else { body(path) };
    actor.send(method, path, body).await
}

/// Whether a path is one of a template's, such as `/api/users/{userId}`.
fn is_of(path: &str, template: &str) -> bool {
    let (path, template): (Vec<_>, Vec<_>) = (path.split('/').collect(), template.split('/').collect());
    path.len() == template.len() && path.iter().zip(&template).all(|(part, of)| of.starts_with('{') || part == of)
}

both!(every_operation_that_is_described_is_tried, async |server: TestServer| {
    let document = server.get("/api/swagger.json").await.expect(200).body;
    for (path, methods) in document["paths"].as_object().unwrap() {
        if is_public(path) {
            continue;
        }
        for (method, operation) in methods.as_object().unwrap() {
            let is_it = |tried: &&(&str, &str, &str)| tried.0.eq_ignore_ascii_case(method) && is_of(tried.1, path);
            let tried = OPERATIONS.iter().find(is_it).unwrap_or_else(|| panic!("{method} {path} is missing"));
            assert_eq!(operation["security"][0]["oauth2"], json!(["all", tried.2]), "{method} {path}");
        }
    }
});

both!(no_operation_opens_without_a_valid_token, async |server: TestServer| {
    let engineer = &server.demo().engineer_user_id;
    let for_the_demo =
        server.mint_for(engineer, &server.demo().spa_client_id, "resource:read", Some(&server.demo().resource)).await;
    // Signed with the same key, and good in all but its issuer.
    let elsewhere = [
        ("CLAIMSMITH_BASE_URL", "https://elsewhere.test"),
        ("CLAIMSMITH_MANAGEMENT_RESOURCE", server.machine().resource.as_str()),
    ];
    let elsewhere = TestServer::start(&server.home, &elsewhere).await.unwrap();
    let of_another_issuer = elsewhere.management_token().await;
    elsewhere.management().await.get("/api/users").await.expect(200);
    let impersonation = server.exchange(&server.customer_token().await).access_token().await;
    for (method, path, _) in OPERATIONS {
        let answer = call(&server.anonymous(), method, path).await;
        answer.expect_api_error(401, "auth.authorization_header_missing");
        for token in ["nonsense", "a.b.c", &for_the_demo, &of_another_issuer] {
            call(&server.bearer(token), method, path).await.expect_api_error(401, "auth.unauthorized");
        }
        call(&server.bearer(&impersonation), method, path).await.expect_api_error(403, "auth.forbidden");
    }
    let management = server.management().await;
    management.get("/api/users").await.expect(200);
    server.clock.advance(Duration::from_hours(2));
    for (method, path, _) in OPERATIONS {
        call(&management, method, path).await.expect_api_error(401, "auth.unauthorized");
    }
    let basic = server.anonymous().request(Method::GET, "/api/users").basic_auth("a", Some("b"));
    let answer = claimsmith_test_support::Answer::of(basic).await;
    answer.expect_api_error(401, "auth.authorization_token_type_not_supported");
    assert_eq!(answer["data"]["supportedTypes"], json!(["Bearer"]));
});

both!(each_operation_opens_with_its_narrow_scope_and_no_other, async |server: TestServer| {
    let management = server.management().await;
    let mut actors = Vec::new();
    for (scope, _) in SCOPES.into_iter().filter(|(scope, _)| *scope != ALL) {
        actors.push((narrow(&server, &management, &[scope]).await, scope));
    }
    for (method, path, needed) in OPERATIONS {
        for (actor, scope) in &actors {
            let answer = call(actor, method, path).await;
            if scope == needed {
                assert!(!matches!(answer.status, 401 | 403), "{method} {path} with {scope}: {:#}", answer.body);
            } else {
                answer.expect_api_error(403, "auth.forbidden");
            }
        }
    }
});

both!(callers_without_the_scope_are_refused_before_the_body_is_read, async |server: TestServer| {
    let management = server.management().await;
    let token_of = async |scope: &str| {
        let actor = narrow(&server, &management, &[scope]).await;
        let request = actor.request(Method::GET, "/").build().unwrap();
        request.headers()["authorization"].to_str().unwrap().to_owned()
    };
    let (logs, hooks) = (token_of("logs:read").await, token_of("hooks:read").await);
    for (method, path, _) in OPERATIONS.iter().filter(|(method, ..)| !matches!(*method, "GET" | "DELETE")) {
        for (authorization, size) in [(&logs, "Content-Length: 83886080"), (&hooks, "Transfer-Encoding: chunked")] {
            let mut wire = Wire::open(&server).await.unwrap();
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {authorization}\r\n\
                 Content-Type: application/json\r\n{size}\r\n\r\n"
            );
            // More of the body never comes.
            wire.say(head + "2\r\n[[\r\n").await.unwrap();
            in_time(&format!("{method} {path}"), wire.answer()).await.unwrap().expect_api_error(403, "auth.forbidden");
        }
    }
});

both!(a_narrow_scope_does_not_widen_itself, async |server: TestServer| {
    let management = server.management().await;
    let all = management_scopes(&server, &management, &["all"]).await.remove(0);
    let roles = management.get("/api/roles").await.expect(200).body;
    let access = find(&roles, "name", "Management API access")["id"].as_str().unwrap().to_owned();
    let plain = role(&management, "plain", "MachineToMachine", &[]).await;
    let actor = narrow(&server, &management, &["roles:write", "applications:write"]).await;
    let own = actor.post("/api/applications", json!({ "name": "own", "type": "MachineToMachine" })).await.expect(200);
    let own = own.text("id");
    let owner = &server.machine().client_id;

    let body = json!({ "name": "mine", "description": "d", "type": "MachineToMachine", "scopeIds": [all] });
    actor.post("/api/roles", body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "scopeIds": [all] });
    actor.post(&format!("/api/roles/{plain}/scopes"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "applicationIds": [own] });
    actor.post(&format!("/api/roles/{access}/applications"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "roleIds": [access] });
    actor.post(&format!("/api/applications/{own}/roles"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "roleIds": [plain, access] });
    actor.put(&format!("/api/applications/{own}/roles"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "name": "another key" });
    actor.post(&format!("/api/applications/{owner}/secrets"), body).await.expect_api_error(403, "auth.forbidden");
    let key = format!("/api/applications/{owner}/secrets/Default%20secret");
    actor.patch(&key, json!({ "expiresAt": null })).await.expect_api_error(403, "auth.forbidden");
    for (id, is_admin) in [(own.as_str(), true), (owner, false)] {
        let body = json!({ "isAdmin": is_admin });
        actor.patch(&format!("/api/applications/{id}"), body).await.expect_api_error(403, "auth.forbidden");
    }

    // Nothing of it happened, and what opens nothing is theirs to give.
    let roles = management.get("/api/roles").await.expect(200).body;
    assert!(roles.as_array().unwrap().iter().all(|role| role["name"] != "mine"));
    assert_eq!(management.get(&format!("/api/applications/{own}")).await.expect(200)["isAdmin"], false);
    assert_eq!(management.get(&format!("/api/applications/{owner}")).await.expect(200)["isAdmin"], true);
    actor.post(&format!("/api/applications/{own}/roles"), json!({ "roleIds": [plain] })).await.expect(201);
    assert_eq!(management.get(&format!("/api/applications/{own}/roles")).await.expect(200).body[0]["id"], plain);
    actor.post(&format!("/api/applications/{own}/secrets"), json!({ "name": "own key" })).await.expect(201);
    // What somebody may not give they may leave as it is.
    actor.patch(&format!("/api/applications/{own}"), json!({ "isAdmin": false })).await.expect(200);
    actor.put(&format!("/api/applications/{owner}/roles"), json!({ "roleIds": [plain, access] })).await.expect(200);
});

both!(rights_end_with_the_role_that_gave_them, async |server: TestServer| {
    let management = server.management().await;
    let actor = narrow(&server, &management, &["users:read"]).await;
    actor.get("/api/users").await.expect(200);
    let roles = management.get("/api/roles").await.expect(200).body;
    let role_id = find(&roles, "name", "users:read")["id"].as_str().unwrap();
    let applications = management.get("/api/applications").await.expect(200).body;
    let client_id = find(&applications, "name", "users:read")["id"].as_str().unwrap();
    let path = format!("/api/applications/{client_id}/secrets");
    let secret = management.post(&path, json!({ "name": "later" })).await.expect(201).text("value");
    let ask = crate::fixtures::credentials(&server, client_id, &secret).with("scope", "users:read");
    assert_eq!(ask.send().await.expect(200)["scope"], "users:read");

    management.delete(&format!("/api/roles/{role_id}")).await.expect(204);
    assert_eq!(ask.send().await.expect(200)["scope"], "");
    let token = ask.send().await.expect(200).text("access_token");
    server.bearer(&token).get("/api/users").await.expect_api_error(403, "auth.forbidden");

    management.delete(&format!("/api/applications/{client_id}")).await.expect(204);
    actor.get("/api/users").await.expect_api_error(401, "auth.unauthorized");
    ask.send().await.expect_oauth_error(401, "invalid_client");
});

both!(what_cannot_be_an_id_is_not_found, async |server: TestServer| {
    let management = server.management().await;
    let long = "a".repeat(129);
    for id in [NOBODY, "%00", "a%00b", "%FF", "..%2F", "%F0%9F%92%A9", &long] {
        for family in [
            "users",
            "roles",
            "resources",
            "applications",
            "organizations",
            "organization-roles",
            "organization-scopes",
            "organization-invitations",
        ] {
            let answer = management.get(&format!("/api/{family}/{id}")).await;
            assert_eq!(answer.status, 404, "{family} {id}: {:#}", answer.body);
            assert!(answer.text("code").starts_with("entity."), "{:#}", answer.body);
        }
    }
    management.get("/api/unknown").await.expect_api_error(404, "request.unknown_route");
});
