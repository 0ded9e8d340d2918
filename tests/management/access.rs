//! Authorization: every operation refuses callers without a token, with a foreign one, and without its scope.

use crate::every_operation::{OPERATIONS, body};
use crate::fixtures::{NOBODY, find, management_scopes, narrow, role};
use crate::openapi::is_public;
use claimsmith_domain::management::{ALL, SCOPES};
use claimsmith_test_support::{Actor, TestServer, Wire, both, in_time};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

async fn call(actor: &Actor, method: &str, path: &str) -> claimsmith_test_support::Answer {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    if method == Method::PUT && path == "/api/plugins/nobody" {
        let request = actor.request(method, path).header(reqwest::header::CONTENT_TYPE, "text/javascript").body("(");
        return claimsmith_test_support::Answer::of(request).await;
    }
    let body = if matches!(method, Method::GET | Method::DELETE) { Value::Null } else { body(path) };
    actor.send(method, path, body).await
}

/// The scopes of the operations of a family, the first part of their paths: of what reads, and of what writes. An
/// operation that only reads may be no GET, and one that writes may concern another family.
const FAMILIES: &[(&str, &[&str], &[&str])] = &[
    ("account-center", &["configs:read"], &["configs:write"]),
    ("administrator-invitations", &["configs:read"], &[ALL]),
    ("applications", &["applications:read"], &["applications:write", "plugins:write", "roles:write"]),
    ("captcha-provider", &["configs:read"], &[ALL]),
    ("configs", &["configs:read", "plugins:read"], &["configs:write", "plugins:write"]),
    ("connector-factories", &["configs:read"], &[]),
    ("connectors", &["configs:read"], &[ALL, "configs:read"]),
    ("custom-phrases", &["configs:read"], &["configs:write"]),
    ("custom-profile-fields", &["configs:read"], &["configs:write"]),
    ("dashboard", &["logs:read"], &[]),
    ("email-templates", &["configs:read"], &[ALL]),
    ("hook-receivers", &["hooks:read"], &["hooks:write"]),
    ("hooks", &["hooks:read"], &["hooks:write"]),
    ("impersonations", &["subject-tokens:read"], &["subject-tokens:write"]),
    ("issuances", &["logs:read"], &[]),
    ("logs", &["logs:read"], &[]),
    ("one-time-tokens", &["users:read"], &["users:write"]),
    ("organization-invitations", &["organizations:read"], &["organizations:write"]),
    ("organization-roles", &["organizations:read"], &["organizations:write"]),
    ("organization-scopes", &["organizations:read"], &["organizations:write"]),
    ("organizations", &["organizations:read"], &["organizations:write"]),
    ("plugin-checks", &[], &["plugins:write"]),
    ("plugin-examples", &["plugins:read"], &[]),
    ("plugins", &["plugins:read", "plugins:recordings"], &["plugins:grant", "plugins:recordings", "plugins:write"]),
    ("resources", &["resources:read"], &["resources:write"]),
    ("roles", &["applications:read", "roles:read", "users:read"], &["roles:write"]),
    ("sentinel-activities", &[], &["users:write"]),
    ("sign-in-exp", &["configs:read"], &[ALL, "configs:read"]),
    ("sso-connector-providers", &["configs:read"], &[]),
    ("sso-connectors", &["configs:read"], &[ALL]),
    ("subject-tokens", &["subject-tokens:read"], &["subject-tokens:write"]),
    ("users", &["users:read"], &["roles:write", "users:write"]),
    ("verification-codes", &[], &["users:write"]),
];

#[test]
fn the_operations_of_a_family_need_its_scopes() {
    let mut found: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for (method, path, scope) in OPERATIONS.iter() {
        let family = path.split('/').nth(2).unwrap();
        found.entry(family).or_default()[usize::from(method != "GET")].insert(scope);
    }
    let set = |scopes: &'static [&'static str]| scopes.iter().copied().collect::<BTreeSet<_>>();
    let expected = FAMILIES.iter().map(|(family, reads, writes)| (*family, [set(reads), set(writes)])).collect();
    assert_eq!(found, expected);
}

