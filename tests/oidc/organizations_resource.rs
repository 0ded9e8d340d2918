//! Organizations as libraries for the reference API ask for them: by their scope, and by a `resource` of their name.

use crate::sign_in::{Client, authorize, client, customer, with};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{Answer, TestServer, both, told};
use serde_json::json;

const RESOURCE: &str = "urn:logto:resource:organizations";
const SCOPE: &str = "openid offline_access urn:logto:scope:organizations feed close";

/// An organization of the demo's customer, who holds `feed` and `clean` there.
async fn organization(server: &TestServer) -> String {
    let management = server.management().await;
    let create = async |path: &str, body| management.post(path, body).await.expect(201).text("id");
    let organization = create("/api/organizations", json!({ "name": "Zoo" })).await;
    let mut scopes = Vec::new();
    for name in ["feed", "clean", "close"] {
        scopes.push(create("/api/organization-scopes", json!({ "name": name })).await);
    }
    let role = json!({ "name": "keeper", "organizationScopeIds": scopes[..2] });
    let role = create("/api/organization-roles", role).await;
    let members = format!("/api/organizations/{organization}/users");
    let user = customer(server);
    management.post(&members, json!({ "userIds": [user] })).await.expect(201);
    management.post(&format!("{members}/{user}/roles"), json!({ "organizationRoleIds": [role] })).await.expect(201);
    organization
}

/// What a library gets that names the organizations.
async fn first(server: &TestServer, client: &Client, scope: &str, more: &[(&str, &str)]) -> Answer {
    let (browser, _) = server.signed_in(&[&customer(server)]).await;
    let more: Vec<(&str, &str)> = [("resource", RESOURCE), ("prompt", "consent")].iter().chain(more).copied().collect();
    let code = client.code(&browser, scope, &more).await;
    client.exchange(server, &code).send().await.expect(200)
}

both!(a_sign_in_may_name_the_organizations, async |server: TestServer| {
    let organization = organization(&server).await;
    let audience = format!("urn:logto:organization:{organization}");
    let client = client(&server, ApplicationType::Spa).await;
    let tokens = first(&server, &client, SCOPE, &[]).await;
    assert!(!tokens.text("access_token").contains('.'), "it is for this server");
    server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(200);
    let mut refresh = tokens.text("refresh_token");
    // With the name, and without it.
    for more in [
        &[("organization_id", organization.as_str())][..],
        &[("organization_id", organization.as_str()), ("resource", RESOURCE)],
    ] {
        let form = more.iter().fold(client.refresh(&server, &refresh), |form, (name, value)| form.with(name, value));
        let answer = form.send().await.expect(200);
        assert_eq!(answer["scope"], "feed");
        assert!(answer["id_token"].is_string(), "{}", answer.body);
        let claims = server.verify(&answer.text("access_token"), &audience).await.claims;
        assert_eq!((&claims["scope"], &claims["sub"]), (&json!("feed"), &json!(customer(&server))));
        refresh = answer.text("refresh_token");
    }
    // Fewer scopes: without openid there is no ID token.
    let form = client.refresh(&server, &refresh).with("organization_id", &organization).with("scope", "feed");
    let answer = form.send().await.expect(200);
    assert_eq!((&answer["scope"], answer["id_token"].is_null()), (&json!("feed"), true));
    let form = client.refresh(&server, &answer.text("refresh_token")).with("organization_id", &organization);
    let answer = form.with("scope", "close").send().await.expect(200);
    assert_eq!((answer.body.get("scope"), answer.body.get("id_token")), (None, None));
    let form = client.refresh(&server, &answer.text("refresh_token")).with("scope", "openid");
    assert!(form.send().await.expect(200)["id_token"].is_string());
});

both!(a_token_for_all_organizations_has_no_permission, async |server: TestServer| {
    let organization = organization(&server).await;
    let client = client(&server, ApplicationType::Native).await;
    let tokens = first(&server, &client, SCOPE, &[]).await;
    let form = client.refresh(&server, &tokens.text("refresh_token")).with("resource", RESOURCE);
    let answer = form.send().await.expect(200);
    assert_eq!(answer.body.get("scope"), None);
    let claims = server.verify(&answer.text("access_token"), RESOURCE).await.claims;
    assert_eq!((&claims["scope"], claims.get("organization_id")), (&json!(""), None));
    // Neither this server nor its APIs take it.
    let token = server.bearer(&answer.text("access_token"));
    token.get("/oidc/me").await.expect(401);
    token.get("/api/users").await.expect_api_error(401, "auth.unauthorized");

    // Without the scope the name opens nothing.
    let tokens = first(&server, &client, "openid offline_access feed", &[]).await;
    let refresh = client.refresh(&server, &tokens.text("refresh_token"));
    for form in [refresh.clone().with("resource", RESOURCE), refresh.clone().with("organization_id", &organization)] {
        let answer = form.send().await;
        answer.expect_oauth_error(403, "insufficient_scope");
        assert_eq!(answer["error_description"], "refresh token missing required scope");
    }
    refresh.send().await.expect(200);
});

