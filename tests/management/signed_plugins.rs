//! Plugins that a trusted key must have signed: uploads, files of the folder, and what happens when keys change.

use claimsmith_identity::{population_runs, rollouts};
use claimsmith_storage::Json as Document;
use claimsmith_storage::plugins::population_runs::{self as stored, PopulationRun};
use claimsmith_test_support::{Actor, Answer, Home, PluginSigner, TOKEN_EXCHANGE, TestServer, both, until};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::sync::Arc;

const KEYS: &str = "CLAIMSMITH_PLUGINS_TRUST_KEYS";
const MODE: &str = "CLAIMSMITH_PLUGINS_TRUST_MODE";
const FOLDER: &str = "CLAIMSMITH_PLUGINS_TRUST_FOLDER";
const UPLOAD: &str = "CLAIMSMITH_PLUGINS_TRUST_UPLOAD";

/// A plugin that says which version it is.
fn says(version: &str) -> String {
    format!("export const getCustomJwtClaims = async () => ({{ version: {version:?} }});")
}

/// Uploads a source with the text of a signature.
async fn upload(actor: &Actor, source: &str, signature: Option<&str>) -> Answer {
    upload_to(actor, "/api/plugins/stamp", source, signature).await
}

async fn upload_to(actor: &Actor, path: &str, source: &str, signature: Option<&str>) -> Answer {
    let part = |text: &str, file: &str| Part::text(text.to_owned()).file_name(file.to_owned());
    let mut form = Form::new().part("source", part(source, "stamp.js"));
    if let Some(signature) = signature {
        form = form.part("signature", part(signature, "stamp.js.sig"));
    }
    Answer::of(actor.request(Method::PUT, path).multipart(form)).await
}

