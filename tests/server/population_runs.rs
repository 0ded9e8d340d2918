//! A run over all users outlives the process: after `kill -9` it continues where it was, and no user counts twice.

use crate::BINARY;
use claimsmith_test_support::{Actor, Answer, Home, Process, TOKEN_EXCHANGE, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const RUNS: &str = "/api/plugins/plan/population-runs";
/// Takes so long that the run is far from its end when the server is killed.
const SLOW: &str = "export const getCustomJwtClaims = () => {
  const end = Date.now() + 150;
  while (Date.now() < end);
  return { plan: 'new' };
};";

async fn upload(management: &Actor, query: &str, source: &'static str) {
    let request = management.request(Method::PUT, &format!("/api/plugins/plan{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

async fn run(server: &Process, id: &str) -> Value {
    server.management().await.get(&format!("{RUNS}/{id}")).await.expect(200).body
}

both!(a_run_continues_after_a_kill, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
    let management = server.management().await;
    upload(&management, "", "export const getCustomJwtClaims = () => ({ plan: 'old' });").await;
    upload(&management, "?activate=false", SLOW).await;
    for number in 0..60 {
        management.post("/api/users", json!({ "username": format!("user{number}") })).await.expect(200);
    }
    let demo = server.demo();
    let body = json!({
        "version": "2", "application": demo.spa_client_id, "grantType": TOKEN_EXCHANGE, "resource": demo.resource
    });
    let id = management.post(RUNS, body).await.expect(201).text("id");
    let before = until("some progress", async || {
        let run = run(&server, &id).await;
        (run["compared"].as_i64() > Some(0)).then_some(run)
    })
    .await;
    assert_eq!(before["state"], "running", "{before}");
    server.kill().await;

    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let kept = run(&server, &id).await["compared"].as_i64();
    assert!(kept >= before["compared"].as_i64(), "what was committed is there: {kept:?}, {before}");
    // The lease of the killed process lasts for some seconds where others may share the database.
    let after = until("the end of the run", async || {
        let run = run(&server, &id).await;
        (run["state"] != "running").then_some(run)
    })
    .await;
    let (users, compared) = (after["users"].as_i64().unwrap(), after["compared"].as_i64().unwrap());
    assert_eq!((&after["state"], compared + after["skipped"].as_i64().unwrap()), (&json!("complete"), users));
    let counted: i64 =
        after["results"]["classes"].as_array().unwrap().iter().filter_map(|row| row["count"].as_i64()).sum();
    assert_eq!((counted, after["differences"].as_i64()), (compared, Some(compared)), "{after}");

    let management = server.management().await;
    let (mut numbers, mut last) = (BTreeSet::new(), 0);
    loop {
        let path = format!("{RUNS}/{id}/differences?page_size=100&after={last}");
        let text = management.request(Method::GET, &path).send().await.unwrap().text().await.unwrap();
        let page: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let Some(end) = page.last() else { break };
        last = end["number"].as_i64().unwrap();
        assert!(page.iter().all(|one| numbers.insert(one["number"].as_i64())), "no number comes twice");
    }
    assert_eq!(i64::try_from(numbers.len()), Ok(compared));
});
