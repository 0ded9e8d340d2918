//! `/api/plugins/{name}/rollout`: a canary answers for its share, a shadow has no effect, rules and persons end a rollout,
//! and nothing else changes the plugin meanwhile.

use crate::fixtures::{credentials, machine, management_scopes, narrow, role};
use claimsmith_identity::rollouts;
use claimsmith_runtime::{Language, Source};
use claimsmith_storage::Json;
use claimsmith_storage::plugins::versions::{self, Version};
use claimsmith_test_support::{Actor, Answer, Home, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const ROLLOUT: &str = "/api/plugins/stamp/rollout";
const DENIES: &str = "export const getCustomJwtClaims = async ({ api }) => api.denyAccess(\"Not now.\");";
const TRANSFORMS: &str = "export const transformWebhook = async () => ({ body: {} });";

/// A plugin that says which version it is.
fn says(version: &str) -> String {
    format!("export const getCustomJwtClaims = async () => ({{ version: {version:?} }});")
}

async fn upload(management: &Actor, name: &str, query: &str, source: &str) -> Answer {
    let request = management.request(Method::PUT, &format!("/api/plugins/{name}{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source.to_owned())).await
}

/// A plugin whose version 1 is active, and version 2 is not.
async fn stamp(management: &Actor, first: &str, second: &str) {
    upload(management, "stamp", "", first).await.expect(201);
    upload(management, "stamp", "?activate=false", second).await.expect(201);
}

/// What a token of the customer says now.
async fn version(server: &TestServer) -> Value {
    let token = server.exchange(&server.customer_token().await).access_token().await;
    server.verify(&token, &server.demo().resource).await.claims["version"].clone()
}

/// Decides until the rollout is in this state: another round may be writing what was counted.
async fn until_it_is(server: &TestServer, management: &Actor, state: &str) -> Value {
    until(&format!("a rollout that is {state}"), async || {
        let found = shown(server, management).await;
        rollouts::decide(&server.app).await.unwrap();
        (found["state"] == state).then_some(found)
    })
    .await
}

/// The rollout, once what this node counted is written.
async fn shown(server: &TestServer, management: &Actor) -> Value {
    rollouts::write(&server.app).await.unwrap();
    management.get(ROLLOUT).await.expect(200).body
}

both!(a_canary_answers_for_its_share_until_it_is_promoted, async |server: TestServer| {
    let management = server.management().await;
    management.get(ROLLOUT).await.expect_api_error(404, "entity.not_exists_with_id");
    stamp(&management, &says("one"), &says("two")).await;
    management.get(ROLLOUT).await.expect_api_error(404, "entity.not_exists_with_id");

    let customer = &server.demo().customer_user_id;
    let listed = json!({ "version": "2", "mode": "canary", "share": 0, "users": [customer] });
    let started = management.post(ROLLOUT, listed).await.expect(201);
    assert_eq!((&started["state"], &started["activeVersion"]), (&json!("running"), &json!("1")));
    assert_eq!(version(&server).await, "two", "a list takes precedence over the share");
    management.patch(ROLLOUT, json!({ "users": [] })).await.expect(200);
    assert_eq!(version(&server).await, "one");
    management.patch(ROLLOUT, json!({ "share": 100 })).await.expect(200);
    assert_eq!(version(&server).await, "two");
    management.patch(ROLLOUT, json!({ "paused": true })).await.expect(200);
    assert_eq!(version(&server).await, "one", "the active version answers everybody");
    let paused = management.get(ROLLOUT).await.expect(200);
    assert_eq!((&paused["state"], &paused["reason"]), (&json!("paused"), &json!("byHand")));
    management.patch(ROLLOUT, json!({ "paused": false })).await.expect(200);
    assert_eq!(version(&server).await, "two");

    // Calls during the pause say nothing.
    until("the counts of its calls", async || {
        let results = shown(&server, &management).await["results"].clone();
        (results["candidate"]["runs"] == 3 && results["active"]["runs"] == 1).then_some(())
    })
    .await;
    let metered = management.get("/api/plugins/stamp").await.expect(200);
    assert_eq!(metered["deployment"]["activeVersion"], "1");

    let promoted = management.post(&format!("{ROLLOUT}/promote"), Value::Null).await.expect(200);
    assert_eq!((&promoted["state"], &promoted["reason"]), (&json!("promoted"), &json!("byHand")));
    assert_eq!(version(&server).await, "two");
    let plugin = management.get("/api/plugins/stamp").await.expect(200);
    assert_eq!(plugin["deployment"]["activeVersion"], "2");
    for (method, path) in [(Method::POST, "/promote"), (Method::POST, "/abort"), (Method::PATCH, "")] {
        let over = management.send(method, &format!("{ROLLOUT}{path}"), json!({})).await;
        over.expect_api_error(409, "plugin.rollout_over");
    }
    // The version that it was before is rolled out once more, and aborted.
    let back = json!({ "version": "1", "mode": "canary", "share": 100 });
    management.post(ROLLOUT, back).await.expect(201);
    assert_eq!(version(&server).await, "one");
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
    assert_eq!(version(&server).await, "two");
    assert_eq!(shown(&server, &management).await["state"], "aborted");
    let log = management.get("/api/logs?logKey=Management.Plugin.PromoteRollout").await.expect(200).body;
    assert_eq!((&log[0]["payload"]["plugin"], &log[0]["payload"]["version"]), (&json!("stamp"), &json!("2")));
});

both!(nothing_else_changes_a_plugin_while_its_rollout_lasts, async |server: TestServer| {
    let management = server.management().await;
    stamp(&management, &says("one"), &says("two")).await;
    let canary = json!({ "version": "2", "mode": "canary", "share": 100 });
    management.post(ROLLOUT, canary.clone()).await.expect(201);
    let grant = json!({ "hosts": ["api.example.com"] });
    for paused in [false, true] {
        management.patch(ROLLOUT, json!({ "paused": paused })).await.expect(200);
        upload(&management, "stamp", "", &says("three")).await.expect_api_error(409, "plugin.rollout_running");
        for (method, path, body) in [
            (Method::POST, "/rollout", canary.clone()),
            (Method::POST, "/versions/2/activate", Value::Null),
            (Method::PATCH, "", json!({ "order": 3 })),
            (Method::PATCH, "", json!({ "enabled": true })),
            (Method::PUT, "/secrets/KEY", json!({ "value": "hunter22" })),
            (Method::PUT, "/grants/http", grant.clone()),
            (Method::DELETE, "/grants/http", Value::Null),
            (Method::PUT, "/grants/cache", json!({ "entries": 10, "kib": 64, "everybody": false })),
            (Method::DELETE, "/grants/cache", Value::Null),
            (Method::DELETE, "/versions/2", Value::Null),
            (Method::DELETE, "", Value::Null),
        ] {
            let refused = management.send(method.clone(), &format!("/api/plugins/stamp{path}"), body).await;
            assert_eq!(refused.text("code"), "plugin.rollout_running", "{method} {path}: {:#}", refused.body);
            refused.expect_api_error(409, "plugin.rollout_running");
        }
    }
    // Breakers are closed, and calls recorded, at any time.
    management.post("/api/plugins/stamp/breaker/close", Value::Null).await.expect(200);
    management.post("/api/plugins/stamp/recordings", json!({ "count": 1 })).await.expect(201);
    // What does not serve may change.
    upload(&management, "stamp", "?activate=false", &says("three")).await.expect(201);
    management.delete("/api/plugins/stamp/versions/3").await.expect(204);

    management.patch("/api/plugins/stamp", json!({ "enabled": false })).await.expect(200);
    let ended = shown(&server, &management).await;
    assert_eq!((&ended["state"], &ended["reason"]), (&json!("aborted"), &json!("disabled")));
    assert_eq!(version(&server).await, Value::Null);
    management.post(ROLLOUT, canary).await.expect_api_error(422, "plugin.rollout_refused");
    management.patch("/api/plugins/stamp", json!({ "enabled": true, "order": 3 })).await.expect(200);
    assert_eq!(version(&server).await, "one");
});

both!(a_rollout_that_cannot_be_is_refused_and_nothing_changes, async |server: TestServer| {
    let management = server.management().await;
    stamp(&management, &says("one"), &says("two")).await;
    let transform = upload(&management, "stamp", "?activate=false", TRANSFORMS).await.expect(201);
    let now = server.clock.now_ms();
    let with = |name: &str, value: Value| {
        let mut body = json!({ "version": "2", "mode": "canary", "share": 5 });
        body[name] = value;
        body
    };
    let day = 24 * 3_600_000;
    for (body, field) in [
        (with("share", json!(101)), "share"),
        (with("share", json!(-1)), "share"),
        (with("share", json!(2.5)), "share"),
        (with("mode", json!("both")), "mode"),
        (with("version", json!(2)), "version"),
        (with("users", json!("ada")), "users"),
        (with("users", json!([""])), "users"),
        (with("expires", json!(now)), "expires"),
        (with("expires", json!(now + 30 * day + 1)), "expires"),
        (with("rules", json!([])), "rules"),
        (with("rules", json!({ "promoteAfter": { "runs": 0, "minutes": 1 } })), "rules.promoteAfter.runs"),
        (with("rules", json!({ "abortOver": { "failed": 101 } })), "rules.abortOver.failed"),
    ] {
        let refused = management.post(ROLLOUT, body.clone()).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.text("details").contains(&format!("\"{field}\"")), "{body}: {:#}", refused.body);
    }
    management.post(ROLLOUT, with("more", json!(1))).await.expect_api_error(400, "guard.invalid_input");
    management.post(ROLLOUT, with("version", json!("1"))).await.expect_api_error(422, "plugin.rollout_refused");
    for unknown in ["9", "two", ""] {
        let body = with("version", json!(unknown));
        management.post(ROLLOUT, body).await.expect_api_error(404, "entity.not_exists_with_id");
    }
    let none = management.post("/api/plugins/none/rollout", with("share", json!(1))).await;
    none.expect_api_error(404, "entity.not_exists_with_id");

    // Of another kind: these settings fit both.
    let refused = management.post(ROLLOUT, with("version", transform["version"]["id"].clone())).await;
    refused.expect_api_error(422, "plugin.rollout_refused");
    assert!(refused.text("message").contains("is of another kind: a webhook transform"), "{:#}", refused.body);

    // One that does not load here, as of an older server.
    let source = Source::new("stamp", Language::JavaScript, "export const getCustomJwtClaims = (".to_owned());
    let broken = Version {
        plugin_name: "stamp".to_owned(),
        id: 40,
        digest: source.digest().to_owned(),
        language: "javascript".to_owned(),
        size: 35,
        facts: Json(json!({ "kind": "claims" })),
        http: None,
        cases: None,
        signer: None,
        created_by: "somebody".to_owned(),
        label: None,
        note: None,
        created_at: now,
    };
    let mut tx = server.begin().await;
    versions::insert(&mut tx, &broken, source.bytes()).await.unwrap();
    tx.commit().await.unwrap();
    management.post(ROLLOUT, with("version", json!("40"))).await.expect_api_error(422, "plugin.refused");

    // A file of the folder: it says how to take over.
    std::fs::write(server.home.plugins_dir().join("file.js"), says("file")).unwrap();
    until("the file in the list", async || (management.get("/api/plugins/file").await.status == 200).then_some(()))
        .await;
    let file = management.post("/api/plugins/file/rollout", with("share", json!(1))).await;
    file.expect_api_error(409, "plugin.name_in_use");
    assert!(file.text("message").contains("takeOver=true"), "{:#}", file.body);

    management.get(ROLLOUT).await.expect_api_error(404, "entity.not_exists_with_id");
    assert_eq!(version(&server).await, "one");
});

both!(a_shadow_has_no_effect_and_its_answers_are_compared, async |server: TestServer| {
    let management = server.management().await;
    let second = "export const getCustomJwtClaims = async ({ context }) => { console.log('in the shadow'); \
                  return { version: context.user.id, extra: 1, at: Math.random() }; };";
    let first = "export const getCustomJwtClaims = async () => ({ version: 'one', at: Math.random() });";
    stamp(&management, first, second).await;
    let shadow = json!({ "version": "2", "mode": "shadow", "share": 100 });
    management.post(ROLLOUT, shadow).await.expect(201);
    let mut calls = 0;
    let found = until("compared answers", async || {
        calls += 1;
        assert_eq!(version(&server).await, "one");
        let found = shown(&server, &management).await;
        (found["results"]["compared"].as_u64()? >= 3).then_some(found)
    })
    .await;
    assert!(found["results"]["active"]["runs"].as_u64().unwrap() <= calls);
    let classes = found["results"]["classes"].as_array().unwrap();
    assert_eq!((classes.len(), &classes[0]["class"]), (1, &json!("different")), "{found:#}");
    let claim = |name: &str| {
        let claims = found["results"]["claims"].as_array().unwrap();
        claims.iter().find(|claim| claim["name"] == name).cloned().unwrap_or_default()
    };
    assert!(
        claim("version")["changed"].as_u64() >= Some(3) && claim("extra")["added"].as_u64() >= Some(3),
        "{found:#}"
    );
    assert!(claim("at")["changed"].as_u64().unwrap_or_default() <= 1, "it differs by itself: {found:#}");

    let samples = management.get(&format!("{ROLLOUT}/samples")).await.expect(200).body;
    let customer = &server.demo().customer_user_id;
    assert!(!samples.as_array().unwrap().is_empty() && !samples.to_string().contains(customer.as_str()), "{samples}");
    assert_eq!(samples[0]["class"], "different");
    let lines = until("the shadow's lines", async || {
        let lines = management.get("/api/plugins/stamp/logs?shadow=true").await.expect(200).body;
        (!lines.as_array()?.is_empty()).then_some(lines)
    })
    .await;
    assert_eq!(lines[0]["message"], "in the shadow");
    let own = management.get("/api/plugins/stamp/logs").await.expect(200).body;
    assert_eq!(own, json!([]), "they are kept apart");

    // With its mode, what was counted changes.
    management.patch(ROLLOUT, json!({ "mode": "canary" })).await.expect(200);
    assert_eq!(shown(&server, &management).await["results"]["compared"], 0);
    assert_eq!(version(&server).await, json!(customer));
});

both!(rules_promote_abort_and_pause, async |server: TestServer| {
    let management = server.management().await;
    stamp(&management, &says("one"), &says("two")).await;
    upload(&management, "stamp", "?activate=false", DENIES).await.expect(201);
    let rules = json!({
        "promoteAfter": { "runs": 2, "minutes": 5 }, "abortOver": { "denied": 1 }, "pauseUnder": { "runs": 1 }
    });
    let rollout = |version: &str| json!({ "version": version, "mode": "canary", "share": 100, "rules": rules });
    management.post(ROLLOUT, rollout("2")).await.expect(201);
    assert_eq!(version(&server).await, "two");
    assert_eq!(version(&server).await, "two");
    until("both runs", async || {
        let found = shown(&server, &management).await;
        rollouts::decide(&server.app).await.unwrap();
        assert_eq!(found["state"], "running", "five minutes are not over");
        (found["results"]["candidate"]["runs"] == 2).then_some(())
    })
    .await;
    server.clock.advance(Duration::from_secs(301));
    let management = server.management().await;
    let promoted = until_it_is(&server, &management, "promoted").await;
    assert_eq!(promoted["reason"], "rules");
    assert_eq!(promoted["endedBy"], Value::Null);
    assert_eq!(version(&server).await, "two");
    let log = management.get("/api/logs?logKey=Server.Plugin.PromoteRollout").await.expect(200).body;
    assert_eq!(log[0]["payload"]["version"], "2");

    management.post(ROLLOUT, rollout("3")).await.expect(201);
    server.exchange(&server.customer_token().await).send().await.expect_oauth_error(400, "access_denied");
    assert_eq!(until_it_is(&server, &management, "aborted").await["reason"], "denied");
    let log = management.get("/api/logs?logKey=Server.Plugin.AbortRollout").await.expect(200).body;
    assert_eq!(log[0]["payload"]["version"], "3");
    assert_eq!(version(&server).await, "two");

    management.post(ROLLOUT, rollout("1")).await.expect(201);
    server.clock.advance(Duration::from_secs(301));
    let management = server.management().await;
    assert_eq!(until_it_is(&server, &management, "paused").await["reason"], "tooLittleTraffic");
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);

    // Without rules, the end of its time alone pauses it, and it needs a new end to go on.
    let expires = server.clock.now_ms() + 60_000;
    let brief = json!({ "version": "1", "mode": "canary", "share": 0, "expires": expires });
    management.post(ROLLOUT, brief).await.expect(201);
    server.clock.advance(Duration::from_secs(61));
    assert_eq!(until_it_is(&server, &management, "paused").await["reason"], "undecidedAtExpiry");
    let resumed = management.patch(ROLLOUT, json!({ "paused": false })).await;
    resumed.expect_api_error(400, "guard.invalid_input");
    let later = json!({ "paused": false, "expires": server.clock.now_ms() + 60_000 });
    assert_eq!(management.patch(ROLLOUT, later).await.expect(200)["state"], "running");
});

both!(rules_stop_when_who_set_them_has_lost_the_right, async |server: TestServer| {
    let management = server.management().await;
    stamp(&management, &says("one"), &says("two")).await;
    let scopes = management_scopes(&server, &management, &["plugins:read", "plugins:write"]).await;
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let role_id = role(&management, "deployer", "MachineToMachine", &scopes).await;
    let (client_id, secret) = machine(&management, "deployer").await;
    let path = format!("/api/roles/{role_id}/applications");
    management.post(&path, json!({ "applicationIds": [client_id] })).await.expect(201);
    let token = credentials(&server, &client_id, &secret).with("scope", "plugins:read plugins:write");
    let deployer = server.bearer(&token.access_token().await);

    let rules = json!({ "promoteAfter": { "runs": 1, "minutes": 1 } });
    let canary = json!({ "version": "2", "mode": "canary", "share": 100, "rules": rules });
    let started = deployer.post(ROLLOUT, canary).await.expect(201);
    assert_eq!(started["rulesBy"], format!("application:{client_id}"));
    assert_eq!(started["rulesInForce"], true);
    assert_eq!(version(&server).await, "two");
    until("its run", async || (shown(&server, &management).await["results"]["candidate"]["runs"] == 1).then_some(()))
        .await;
    management.delete(&format!("{path}/{client_id}")).await.expect(204);
    server.clock.advance(Duration::from_secs(61));
    let management = server.management().await;
    rollouts::write(&server.app).await.unwrap();
    rollouts::decide(&server.app).await.unwrap();
    let found = shown(&server, &management).await;
    assert_eq!((&found["state"], &found["rulesInForce"]), (&json!("running"), &json!(false)));

    // Rules of somebody who has the right act again.
    management.patch(ROLLOUT, json!({ "rules": rules })).await.expect(200);
    until_it_is(&server, &management, "promoted").await;
});

both!(a_second_person_promotes_where_the_configuration_says_so, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_PLUGINS_REQUIRE_SECOND_PERSON", "true")]).await.unwrap();
    let first = server.management().await;
    let second = narrow(&server, &first, &["plugins:read", "plugins:write"]).await;
    let code = "plugin.second_person_required";
    upload(&first, "stamp", "", &says("one")).await.expect_api_error(409, code);
    upload(&first, "stamp", "?activate=false", &says("one")).await.expect(201);
    let activate = "/api/plugins/stamp/versions/1/activate";
    first.post(activate, Value::Null).await.expect_api_error(409, code);
    second.post(activate, Value::Null).await.expect(200);
    assert_eq!(version(&server).await, "one");

    upload(&first, "stamp", "?activate=false", &says("two")).await.expect(201);
    let rules = json!({ "promoteAfter": { "runs": 1, "minutes": 1 } });
    let canary = json!({ "version": "2", "mode": "canary", "share": 100 });
    let mut by_rules = canary.clone();
    by_rules["rules"] = rules;
    first.post(ROLLOUT, by_rules).await.expect_api_error(409, code);
    second.post(ROLLOUT, canary).await.expect(201);
    first.post(&format!("{ROLLOUT}/promote"), Value::Null).await.expect_api_error(409, code);
    second.post(&format!("{ROLLOUT}/promote"), Value::Null).await.expect(200);
    assert_eq!(version(&server).await, "two");
});

both!(a_rollout_outlives_a_restart, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let management = server.management().await;
    stamp(&management, &says("one"), &says("two")).await;
    let canary = json!({ "version": "2", "mode": "canary", "share": 100 });
    management.post(ROLLOUT, canary).await.expect(201);
    assert_eq!(version(&server).await, "two");
    server.stop().await;
    let server = TestServer::start(&home, &[]).await.unwrap();
    until("the canary again", async || (version(&server).await == "two").then_some(())).await;
    let management = server.management().await;
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
    assert_eq!(version(&server).await, "one");
});
