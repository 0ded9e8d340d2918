//! Organization tokens of machine-to-machine applications: for the organization, or for a resource within it.

use claimsmith_test_support::{Actor, Form, TestServer, both};
use serde_json::json;

const API: &str = "https://invoices.example.com";

/// A machine in an organization, with a role there that carries two organization scopes and a scope of a resource.
struct Scene {
    management: Actor,
    organization: String,
    application: String,
    role: String,
    scope: String,
    form: Form,
}

async fn scene(server: &TestServer) -> Scene {
    let management = server.management().await;
    let create = async |path: &str, body| management.post(path, body).await.expect(201).text("id");
    let organization = create("/api/organizations", json!({ "name": "Zoo", "customData": { "plan": "gold" } })).await;
    let scope = create("/api/organization-scopes", json!({ "name": "feed" })).await;
    let other = create("/api/organization-scopes", json!({ "name": "clean" })).await;
    create("/api/organization-scopes", json!({ "name": "close" })).await;
    let resource = create("/api/resources", json!({ "name": "Invoices", "indicator": API })).await;
    let scopes = format!("/api/resources/{resource}/scopes");
    let (there, everywhere) =
        (create(&scopes, json!({ "name": "there" })).await, create(&scopes, json!({ "name": "everywhere" })).await);
    let role = json!({ "name": "keeper", "type": "MachineToMachine", "organizationScopeIds": [scope, other],
        "resourceScopeIds": [there] });
    let role = create("/api/organization-roles", role).await;
    let application = json!({ "name": "Robot", "type": "MachineToMachine" });
    let application = management.post("/api/applications", application).await.expect(200);
    let (id, secret) = (application.text("id"), application.text("secret"));
    let members = format!("/api/organizations/{organization}/applications");
    management.post(&members, json!({ "applicationIds": [id] })).await.expect(201);
    let roles = format!("{members}/{id}/roles");
    management.post(&roles, json!({ "organizationRoleIds": [role] })).await.expect(201);
    server.let_application_hold(&id.as_str().into(), &[everywhere.into()]).await;
    let form = server.form("/oidc/token").with("grant_type", "client_credentials").basic(&id, &secret);
    let form = form.with("organization_id", &organization);
    Scene { management, organization, application: id, role, scope, form }
}

both!(a_machine_gets_a_token_for_its_organization, async |server: TestServer| {
    let Scene { organization, application, form, .. } = scene(&server).await;
    let audience = format!("urn:logto:organization:{organization}");
    for (requested, granted) in [("feed close openid clean feed", "feed clean"), ("everywhere there", ""), ("", "")] {
        let answer = form.clone().with("scope", requested).send().await.expect(200);
        let shown = (!granted.is_empty()).then(|| json!(granted));
        assert_eq!((answer.body.get("scope"), &answer["expires_in"]), (shown.as_ref(), &json!(3600)), "{requested}");
        let claims = server.verify(&answer.text("access_token"), &audience).await.claims;
        assert_eq!((&claims["sub"], &claims["client_id"]), (&json!(application), &json!(application)));
        assert_eq!((&claims["scope"], claims.get("organization_id")), (&json!(granted), None), "{requested}");
    }
    // It opens nothing but the organization.
    let token = form.with("scope", "feed all").access_token().await;
    server.bearer(&token).get("/api/users").await.expect_api_error(401, "auth.unauthorized");
});

both!(roles_of_the_organization_alone_count_at_a_resource_there, async |server: TestServer| {
    let Scene { organization, form, .. } = scene(&server).await;
    let form = form.with("resource", API).with("scope", "there everywhere feed");
    let answer = form.send().await.expect(200);
    assert_eq!(answer["scope"], "there");
    let claims = server.verify(&answer.text("access_token"), API).await.claims;
    assert_eq!((&claims["scope"], &claims["organization_id"]), (&json!("there"), &json!(organization)));
    let answer = form.without("organization_id").send().await.expect(200);
    assert_eq!(answer["scope"], "everywhere");
    let claims = server.verify(&answer.text("access_token"), API).await.claims;
    assert_eq!(claims.get("organization_id"), None);
});

both!(what_is_taken_away_is_granted_no_more, async |server: TestServer| {
    let Scene { management, organization, application, role, scope, form } = scene(&server).await;
    let form = form.with("scope", "feed clean");
    let granted = async || form.send().await.expect(200).body.get("scope").cloned();
    assert_eq!(granted().await, Some(json!("feed clean")));
    management.delete(&format!("/api/organization-scopes/{scope}")).await.expect(204);
    assert_eq!(granted().await, Some(json!("clean")));
    let members = format!("/api/organizations/{organization}/applications/{application}");
    management.delete(&format!("{members}/roles/{role}")).await.expect(204);
    assert_eq!(granted().await, None);
    management.delete(&members).await.expect(204);
    form.send().await.expect_oauth_error(403, "access_denied");
    form.clone().with("resource", API).send().await.expect_oauth_error(403, "access_denied");
});

both!(who_does_not_belong_there_gets_nothing, async |server: TestServer| {
    let Scene { form, .. } = scene(&server).await;
    let others = server.add_organization_of(&server.demo().customer_user_id, &[]).await;
    for organization in [others.as_str(), "unknown", " "] {
        let answer = form.clone().with("organization_id", organization).send().await;
        answer.expect_oauth_error(403, "access_denied");
    }
    form.clone().and("organization_id", &others).send().await.expect_oauth_error(400, "invalid_request");
    form.clone().with("resource", "https://unknown.example.com").send().await.expect_oauth_error(400, "invalid_target");
    // The Management API is in no organization.
    let management = form.clone().with("resource", &server.machine().resource).with("scope", "all");
    management.send().await.expect_oauth_error(400, "invalid_target");
    let neither = form.without("organization_id").send().await;
    neither.expect_oauth_error(400, "invalid_target");
    assert_eq!(neither["error_description"], "both `resource` and `organization_id` are not provided");
});

both!(plugins_see_the_organization, async |server: TestServer| {
    let Scene { management, organization, form, .. } = scene(&server).await;
    let script = "const getCustomJwtClaims = async ({ token, context }) =>
        ({ seen: [context.organization, token.aud] });";
    let path = "/api/configs/jwt-customizer/client-credentials";
    management.put(path, json!({ "script": script, "blockIssuanceOnError": true })).await.expect(201);
    let change = json!({ "description": "Animals" });
    management.patch(&format!("/api/organizations/{organization}"), change).await.expect(200);
    let audience = format!("urn:logto:organization:{organization}");
    let claims = server.verify(&form.access_token().await, &audience).await.claims;
    let seen = json!({ "id": organization, "name": "Zoo", "description": "Animals", "customData": { "plan": "gold" } });
    assert_eq!(claims["seen"], json!([seen, audience]));
});

both!(no_resource_has_the_name_of_an_organization, async |server: TestServer| {
    let Scene { management, organization, .. } = scene(&server).await;
    for indicator in [format!("urn:logto:organization:{organization}"), "URN:Logto:resource:organizations".to_owned()] {
        let answer = management.post("/api/resources", json!({ "name": "Zoo", "indicator": indicator })).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
});
