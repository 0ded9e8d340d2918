//! Enterprise connectors, and the factories of social ones.

use claimsmith_test_support::{Home, TestServer, UPSTREAM_SECRET, Upstream, both};
use serde_json::{Value, json};
use std::sync::Arc;

async fn server(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap()
}

both!(an_enterprise_connector_lives_and_keeps_its_secret, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let providers = management.get("/api/sso-connector-providers").await.expect(200).body;
    let names: Vec<&str> =
        providers.as_array().unwrap().iter().map(|one| one["providerName"].as_str().unwrap()).collect();
    assert_eq!(names, ["OIDC", "AzureAdOidc", "GoogleWorkspace", "Okta"]);
    let upstream = Upstream::start(false).await;
    let body = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["Acme.example"],
        "branding": { "displayName": "Acme Inc." },
    });
    let made = management.post("/api/sso-connectors", body.clone()).await.expect(200);
    let path = format!("/api/sso-connectors/{}", made.text("id"));
    assert_eq!((&made["domains"], &made["providerType"]), (&json!(["acme.example"]), &json!("oidc")));
    assert_eq!(made["config"]["clientSecret"], "********");
    let shown = management.get(&path).await.expect(200);
    assert_eq!(shown["providerConfig"]["tokenEndpoint"], format!("{}/token", upstream.issuer));
    assert_eq!(management.get("/api/sso-connectors").await.expect(200).body[0]["id"], made["id"]);
    let taken =
        management.post("/api/sso-connectors", json!({ "providerName": "OIDC", "connectorName": "ACME" })).await;
    taken.expect_api_error(409, "single_sign_on.duplicate_connector_name");

    // What is shown can be sent back; the secret goes nowhere else.
    let changed = management.patch(&path, json!({ "config": shown["config"], "syncProfile": true })).await.expect(200);
    assert_eq!(changed["syncProfile"], true);
    let other = Upstream::start(false).await;
    let mut config = shown["config"].clone();
    config["issuer"] = json!(other.issuer);
    management.patch(&path, json!({ "config": config })).await.expect_api_error(400, "connector.invalid_config");
    let changed = management.patch(&path, json!({ "domains": ["b.example"], "connectorName": "B" })).await.expect(200);
    assert_eq!((&changed["domains"], &changed["connectorName"]), (&json!(["b.example"]), &json!("B")));
    let mut tx = server.begin().await;
    let stored =
        claimsmith_storage::connectors::sso_connectors::find(&mut tx, &made.text("id").into()).await.unwrap().unwrap();
    assert!(!stored.config.contains(UPSTREAM_SECRET));
    drop(tx);
    let logs = management.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    assert!(logs.contains("Management.SsoConnector.Create") && !logs.contains(UPSTREAM_SECRET), "{logs}");
    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect(404);
    management.get(&path).await.expect(404);
    management.patch(&path, json!({})).await.expect(404);
});

