//! What the threat model of plugins in `SECURITY.md` promises and no other story tells: what an author may not keep, which
//! version may not answer in place of another, and what readers of a rollout's samples learn.

use crate::fixtures::narrow;
use claimsmith_identity::rollouts;
use claimsmith_test_support::{Actor, Answer, Home, PluginSigner, TestServer, both, until};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::sync::Arc;

/// Its claim is a text of the user.
const TELLS: &str = "export const getCustomJwtClaims = ({ context }) => ({ told: context.user?.customData?.note });";
const NOTE: &str = "met at the analytical engine";

/// Uploads the plugin `tells`, with further parts: name, file and text.
async fn upload(actor: &Actor, query: &str, source: &str, more: &[(&'static str, &'static str, &str)]) -> Answer {
    let part = |text: &str, file: &'static str| Part::text(text.to_owned()).file_name(file);
    let mut form = Form::new().part("source", part(source, "tells.js"));
    for &(name, file, text) in more {
        form = form.part(name, part(text, file));
    }
    Answer::of(actor.request(Method::PUT, &format!("/api/plugins/tells{query}")).multipart(form)).await
}

/// A token of the customer, who has a note.
async fn issue(server: &TestServer, management: &Actor) {
    let path = format!("/api/users/{}", server.demo().customer_user_id);
    management.patch(&path, json!({ "customData": { "note": NOTE } })).await.expect(200);
    server.exchange(&server.customer_token().await).send().await.expect(200);
}

both!(an_author_keeps_nothing_in_recordings_that_no_operator_confirmed, async |server: TestServer| {
    let management = server.management().await;
    let settings = ("manifest", "tells.toml", "[recording]\nkeep = [\"context.user.customData\", \"answer.told\"]\n");
    upload(&management, "", TELLS, &[settings]).await.expect(201);
    let path = "/api/plugins/tells/recordings";
    let id = management.post(path, json!({ "count": 1 })).await.expect(201).text("id");
    issue(&server, &management).await;
    until("the sample", async || {
        (management.get(&format!("{path}/{id}")).await.expect(200)["recorded"] == 1).then_some(())
    })
    .await;
    let samples = management.get(&format!("{path}/{id}/samples")).await.expect(200).body.to_string();
    assert!(samples.contains("customData") && !samples.contains("analytical"), "{samples}");
});

both!(who_uploaded_a_version_lets_no_canary_of_it_answer, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_PLUGINS_REQUIRE_SECOND_PERSON", "true")]).await.unwrap();
    let first = server.management().await;
    let second = narrow(&server, &first, &["plugins:read", "plugins:write"]).await;
    for source in [TELLS, &format!("// Again.\n{TELLS}")] {
        upload(&first, "?activate=false", source, &[]).await.expect(201);
    }
    second.post("/api/plugins/tells/versions/1/activate", Value::Null).await.expect(200);
    let (rollout, code) = ("/api/plugins/tells/rollout", "plugin.second_person_required");
    let of = |mode: &str, share: u8| json!({ "version": "2", "mode": mode, "share": share });
    first.post(rollout, of("canary", 1)).await.expect_api_error(409, code);
    // A shadow answers nobody.
    first.post(rollout, of("shadow", 100)).await.expect(201);
    first.patch(rollout, json!({ "mode": "canary" })).await.expect_api_error(409, code);
    second.patch(rollout, json!({ "mode": "canary", "share": 0 })).await.expect(200);
    for widened in [json!({ "share": 100 }), json!({ "users": [server.demo().customer_user_id] })] {
        first.patch(rollout, widened).await.expect_api_error(409, code);
    }
    first.patch(rollout, json!({ "paused": true })).await.expect(200);
    first.patch(rollout, json!({ "paused": false })).await.expect_api_error(409, code);
    second.patch(rollout, json!({ "paused": false, "share": 100 })).await.expect(200);
    first.post(&format!("{rollout}/abort"), Value::Null).await.expect(200);
    server.stop().await;
});

both!(no_version_that_nobody_trusted_signed_answers_for_an_open_breaker, async |home: Arc<Home>| {
    let signer = PluginSigner::new();
    let keys = signer.key("release");
    let trusted = ("CLAIMSMITH_PLUGINS_TRUST_KEYS", keys.as_str());
    let server = TestServer::start(&home, &[trusted]).await.unwrap();
    let management = server.management().await;
    upload(&management, "", TELLS, &[]).await.expect(201);
    let second = format!("// Signed.\n{TELLS}");
    let signature = signer.sign(&second);
    upload(&management, "", &second, &[("signature", "tells.js.sig", signature.as_str())]).await.expect(201);
    let breaker = json!({ "breaker": { "onOpen": "previous version" } });
    management.patch("/api/plugins/tells", breaker).await.expect(200);
    server.stop().await;

    let require = ("CLAIMSMITH_PLUGINS_TRUST_MODE", "require");
    let server = TestServer::start(&home, &[trusted, require]).await.unwrap();
    let management = server.management().await;
    let problem = until("the previous version is judged", async || {
        let shown = management.get("/api/plugins/tells").await.expect(200);
        let problem = shown["breaker"]["previousVersionProblem"].clone();
        (!problem.as_str().is_some_and(|problem| problem.contains("not checked"))).then_some(problem)
    })
    .await;
    assert_eq!(problem, "no trusted key signed version 1");
    server.stop().await;
});

both!(samples_of_a_rollout_show_no_person_and_every_reading_is_in_the_audit_log, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", TELLS, &[]).await.expect(201);
    let second = TELLS.replace("told:", "said:");
    upload(&management, "?activate=false", &second, &[]).await.expect(201);
    let rollout = "/api/plugins/tells/rollout";
    management.post(rollout, json!({ "version": "2", "mode": "shadow", "share": 100 })).await.expect(201);
    let path = format!("{rollout}/samples");
    let samples = until("a sample", async || {
        issue(&server, &management).await;
        rollouts::write(&server.app).await.unwrap();
        let samples = management.get(&path).await.expect(200).body;
        samples.as_array().is_some_and(|samples| !samples.is_empty()).then_some(samples)
    })
    .await;
    // Either answer can be kept as a golden case.
    let cases = &samples[0]["cases"];
    assert_eq!(cases["active"]["input"], samples[0]["content"]["input"]);
    assert!(cases["candidate"]["expected"]["claims"].is_object(), "{cases:#}");
    let (text, customer) = (samples.to_string(), server.demo().customer_user_id.as_str());
    assert!(text.contains("said") && !text.contains("analytical") && !text.contains(customer), "{text}");

    let reader = narrow(&server, &management, &["plugins:read"]).await;
    reader.get(&path).await.expect_api_error(403, "auth.forbidden");
    let logs = management.get("/api/logs?logKey=Management.Plugin.ReadRolloutSamples").await.expect(200).body;
    assert_eq!(logs[0]["payload"]["plugin"], "tells", "{logs}");
    assert_ne!(logs[0]["payload"]["samples"], Value::Null);
});
