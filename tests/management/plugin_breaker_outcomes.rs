//! Which calls open a circuit breaker: those that fail, in whatever way; a denial is an answer.

use crate::fixtures::{credentials, machine, upload};
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use serde_json::json;

const PLUGIN: &str = "/api/plugins/boom";

/// Uploads and activates a version that does this in every call.
async fn deploy(management: &Actor, does: &str, limit: &str) {
    let source = format!("export const getCustomJwtClaims = ({{ api }}) => {{ {does} }};");
    let settings = format!("[limits]\n{limit}\n[breaker]\nfailures = 3\n");
    upload(management, PLUGIN, &source, &[("manifest", &settings)]).await.expect(201);
}

/// Requests a token of an application.
async fn ask(server: &TestServer, (id, secret): &(String, String)) -> Answer {
    let form = credentials(server, id, secret).with("resource", &server.demo().resource);
    form.without("scope").send().await
}

/// The plugin, once what was counted is written and read.
async fn boom(server: &TestServer) -> Answer {
    server.app.breakers.catch_up().await.unwrap();
    server.management().await.get(PLUGIN).await.expect(200)
}

both!(every_kind_of_failure_opens_a_breaker_and_no_denial_does, async |server: TestServer| {
    let management = server.management().await;
    let one = machine(&management, "one").await;
    for (does, limit, outcome) in [
        ("throw new Error('it broke');", "", "failed"),
        ("return 'no object';", "", "bad_output"),
        ("return { long: 'x'.repeat(2049) };", "output_kib = 2", "bad_output"),
        ("return new Promise(() => {});", "", "trapped"),
        ("const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1));", "memory_mib = 16", "out_of_memory"),
        ("for (;;) {}", "deadline_ms = 100", "timed_out"),
    ] {
        deploy(&management, does, limit).await;
        for _ in 0..3 {
            assert_eq!(boom(&server).await["breaker"]["state"], "closed", "{does}");
            ask(&server, &one).await.expect(500);
        }
        let shown = boom(&server).await;
        let breaker = &shown["breaker"];
        assert_eq!((&breaker["state"], &breaker["outcome"]), (&json!("open"), &json!(outcome)), "{does}: {breaker}");
        ask(&server, &one).await.expect(500);
        assert_eq!(
            boom(&server).await["statistics"]["calls"],
            shown["statistics"]["calls"],
            "it is not called: {does}"
        );
    }

    deploy(&management, "api.denyAccess('not now');", "").await;
    let before = boom(&server).await["statistics"]["calls"].as_u64().unwrap();
    for _ in 0..6 {
        ask(&server, &one).await.expect_oauth_error(400, "access_denied");
    }
    let shown = boom(&server).await;
    assert_eq!((&shown["breaker"]["state"], &shown["statistics"]["calls"]), (&json!("closed"), &json!(before + 6)));
});
