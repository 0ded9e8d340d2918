//! Circuit breakers of plugins: for whom they open, over all nodes, and how they close.

use crate::fixtures::{self, credentials, machine, user};
use claimsmith_domain::random::Random;
use claimsmith_identity::rollouts;
use claimsmith_services::plugins::{Action, Transform};
use claimsmith_storage::audit;
use claimsmith_test_support::{Actor, Answer, Home, Receiver, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Fails for users whose data say so, and for tokens of applications.
const FAILS_FOR_SOME: &str = "export const getCustomJwtClaims = async ({ context }) => {\n  if (!context.user || \
                              context.user.customData.bad) throw new TypeError('no plan');\n  return { plan: 'gold' };\n};";
const FAILS: &str = "export const getCustomJwtClaims = async () => { throw new Error('it broke'); };";
const HANGS: &str = "export const getCustomJwtClaims = async () => { for (;;) {} };";

async fn upload(management: &Actor, source: &str, breaker: Value) {
    let request = management.request(Method::PUT, "/api/plugins/boom");
    Answer::of(request.header("content-type", "text/javascript").body(source.to_owned())).await.expect(201);
    management.patch("/api/plugins/boom", json!({ "breaker": breaker })).await.expect(200);
}

/// The plugin on this node, with what it has counted written and what all have decided read.
async fn boom(server: &TestServer) -> Answer {
    server.app.breakers.catch_up().await.unwrap();
    server.management().await.get("/api/plugins/boom").await.expect(200)
}

async fn breaker(server: &TestServer) -> Value {
    boom(server).await["breaker"].clone()
}

/// How often the plugin was called on this node.
async fn calls(server: &TestServer) -> u64 {
    boom(server).await["statistics"]["calls"].as_u64().unwrap()
}

/// Asks for a token of this user by the demo's single-page application.
async fn token_of(server: &TestServer, user_id: &str) -> u16 {
    server.exchange(&server.subject_token(user_id, json!({})).await).send().await.status
}

/// Asks for a token of an application itself.
async fn token_by(server: &TestServer, (id, secret): &(String, String)) -> u16 {
    let form = credentials(server, id, secret).with("resource", &server.demo().resource);
    form.without("scope").send().await.status
}

/// The entries of the audit log with this key, newest first.
async fn entries(server: &TestServer, key: &str) -> Vec<Value> {
    let logs = audit::list_by_key(&mut server.begin().await, key, 50).await.unwrap();
    logs.into_iter().map(|log| log.payload.0).collect()
}

both!(the_data_of_one_user_switch_a_plugin_off_for_nobody_else, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, FAILS_FOR_SOME, json!({ "failures": 3 })).await;
    let bad = user(&management, "bad").await;
    let data = format!("/api/users/{bad}/custom-data");
    management.patch(&data, json!({ "customData": { "bad": true } })).await.expect(200);
    let customer = server.demo().customer_user_id.to_string();
    for _ in 0..3 {
        assert_eq!(token_of(&server, &bad).await, 500);
        assert_eq!(token_of(&server, &customer).await, 200);
    }
    let breaker_of_bad = breaker(&server).await;
    assert_eq!((&breaker_of_bad["state"], &breaker_of_bad["users"]), (&json!("open"), &json!(1)), "{breaker_of_bad}");
    assert_eq!((&breaker_of_bad["isForEverybody"], &breaker_of_bad["onlyFor"]), (&json!(false), &json!([])));
    assert_eq!(breaker_of_bad["outcome"], "failed");
    assert!(breaker_of_bad["reason"].as_str().unwrap().starts_with("TypeError: no plan"), "{breaker_of_bad}");
    assert!(!breaker_of_bad.to_string().contains(&bad), "the user is not named");

    // It is not called for that user, and on_error holds; for all others it is.
    let before = calls(&server).await;
    assert_eq!((token_of(&server, &bad).await, token_of(&server, &customer).await), (500, 200));
    assert_eq!(calls(&server).await, before + 1);

    // A probe that fails doubles the delay.
    for (seconds, delay) in [(5, 10_000), (10, 20_000), (20, 40_000)] {
        server.clock.advance(Duration::from_secs(seconds));
        assert_eq!(breaker(&server).await["state"], "half-open");
        let before = calls(&server).await;
        assert_eq!((token_of(&server, &bad).await, token_of(&server, &bad).await), (500, 500));
        assert_eq!(calls(&server).await, before + 1, "one call probes");
        let next = breaker(&server).await["nextProbeAt"].as_i64().unwrap();
        assert_eq!(next - server.clock.now_ms(), delay);
    }

    // One that works closes it.
    management.patch(&data, json!({ "customData": { "bad": false } })).await.expect(200);
    assert_eq!(token_of(&server, &bad).await, 500, "it is not called yet");
    server.clock.advance(Duration::from_secs(40));
    assert_eq!(token_of(&server, &bad).await, 200);
    assert_eq!(breaker(&server).await["state"], "closed");
    assert_eq!(token_of(&server, &bad).await, 200);
    for key in ["Plugin.Breaker.Open", "Plugin.Breaker.Close"] {
        let entries = entries(&server, key).await;
        assert_eq!(entries.len(), 1, "{entries:?}");
        assert_eq!((&entries[0]["plugin"], &entries[0]["scope"]), (&json!("boom"), &json!("user")));
    }
});

