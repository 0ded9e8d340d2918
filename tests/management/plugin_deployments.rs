//! Labels and notes of versions, uploads of plugins that must not exist yet, the key of an applied folder, and which
//! nodes serve a plugin.

use claimsmith_identity::heartbeat;
use claimsmith_test_support::{Actor, Answer, TestServer, both, until};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, IF_NONE_MATCH};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

fn source(version: u32) -> String {
    format!("export const getCustomJwtClaims = async () => ({{ version: {version} }});")
}

async fn upload(actor: &Actor, path: &str, version: u32) -> Answer {
    let request = actor.request(Method::PUT, path).header(CONTENT_TYPE, "text/javascript");
    Answer::of(request.body(source(version))).await
}

both!(a_version_has_a_label_and_a_note, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/plugins/labelled?label=4f2c9e1&note=Plans%20of%20customers";
    let created = upload(&management, path, 1).await.expect(201);
    assert_eq!(created.body["version"]["label"], "4f2c9e1");
    assert_eq!(created.body["version"]["note"], "Plans of customers");
    upload(&management, "/api/plugins/labelled", 2).await.expect(201);
    // The same again changes nothing, whatever it is called.
    let same = upload(&management, "/api/plugins/labelled?label=other", 2).await.expect(200);
    assert_eq!(same.body["version"]["label"], Value::Null);
    let versions = management.get("/api/plugins/labelled/versions").await.expect(200);
    let labels: Vec<&Value> = versions.body.as_array().unwrap().iter().map(|version| &version["label"]).collect();
    assert_eq!(labels, [&Value::Null, &json!("4f2c9e1")]);
});

both!(labels_that_cannot_be_shown_are_refused, async |server: TestServer| {
    let management = server.management().await;
    let long = "x".repeat(129);
    for (query, field) in [
        (format!("label={long}"), "label"),
        ("label=".to_owned(), "label"),
        ("label=a%1b%5b2J".to_owned(), "label"),
        ("note=%00".to_owned(), "note"),
        ("appliedBy=two%20words".to_owned(), "appliedBy"),
        (format!("appliedBy={}", "x".repeat(65)), "appliedBy"),
    ] {
        let refused = upload(&management, &format!("/api/plugins/labelled?{query}"), 1).await.expect(400);
        assert!(refused.body["data"].to_string().contains(field), "{query}: {}", refused.body);
    }
    management.get("/api/plugins/labelled").await.expect(404);
});

both!(what_must_be_new_is_refused_once_it_is_there, async |server: TestServer| {
    let management = server.management().await;
    let create = async |version| {
        let request = management.request(Method::PUT, "/api/plugins/fresh").header(CONTENT_TYPE, "text/javascript");
        Answer::of(request.header(IF_NONE_MATCH, "*").body(source(version))).await
    };
    create(1).await.expect(201);
    create(2).await.expect(412);
    let shown = management.get("/api/plugins/fresh").await.expect(200);
    assert_eq!(shown.body["deployment"]["latestVersion"], "1");
});

both!(an_applied_plugin_keeps_the_key_of_its_folder, async |server: TestServer| {
    let management = server.management().await;
    let applied_by = async || {
        let shown = management.get("/api/plugins/applied").await.expect(200);
        shown.body["deployment"]["appliedBy"].clone()
    };
    upload(&management, "/api/plugins/applied", 1).await.expect(201);
    assert_eq!(applied_by().await, Value::Null);
    upload(&management, "/api/plugins/applied?appliedBy=production", 2).await.expect(201);
    assert_eq!(applied_by().await, "production");
    upload(&management, "/api/plugins/applied", 3).await.expect(201);
    assert_eq!(applied_by().await, "production", "an upload by hand takes nothing away");
});

both!(the_node_that_answers_serves_what_it_was_given, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "/api/plugins/served", 1).await.expect(201);
    let nodes = async || management.get("/api/plugins/served").await.expect(200).body["deployment"]["nodes"].clone();
    assert_eq!(nodes().await, json!({ "serving": 1, "all": 1, "missing": [] }));
    // Settings, secrets and grants are changes, too.
    management.patch("/api/plugins/served", json!({ "order": 7 })).await.expect(200);
    assert_eq!(nodes().await["serving"], 1);
    // A list does not say it.
    let list = management.get("/api/plugins").await.expect(200);
    let served = list.body.as_array().unwrap().iter().find(|plugin| plugin["name"] == "served").unwrap();
    assert_eq!(served["deployment"]["nodes"], Value::Null);
});

both!(a_version_with_the_same_settings_is_stored_while_a_rollout_lasts, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/plugins/stamp?activate=false";
    let with = async |settings: &str| {
        let part = |text: String, file: &'static str| Part::text(text).file_name(file);
        let source = format!("export const getCustomJwtClaims = () => ({{ says: {settings:?} }});");
        let form = Form::new().part("source", part(source, "stamp.js"));
        let form = form.part("manifest", part(settings.to_owned(), "stamp.toml"));
        Answer::of(management.request(Method::PUT, path).multipart(form)).await
    };
    upload(&management, "/api/plugins/stamp", 1).await.expect(201);
    upload(&management, path, 2).await.expect(201);
    let canary = json!({ "version": "2", "mode": "canary", "share": 5 });
    management.post("/api/plugins/stamp/rollout", canary).await.expect(201);
    with("").await.expect(201);
    with("order = 0\n").await.expect(201);
    with("order = 3\n").await.expect_api_error(409, "plugin.rollout_running");
    let order = management.get("/api/plugins/stamp").await.expect(200)["order"].clone();
    assert_eq!(order, 0, "the settings are those of before");
});

both!(a_plugin_says_which_nodes_serve_it, async |server: TestServer| {
    let management = server.management().await;
    let other = TestServer::start(&server.home, &[]).await.unwrap();
    for node in [&server, &other] {
        heartbeat::beat(&node.app).await.unwrap();
    }
    upload(&management, "/api/plugins/everywhere", 1).await.expect(201);
    let nodes = async |actor: &Actor| {
        actor.get("/api/plugins/everywhere").await.expect(200).body["deployment"]["nodes"].clone()
    };
    let served = json!({ "serving": 2, "all": 2, "missing": [] });
    until("both nodes to serve it", async || (nodes(&management).await == served).then_some(())).await;
    assert_eq!(nodes(&other.management().await).await, served, "every node says the same");

    // A node that is alive and has not loaded the change is named; one that stopped without a word counts no more.
    let stuck = claimsmith_storage::nodes::Node {
        id: "stuck".to_owned(),
        version: "0".to_owned(),
        started_at: 0,
        seen_at: server.app.clock.now_ms(),
    };
    let mut tx = server.begin().await;
    claimsmith_storage::nodes::heartbeat(&mut tx, &stuck).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(nodes(&management).await, json!({ "serving": 2, "all": 3, "missing": ["stuck"] }));
});