both!(what_makes_no_enterprise_connector_is_refused, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let upstream = Upstream::start(false).await;
    let with = |name: &str, value: Value| {
        let mut body = json!({ "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config() });
        body[name] = value;
        body
    };
    for (body, status, code) in [
        (with("providerName", json!("SAML")), 422, "connector.not_found"),
        (with("providerName", json!("AzureAD")), 422, "connector.not_found"),
        (with("providerName", json!("Nobody")), 422, "connector.not_found"),
        (with("domains", json!(["a.example", "A.example"])), 422, "single_sign_on.duplicated_domains"),
        (with("domains", json!(["gmail.com"])), 422, "single_sign_on.forbidden_domains"),
        (with("domains", json!(["no domain"])), 422, "single_sign_on.invalid_domain_format"),
        (with("config", json!({ "clientId": "c" })), 400, "connector.invalid_config"),
        (
            with("config", json!({ "issuer": "http://id.example.com", "clientId": "c" })),
            400,
            "connector.invalid_config",
        ),
        (with("config", json!({ "issuer": "http://127.0.0.1:1", "clientId": "c" })), 400, "connector.invalid_metadata"),
        (with("config", json!({ "issuer": "https://10.0.0.1", "clientId": "c" })), 400, "connector.invalid_metadata"),
        (with("enableTokenStorage", json!(true)), 400, "connector.invalid_config"),
    ] {
        management.post("/api/sso-connectors", body.clone()).await.expect_api_error(status, code);
    }
    assert_eq!(management.get("/api/sso-connectors").await.expect(200).body, json!([]));
    server.anonymous().get("/api/sso-connectors").await.expect(401);
});

both!(social_connectors_are_made_of_their_factories, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let factories = management.get("/api/connector-factories").await.expect(200).body;
    let social: Vec<&str> = factories
        .as_array()
        .unwrap()
        .iter()
        .filter(|factory| factory["type"] == "Social")
        .map(|factory| factory["id"].as_str().unwrap())
        .collect();
    let expected =
        ["oidc", "oauth2", "google", "github", "azuread", "apple", "gitlab", "discord", "facebook", "linkedin"];
    assert_eq!(social, expected);
    let known = json!({ "clientId": "c", "clientSecret": "quiet", "tenantId": "8d5c" });
    for id in &expected[2..] {
        let made = management.post("/api/connectors", json!({ "connectorId": id, "config": known })).await.expect(200);
        assert_eq!((&made["target"], &made["config"]["clientSecret"]), (&json!(id), &json!("********")));
        let again = management.post("/api/connectors", json!({ "connectorId": id, "config": known })).await;
        again.expect_api_error(422, "connector.multiple_instances_not_supported");
    }
    let untargeted = json!({ "connectorId": "oidc", "config": { "issuer": "https://id.test", "clientId": "c" } });
    management.post("/api/connectors", untargeted).await.expect_api_error(400, "connector.should_specify_target");
    let common = json!({ "connectorId": "oidc", "metadata": { "target": "x" }, "config": { "clientId": "c" } });
    management.post("/api/connectors", common).await.expect_api_error(400, "connector.invalid_config");
});

both!(an_organization_lets_in_the_users_of_its_connectors, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let upstream = Upstream::start(false).await;
    let mut ids = Vec::new();
    for (name, domain) in [("Acme", "sso_example.com"), ("Other", "other.example")] {
        let body = json!({
            "providerName": "OIDC", "connectorName": name, "config": upstream.config(), "domains": [domain],
        });
        let made = management.post("/api/sso-connectors", body).await.expect(200);
        assert_eq!(made["domains"], json!([domain]));
        ids.push(made.text("id"));
        server.clock.advance(std::time::Duration::from_secs(1));
    }
    let organization = management.post("/api/organizations", json!({ "name": "o" })).await.expect(201).text("id");
    let path = format!("/api/organizations/{organization}/jit/sso-connectors");
    let given = |ids: &[String]| json!({ "ssoConnectorIds": ids });
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
    assert_eq!(management.post(&path, given(&ids[..1])).await.expect(201).body, Value::Null);
    management.post(&path, given(&ids)).await.expect(201);
    let listed = management.get(&path).await.expect(200).body;
    assert_eq!((&listed[0]["id"], &listed[1]["id"]), (&json!(ids[0]), &json!(ids[1])));
    assert_eq!((&listed[0]["connectorName"], listed[0].get("config")), (&json!("Acme"), None));
    management.put(&path, given(&ids[1..])).await.expect(204);
    assert_eq!(management.get(&path).await.expect(200).body[0]["id"], json!(ids[1]));
    management.delete(&format!("{path}/{}", ids[0])).await.expect_api_error(404, "entity.not_found");
    management.delete(&format!("{path}/{}", ids[1])).await.expect(204);
    let unknown = given(&["nobody".to_owned()]);
    management.post(&path, given(&[])).await.expect_api_error(400, "guard.invalid_input");
    for refused in [management.post(&path, unknown.clone()).await, management.put(&path, unknown).await] {
        refused.expect_api_error(422, "entity.relation_foreign_key_not_found");
    }
    let nowhere = "/api/organizations/nobody/jit/sso-connectors";
    management.get(nowhere).await.expect_api_error(404, "entity.not_exists_with_id");
    let refused = management.put(nowhere, given(&[])).await;
    refused.expect_api_error(422, "entity.relation_foreign_key_not_found");
    let domains = format!("/api/organizations/{organization}/jit/email-domains");
    management.post(&domains, json!({ "emailDomain": "sso_example.com" })).await.expect(201);
    // A connector that is deleted lets nobody in.
    management.put(&path, given(&ids[..1])).await.expect(204);
    management.delete(&format!("/api/sso-connectors/{}", ids[0])).await.expect(204);
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
});