both!(the_failures_of_one_application_open_it_for_that_one_only, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, FAILS_FOR_SOME, json!({ "failures": 3 })).await;
    let (one, other) = (machine(&management, "one").await, machine(&management, "other").await);
    for _ in 0..3 {
        assert_eq!(token_by(&server, &one).await, 500);
    }
    let open = breaker(&server).await;
    assert_eq!((&open["state"], &open["isForEverybody"]), (&json!("open"), &json!(false)), "{open}");
    assert_eq!(open["onlyFor"], json!([one.0]));
    let before = calls(&server).await;
    assert_eq!((token_by(&server, &one).await, token_by(&server, &other).await), (500, 500));
    assert_eq!(token_of(&server, &server.demo().customer_user_id).await, 200);
    assert_eq!(calls(&server).await, before + 2, "only the others call it");
});

both!(what_fails_for_many_opens_for_everybody_and_is_closed_by_hand, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, FAILS, json!({ "failures": 22 })).await;
    for number in 0..20 {
        let id = user(&management, &format!("user{number}")).await;
        assert_eq!(token_of(&server, &id).await, 500);
    }
    assert_eq!(breaker(&server).await["state"], "closed");
    let machines = [machine(&management, "one").await, machine(&management, "two").await];
    for machine in &machines {
        assert_eq!(token_by(&server, machine).await, 500);
    }
    let open = breaker(&server).await;
    assert_eq!((&open["state"], &open["isForEverybody"]), (&json!("open"), &json!(true)), "{open}");
    let before = calls(&server).await;
    let third = machine(&management, "three").await;
    assert_eq!(token_by(&server, &third).await, 500);
    assert_eq!(calls(&server).await, before);
    let health = management.get("/api/dashboard/health").await.expect(200);
    let told = health["plugins"]["failing"][0]["breaker"].as_str().unwrap().to_owned();
    assert!(told.starts_with("boom is not called, since it kept failing: Error: it broke"), "{told}");
    let opened = entries(&server, "Plugin.Breaker.Open").await;
    assert_eq!((&opened[0]["scope"], &opened[0]["users"]), (&json!("everybody"), &json!(20)), "{opened:?}");

    // Without a failure policy that refuses, tokens go without its claims.
    management.patch("/api/plugins/boom", json!({ "onError": "skip" })).await.expect(200);
    assert_eq!(token_by(&server, &third).await, 200);
    assert_eq!(calls(&server).await, before);

    let closed = management.post("/api/plugins/boom/breaker/close", Value::Null).await.expect(200);
    assert_eq!(closed["breaker"]["state"], "closed");
    management.post("/api/plugins/boom/breaker/close", Value::Null).await.expect(200);
    management.post("/api/plugins/absent/breaker/close", Value::Null).await.expect(404);
    assert_eq!(entries(&server, "Management.Plugin.CloseBreaker").await.len(), 1, "once");
    token_by(&server, &third).await;
    assert_eq!(calls(&server).await, before + 1);
});

