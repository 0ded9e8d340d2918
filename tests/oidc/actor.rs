//! Actor tokens (`docs/decisions/actor-tokens.md`): `act` needs a live user token with `openid`, of this issuer and
//! this application.

use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_storage::Json;
use claimsmith_test_support::seed::new_application;
use claimsmith_test_support::{ACCESS_TOKEN, Form, Home, TestServer, both};
use std::sync::Arc;
use std::time::Duration;

/// An exchange that has everything but the actor.
async fn exchange(server: &TestServer) -> Form {
    server.exchange(&server.customer_token().await)
}

async fn expect_refused(server: &TestServer, token: &str) {
    exchange(server).await.actor(token).send().await.expect_oauth_error(400, "invalid_request");
}

both!(opaque_tokens_and_jwts_are_accepted, async |server: TestServer| {
    let demo = server.demo();
    let (engineer, spa) = (&demo.engineer_user_id, &demo.spa_client_id);
    let opaque = server.mint(engineer, spa, "openid profile").await;
    let jwt = server.mint_for(engineer, spa, "resource:read openid", Some(&demo.resource)).await;
    assert!(!opaque.contains('.') && jwt.contains('.'));
    for token in [opaque, jwt] {
        let token = exchange(&server).await.actor(&token).access_token().await;
        assert_eq!(server.verify(&token, &demo.resource).await.claims["act"]["sub"], engineer.as_str());
    }
});

both!(token_and_type_come_together, async |server: TestServer| {
    let demo = server.demo();
    let token = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let form = exchange(&server).await;
    form.clone().with("actor_token", &token).send().await.expect_oauth_error(400, "invalid_request");
    form.clone().with("actor_token_type", ACCESS_TOKEN).send().await.expect_oauth_error(400, "invalid_request");
    let other = form.clone().actor(&token).with("actor_token_type", "urn:ietf:params:oauth:token-type:jwt");
    other.send().await.expect_oauth_error(400, "invalid_request");
    form.actor(&token).send().await.expect(200);
});

both!(openid_is_a_whole_word, async |server: TestServer| {
    let demo = server.demo();
    let (engineer, spa) = (&demo.engineer_user_id, &demo.spa_client_id);
    for scope in ["", "profile", "resource:read"] {
        expect_refused(&server, &server.mint(engineer, spa, scope).await).await;
        expect_refused(&server, &server.mint_for(engineer, spa, scope, Some(&demo.resource)).await).await;
    }
    // A resource may have scopes that look like it.
    let resource = claimsmith_test_support::seed::new_resource("https://lookalike.example.com");
    let scopes = server.add_resource(resource, &["openid2", "not-openid"]).await;
    server.let_user_hold(engineer, &scopes).await;
    let token = server.mint_for(engineer, spa, "openid2 not-openid", Some("https://lookalike.example.com")).await;
    let claims = server.verify(&token, "https://lookalike.example.com").await.claims;
    assert_eq!(claims["scope"], "openid2 not-openid");
    expect_refused(&server, &token).await;
});

both!(an_expired_token_is_refused, async |server: TestServer| {
    let demo = server.demo();
    let opaque = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let jwt = server.mint_for(&demo.engineer_user_id, &demo.spa_client_id, "openid", Some(&demo.resource)).await;
    server.clock.advance(Duration::from_secs(3599));
    for token in [&opaque, &jwt] {
        exchange(&server).await.actor(token).send().await.expect(200);
    }
    server.clock.advance(Duration::from_secs(1));
    for token in [&opaque, &jwt] {
        expect_refused(&server, token).await;
    }
});

both!(a_revoked_token_is_refused, async |server: TestServer| {
    let demo = server.demo();
    let opaque = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let jwt = server.mint_for(&demo.engineer_user_id, &demo.spa_client_id, "openid", Some(&demo.resource)).await;
    for token in [&opaque, &jwt] {
        exchange(&server).await.actor(token).send().await.expect(200);
        let revocation = server.form("/oidc/token/revocation").with("token", token);
        revocation.with("client_id", &demo.spa_client_id).send().await.expect(200);
        expect_refused(&server, token).await;
    }
});

both!(a_suspended_or_deleted_user_does_not_act, async |server: TestServer| {
    let demo = server.demo();
    let user = server.add_user().await;
    let token = server.mint(&user, &demo.spa_client_id, "openid").await;
    exchange(&server).await.actor(&token).send().await.expect(200);
    server.set_suspended(&user, true).await;
    expect_refused(&server, &token).await;
    server.set_suspended(&user, false).await;
    exchange(&server).await.actor(&token).send().await.expect(200);
    server.delete_user(&user).await;
    expect_refused(&server, &token).await;
});

