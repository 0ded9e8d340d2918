//! Applications that only some users may sign in to.

use super::{Client, authorize, client, customer, with};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{Actor, TestServer, both, told};
use serde_json::{Value, json};

/// Lets only those sign in whom these rules name.
async fn restrict(management: &Actor, client: &Client, more: Value) {
    let mut rules = json!({ "userIds": [], "userRoleIds": [], "organizationIds": [], "organizationRoleRules": [] });
    rules.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    let path = format!("/api/applications/{}", client.id);
    management.put(&format!("{path}/access-control"), rules).await.expect(200);
    management.patch(&path, json!({ "appLevelAccessControlEnabled": true })).await.expect(200);
}

both!(whoever_no_rule_names_gets_no_code_and_no_tokens, async |server: TestServer| {
    let own = client(&server, ApplicationType::Native).await;
    let (user, engineer) = (customer(&server), server.demo().engineer_user_id.clone());
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access";
    let code = own.code(&browser, scope, &[]).await;
    let tokens = own.exchange(&server, &code).send().await.expect(200);
    let unused = own.code(&browser, scope, &[]).await;
    let management = server.management().await;
    restrict(&management, &own, json!({ "userIds": [engineer] })).await;

    for more in [&[][..], &[("prompt", "none")], &[("prompt", "consent")]] {
        let refused = told(&authorize(&browser, &with(own.request(scope), more)).await.expect(303));
        assert_eq!(refused["error"], "access_denied", "{more:?}");
    }
    own.exchange(&server, &unused).send().await.expect_oauth_error(400, "access_denied");
    let refresh = own.refresh(&server, &tokens.text("refresh_token"));
    refresh.send().await.expect_oauth_error(400, "access_denied");
    let (theirs, _) = server.signed_in(&[&engineer]).await;
    own.code(&theirs, scope, &[]).await;
    // The refusal used nothing up.
    restrict(&management, &own, json!({ "userIds": [user] })).await;
    refresh.send().await.expect(200);
    own.exchange(&server, &unused).send().await.expect(200);
    // Disabled, it lets everybody in.
    restrict(&management, &own, json!({ "userIds": [engineer] })).await;
    let path = format!("/api/applications/{}", own.id);
    management.patch(&path, json!({ "appLevelAccessControlEnabled": false })).await.expect(200);
    own.code(&browser, scope, &[]).await;
});

both!(a_rule_names_a_user_a_role_an_organization_or_a_role_there, async |server: TestServer| {
    let own = client(&server, ApplicationType::Native).await;
    let user = customer(&server);
    let (browser, _) = server.signed_in(&[&user]).await;
    let management = server.management().await;
    let made = async |path: &str, body: Value, status| management.post(path, body).await.expect(status).text("id");
    let role = made("/api/roles", json!({ "name": "r", "description": "d", "type": "User" }), 200).await;
    let there = made("/api/organizations", json!({ "name": "there" }), 201).await;
    let elsewhere = made("/api/organizations", json!({ "name": "elsewhere" }), 201).await;
    let keeper = made("/api/organization-roles", json!({ "name": "keeper" }), 201).await;
    let members = |id: &str| format!("/api/organizations/{id}/users");
    management.post(&members(&elsewhere), json!({ "userIds": [user] })).await.expect(201);
    // They are a keeper, but not there.
    let roles = |id: &str| format!("{}/{user}/roles", members(id));
    management.post(&roles(&elsewhere), json!({ "organizationRoleIds": [keeper] })).await.expect(201);
    let keepers = json!({
        "organizationRoleRules": [{ "organizationId": there, "organizationRoleIds": [keeper] }],
    });
    for (rules, path, body) in [
        (json!({ "userRoleIds": [role] }), format!("/api/users/{user}/roles"), json!({ "roleIds": [role] })),
        (json!({ "organizationIds": [there] }), members(&there), json!({ "userIds": [user] })),
        (keepers, roles(&there), json!({ "organizationRoleIds": [keeper] })),
    ] {
        restrict(&management, &own, rules.clone()).await;
        let refused = told(&authorize(&browser, &own.request("openid")).await.expect(303));
        assert_eq!(refused["error"], "access_denied", "{rules}");
        management.post(&path, body).await.expect(201);
        let code = own.code(&browser, "openid", &[]).await;
        own.exchange(&server, &code).send().await.expect(200);
    }
});

both!(an_exchange_is_for_users_who_may_sign_in, async |server: TestServer| {
    let management = server.management().await;
    let user = server.demo().customer_user_id.clone();
    let path = format!("/api/applications/{}", server.demo().spa_client_id);
    let rules =
        |id: &str| json!({ "userIds": [id], "userRoleIds": [], "organizationIds": [], "organizationRoleRules": [] });
    let access = format!("{path}/access-control");
    management.put(&access, rules(&server.demo().engineer_user_id)).await.expect(200);
    management.patch(&path, json!({ "appLevelAccessControlEnabled": true })).await.expect(200);
    let token = server.subject_token(&user, json!({})).await;
    let form = server.exchange(&token);
    form.send().await.expect_oauth_error(400, "access_denied");
    // The token is not used up by that.
    management.put(&access, rules(&user)).await.expect(200);
    form.send().await.expect(200);
});
