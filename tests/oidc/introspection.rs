//! `POST /oidc/token/introspection` (RFC 7662): token introspection by confidential clients.

use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::resources;
use claimsmith_test_support::{Answer, Form, TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

fn introspection(server: &TestServer, token: &str) -> Form {
    server.form("/oidc/token/introspection").with("token", token)
}

/// Asserts the whole answer for a token of which there is nothing to know.
#[track_caller]
fn expect_inactive(answer: Answer) {
    let answer = answer.expect(200);
    assert_eq!(answer.body, json!({ "active": false }));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

both!(a_client_sees_its_own_token_as_in_the_jwt, async |server: TestServer| {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    let token = server.exchange(&server.customer_token().await).actor(&actor).as_web().access_token().await;
    let answer = introspection(&server, &token).as_web().send().await.expect(200);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let mut expected = server.verify(&token, &demo.resource).await.claims;
    assert_eq!(expected["act"], json!({ "sub": demo.engineer_user_id }));
    expected["active"] = true.into();
    expected["token_type"] = "Bearer".into();
    assert_eq!(answer.body, expected);
});

both!(a_client_sees_its_own_opaque_token, async |server: TestServer| {
    let demo = server.demo();
    let token = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid profile").await;
    let answer = server.introspect_as_web(&token).await;
    assert_eq!(answer["active"], true);
    assert_eq!(answer["sub"], *demo.engineer_user_id);
    assert_eq!(
        (&answer["scope"], &answer["client_id"]),
        (&"openid profile".into(), &demo.web_client_id.as_str().into())
    );
    assert_eq!((&answer["iss"], &answer["aud"]), (&server.issuer().into(), &Value::Null));
    assert_eq!(answer["exp"], server.clock.now_ms() / 1000 + 3600);
});

both!(another_clients_token_is_not_seen, async |server: TestServer| {
    let demo = server.demo();
    let theirs = server.exchange(&server.customer_token().await).access_token().await;
    let opaque = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    for token in [&theirs, &opaque, &server.management_token().await] {
        expect_inactive(introspection(&server, token).as_web().send().await);
    }
});

both!(a_resource_server_sees_tokens_for_its_resource, async |server: TestServer| {
    let demo = server.demo();
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let theirs = server.exchange(&server.customer_token().await).access_token().await;
    expect_inactive(introspection(&server, &theirs).basic(&id, &secret).send().await);

    let mut tx = server.begin().await;
    let resource = resources::find_by_indicator(&mut tx, &demo.resource).await.unwrap().unwrap();
    let scope = resources::scopes_of(&mut tx, &resource.id).await.unwrap().remove(0);
    drop(tx);
    server.let_application_hold(&id, &[scope.id]).await;
    let answer = introspection(&server, &theirs).basic(&id, &secret).send().await.expect(200);
    assert_eq!((&answer["active"], &answer["sub"]), (&true.into(), &demo.customer_user_id.as_str().into()));
    // Not those for other resources.
    let management = server.management_token().await;
    expect_inactive(introspection(&server, &management).basic(&id, &secret).send().await);
});

both!(what_is_not_live_is_inactive_and_nothing_else, async |server: TestServer| {
    let demo = server.demo();
    let user = server.add_user_like(&demo.customer_user_id).await;
    let (client, secret) = server.add_application(ApplicationType::Traditional).await;
    let mint = async || server.mint_for(&user, &client, "openid", Some(&demo.resource)).await;
    let ask = async |token: &str| introspection(&server, token).basic(&client, &secret).send().await;

    for unknown in ["nonsense", "a.b.c", "sub_000000000000000000000"] {
        expect_inactive(ask(unknown).await);
    }
    expect_inactive(ask(&server.customer_token().await).await);

    let (revoked, token) = (mint().await, mint().await);
    let revocation = server.form("/oidc/token/revocation").with("token", &revoked).basic(&client, &secret);
    revocation.send().await.expect(200);
    expect_inactive(ask(&revoked).await);

    assert_eq!(ask(&token).await["active"], true);
    server.set_suspended(&user, true).await;
    expect_inactive(ask(&token).await);
    server.set_suspended(&user, false).await;
    assert_eq!(ask(&token).await["active"], true);
    server.clock.advance(Duration::from_secs(3600));
    expect_inactive(ask(&token).await);

    let token = mint().await;
    assert_eq!(ask(&token).await["active"], true);
    server.delete_user(&user).await;
    expect_inactive(ask(&token).await);
});

both!(only_confidential_clients_may_ask, async |server: TestServer| {
    let demo = server.demo();
    let token = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let form = introspection(&server, &token);
    form.send().await.expect_oauth_error(401, "invalid_client");
    form.clone().with("client_id", &demo.spa_client_id).send().await.expect_oauth_error(401, "invalid_client");
    form.clone().basic(&demo.web_client_id, "wrong").send().await.expect_oauth_error(401, "invalid_client");
    let bearer = form.authorization(&format!("Bearer {token}"));
    bearer.send().await.expect_oauth_error(400, "invalid_request");
});

both!(the_request_must_make_sense, async |server: TestServer| {
    let form = server.form("/oidc/token/introspection").as_web();
    form.send().await.expect_oauth_error(400, "invalid_request");
    form.clone().and("token", "a").and("token", "b").send().await.expect_oauth_error(400, "invalid_request");
    form.clone().with("token", "a\0").send().await.expect_oauth_error(400, "invalid_request");
    // A hint is a hint (RFC 7662 section 2.1).
    expect_inactive(form.with("token", "a").with("token_type_hint", "refresh_token").send().await);
});