both!(a_machine_does_not_act, async |server: TestServer| {
    expect_refused(&server, &server.management_token().await).await;
    // Not even one that exchanges itself and calls a scope `openid`.
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let resource = claimsmith_test_support::seed::new_resource("https://machines.example.com");
    let scopes = server.add_resource(resource, &["openid"]).await;
    server.let_application_hold(&id, &scopes).await;
    let form = server.client_credentials().basic(&id, &secret).with("scope", "openid");
    let answer = form.with("resource", "https://machines.example.com").send().await.expect(200);
    assert_eq!(answer["scope"], "openid");
    let form = exchange(&server).await.without("client_id").basic(&id, &secret);
    form.actor(&answer.text("access_token")).send().await.expect_oauth_error(400, "invalid_request");
});

both!(a_token_from_an_exchange_does_not_act, async |server: TestServer| {
    let demo = server.demo();
    let resource = claimsmith_test_support::seed::new_resource("https://nested.example.com");
    let scopes = server.add_resource(resource, &["openid"]).await;
    server.let_user_hold(&demo.customer_user_id, &scopes).await;
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let plain = exchange(&server).await.with("resource", "https://nested.example.com").with("scope", "openid");
    for form in [plain.clone(), server.exchange(&server.customer_token().await).actor(&actor)] {
        let form = form.with("resource", "https://nested.example.com").with("scope", "openid");
        let answer = form.send().await.expect(200);
        assert_eq!(answer["scope"], "openid");
        expect_refused(&server, &answer.text("access_token")).await;
    }
});

both!(a_token_of_another_application_is_accepted_by_those_who_trust_it, async |server: TestServer| {
    let demo = server.demo();
    let theirs = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    expect_refused(&server, &theirs).await;
    exchange(&server).await.as_web().actor(&theirs).send().await.expect(200);

    let mut trusting = new_application(ApplicationType::Spa);
    trusting.custom_client_metadata = Json(CustomClientMetadata {
        allow_token_exchange: Some(true),
        trusted_actor_client_ids: Some(vec![demo.web_client_id.to_string()]),
        ..CustomClientMetadata::default()
    });
    let (id, _) = server.add(trusting).await;
    let form = exchange(&server).await.with("client_id", &id);
    let token = form.clone().actor(&theirs).access_token().await;
    assert_eq!(server.verify(&token, &demo.resource).await.claims["act"]["sub"], demo.engineer_user_id.as_str());
    // Trust is neither mutual nor for everybody.
    let trusting = server.mint(&demo.engineer_user_id, &id, "openid").await;
    exchange(&server).await.as_web().actor(&trusting).send().await.expect_oauth_error(400, "invalid_request");
    let spa = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let form = exchange(&server).await.with("client_id", &id).actor(&spa);
    form.send().await.expect_oauth_error(400, "invalid_request");
    // Nor does it outlive the application.
    server.delete_application(&demo.web_client_id).await;
    let form = exchange(&server).await.with("client_id", &id).actor(&theirs);
    form.send().await.expect_oauth_error(400, "invalid_request");
});

both!(a_foreign_token_is_refused, async |server: TestServer| {
    // Another server of the same name, with other keys; then texts that are no tokens at all.
    let other: Arc<Home> = Home::new(server.home.kind()).await;
    let other = TestServer::start(&other, &[]).await.unwrap();
    let (engineer, spa) = (&other.demo().engineer_user_id, &other.demo().spa_client_id);
    let opaque = other.mint(engineer, spa, "openid").await;
    let jwt = other.mint_for(engineer, spa, "openid", Some(&other.demo().resource)).await;
    for token in [opaque.as_str(), &jwt, "nonsense", "a.b.c", "..", "sub_000000000000000000000"] {
        expect_refused(&server, token).await;
    }
    expect_refused(&server, &server.customer_token().await).await;
});

both!(one_may_act_for_oneself, async |server: TestServer| {
    let demo = server.demo();
    let own = server.mint(&demo.customer_user_id, &demo.spa_client_id, "openid").await;
    let token = exchange(&server).await.actor(&own).access_token().await;
    assert_eq!(server.verify(&token, &demo.resource).await.claims["act"]["sub"], demo.customer_user_id.as_str());
});