both!(a_version_that_is_activated_again_is_called_at_once, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, FAILS, json!({ "failures": 3 })).await;
    let one = machine(&management, "one").await;
    for _ in 0..3 {
        assert_eq!(token_by(&server, &one).await, 500);
    }
    assert_eq!(breaker(&server).await["state"], "open");
    let works = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
    let request = management.request(Method::PUT, "/api/plugins/boom");
    Answer::of(request.header("content-type", "text/javascript").body(works)).await.expect(201);
    assert_eq!(token_by(&server, &one).await, 200, "another version has a breaker of its own");

    let before = calls(&server).await;
    management.post("/api/plugins/boom/versions/1/activate", Value::Null).await.expect(200);
    assert_eq!(breaker(&server).await["state"], "closed");
    assert_eq!((token_by(&server, &one).await, token_by(&server, &one).await), (500, 500));
    assert_eq!(calls(&server).await, before + 2, "no call of them is a probe");
    assert_eq!(entries(&server, "Management.Plugin.CloseBreaker").await.len(), 1);
});

both!(all_nodes_count_together_and_one_call_probes, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, HANGS, json!({ "failures": 4 })).await;
    management.patch("/api/plugins/boom", json!({ "limits": { "deadlineMs": 100 } })).await.expect(200);
    let other = TestServer::start_at((server.clock.clone(), Random::system()), &server.home, &[]).await.unwrap();
    let one = machine(&management, "one").await;
    for node in [&server, &other, &server, &other] {
        assert_eq!(token_by(node, &one).await, 500);
        breaker(node).await;
    }
    let told = breaker(&server).await;
    assert_eq!((&told["state"], &told["onlyFor"]), (&json!("open"), &json!([one.0])), "{told}");
    assert_eq!(breaker(&other).await, told);
    let before = calls(&server).await + calls(&other).await;
    token_by(&other, &one).await;
    server.clock.advance(Duration::from_secs(5));
    let asked =
        tokio::join!(token_by(&server, &one), token_by(&other, &one), token_by(&server, &one), token_by(&other, &one),);
    assert_eq!(asked, (500, 500, 500, 500));
    assert_eq!(calls(&server).await + calls(&other).await, before + 1, "one call, over all nodes");
    let told = breaker(&server).await;
    assert_eq!(told["outcome"], "timed_out", "{told}");
    assert_eq!(told["nextProbeAt"].as_i64().unwrap() - server.clock.now_ms(), 10_000);
    // A node follows another one by itself.
    management.post("/api/plugins/boom/breaker/close", Value::Null).await.expect(200);
    until("the other node follows", async || {
        let there = other.management().await.get("/api/plugins/boom").await.expect(200);
        (there["breaker"]["state"] == "closed").then_some(())
    })
    .await;
});

both!(a_breaker_can_be_switched_off_and_its_settings_are_checked, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, FAILS, json!({ "enabled": false, "failures": 1 })).await;
    let one = machine(&management, "one").await;
    for _ in 0..3 {
        token_by(&server, &one).await;
    }
    assert_eq!((breaker(&server).await["state"].clone(), calls(&server).await), (json!("closed"), 3));
    for (body, field) in [
        (json!({ "failures": 0 }), "breaker.failures"),
        (json!({ "window": 3601 }), "breaker.window"),
        (json!({ "onOpen": "another version" }), "breaker"),
        (json!({ "probes": 1 }), "breaker"),
    ] {
        let refused = management.patch("/api/plugins/boom", json!({ "breaker": body })).await.expect(400);
        assert!(refused.body.to_string().contains(field), "{}", refused.body);
    }
    // What is left out stays.
    management.patch("/api/plugins/boom", json!({ "breaker": { "enabled": true } })).await.expect(200);
    token_by(&server, &one).await;
    assert_eq!(breaker(&server).await["state"], "open");
});

