//! Overload: where no connection or no lock is free in time, every family of routes answers 503 with `Retry-After`, in
//! its own format.

use crate::fixtures::hold_all;
use claimsmith::storage::Dialect;
use claimsmith_test_support::{Answer, Home, TestServer, both};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Asserts 503 and when to try again.
fn expect_overload(answer: &Answer, what: &str) {
    assert_eq!(answer.status, 503, "{what}: {:#}", answer.body);
    assert_eq!(answer.header("retry-after"), Some("1"), "{what}");
    assert!(!answer.body.to_string().to_lowercase().contains("sql"), "{what}: {:#}", answer.body);
}

both!(an_exhausted_pool_is_503_in_every_family, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "4")]).await.unwrap();
    let management = server.management().await;
    let person = server.mint(&server.demo().customer_user_id, &server.demo().spa_client_id, "openid").await;
    management.get("/api/roles").await.expect(200);
    // On SQLite, writers have a connection of their own.
    let writer = match server.app.db.dialect() {
        Dialect::Sqlite => Some(server.begin().await),
        Dialect::Postgres => None,
    };
    let held = (writer, hold_all(&server, Duration::from_secs(1)).await);
    let ask = |path: &str| Answer::of(server.http.get(server.url(path)));
    let form = |path: &str, form: &[(&str, &str)]| {
        Answer::of(server.http.post(server.url(path)).basic_auth("nobody", Some("nothing")).form(form))
    };
    let introspection = form("/oidc/token/introspection", &[("token", "x")]);
    let account = server.bearer(&person);
    let start = server.http.put(server.url("/api/experience")).header("cookie", "claimsmith-interaction=x");
    let start = start.json(&json!({ "interactionEvent": "SignIn" }));
    let page = server.http.get(server.url("/signed-out")).header("accept", "text/html");
    let console = server.http.get(server.url("/console/users")).header("cookie", "claimsmith-console=x");
    let authorization = server.http.get(server.url("/oidc/auth?client_id=nobody")).header("accept", "text/html");
    let (read, keys, userinfo, introspected, own, experience, page, console, authorization) = tokio::join!(
        management.get("/api/roles"),
        ask("/oidc/jwks"),
        account.get("/oidc/me"),
        introspection,
        account.get("/api/my-account"),
        Answer::of(start),
        Answer::of(page),
        Answer::of(console),
        Answer::of(authorization),
    );
    for (what, answer) in [
        ("management", &read),
        ("keys", &keys),
        ("userinfo", &userinfo),
        ("introspection", &introspected),
        ("account", &own),
        ("experience", &experience),
        ("page", &page),
        ("console", &console),
        ("authorization", &authorization),
    ] {
        expect_overload(answer, what);
    }
    read.expect_api_error(503, "server.overloaded");
    own.expect_api_error(503, "server.overloaded");
    experience.expect_api_error(503, "server.overloaded");
    for answer in [&keys, &userinfo, &introspected] {
        answer.expect_oauth_error(503, "temporarily_unavailable");
    }
    for answer in [&page, &console, &authorization] {
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    }
    drop(held);
    management.get("/api/roles").await.expect(200);
});

both!(a_lock_that_is_not_free_is_503, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let management = server.management().await;
    let db = home.db().await;
    if db.dialect() == Dialect::Postgres {
        // A row that another transaction holds is waited for until the timeout of statements, which is tested with
        // searches; two that wait for each other are told at once.
        db.close().await;
        return;
    }
    let held = db.begin().await.unwrap();
    let body = json!({ "name": "clerk", "description": "-" });
    let refused = management.post("/api/roles", body.clone()).await;
    expect_overload(&refused, "a change");
    refused.expect_api_error(503, "server.overloaded");
    let token = server.client_credentials().send().await;
    expect_overload(&token, "a token");
    token.expect_oauth_error(503, "temporarily_unavailable");
    drop(held);
    management.post("/api/roles", body).await.expect(200);
    db.close().await;
});
