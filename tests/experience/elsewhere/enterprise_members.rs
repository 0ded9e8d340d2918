//! Users who join organizations because they sign in through an enterprise connector.

use super::{server, visit};
use crate::browser::{Browser, settings};
use claimsmith_test_support::{Home, Upstream, both};
use serde_json::json;
use std::sync::Arc;

both!(whoever_signs_in_through_its_connector_joins_an_organization, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let upstream = Upstream::start(false).await;
    // Of no domain of the connector: they come by its button.
    upstream.person(json!({ "sub": "bob-1", "email": "bob@elsewhere.example", "email_verified": true, "name": "Bob" }));
    let body = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["acme.example"],
    });
    let id = management.post("/api/sso-connectors", body).await.expect(200).text("id");
    settings(&server, json!({ "singleSignOnEnabled": true })).await;
    let made =
        async |path: &str, name: &str| management.post(path, json!({ "name": name })).await.expect(201).text("id");
    let (first, later) = (made("/api/organizations", "first").await, made("/api/organizations", "later").await);
    let role = made("/api/organization-roles", "member").await;
    let jit = |organization: &str, what: &str| format!("/api/organizations/{organization}/jit/{what}");
    management.post(&jit(&first, "sso-connectors"), json!({ "ssoConnectorIds": [id] })).await.expect(201);
    management.post(&jit(&first, "roles"), json!({ "organizationRoleIds": [role] })).await.expect(201);
    let organizations = async |user: &str| {
        let listed = management.get(&format!("/api/users/{user}/organizations")).await.expect(200).body;
        listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };

    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect(201);
    let user = browser.state().await["userId"].as_str().unwrap().to_owned();
    browser.submit().await.expect(200);
    assert_eq!(organizations(&user).await, ["first"]);
    let roles = management.get(&format!("/api/organizations/{first}/users/{user}/roles")).await.expect(200);
    assert_eq!(roles.body[0]["id"], role.as_str());
    let identity = management.get(&format!("/api/users/{user}/sso-identities/{id}")).await.expect(200).body;
    assert_eq!(identity["ssoIdentity"]["identityId"], "bob-1");
    let unknown = management.get(&format!("/api/users/{user}/sso-identities/other")).await;
    unknown.expect_api_error(404, "user.enterprise_sso_identity_not_exists");

    // Who has an account already joins at the next sign-in, and whoever signs in otherwise does not.
    management.post(&jit(&later, "sso-connectors"), json!({ "ssoConnectorIds": [id] })).await.expect(201);
    assert_eq!(organizations(&user).await, ["first"]);
    let mut again = Browser::new(&server).await;
    again.start("SignIn").await.expect(204);
    let verified = visit(&mut again, &server, &upstream, "sso", &id).await.expect(200);
    again.identify(&verified).await.expect(204);
    assert_eq!(organizations(&user).await, ["first"]);
    again.submit().await.expect(200);
    assert_eq!(organizations(&user).await, ["first", "later"]);
    let logs = management.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    assert!(logs.contains("Management.Organization.ChangeJitSsoConnectors"), "{logs}");
});
