//! A rollout outlives the process: after `kill -9` in any state, exactly one version answers for each user, and it is
//! the one that the row says.

use crate::BINARY;
use claimsmith_test_support::{Actor, Answer, Home, Process, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const ROLLOUT: &str = "/api/plugins/stamp/rollout";
const USERS: usize = 6;
/// When the server is killed after the request to promote was sent, in milliseconds: before it is read, while it is
/// worked on, and after its answer.
const KILLED_AFTER: [u64; 7] = [0, 1, 2, 5, 10, 25, 200];

async fn upload(management: &Actor, query: &str, version: &str) {
    let source = format!("export const getCustomJwtClaims = async () => ({{ version: {version:?} }});");
    let request = management.request(Method::PUT, &format!("/api/plugins/stamp{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

/// A server with a plugin whose version 1 is active and says "first", while version 2 is not, and says "second"; and
/// users.
async fn stamp(home: &Home) -> (Process, Vec<String>) {
    let server = Process::start(BINARY, home, &[]).await.unwrap();
    let management = server.management().await;
    upload(&management, "", "first").await;
    upload(&management, "?activate=false", "second").await;
    let mut users = Vec::new();
    for number in 0..USERS {
        let user = json!({ "username": format!("user{number}") });
        users.push(management.post("/api/users", user).await.expect(200).text("id"));
    }
    (server, users)
}

/// The version that answers for each of the users now.
async fn versions(server: &Process, users: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for user in users {
        let subject_token = server.subject_token(user, json!({})).await;
        let token = server.exchange(&subject_token).access_token().await;
        let claims = json!(server.verify(&token, &server.demo().resource).await.claims);
        found.push(claims["version"].as_str().unwrap_or("none").to_owned());
    }
    found
}

/// Waits until these versions answer, since a version in a rollout may be loaded after the server is ready; then no
/// other one does.
async fn until_they_are(server: &Process, users: &[String], expected: &[String]) {
    until("the versions of all users", async || (versions(server, users).await == expected).then_some(())).await;
    assert_eq!(versions(server, users).await, expected);
}

fn all(version: &str) -> Vec<String> {
    vec![version.to_owned(); USERS]
}

async fn rollout(server: &Process) -> Value {
    server.management().await.get(ROLLOUT).await.expect(200).body
}

both!(a_shadow_that_runs_answers_nobody_after_a_kill, async |home: Arc<Home>| {
    let (mut server, users) = stamp(&home).await;
    let shadow = json!({ "version": "2", "mode": "shadow", "share": 100 });
    server.management().await.post(ROLLOUT, shadow).await.expect(201);
    assert_eq!(versions(&server, &users).await, all("first"));
    server.kill().await;

    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    assert_eq!(versions(&server, &users).await, all("first"));
    let shown = rollout(&server).await;
    assert_eq!((&shown["state"], &shown["mode"]), (&json!("running"), &json!("shadow")));
    // It goes on, and has no effect still.
    until("compared answers", async || {
        assert_eq!(versions(&server, &users).await, all("first"));
        (rollout(&server).await["results"]["compared"].as_u64() > Some(0)).then_some(())
    })
    .await;
});

both!(a_paused_canary_answers_nobody_after_a_kill, async |home: Arc<Home>| {
    let (mut server, users) = stamp(&home).await;
    let canary = json!({ "version": "2", "mode": "canary", "share": 50, "users": [users[0]] });
    let management = server.management().await;
    management.post(ROLLOUT, canary).await.expect(201);
    let chosen = versions(&server, &users).await;
    assert_eq!(chosen[0], "second");
    management.patch(ROLLOUT, json!({ "paused": true })).await.expect(200);
    assert_eq!(versions(&server, &users).await, all("first"));
    server.kill().await;

    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    assert_eq!(versions(&server, &users).await, all("first"));
    let shown = rollout(&server).await;
    assert_eq!((&shown["state"], &shown["reason"]), (&json!("paused"), &json!("byHand")));
    server.management().await.patch(ROLLOUT, json!({ "paused": false })).await.expect(200);
    until_they_are(&server, &users, &chosen).await;
});

both!(a_kill_during_promote_leaves_the_rollout_or_the_new_version, async |home: Arc<Home>| {
    let (mut server, users) = stamp(&home).await;
    // The version of one round is the active one of the next.
    let mut candidate = ("2", "second");
    let mut next = ("1", "first");
    for delay in KILLED_AFTER {
        let canary = json!({ "version": candidate.0, "mode": "canary", "share": 50, "users": [users[0]] });
        server.management().await.post(ROLLOUT, canary).await.expect(201);
        let chosen = versions(&server, &users).await;
        let management = server.management().await;
        let promote = management.request(Method::POST, &format!("{ROLLOUT}/promote"));
        let promote = tokio::spawn(async move { Answer::try_of(promote).await.ok().map(|answer| answer.status) });
        tokio::time::sleep(Duration::from_millis(delay)).await;
        server.kill().await;
        let answered = promote.await.unwrap();
        assert!(matches!(answered, None | Some(200)), "{answered:?}");

        server = Process::start(BINARY, &home, &[]).await.unwrap();
        let shown = rollout(&server).await;
        if shown["state"] == "promoted" {
            assert_eq!(versions(&server, &users).await, all(candidate.1), "after {delay} ms: {shown}");
        } else {
            assert_eq!((&shown["state"], answered), (&json!("running"), None), "what was answered is durable: {shown}");
            until_they_are(&server, &users, &chosen).await;
            server.management().await.post(&format!("{ROLLOUT}/promote"), Value::Null).await.expect(200);
        }
        assert_eq!(versions(&server, &users).await, all(candidate.1));
        std::mem::swap(&mut candidate, &mut next);
    }
});