/// Asserts a refusal for the reason that the finding begins with.
#[track_caller]
fn refused(answer: &Answer, reason: &str) {
    answer.expect_api_error(422, "plugin.refused");
    let finding = &answer["data"]["findings"][0];
    assert_eq!(finding["kind"], "signature", "{finding}");
    let message = finding["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("signature: {reason}")), "{message}");
}

/// What the customer's token says.
async fn version(server: &TestServer) -> Value {
    let token = server.exchange(&server.customer_token().await).access_token().await;
    server.verify(&token, &server.demo().resource).await.claims["version"].clone()
}

/// Waits until a plugin is shown as it should be.
async fn shown(management: &Actor, name: &str, what: &str, is_so: impl Fn(&Answer) -> bool) -> Answer {
    until(&format!("{name}: {what}"), async || {
        let answer = management.get(&format!("/api/plugins/{name}")).await;
        is_so(&answer).then_some(answer)
    })
    .await
}

both!(an_upload_that_no_trusted_key_signed_is_refused_with_the_reason, async |home: Arc<Home>| {
    let (signer, former, stranger) = (PluginSigner::new(), PluginSigner::new(), PluginSigner::new());
    let keys = format!("{}, {}", signer.key("release"), former.key("former@2020-01-01"));
    let server = TestServer::start(&home, &[(KEYS, keys.as_str()), (UPLOAD, "require")]).await.unwrap();
    let management = server.management().await;
    let (one, two) = (says("one"), says("two"));
    let made = upload(&management, &one, Some(&signer.sign(&one))).await.expect(201);
    assert_eq!((&made["version"]["signedBy"], &made["plugin"]["signedBy"]), (&json!("release"), &json!("release")));
    assert_eq!(made["plugin"]["signatureProblem"], Value::Null);

    let no_key = "its signature is of no trusted key, or of another file";
    let foreign = stranger.bundle(&two, &two).to_string();
    for (signature, reason) in [
        (None, "it is not signed"),
        (Some(signer.sign(&one)), no_key),
        (Some(stranger.sign(&two)), no_key),
        (Some(foreign), "it is signed with a key that is not among the trusted ones"),
        (Some(signer.bundle(&one, &two).to_string()), "its signature is wrong: it is not that of key release"),
        (Some(signer.bundle(&one, &one).to_string()), "its signature is of another file"),
        (Some(former.sign(&two)), "it is signed with key former, which expired at 2020-01-01T00:00:00.000Z"),
    ] {
        refused(&upload(&management, &two, signature.as_deref()).await, reason);
    }
    // A text that is no signature is a mistake in the form.
    let too_large = "A".repeat((64 << 10) + 1);
    for (signature, problem) in
        [("no signature", "neither the base64 nor the bundle"), ("{}", "bundle cannot be read"), (&*too_large, "65536")]
    {
        let answer = upload(&management, &two, Some(signature)).await;
        answer.expect_api_error(400, "guard.invalid_input");
        let details = answer.body.to_string();
        assert!(details.contains("the part \\\"signature\\\"") && details.contains(problem), "{details}");
    }
    // What the token script's API sets is never signed.
    let script = json!({ "script": "const getCustomJwtClaims = async () => ({});" });
    refused(&management.put("/api/configs/jwt-customizer/access-token", script).await, "it is not signed");
    assert_eq!(version(&server).await, "one", "the active version stays");

    let made = upload(&management, &two, Some(&signer.bundle(&two, &two).to_string())).await.expect(201);
    assert_eq!(made["version"]["signedBy"], "release");
    assert_eq!(version(&server).await, "two");
    let versions = management.get("/api/plugins/stamp/versions").await.expect(200).body;
    assert_eq!((versions.as_array().unwrap().len(), &versions[1]["signedBy"]), (2, &json!("release")));
    let logs =
        claimsmith_storage::audit::list_by_key(&mut server.begin().await, "Management.Plugin.Upload", 5).await.unwrap();
    assert_eq!(logs.len(), 2);
    assert!(logs.iter().all(|log| log.payload["signedBy"] == "release"), "{logs:?}");
    server.stop().await;
});

both!(an_uploaded_version_is_verified_again_at_every_load, async |home: Arc<Home>| {
    let (signer, successor) = (PluginSigner::new(), PluginSigner::new());
    let (one, two) = (says("one"), says("two"));
    let (key, next) = (signer.key("release"), successor.key("next"));
    let server = TestServer::start(&home, &[(KEYS, key.as_str())]).await.unwrap();
    let management = server.management().await;
    let unsigned = upload(&management, &one, None).await.expect(201);
    assert_eq!(
        (&unsigned["version"]["signedBy"], &unsigned["plugin"]["signatureProblem"]),
        (&Value::Null, &Value::Null)
    );
    upload(&management, &two, Some(&signer.sign(&two))).await.expect(201);
    server.stop().await;

    // The signed version is loaded, and the unsigned one is not activated.
    let server = TestServer::start(&home, &[(KEYS, key.as_str()), (MODE, "require")]).await.unwrap();
    let management = server.management().await;
    assert_eq!(version(&server).await, "two");
    refused(&management.post("/api/plugins/stamp/versions/1/activate", Value::Null).await, "it is not signed");
    assert_eq!(version(&server).await, "two");
    server.stop().await;

    // Its key is no longer trusted.
    let server = TestServer::start(&home, &[(KEYS, next.as_str()), (MODE, "require")]).await.unwrap();
    let management = server.management().await;
    let stamp = management.get("/api/plugins/stamp").await.expect(200);
    assert_eq!((&stamp["state"], &stamp["refusesTokens"]), (&json!("failed"), &json!(true)), "{:#}", stamp.body);
    assert_eq!(stamp["lastError"], "signature: its signature is of no trusted key, or of another file");
    // The same bytes, signed by somebody who is trusted, are a new version.
    let made = upload(&management, &two, Some(&successor.sign(&two))).await.expect(201);
    assert_eq!((&made["version"]["id"], &made["version"]["signedBy"]), (&json!("3"), &json!("next")));
    assert_eq!(version(&server).await, "two");
    upload(&management, &two, Some(&successor.bundle(&two, &two).to_string())).await.expect(201);
    server.stop().await;

    // A warning lets it run, and tells.
    let server = TestServer::start(&home, &[(KEYS, key.as_str()), (MODE, "warn")]).await.unwrap();
    let stamp = server.management().await.get("/api/plugins/stamp").await.expect(200);
    assert_eq!((&stamp["state"], &stamp["signedBy"]), (&json!("active"), &Value::Null));
    assert_eq!(stamp["signatureProblem"], "it is signed with a key that is not among the trusted ones");
    assert_eq!(version(&server).await, "two");
    server.stop().await;
});

both!(a_file_of_the_folder_needs_its_signature_beside_it, async |home: Arc<Home>| {
    let signer = PluginSigner::new();
    let keys = signer.key("release");
    let changes = [(KEYS, keys.as_str()), (FOLDER, "require"), ("CLAIMSMITH_PLUGINS_POLL_MS", "100")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let management = server.management().await;
    let write = |file: &str, text: &str| std::fs::write(server.home.plugins_dir().join(file), text).unwrap();
    let (one, two) = (says("one"), says("two"));
    std::fs::create_dir_all(server.home.plugins_dir()).unwrap();
    write("stamp.js", &one);
    let failed = shown(&management, "stamp", "refused", |answer| answer.status == 200).await;
    assert_eq!((&failed["state"], &failed["lastError"]), (&json!("failed"), &json!("signature: it is not signed")));
    assert_eq!(version(&server).await, Value::Null, "the server was running already, so that nothing is refused");

    write("stamp.js.sig", &signer.sign(&one));
    let active = shown(&management, "stamp", "active", |answer| answer["state"] == "active").await;
    assert_eq!((&active["signedBy"], &active["lastError"]), (&json!("release"), &Value::Null));
    assert_eq!(version(&server).await, "one");

    // Changed without a new signature, the file does not replace what serves.
    write("stamp.js", &two);
    let stays = shown(&management, "stamp", "refused again", |answer| answer["lastError"].is_string()).await;
    assert_eq!((&stays["state"], &stays["signedBy"]), (&json!("active"), &json!("release")));
    assert_eq!(version(&server).await, "one");
    // A bundle counts before the base64 that is left there.
    write("stamp.js.sigstore.json", &signer.bundle(&two, &two).to_string());
    shown(&management, "stamp", "active again", |answer| answer["lastError"].is_null()).await;
    assert_eq!(version(&server).await, "two");

    // Uploads are another matter here.
    management.delete("/api/plugins/stamp").await.expect_api_error(409, "plugin.name_in_use");
    std::fs::remove_file(server.home.plugins_dir().join("stamp.js")).unwrap();
    shown(&management, "stamp", "gone", |answer| answer.status == 404).await;
    upload(&management, &one, None).await.expect(201);
    assert_eq!(version(&server).await, "one");
    server.stop().await;
});

both!(a_run_over_all_users_that_goes_on_verifies_again, async |home: Arc<Home>| {
    let (signer, source) = (PluginSigner::new(), says("one"));
    let server = TestServer::start(&home, &[]).await.unwrap();
    upload(&server.management().await, &source, None).await.expect(201);
    server.stop().await;

    let key = signer.key("release");
    let server = TestServer::start(&home, &[(KEYS, key.as_str()), (MODE, "require")]).await.unwrap();
    let now = server.app.clock.now_ms();
    let id = "run1".to_owned();
    let options = population_runs::RunOptions { grant_type: TOKEN_EXCHANGE.to_owned(), ..Default::default() };
    // As one that was under way when the server was stopped.
    let run = PopulationRun {
        sealed_key: Some(population_runs::new_key(&server.app, &id).unwrap().unwrap()),
        id,
        plugin_name: "stamp".to_owned(),
        version: 1,
        against: None,
        application_id: server.demo().spa_client_id.to_string(),
        options: Document(serde_json::to_value(&options).unwrap()),
        state: "running".to_owned(),
        problem: None,
        total: 1,
        wanted: 1,
        visited: 0,
        compared: 0,
        skipped: 0,
        http_sent: 0,
        http_refused: 0,
        recorded: 0,
        dropped: 0,
        bytes: 0,
        reached: String::new(),
        sealed_results: None,
        created_by: "somebody".to_owned(),
        created_at: now,
        ended_at: None,
        expires_at: now + population_runs::KEPT_MS,
    };
    let mut tx = server.begin().await;
    stored::insert(&mut tx, &run).await.unwrap();
    tx.commit().await.unwrap();
    let management = server.management().await;
    let ended = until("the end of the run", async || {
        let run = management.get("/api/plugins/stamp/population-runs/run1").await.expect(200);
        (run["state"] != "running").then_some(run)
    })
    .await;
    assert_eq!((&ended["state"], &ended["compared"]), (&json!("failed"), &json!(0)), "{}", ended.body);
    assert_eq!(ended["problem"], "version 1 is refused: signature: it is not signed");
    server.stop().await;
});

both!(a_version_in_a_rollout_needs_a_signature_as_the_active_one_does, async |home: Arc<Home>| {
    const ROLLOUT: &str = "/api/plugins/stamp/rollout";
    let signer = PluginSigner::new();
    let (one, two, key) = (says("one"), says("two"), signer.key("release"));
    let server = TestServer::start(&home, &[(KEYS, key.as_str())]).await.unwrap();
    let management = server.management().await;
    upload(&management, &one, Some(&signer.sign(&one))).await.expect(201);
    upload_to(&management, "/api/plugins/stamp?activate=false", &two, None).await.expect(201);
    let canary = json!({ "version": "2", "mode": "canary", "share": 100 });
    management.post(ROLLOUT, canary.clone()).await.expect(201);
    assert_eq!(version(&server).await, "two");
    server.stop().await;

    // A signature is asked for now: the active version answers everybody, and the rollout says why.
    let server = TestServer::start(&home, &[(KEYS, key.as_str()), (MODE, "require")]).await.unwrap();
    let management = server.management().await;
    assert_eq!(version(&server).await, "one");
    let paused = until("the rollout is paused", async || {
        rollouts::write(&server.app).await.unwrap();
        rollouts::decide(&server.app).await.unwrap();
        let shown = management.get(ROLLOUT).await.expect(200);
        (shown["state"] == "paused").then_some(shown)
    })
    .await;
    assert_eq!(paused["reason"], "notTrusted");
    refused(&management.patch(ROLLOUT, json!({ "paused": false })).await, "it is not signed");
    refused(&management.post(&format!("{ROLLOUT}/promote"), Value::Null).await, "it is not signed");
    assert_eq!(version(&server).await, "one");
    management.post(&format!("{ROLLOUT}/abort"), Value::Null).await.expect(200);
    refused(&management.post(ROLLOUT, canary.clone()).await, "it is not signed");

    // Signed, it is tried.
    let path = "/api/plugins/stamp?activate=false";
    upload_to(&management, path, &two, Some(&signer.sign(&two))).await.expect(201);
    let signed = json!({ "version": "3", "mode": "canary", "share": 100 });
    management.post(ROLLOUT, signed).await.expect(201);
    assert_eq!(version(&server).await, "two");
    server.stop().await;
});