both!(nothing_else_takes_the_organizations_for_a_resource, async |server: TestServer| {
    let organization = organization(&server).await;
    let exchange = server.exchange(&server.customer_token().await);
    exchange.clone().with("resource", RESOURCE).send().await.expect_oauth_error(400, "invalid_target");
    exchange.clone().with("audience", RESOURCE).send().await.expect_oauth_error(400, "invalid_target");
    server.client_credentials().with("resource", RESOURCE).send().await.expect_oauth_error(400, "invalid_target");
    let client = client(&server, ApplicationType::Native).await;
    let tokens = first(&server, &client, SCOPE, &[]).await;
    let refresh = client.refresh(&server, &tokens.text("refresh_token"));
    let twice = refresh.clone().with("resource", RESOURCE).and("resource", RESOURCE);
    twice.send().await.expect_oauth_error(400, "invalid_target");
    let outside = refresh.with("resource", RESOURCE).with("organization_id", "nowhere");
    outside.send().await.expect_oauth_error(403, "access_denied");
    // Other names of the kind, and lists in one parameter, are unknown resources.
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let list = format!("{RESOURCE},{}", server.demo().resource);
    for other in [format!("{RESOURCE}/"), format!("urn:logto:organization:{organization}"), list] {
        let asked = authorize(&browser, &with(client.request(SCOPE), &[("resource", &other)])).await;
        assert_eq!(told(&asked)["error"], "invalid_target", "{other}");
    }
});

both!(a_resource_beside_the_organizations_is_the_only_one, async |server: TestServer| {
    let user = customer(&server);
    let client = client(&server, ApplicationType::Native).await;
    let resource = server.demo().resource.clone();
    let (browser, _) = server.signed_in(&[&user]).await;
    let request = with(client.request("resource:read urn:logto:scope:organizations"), &[("resource", RESOURCE)]);
    let both = [request.as_slice(), &[("resource".to_owned(), resource.clone())]].concat();
    let code = told(&authorize(&browser, &both).await.expect(303)).remove("code").unwrap();
    server.verify(&client.exchange(&server, &code).access_token().await, &resource).await;
    // Alone, it is none, and no default takes its place.
    server.add_resource(new_resource("https://orders.example.com"), &["read"]).await;
    let management = server.management().await;
    let listed = management.get("/api/resources").await.expect(200).body;
    let orders =
        listed.as_array().unwrap().iter().find(|one| one["indicator"] == "https://orders.example.com").unwrap();
    let path = format!("/api/resources/{}/is-default", orders["id"].as_str().unwrap());
    management.patch(&path, json!({ "isDefault": true })).await.expect(200);
    let code = told(&authorize(&browser, &request).await.expect(303)).remove("code").unwrap();
    assert!(!client.exchange(&server, &code).access_token().await.contains('.'));
    // Devices and pushed requests read the same.
    let metadata = CustomClientMetadata { is_device_flow: Some(true), ..CustomClientMetadata::default() };
    let device = crate::sign_in::client_with(&server, ApplicationType::Native, metadata, false).await;
    let form = device.prove(server.form("/oidc/device/auth").with("scope", SCOPE));
    form.with("resource", RESOURCE).send().await.expect(200);
});

both!(a_browser_application_gets_refresh_tokens_where_it_is_set_so, async |server: TestServer| {
    for (kind, always) in [(ApplicationType::Spa, true), (ApplicationType::Native, true), (ApplicationType::Spa, false)]
    {
        let metadata =
            CustomClientMetadata { always_issue_refresh_token: Some(always), ..CustomClientMetadata::default() };
        let client = crate::sign_in::client_with(&server, kind, metadata, false).await;
        let (browser, ids) = server.signed_in(&[&customer(&server)]).await;
        let code = client.code(&browser, "openid", &[]).await;
        let tokens = client.exchange(&server, &code).send().await.expect(200);
        assert_eq!((&tokens["scope"], tokens["refresh_token"].is_string()), (&json!("openid"), always), "{kind:?}");
        if always {
            // Each use replaces it, and it ends with the session.
            let next = client.refresh(&server, &tokens.text("refresh_token")).send().await.expect(200);
            let path = format!("/api/users/{}/sessions/{}", customer(&server), ids[0]);
            server.management().await.delete(&path).await.expect(204);
            let form = client.refresh(&server, &next.text("refresh_token"));
            form.send().await.expect_oauth_error(400, "invalid_grant");
        }
    }
});
