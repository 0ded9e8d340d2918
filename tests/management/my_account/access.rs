//! Whose token opens the Account API: the opaque one of a user, with `openid`, from a sign-in; and who changes something.

use super::{ALL, PASSWORD, by, casey, settings, with};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{TestServer, both, seed};
use reqwest::Method;
use serde_json::{Value, json};

/// Every route of the API with a body that would do.
fn writes() -> Vec<(Method, &'static str, Value)> {
    vec![
        (Method::PATCH, "/api/my-account", json!({ "name": "C" })),
        (Method::DELETE, "/api/my-account", Value::Null),
        (Method::PATCH, "/api/my-account/profile", json!({ "nickname": "C" })),
        (Method::POST, "/api/my-account/user-assets/avatar", json!({})),
        (Method::POST, "/api/my-account/password", json!({ "password": "another-kettle-42" })),
        (Method::DELETE, "/api/my-account/primary-email", Value::Null),
        (Method::POST, "/api/my-account/primary-phone", json!({})),
        (Method::DELETE, "/api/my-account/identities/github", Value::Null),
        (Method::POST, "/api/my-account/mfa-verifications", json!({ "type": "BackupCode", "codes": [] })),
        (Method::DELETE, "/api/my-account/mfa-verifications/f1", Value::Null),
        (Method::PATCH, "/api/my-account/mfa-settings", json!({ "skipMfaOnSignIn": true })),
        (Method::DELETE, "/api/my-account/sessions/s1", Value::Null),
        (Method::DELETE, "/api/my-account/grants/g1", Value::Null),
        (Method::DELETE, "/api/my-account/impersonations/i1", Value::Null),
        (Method::GET, "/api/my-account/export", Value::Null),
        (Method::POST, "/api/verifications/password", json!({ "password": PASSWORD })),
        (Method::POST, "/api/verifications/verification-code", json!({})),
    ]
}

const READS: [&str; 6] = ["", "/mfa-verifications", "/mfa-settings", "/sessions", "/grants", "/impersonations"];

both!(the_api_is_off_until_it_is_enabled, async |server: TestServer| {
    let id = server.demo().customer_user_id.clone();
    let casey = with(&server, &id, ALL).await;
    for path in READS {
        let answer = casey.actor.get(&format!("/api/my-account{path}")).await;
        answer.expect_api_error(400, "account_center.not_enabled");
    }
    for (method, path, body) in writes() {
        casey.actor.send(method, path, body).await.expect_api_error(400, "account_center.not_enabled");
    }
    settings(&server, json!({ "enabled": true })).await;
    casey.actor.get("/api/my-account").await.expect(200);
});

both!(tokens_of_others_than_people_who_signed_in_open_nothing, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let demo = server.demo();
    let exchanged = server.exchange(&server.customer_token().await).access_token().await;
    let machine = server.management_token().await;
    let jwt = server.mint_for(&casey.id, &demo.web_client_id, "resource:read", Some(&demo.resource)).await;
    let without_openid = server.mint(&casey.id, &demo.web_client_id, "profile email").await;
    let mut all: Vec<(Method, String, Value)> =
        READS.iter().map(|path| (Method::GET, format!("/api/my-account{path}"), Value::Null)).collect();
    all.extend(writes().into_iter().map(|(method, path, body)| (method, path.to_owned(), body)));
    for (method, path, body) in all {
        for (token, status, code) in [
            (&exchanged, 403, "auth.forbidden"),
            (&machine, 401, "auth.unauthorized"),
            (&jwt, 401, "auth.unauthorized"),
            (&without_openid, 403, "auth.forbidden"),
            (&"nonsense".to_owned(), 401, "auth.unauthorized"),
        ] {
            let answer = server.bearer(token).send(method.clone(), &path, body.clone()).await;
            answer.expect_api_error(status, code);
        }
        let anonymous = server.anonymous().send(method, &path, body).await;
        anonymous.expect_api_error(401, "auth.authorization_header_missing");
    }
});

both!(applications_of_others_change_nothing, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let mut application = seed::new_application(ApplicationType::Spa);
    application.is_third_party = true;
    let client_id = server.add(application).await.0;
    let third = by(&server, &casey.id, &client_id, ALL).await;
    third.actor.get("/api/my-account").await.expect(200);
    let before = casey.shown().await;
    for (method, path, body) in writes() {
        let answer = third.actor.send(method, path, body).await;
        answer.expect_api_error(403, "auth.third_party_application_forbidden");
    }
    assert_eq!(casey.shown().await, before);
});

both!(who_administers_changes_nothing_by_a_token, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let management = server.management().await;
    let body = json!({ "name": "support", "description": "d", "type": "User" });
    let role = management.post("/api/roles", body).await.expect(200).text("id");
    let mut tx = server.begin().await;
    tx.sql("UPDATE roles SET name = '#internal:support' WHERE id = $1").bind(&role).execute().await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("/api/users/{}/roles", casey.id);
    management.post(&path, json!({ "roleIds": [role] })).await.expect(201);
    casey.shown().await;
    let body = json!({ "password": PASSWORD });
    casey.actor.post("/api/verifications/password", body).await.expect_api_error(403, "auth.forbidden");
    casey.actor.patch("/api/my-account", json!({ "name": "C" })).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "password": "another-kettle-42" });
    casey.actor.post("/api/my-account/password", body).await.expect_api_error(403, "auth.forbidden");
});

both!(who_is_suspended_meanwhile_is_out, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let record = casey.prove().await;
    let path = format!("/api/users/{}/is-suspended", casey.id);
    let management = server.management().await;
    management.patch(&path, json!({ "isSuspended": true })).await.expect(200);
    casey.actor.get("/api/my-account").await.expect_api_error(401, "auth.unauthorized");
    management.patch(&path, json!({ "isSuspended": false })).await.expect(200);
    // What was proved before holds no more.
    let answer = casey.send(&record, Method::DELETE, "/primary-email", Value::Null).await;
    answer.expect_api_error(401, "verification_record.permission_denied");
});

both!(browsers_of_registered_origins_may_ask, async |server: TestServer| {
    let mut application = seed::new_application(ApplicationType::Spa);
    application.oidc_client_metadata.redirect_uris = vec!["https://shop.example.com/cb".to_owned()];
    server.add(application).await;
    for (origin, is_allowed) in [("https://shop.example.com", true), ("https://evil.example.com", false)] {
        let request = server.http.request(Method::OPTIONS, server.url("/api/my-account/primary-email"));
        let request = request.header("origin", origin).header("access-control-request-method", "DELETE");
        let request = request.header("access-control-request-headers", "authorization, logto-verification-id");
        let answer = claimsmith_test_support::Answer::of(request).await;
        assert_eq!(answer.header("access-control-allow-origin").is_some(), is_allowed, "{origin}");
        if is_allowed {
            let methods = answer.header("access-control-allow-methods").unwrap();
            assert!(methods.contains("DELETE") && methods.contains("PATCH"), "{methods}");
            let headers = answer.header("access-control-allow-headers").unwrap();
            assert!(headers.contains("logto-verification-id"), "{headers}");
        }
        assert!(answer.header("access-control-allow-credentials").is_none());
    }
});