both!(every_operation_that_is_described_is_tried, async |server: TestServer| {
    let document = server.get("/api/swagger.json").await.expect(200).body;
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| !is_public(path));
    let described: usize = paths.map(|(_, methods)| methods.as_object().unwrap().len()).sum();
    assert_eq!(OPERATIONS.len(), described);
});

// Clients read the response after they have sent the body, which most refusals leave unread.
both!(a_refusal_reaches_a_client_that_sends_a_large_body, async |server: TestServer| {
    let body = bytes::Bytes::from(vec![b'['; 3 << 20]);
    for (method, path, _) in OPERATIONS.iter() {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = server.anonymous().request(method, path).body(body.clone());
        claimsmith_test_support::Answer::of(request).await.expect_api_error(401, "auth.authorization_header_missing");
    }
    for (method, path) in [
        (Method::PATCH, "/api/my-account"),
        (Method::POST, "/api/my-account/user-assets/avatar"),
        (Method::PUT, "/api/experience"),
        (Method::POST, "/api/experience/submit"),
        (Method::POST, "/oidc/token"),
        (Method::POST, "/oidc/request"),
        (Method::POST, "/console/users"),
        (Method::POST, "/account/picture"),
        (Method::POST, "/sign-in"),
        (Method::POST, "/api/no-such-path"),
        (Method::PUT, "/api/users"),
        (Method::POST, "/no-such-page"),
    ] {
        let request = server.anonymous().request(method, path).body(body.clone());
        let answer = claimsmith_test_support::Answer::of(request).await;
        assert!((300..500).contains(&answer.status), "{path}: {answer:?}");
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
    for (method, path, _) in OPERATIONS.iter() {
        let answer = call(&server.anonymous(), method, path).await;
        answer.expect_api_error(401, "auth.authorization_header_missing");
        // RFC 6750 section 3: without a token there is no error to tell.
        assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"claimsmith\""), "{method} {path}");
        for token in ["nonsense", "a.b.c", &for_the_demo, &of_another_issuer] {
            let answer = call(&server.bearer(token), method, path).await;
            answer.expect_api_error(401, "auth.unauthorized");
            let challenge = "Bearer realm=\"claimsmith\", error=\"invalid_token\"";
            assert_eq!(answer.header("www-authenticate"), Some(challenge), "{method} {path}");
        }
        call(&server.bearer(&impersonation), method, path).await.expect_api_error(403, "auth.forbidden");
    }
    let management = server.management().await;
    management.get("/api/users").await.expect(200);
    server.clock.advance(Duration::from_hours(2));
    for (method, path, _) in OPERATIONS.iter() {
        call(&management, method, path).await.expect_api_error(401, "auth.unauthorized");
    }
    let basic = server.anonymous().request(Method::GET, "/api/users").basic_auth("a", Some("b"));
    let answer = claimsmith_test_support::Answer::of(basic).await;
    answer.expect_api_error(401, "auth.authorization_token_type_not_supported");
    assert_eq!(answer["data"]["supportedTypes"], json!(["Bearer"]));
});

/// Operations that read the data of users as well: no narrow scope opens them alone. The stories of runs over all users open
/// them with both.
const NEEDS_MORE: [(&str, &str); 2] = [
    ("POST", "/api/plugins/nobody/population-runs"),
    ("GET", "/api/plugins/nobody/population-runs/nobody/differences"),
];

both!(each_operation_opens_with_its_narrow_scope_and_no_other, async |server: TestServer| {
    let management = server.management().await;
    let mut actors = Vec::new();
    for (scope, _) in SCOPES.into_iter().filter(|(scope, _)| *scope != ALL) {
        actors.push((narrow(&server, &management, &[scope]).await, scope));
    }
    for (method, path, needed) in OPERATIONS.iter() {
        for (actor, scope) in &actors {
            let answer = call(actor, method, path).await;
            if NEEDS_MORE.iter().any(|(of_more, at)| method == of_more && path == at) {
                answer.expect_api_error(403, "auth.forbidden");
            } else if *scope == needed {
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
    for (method, path, _) in OPERATIONS.iter().filter(|(method, ..)| !matches!(method.as_str(), "GET" | "DELETE")) {
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
    assert_eq!(ask.send().await.expect(200).body.get("scope"), None);
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
