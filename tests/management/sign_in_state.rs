//! `GET /api/users/{userId}/sign-in-state`: whether somebody can sign in, and if not, why.

use crate::fixtures::narrow;
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{Actor, Answer, Browser, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};

async fn state(actor: &Actor, id: &str) -> Value {
    actor.get(&format!("/api/users/{id}/sign-in-state")).await.expect(200).body
}

async fn create(management: &Actor, user: Value) -> String {
    management.post("/api/users", user).await.expect(200).text("id")
}

both!(obstacles_are_told_apart, async |server: TestServer| {
    let management = server.management().await;
    let ada = create(&management, json!({ "username": "ada", "password": "violet-kettle-42" })).await;
    let free = state(&management, &ada).await;
    let expected = json!({ "canSignIn": true, "obstacles": [], "administers": false, "lastRefusal": null });
    assert_eq!(free, expected);

    // Suspended.
    management.patch(&format!("/api/users/{ada}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    assert_eq!(state(&management, &ada).await["obstacles"][0]["reason"], "suspended");
    management.patch(&format!("/api/users/{ada}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);

    // Without any way.
    let bare = create(&management, json!({ "username": "bare" })).await;
    let found = state(&management, &bare).await;
    assert_eq!((&found["canSignIn"], &found["obstacles"][0]["reason"]), (&json!(false), &json!("noWay")));
    assert_eq!(found["obstacles"][0]["missing"], json!(["password"]));
    management.get("/api/users/nobody/sign-in-state").await.expect(404);
});

both!(a_lock_out_is_told_with_its_end_and_ends_by_unlocking, async |server: TestServer| {
    let management = server.management().await;
    let ada = server.operator("ada", &[Admin]).await;
    let casey = server.operator("casey", &[]).await;
    for _ in 0..10 {
        for name in ["ada", "casey"] {
            // At most the attempt that is too many is refused otherwise.
            Browser::new(&server).sign_in_at("/console", name, "wrong").await;
        }
    }
    for (id, name, administers) in [(&ada, "ada", true), (&casey, "casey", false)] {
        let found = state(&management, id).await;
        let lock = &found["obstacles"][0];
        assert_eq!((&found["canSignIn"], &found["administers"]), (&json!(false), &json!(administers)), "{found}");
        assert_eq!(
            (&lock["reason"], &lock["identifier"], &lock["failures"]),
            (&json!("locked"), &json!(name), &json!(10))
        );
        assert_eq!(lock["until"].as_i64().unwrap(), server.clock.now_ms() + 3_600_000);
    }
    let body = json!({ "targetType": "User", "targets": ["casey"] });
    management.post("/api/sentinel-activities/delete", body).await.expect(204);
    assert_eq!(state(&management, &casey).await["canSignIn"], true);
    assert_eq!(state(&management, &ada).await["canSignIn"], false);
});

both!(the_refusal_of_a_plugin_is_told_to_who_reads_the_log, async |server: TestServer| {
    let management = server.management().await;
    let source = "export const getCustomJwtClaims = async ({ api }) => api.denyAccess(\"Not today.\");";
    let upload = management.request(Method::PUT, "/api/plugins/denies").header("content-type", "text/javascript");
    Answer::of(upload.body(source)).await.expect(201);
    server.exchange(&server.customer_token().await).send().await.expect(400);
    let customer = &server.demo().customer_user_id;
    let found = until("the refusal's entry", async || {
        Some(state(&management, customer).await["lastRefusal"].clone()).filter(|found| !found.is_null())
    });
    let found = found.await;
    assert_eq!(
        (&found["plugin"], &found["version"], &found["error"]),
        (&json!("denies"), &json!("1"), &json!("Not today."))
    );
    let entry = management.get(&format!("/api/logs/{}", found["logId"].as_str().unwrap())).await.expect(200);
    assert_eq!(entry["payload"]["requestId"], found["requestId"]);

    let narrow_reader = narrow(&server, &management, &["users:read"]).await;
    assert_eq!(state(&narrow_reader, customer).await["lastRefusal"], Value::Null);

    // Once a token is issued, it is over.
    management.patch("/api/plugins/denies", json!({ "enabled": false })).await.expect(200);
    server.clock.advance(std::time::Duration::from_millis(5));
    server.exchange(&server.customer_token().await).send().await.expect(200);
    assert_eq!(state(&management, customer).await["lastRefusal"], Value::Null);
});
