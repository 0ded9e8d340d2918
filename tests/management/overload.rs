//! Overload: where no connection or no lock is free in time, every family of routes answers 503 with `Retry-After`, in
//! its own format.

use crate::fixtures::hold_all;
use claimsmith_storage::Dialect;
use claimsmith_test_support::{Answer, Home, Kind, TestServer, both, on_postgres, tell};
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

/// On SQLite every change needs the lock of the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_another_process_writes_to_is_503_on_sqlite() {
    tell(Kind::Sqlite, async |home: Arc<Home>| {
        let server = TestServer::start(&home, &[]).await.unwrap();
        let management = server.management().await;
        let db = home.db().await;
        let mut held = db.begin().await.unwrap();
        // The lock comes with the first statement.
        held.sql("DELETE FROM roles WHERE id = 'none'").execute().await.unwrap();
        let body = json!({ "name": "clerk", "description": "-" });
        let refused = management.post("/api/roles", body.clone()).await;
        expect_overload(&refused, "a change");
        refused.expect_api_error(503, "server.overloaded");
        let token = server.client_credentials().send().await;
        expect_overload(&token, "a token");
        token.expect_oauth_error(503, "temporarily_unavailable");
        drop(held);
        management.post("/api/roles", body).await.expect(200);
        server.client_credentials().send().await.expect(200);
        db.close().await;
    })
    .await;
}

/// Holds a user and the roles locked by a second connection, requests a change of each and a token of the user, and
/// requests the same after the locks are released.
async fn ask_for_locked_rows(home: &Arc<Home>, changes: &[(&str, &str)]) {
    let server = TestServer::start(home, changes).await.unwrap();
    let management = server.management().await;
    let user_id = server.demo().customer_user_id.clone();
    let role = json!({ "name": "clerk", "description": "-" });
    let role_id = management.post("/api/roles", role).await.expect(200).text("id");
    let (user_path, role_path) = (format!("/api/users/{user_id}"), format!("/api/roles/{role_id}"));
    let (name, description) = (json!({ "name": "Renamed" }), json!({ "description": "Changed" }));
    let subject_token = server.customer_token().await;
    let db = home.db().await;

    let mut held = db.begin().await.unwrap();
    held.sql("SELECT id FROM users WHERE id = $1 FOR UPDATE").bind(&user_id).execute().await.unwrap();
    held.sql("LOCK TABLE roles IN SHARE MODE").execute().await.unwrap();
    let exchange = server.exchange(&subject_token);
    let (user, role, token) = tokio::join!(
        management.patch(&user_path, name.clone()),
        management.patch(&role_path, description.clone()),
        exchange.send(),
    );
    expect_overload(&user, "a user");
    expect_overload(&role, "a role");
    expect_overload(&token, "a token");
    user.expect_api_error(503, "server.overloaded");
    role.expect_api_error(503, "server.overloaded");
    token.expect_oauth_error(503, "temporarily_unavailable");
    // Readers do not wait for it, on whichever connection: none is left within a transaction that has failed.
    let reads: Vec<_> = (0..24).map(|_| management.get(&role_path)).collect();
    for read in futures_util::future::join_all(reads).await {
        read.expect(200);
    }
    assert_ne!(management.get(&user_path).await.expect(200)["name"], "Renamed");
    assert_eq!(management.get(&role_path).await.expect(200)["description"], "-");
    drop(held);

    assert_eq!(management.patch(&user_path, name).await.expect(200)["name"], "Renamed");
    assert_eq!(management.patch(&role_path, description).await.expect(200)["description"], "Changed");
    // The refused exchange has not consumed the subject token.
    server.exchange(&subject_token).send().await.expect(200);
    db.close().await;
}

on_postgres!(a_row_that_is_not_free_within_the_lock_timeout_is_503, async |home: Arc<Home>| {
    let url = &home.environment(&[])["CLAIMSMITH_DATABASE_URL"];
    let separator = if url.contains('?') { '&' } else { '?' };
    let url = format!("{url}{separator}options[lock_timeout]=500ms");
    ask_for_locked_rows(&home, &[("CLAIMSMITH_DATABASE_URL", &url)]).await;
});

// Takes a minute: the timeout of a statement is 30 seconds, which no setting changes, and the exchange tries twice.
on_postgres!(a_row_that_is_not_free_within_the_statement_timeout_is_503, async |home: Arc<Home>| {
    ask_for_locked_rows(&home, &[("CLAIMSMITH_REQUEST_TIMEOUT", "300")]).await;
});