const TRANSFORM: &str = "export const transformWebhook = async ({ hook, event }) => {
  if (hook.name === 'CRM') throw new Error('no CRM');
  return { body: { ...event, seen: true } };
};";

/// Has a delivery of a hook transformed; the body that is sent.
async fn transformed(server: &TestServer, (hook, name): (&str, &str), delivery: &str) -> Result<Value, &'static str> {
    let delivery = Transform {
        delivery_id: delivery,
        event: "User.Created",
        hook_id: hook,
        hook_name: name,
        hook_url: "https://example.com/in",
        body: json!({}).to_string().into(),
    };
    match server.app.plugins.transform(&delivery).await.map_err(|failure| failure.outcome)?.action {
        Action::Send { body, .. } => Ok(serde_json::from_str(&body).unwrap()),
        Action::Drop { reason, .. } => Ok(json!({ "dropped": reason })),
    }
}

both!(a_transform_that_fails_for_one_webhook_is_called_for_others, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, TRANSFORM, json!({ "failures": 3 })).await;
    let (crm, other) = (("hook-1", "CRM"), ("hook-2", "Other"));
    for _ in 0..4 {
        assert_eq!(transformed(&server, crm, "msg_1").await, Err("failed"), "retries of one delivery");
    }
    assert_eq!(breaker(&server).await["state"], "closed");
    for delivery in ["msg_2", "msg_3"] {
        assert_eq!(transformed(&server, crm, delivery).await, Err("failed"));
    }
    let open = breaker(&server).await;
    assert_eq!((&open["state"], &open["onlyFor"]), (&json!("open"), &json!(["hook-1"])), "{open}");
    let before = calls(&server).await;
    assert_eq!(transformed(&server, crm, "msg_4").await, Err("unavailable"));
    assert_eq!(calls(&server).await, before);
    assert_eq!(transformed(&server, other, "msg_5").await, Ok(json!({ "seen": true })));
    management.patch("/api/plugins/boom", json!({ "onError": "original" })).await.expect(200);
    assert_eq!(transformed(&server, crm, "msg_4").await, Ok(json!({})), "at once");
    assert_eq!(calls(&server).await, before + 1);
});

/// A version with a golden case that its claims are to pass.
async fn deploy(management: &Actor, source: &str, plan: &str) {
    let user = json!({ "id": "u", "customData": {} });
    let expected = json!({ "claims": { "plan": plan } });
    let cases = json!([{ "name": "a user", "input": { "context": { "user": user } }, "expected": expected }]);
    fixtures::upload(management, "/api/plugins/boom", source, &[("cases", &cases.to_string())]).await.expect(201);
}

/// The problem of the previous version, once it is known.
async fn problem(server: &TestServer) -> Value {
    until("the previous version is tested", async || {
        let problem = breaker(server).await["previousVersionProblem"].clone();
        (!problem.as_str().is_some_and(|problem| problem.contains("not checked"))).then_some(problem)
    })
    .await
}

both!(the_previous_version_answers_if_it_passes_the_golden_cases, async |server: TestServer| {
    let management = server.management().await;
    let says = |plan: &str| format!("export const getCustomJwtClaims = async () => ({{ plan: '{plan}' }});");
    deploy(&management, &says("gold"), "gold").await;
    management.patch("/api/plugins/boom", json!({ "breaker": { "onOpen": "previous version" } })).await.expect(200);
    assert_eq!(problem(&server).await, "there is no version before the active one");

    deploy(&management, FAILS_FOR_SOME, "gold").await;
    management.patch("/api/plugins/boom", json!({ "breaker": { "failures": 3 } })).await.expect(200);
    assert_eq!(problem(&server).await, Value::Null);
    let one = machine(&management, "one").await;
    for _ in 0..3 {
        assert_eq!(token_by(&server, &one).await, 500);
    }
    let open = breaker(&server).await;
    assert_eq!((&open["state"], &open["previousVersionAnswers"]), (&json!("open"), &json!(true)), "{open}");
    assert_eq!(token_by(&server, &one).await, 200, "by the version before");

    // One that does not pass the golden cases of the active version does not answer.
    deploy(&management, &says("silver"), "silver").await;
    let told = problem(&server).await;
    assert!(told.as_str().unwrap().contains("does not pass the golden cases"), "{told}");
});

