//! The default resource: what is meant where a request names none.

use crate::sign_in::{client, customer};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::resources;
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const ORDERS: &str = "https://orders.example.com";

/// Makes the orders the default resource, or no longer.
async fn mark(server: &TestServer, is_default: bool) {
    let management = server.management().await;
    let listed = management.get("/api/resources").await.expect(200).body;
    let orders = listed.as_array().unwrap().iter().find(|one| one["indicator"] == ORDERS).unwrap().clone();
    let path = format!("/api/resources/{}/is-default", orders["id"].as_str().unwrap());
    management.patch(&path, json!({ "isDefault": is_default })).await.expect(200);
}

both!(a_machine_that_names_nothing_gets_a_token_for_the_default_resource, async |server: TestServer| {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let scopes = server.add_resource(new_resource(ORDERS), &["read", "write"]).await;
    server.let_application_hold(&id, &scopes[..1]).await;
    let form = server.form("/oidc/token").with("grant_type", "client_credentials").basic(&id, &secret);
    let form = form.with("scope", "read write");
    form.send().await.expect_oauth_error(400, "invalid_target");
    mark(&server, true).await;
    let answer = form.send().await.expect(200);
    assert_eq!(answer["scope"], "read");
    assert_eq!(server.verify(&answer.text("access_token"), ORDERS).await.claims["aud"], ORDERS);
    // What is named counts, also if it is nothing.
    form.clone().with("resource", "https://nothing.example.com").send().await.expect_oauth_error(400, "invalid_target");
    form.clone().with("organization_id", "nobody").send().await.expect_oauth_error(403, "access_denied");
    mark(&server, false).await;
    form.send().await.expect_oauth_error(400, "invalid_target");
});

both!(who_signs_in_without_openid_gets_a_token_for_the_default_resource, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let scopes = server.add_resource(new_resource(ORDERS), &["read", "write"]).await;
    server.let_user_hold(&customer(&server), &scopes[..1]).await;
    mark(&server, true).await;
    let code = client.code(&browser, "read write offline_access", &[]).await;
    let answer = client.exchange(&server, &code).send().await.expect(200);
    assert_eq!(answer["scope"], "read");
    assert_eq!(server.verify(&answer.text("access_token"), ORDERS).await.claims["aud"], ORDERS);
    let answer = client.refresh(&server, &answer.text("refresh_token")).send().await.expect(200);
    assert_eq!(server.verify(&answer.text("access_token"), ORDERS).await.claims["scope"], "read");

    // With it the token is this server's own, for userinfo; and what is named counts.
    let code = client.code(&browser, "openid read", &[]).await;
    let token = client.exchange(&server, &code).access_token().await;
    assert!(!token.contains('.'), "{token}");
    server.bearer(&token).get("/oidc/me").await.expect(200);
    let demo = server.demo().resource.clone();
    let code = client.code(&browser, "resource:read", &[("resource", &demo)]).await;
    let token = client.exchange(&server, &code).access_token().await;
    server.verify(&token, &demo).await;
});

both!(an_exchange_has_no_default_resource_and_the_management_api_is_none, async |server: TestServer| {
    server.add_resource(new_resource(ORDERS), &[]).await;
    mark(&server, true).await;
    let exchange = server.exchange(&server.customer_token().await).without("resource");
    exchange.send().await.expect_oauth_error(400, "invalid_target");

    // Marked nevertheless, in the database.
    let management = server.machine().resource.clone();
    let mut tx = server.begin().await;
    let own = resources::find_by_indicator(&mut tx, &management).await.unwrap().unwrap();
    resources::set_default(&mut tx, &own.id, true).await.unwrap();
    tx.commit().await.unwrap();
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let form = server.form("/oidc/token").with("grant_type", "client_credentials").basic(&id, &secret);
    form.send().await.expect_oauth_error(400, "invalid_target");
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "profile", &[]).await;
    let token = client.exchange(&server, &code).access_token().await;
    assert!(!token.contains('.'), "{token}");
});

both!(an_organization_that_requires_a_second_factor_gives_no_token_without_one, async |server: TestServer| {
    let user = server.add_user().await;
    let scopes = server.add_resource(new_resource(ORDERS), &["read"]).await;
    let organization = server.add_organization_of(&user, &scopes).await;
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access urn:logto:scope:organizations";
    let code = client.code(&browser, scope, &[]).await;
    let first = client.exchange(&server, &code).send().await.expect(200);
    let refresh = client.refresh(&server, &first.text("refresh_token")).with("organization_id", &organization);
    let exchange = async || {
        let form = server.exchange(&server.subject_token(&user, json!({})).await);
        form.with("resource", ORDERS).with("scope", "read").with("organization_id", &organization)
    };
    exchange().await.send().await.expect(200);

    let management = server.management().await;
    let path = format!("/api/organizations/{organization}");
    management.patch(&path, json!({ "isMfaRequired": true })).await.expect(200);
    exchange().await.send().await.expect_oauth_error(403, "access_denied");
    refresh.send().await.expect_oauth_error(403, "access_denied");
    let code = client.code(&browser, scope, &[]).await;
    let named = client.exchange(&server, &code).with("organization_id", &organization);
    named.send().await.expect_oauth_error(403, "access_denied");
    // Elsewhere they are who they were.
    let form = server.exchange(&server.subject_token(&user, json!({})).await);
    form.with("resource", ORDERS).send().await.expect(200);

    let factors = format!("/api/users/{user}/mfa-verifications");
    management.post(&factors, json!({ "type": "Totp" })).await.expect(200);
    let answer = exchange().await.send().await.expect(200);
    assert_eq!(answer["scope"], "read");
    let answer = refresh.send().await.expect(200);
    assert_ne!(answer["access_token"], Value::Null);
    named.send().await.expect(200);
});
