//! What is done on a plugin's way to production is in the audit log.

use crate::fixtures::upload;
use claimsmith_identity::rollouts;
use claimsmith_test_support::{TOKEN_EXCHANGE, TestServer, both, until};
use serde_json::{Value, json};
use std::time::Duration;

both!(each_step_to_production_is_in_the_audit_log, async |server: TestServer| {
    let management = server.management().await;
    let says = |version: &str| format!("export const getCustomJwtClaims = () => ({{ says: '{version}' }});");
    upload(&management, "/api/plugins/plan", &says("one"), &[]).await.expect(201);
    upload(&management, "/api/plugins/plan?activate=false", &says("two"), &[]).await.expect(201);
    let of_plan = |path: &str| format!("/api/plugins/plan/{path}");

    let rollout = json!({ "version": "2", "mode": "canary", "share": 0, "expires": server.clock.now_ms() + 60_000 });
    management.post(&of_plan("rollout"), rollout).await.expect(201);
    management.patch(&of_plan("rollout"), json!({ "share": 5 })).await.expect(200);
    // The server itself pauses it when its time is over.
    server.clock.advance(Duration::from_secs(61));
    until("the rollout is paused", async || {
        rollouts::decide(&server.app).await.unwrap();
        (management.get(&of_plan("rollout")).await.expect(200)["state"] == "paused").then_some(())
    })
    .await;
    management.post(&of_plan("rollout/abort"), Value::Null).await.expect(200);

    let id = management.post(&of_plan("recordings"), json!({ "count": 1 })).await.expect(201).text("id");
    management.post(&of_plan(&format!("recordings/{id}/stop")), json!({})).await.expect(200);
    management.delete(&of_plan(&format!("recordings/{id}"))).await.expect(204);

    let demo = server.demo();
    let run = json!({
        "version": "2", "application": demo.spa_client_id, "grantType": TOKEN_EXCHANGE, "resource": demo.resource,
        "sample": 1,
    });
    let id = management.post(&of_plan("population-runs"), run).await.expect(201).text("id");
    management.delete(&of_plan(&format!("population-runs/{id}"))).await.expect(204);

    for key in [
        "Management.Plugin.StartRollout",
        "Management.Plugin.UpdateRollout",
        "Server.Plugin.PauseRollout",
        "Management.Plugin.AbortRollout",
        "Management.Plugin.Record",
        "Management.Plugin.StopRecording",
        "Management.Plugin.DeleteRecording",
        "Management.Plugin.StartPopulationRun",
        "Management.Plugin.DeletePopulationRun",
    ] {
        let logs = management.get(&format!("/api/logs?logKey={key}")).await.expect(200).body;
        assert_eq!(
            (logs.as_array().unwrap().len(), &logs[0]["payload"]["plugin"]),
            (1, &json!("plan")),
            "{key}: {logs}"
        );
    }
});