both!(a_version_that_nobody_activated_never_answers_in_place_of_the_active_one, async |server: TestServer| {
    let management = server.management().await;
    let works = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
    // It passes all golden cases, and whoever uploaded it may not have been allowed to activate it.
    let request = management.request(Method::PUT, "/api/plugins/boom?activate=false");
    Answer::of(request.header("content-type", "text/javascript").body(works)).await.expect(201);
    deploy(&management, FAILS_FOR_SOME, "gold").await;
    let breaker = json!({ "breaker": { "failures": 3, "onOpen": "previous version" } });
    management.patch("/api/plugins/boom", breaker).await.expect(200);
    assert_eq!(problem(&server).await, "there is no version before the active one");
    let one = machine(&management, "one").await;
    for _ in 0..4 {
        assert_eq!(token_by(&server, &one).await, 500);
    }
});

both!(a_version_in_a_rollout_that_fails_opens_its_own_breaker_alone, async |server: TestServer| {
    let management = server.management().await;
    let works = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
    upload(&management, works, json!({ "failures": 3 })).await;
    let request = management.request(Method::PUT, "/api/plugins/boom?activate=false");
    let second = Answer::of(request.header("content-type", "text/javascript").body(FAILS)).await.expect(201);
    let chosen = user(&management, "chosen").await;
    let canary = json!({ "version": "2", "mode": "canary", "share": 0, "users": [chosen] });
    management.post("/api/plugins/boom/rollout", canary).await.expect(201);
    for _ in 0..3 {
        assert_eq!(token_of(&server, &chosen).await, 500);
    }
    assert_eq!(breaker(&server).await["state"], "closed", "that of the active version");
    let opened = entries(&server, "Plugin.Breaker.Open").await;
    assert_eq!((opened.len(), &opened[0]["digest"]), (1, &second["version"]["digest"]), "{opened:?}");

    // Nothing answers in its place, and a call that is not made is no failure of the version.
    let before = calls(&server).await;
    assert_eq!(token_of(&server, &chosen).await, 500);
    assert_eq!(calls(&server).await, before);
    assert_eq!(token_of(&server, &server.demo().customer_user_id).await, 200);
    until("the calls of both versions", async || {
        rollouts::write(&server.app).await.unwrap();
        let shown = management.get("/api/plugins/boom/rollout").await.expect(200);
        let of = |version: &str, what: &str| shown["results"][version][what].clone();
        let candidate = ["runs", "failed", "spared"].map(|what| of("candidate", what));
        (candidate == [json!(3), json!(3), json!(1)] && of("active", "runs") == 1).then_some(())
    })
    .await;
    management.post("/api/plugins/boom/rollout/abort", Value::Null).await.expect(200);
    assert_eq!(token_of(&server, &chosen).await, 200);
});

both!(opening_and_closing_are_events_that_are_subscribed_to_by_name, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap();
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let hook =
        json!({ "events": ["Plugin.Breaker.Opened", "Plugin.Breaker.Closed"], "config": { "url": receiver.url() } });
    management.post("/api/hooks", hook).await.expect(201);
    upload(&management, FAILS_FOR_SOME, json!({ "failures": 3 })).await;
    let one = machine(&management, "one").await;
    for _ in 0..3 {
        assert_eq!(token_by(&server, &one).await, 500);
    }
    assert_eq!(breaker(&server).await["state"], "open");
    let opened = receiver.wait(1).await[0].json();
    assert_eq!(opened["event"], "Plugin.Breaker.Opened");
    assert!(opened.to_string().contains(&one.0) && opened.to_string().contains("boom"), "{opened}");
    management.post("/api/plugins/boom/breaker/close", Value::Null).await.expect(200);
    let closed = receiver.wait(2).await[1].json();
    assert_eq!(closed["event"], "Plugin.Breaker.Closed");
    server.stop().await;
});
