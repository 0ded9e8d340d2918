//! The `client_credentials` grant: which applications may use it, granted scopes, and resources.

use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{ConcurrentChanges, TestServer, both};
use serde_json::{Value, json};

both!(a_machine_gets_a_token_for_the_management_api, async |server: TestServer| {
    let answer = server.client_credentials().send().await.expect(200);
    assert_eq!(answer["token_type"], "Bearer");
    assert_eq!(answer["expires_in"], 3600);
    assert_eq!(answer["scope"], "all");
    assert!(answer["issued_token_type"].is_null() && answer["refresh_token"].is_null(), "{}", answer.body);
    assert_eq!(answer.header("cache-control"), Some("no-store"));

    let machine = server.machine();
    let jwt = server.verify(&answer.text("access_token"), &machine.resource).await;
    assert_eq!((jwt.algorithm.as_str(), jwt.kind.as_deref()), ("ES256", Some("at+jwt")));
    let claims = jwt.claims;
    assert_eq!(claims["iss"], server.issuer());
    assert_eq!((&claims["sub"], &claims["client_id"]), (&claims["client_id"], &machine.client_id.as_str().into()));
    assert_eq!(claims["aud"], machine.resource);
    assert_eq!(claims["scope"], "all");
    assert_eq!(claims["iat"], server.clock.now_ms() / 1000);
    assert_eq!(claims["exp"], server.clock.now_ms() / 1000 + 3600);
    assert!(claims["jti"].as_str().unwrap().len() >= 21 && claims["act"].is_null());
});

both!(what_is_asked_for_and_held_is_granted, async |server: TestServer| {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let scopes = server.add_resource(new_resource("https://orders.example.com"), &["read", "write", "delete"]).await;
    server.let_application_hold(&id, &scopes[..2]).await;
    let form = server.form("/oidc/token").with("grant_type", "client_credentials").basic(&id, &secret);
    let form = form.with("resource", "https://orders.example.com");
    for (requested, granted) in [
        ("read write", "read write"),
        ("write read write", "write read"),
        ("delete", ""),
        ("openid profile read unknown", "read"),
        ("Read", ""),
        ("", ""),
    ] {
        let answer = form.clone().with("scope", requested).send().await.expect(200);
        // Nothing that was granted is no scope in the answer.
        assert_eq!(answer.body.get("scope").and_then(Value::as_str).unwrap_or_default(), granted, "{requested}");
        assert_eq!(answer.body.get("scope").is_none(), granted.is_empty(), "{requested}");
        let claims = server.verify(&answer.text("access_token"), "https://orders.example.com").await.claims;
        assert_eq!(claims["scope"], granted, "{requested}");
    }
    assert_eq!(form.send().await.expect(200).body.get("scope"), None);
});

both!(a_token_lives_as_long_as_its_resource_says, async |server: TestServer| {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let resource =
        claimsmith_storage::resources::Resource { access_token_ttl: 120, ..new_resource("urn:example:short-lived") };
    server.add_resource(resource, &[]).await;
    let form = server.form("/oidc/token").with("grant_type", "client_credentials").basic(&id, &secret);
    let answer = form.with("resource", "urn:example:short-lived").send().await.expect(200);
    assert_eq!(answer["expires_in"], 120);
    let claims = server.verify(&answer.text("access_token"), "urn:example:short-lived").await.claims;
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 120);
});

both!(the_resource_must_be_one_known_absolute_uri, async |server: TestServer| {
    let form = server.client_credentials().without("resource");
    form.send().await.expect_oauth_error(400, "invalid_target");
    form.clone().with("resource", "").send().await.expect_oauth_error(400, "invalid_target");
    let resource = &server.machine().resource;
    let repeated = form.clone().and("resource", resource).and("resource", resource);
    repeated.send().await.expect_oauth_error(400, "invalid_target");
    for bad in
        ["https://unknown.example.com", "/api", "api.example.com", &format!("{resource}#top"), &format!("{resource}/")]
    {
        form.clone().with("resource", bad).send().await.expect_oauth_error(400, "invalid_target");
    }
});

both!(only_machines_may_use_the_grant, async |server: TestServer| {
    let form = server.client_credentials().with("resource", &server.demo().resource);
    form.clone().as_web().send().await.expect_oauth_error(400, "unauthorized_client");
    let (native, _) = server.add_application(ApplicationType::Native).await;
    for public in [server.demo().spa_client_id.as_str(), &native] {
        let form = server.form("/oidc/token").with("grant_type", "client_credentials").with("client_id", public);
        let form = form.with("resource", &server.demo().resource);
        form.send().await.expect_oauth_error(400, "unauthorized_client");
    }
});

both!(a_machine_that_lost_its_scope_gets_it_no_more, async |server: TestServer| {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let form = server.client_credentials().basic(&id, &secret);
    assert_eq!(form.send().await.expect(200).body.get("scope"), None);
    let mut tx = server.begin().await;
    let resource = &server.machine().resource;
    let resource = claimsmith_storage::resources::find_by_indicator(&mut tx, resource).await.unwrap().unwrap();
    let scopes = claimsmith_storage::resources::scopes_of(&mut tx, &resource.id).await.unwrap();
    drop(tx);
    let all = scopes.into_iter().find(|scope| scope.name == "all").unwrap();
    server.let_application_hold(&id, &[all.id]).await;
    assert_eq!(form.send().await.expect(200)["scope"], "all");
    server.delete_application(&id).await;
    form.send().await.expect_oauth_error(401, "invalid_client");
});

both!(changes_without_end_keep_nobody_from_a_token, async |server: TestServer| {
    let changing = ConcurrentChanges::begin(&server.management().await, 4).await;
    for _ in 0..100 {
        server.client_credentials().send().await.expect(200);
    }
    // Nor do tokens keep anybody from a change.
    let changes = changing.end().await;
    assert!(changes.iter().all(|changes| *changes > 10), "{changes:?}");
});

both!(plugins_see_the_application, async |server: TestServer| {
    let management = server.management().await;
    let script = "const getCustomJwtClaims = async ({ context }) => {
        const { name, description, customData, type } = context.application;
        return { seen: { name, description, customData, type } };
    };";
    let path = "/api/configs/jwt-customizer/client-credentials";
    management.put(path, json!({ "script": script, "blockIssuanceOnError": true })).await.expect(201);
    let body = json!({ "name": "Robot", "description": "Sorts parcels", "type": "MachineToMachine",
        "customData": { "team": "blue" } });
    let created = management.post("/api/applications", body.clone()).await.expect(200);
    let form = server.form("/oidc/token").with("grant_type", "client_credentials");
    let form = form.with("resource", &server.demo().resource).basic(&created.text("id"), &created.text("secret"));
    let claims = server.verify(&form.access_token().await, &server.demo().resource).await.claims;
    assert_eq!(claims["seen"], body);
});
