//! Tokens for the console's resource: for the server's own applications alone, by no exchange, and without plugins.

use super::{SCOPES, command_line, person, resource};
use claimsmith_domain::console::{BuiltInClient, ConsoleRole};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{TestServer, both, seed};
use serde_json::json;

/// The challenge of some verifier.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

both!(nobody_elses_application_asks_for_it, async |server: TestServer| {
    let resource = resource(&server);
    // Where people are sent.
    let demo = server.demo();
    let (spa, web) = (demo.spa_client_id.clone(), demo.web_client_id.clone());
    let mut application = seed::new_application(ApplicationType::Spa);
    application.oidc_client_metadata.0.redirect_uris = vec!["https://app.test/back".to_owned()];
    let client_id = server.add(application).await.0;
    let console = BuiltInClient::Console.id();
    let back = format!("{resource}/callback");
    for (client_id, redirect_uri, is_asked) in
        [(client_id.as_str(), "https://app.test/back", false), (console, back.as_str(), true)]
    {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("client_id", client_id),
                ("redirect_uri", redirect_uri),
                ("response_type", "code"),
                ("code_challenge", CHALLENGE),
                ("code_challenge_method", "S256"),
                ("scope", "openid console:admin"),
                ("resource", resource.as_str()),
            ])
            .finish();
        let answer = server.get(&format!("/oidc/auth?{query}")).await;
        let location = answer.header("location").unwrap_or_default().to_owned();
        assert_eq!(location.contains("error=invalid_target"), !is_asked, "{client_id}: {location} {answer:?}");
    }
    // A device.
    let mut device = seed::new_application(ApplicationType::Native);
    device.custom_client_metadata.0.is_device_flow = Some(true);
    let device = server.add(device).await.0;
    for (client_id, status) in [(device.as_str(), 400), (BuiltInClient::CommandLine.id(), 200)] {
        let form = server.form("/oidc/device/auth").with("client_id", client_id).with("resource", &resource);
        let answer = form.with("scope", "openid console:admin").send().await;
        assert_eq!(answer.status, status, "{client_id}: {answer:?}");
        if status == 400 {
            answer.expect_oauth_error(400, "invalid_target");
        }
    }
    // A machine.
    let form = server.client_credentials().with("resource", &resource).with("scope", "console:admin");
    form.send().await.expect_oauth_error(400, "invalid_target");
    // The terminal, for somebody else's application.
    let id = person(&server, &[ConsoleRole::Admin]).await;
    for client_id in [spa, web] {
        let minted = server.try_mint_for(&id, &client_id, SCOPES, Some(&resource)).await;
        assert!(minted.is_err(), "{client_id}");
    }
});

both!(no_exchange_leads_there, async |server: TestServer| {
    let resource = resource(&server);
    let admin = person(&server, &[ConsoleRole::Admin]).await;
    let management = server.management().await;
    let subject_token = server.subject_token(&admin, json!({})).await;
    let impersonation = server.exchange(&subject_token).with("resource", &resource).with("scope", SCOPES);
    let path = format!("/api/users/{admin}/personal-access-tokens");
    let own = management.post(&path, json!({ "name": "own" })).await.expect(201).text("value");
    let own = impersonation
        .clone()
        .with("subject_token", &own)
        .with("subject_token_type", "urn:logto:token-type:personal_access_token");
    for form in [impersonation, own] {
        form.clone().send().await.expect_oauth_error(400, "invalid_target");
        // Nor for the server's own applications, which exchange nothing.
        for client in BuiltInClient::ALL {
            let answer = form.clone().with("client_id", client.id()).send().await;
            answer.expect_oauth_error(400, "unauthorized_client");
        }
        form.with("resource", &server.demo().resource).send().await.expect(200);
    }
});

both!(tokens_of_the_consoles_own_client_open_nothing, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Admin]).await;
    for client in BuiltInClient::ALL {
        let token = server.mint_for(&id, &client.id().into(), SCOPES, Some(&resource(&server))).await;
        let answer = server.bearer(&token).get("/api/users").await;
        match client {
            BuiltInClient::Console => answer.expect_api_error(401, "auth.unauthorized"),
            BuiltInClient::CommandLine => assert_eq!(answer.status, 200, "{answer:?}"),
        }
    }
    // Nor does an opaque token of the command line.
    let opaque = server.mint(&id, &BuiltInClient::CommandLine.id().into(), "openid").await;
    server.bearer(&opaque).get("/api/users").await.expect_api_error(401, "auth.unauthorized");
});

both!(no_plugin_runs_for_them, async |server: TestServer| {
    let management = server.management().await;
    let source = "export const getCustomJwtClaims = async ({ api }) => api.denyAccess('locked out');";
    let request = management.request(reqwest::Method::PUT, "/api/plugins/locks-out");
    let sent = request.header("content-type", "text/javascript").body(source);
    claimsmith_test_support::Answer::of(sent).await.expect(201);
    let kinds = json!({ "tokenKinds": ["access-token", "id-token"] });
    management.patch("/api/plugins/locks-out", kinds).await.expect(200);
    let id = person(&server, &[ConsoleRole::Admin]).await;
    // It stands in everybody's way but theirs.
    let demo = server.demo();
    let theirs = server.try_mint_for(&id, &demo.web_client_id, "resource:read", Some(&demo.resource)).await;
    assert!(theirs.is_err());
    command_line(&server, &id, 0).await.delete("/api/plugins/locks-out").await.expect(204);
});
