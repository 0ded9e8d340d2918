//! An open circuit breaker outlives the process: after `kill -9` the plugin is still not called.

use crate::BINARY;
use claimsmith_test_support::{Answer, Home, Process, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

const FAILS: &str = "export const getCustomJwtClaims = async () => { throw new Error('it broke'); };";

/// Asks for a token of an application itself.
async fn ask(server: &Process, (id, secret): &(String, String)) -> u16 {
    let form = server.form("/oidc/token").with("grant_type", "client_credentials");
    form.with("resource", &server.demo().resource).basic(id, secret).send().await.status
}

async fn boom(server: &Process) -> Value {
    server.management().await.get("/api/plugins/boom").await.expect(200).body
}

/// Waits until the breaker is open, or due for a probe.
async fn until_open(server: &Process) -> Value {
    until("the breaker is open", async || {
        let boom = boom(server).await;
        (boom["breaker"]["state"] != "closed").then_some(boom)
    })
    .await
}

both!(a_breaker_stays_open_over_a_kill, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
    let management = server.management().await;
    let upload = management.request(Method::PUT, "/api/plugins/boom").header("content-type", "text/javascript");
    Answer::of(upload.body(FAILS)).await.expect(201);
    management.patch("/api/plugins/boom", json!({ "breaker": { "failures": 3 } })).await.expect(200);
    let body = json!({ "name": "machine", "type": "MachineToMachine" });
    let created = management.post("/api/applications", body).await.expect(200);
    let machine = (created.text("id"), created.text("secret"));
    for _ in 0..3 {
        assert_eq!(ask(&server, &machine).await, 500);
    }
    let before = until_open(&server).await;
    server.kill().await;

    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let after = until_open(&server).await;
    assert_eq!(after["breaker"]["since"], before["breaker"]["since"]);
    assert_eq!(after["breaker"]["onlyFor"], json!([machine.0]));
    assert_eq!(after["statistics"]["calls"], 0);
    // However long the start took: of many calls at most one probes.
    for _ in 0..5 {
        assert_eq!(ask(&server, &machine).await, 500);
    }
    assert!(boom(&server).await["statistics"]["calls"].as_u64().unwrap() <= 1);
    server.management().await.post("/api/plugins/boom/breaker/close", Value::Null).await.expect(200);
    assert_eq!(boom(&server).await["breaker"]["state"], "closed");
});
