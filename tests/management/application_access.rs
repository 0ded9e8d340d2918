//! Who may sign in to an application, what a third-party application may ask for, and in which organizations of a user
//! it acts.

use crate::fixtures::{NOBODY, texts};
use claimsmith_test_support::{Actor, TestServer, both};
use serde_json::{Value, json};

/// A new application; answers its path.
async fn application(management: &Actor, more: Value) -> String {
    let mut body = json!({ "name": "Shop", "type": "SPA" });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    format!("/api/applications/{}", management.post("/api/applications", body).await.expect(200).text("id"))
}

async fn made(management: &Actor, path: &str, body: Value, status: u16) -> String {
    management.post(path, body).await.expect(status).text("id")
}

/// A resource with these scopes; their ids.
async fn scopes(management: &Actor, indicator: &str, names: &[&str]) -> Vec<String> {
    let resource = made(management, "/api/resources", json!({ "name": indicator, "indicator": indicator }), 201).await;
    let mut ids = Vec::new();
    for name in names {
        let path = format!("/api/resources/{resource}/scopes");
        ids.push(made(management, &path, json!({ "name": name, "description": "d" }), 201).await);
    }
    ids
}

both!(rules_say_who_may_sign_in_to_an_application, async |server: TestServer| {
    let management = server.management().await;
    let path = application(&management, json!({})).await;
    let rules = format!("{path}/access-control");
    let none = json!({ "userIds": [], "userRoleIds": [], "organizationIds": [], "organizationRoleRules": [] });
    assert_eq!(management.get(&rules).await.expect(200).body, none);
    let enable = json!({ "appLevelAccessControlEnabled": true });
    management.patch(&path, enable.clone()).await.expect_api_error(422, "request.invalid_input");
    assert_eq!(management.get(&path).await.expect(200)["appLevelAccessControlEnabled"], false);

    let user = server.demo().customer_user_id.to_string();
    let role = made(&management, "/api/roles", json!({ "name": "r", "description": "d", "type": "User" }), 200).await;
    let organization = made(&management, "/api/organizations", json!({ "name": "o" }), 201).await;
    let member = made(&management, "/api/organization-roles", json!({ "name": "m" }), 201).await;
    let wanted = json!({
        "userIds": [user, user], "userRoleIds": [role, role], "organizationIds": [organization, organization],
        "organizationRoleRules": [
            { "organizationId": organization, "organizationRoleIds": [member, member] },
            { "organizationId": organization, "organizationRoleIds": [member] },
        ],
    });
    let kept = json!({
        "userIds": [user], "userRoleIds": [role], "organizationIds": [organization],
        "organizationRoleRules": [{ "organizationId": organization, "organizationRoleIds": [member] }],
    });
    assert_eq!(management.put(&rules, wanted).await.expect(200).body, kept);
    assert_eq!(management.get(&rules).await.expect(200).body, kept);
    let changed = management.patch(&path, enable).await.expect(200);
    assert_eq!(changed["appLevelAccessControlEnabled"], true);
    // While it is enabled, somebody has to be let in.
    management.put(&rules, none.clone()).await.expect_api_error(422, "request.invalid_input");
    assert_eq!(management.get(&rules).await.expect(200).body, kept);
    management.patch(&path, json!({ "appLevelAccessControlEnabled": false })).await.expect(200);
    management.put(&rules, none).await.expect(200);
    let logged = management.get("/api/logs?logKey=Management.Application.ChangeAccessControl").await.expect(200);
    assert_eq!(logged.body.as_array().unwrap().len(), 2);
});

both!(rules_name_what_there_is_and_users_can_have, async |server: TestServer| {
    let management = server.management().await;
    let path = application(&management, json!({})).await;
    let rules = format!("{path}/access-control");
    let organization = made(&management, "/api/organizations", json!({ "name": "o" }), 201).await;
    let of_machines = json!({ "name": "machines", "description": "d", "type": "MachineToMachine" });
    let role = made(&management, "/api/roles", of_machines.clone(), 200).await;
    let organization_role = made(&management, "/api/organization-roles", of_machines, 201).await;
    let rule = |roles: Value| json!([{ "organizationId": organization, "organizationRoleIds": roles }]);
    let (unknown, unfit) = ((404, "entity.relation_foreign_key_not_found"), (422, "entity.db_constraint_violated"));
    for (member, value, (status, code)) in [
        ("userIds", json!([NOBODY]), unknown),
        ("userRoleIds", json!([NOBODY]), unknown),
        ("userRoleIds", json!([role]), unfit),
        ("organizationIds", json!([NOBODY]), unknown),
        ("organizationRoleRules", rule(json!([NOBODY])), unknown),
        ("organizationRoleRules", rule(json!([organization_role])), unfit),
        ("organizationRoleRules", rule(json!([])), (422, "request.invalid_input")),
        ("organizationRoleRules", json!([{ "organizationId": organization }]), (400, "guard.invalid_input")),
        ("userIds", json!("x"), (400, "guard.invalid_input")),
    ] {
        let mut body = json!({ "userIds": [], "userRoleIds": [], "organizationIds": [], "organizationRoleRules": [] });
        body[member] = value.clone();
        let refused = management.put(&rules, body).await;
        assert_eq!((refused.status, refused.text("code").as_str()), (status, code), "{member}: {value}");
    }
    let empty = json!({ "userIds": [], "userRoleIds": [], "organizationIds": [], "organizationRoleRules": [] });
    let elsewhere = format!("/api/applications/{NOBODY}/access-control");
    management.get(&elsewhere).await.expect_api_error(404, "entity.not_exists_with_id");
    management.put(&elsewhere, empty.clone()).await.expect_api_error(404, "entity.not_exists_with_id");
    let machine = application(&management, json!({ "type": "MachineToMachine" })).await;
    let refused = management.put(&format!("{machine}/access-control"), empty).await;
    refused.expect_api_error(422, "application.invalid_type");
});

both!(an_operator_says_what_a_third_party_may_ask_for, async |server: TestServer| {
    let management = server.management().await;
    let path = application(&management, json!({ "type": "Traditional", "isThirdParty": true })).await;
    let consent = format!("{path}/user-consent-scopes");
    let none = json!({
        "isLimited": true, "organizationScopes": [], "resourceScopes": [], "organizationResourceScopes": [],
        "userScopes": [],
    });
    assert_eq!(management.get(&consent).await.expect(200).body, none);
    let read = scopes(&management, "https://files.test", &["read", "write", "share"]).await;
    let organization_scope = made(&management, "/api/organization-scopes", json!({ "name": "invite" }), 201).await;
    let wanted = json!({
        "organizationScopes": [organization_scope], "resourceScopes": [read[0], read[1]],
        "organizationResourceScopes": [read[2]], "userScopes": ["profile", "email"],
    });
    assert_eq!(management.post(&consent, wanted.clone()).await.expect(201).body, Value::Null);
    management.post(&consent, wanted).await.expect(201);
    management.post(&consent, json!({})).await.expect(201);
    let shown = management.get(&consent).await.expect(200).body;
    assert_eq!(texts(&shown["organizationScopes"], "id"), [&organization_scope]);
    assert_eq!(shown["resourceScopes"][0]["resource"]["indicator"], "https://files.test");
    assert_eq!(texts(&shown["resourceScopes"][0]["scopes"], "name"), ["read", "write"]);
    assert_eq!(texts(&shown["organizationResourceScopes"][0]["scopes"], "id"), [&read[2]]);
    assert_eq!(shown["userScopes"], json!(["email", "profile"]));

    for (kind, id) in [
        ("organization-scopes", organization_scope.as_str()),
        ("resource-scopes", read[0].as_str()),
        ("organization-resource-scopes", read[2].as_str()),
        ("user-scopes", "email"),
    ] {
        management.delete(&format!("{consent}/{kind}/{id}")).await.expect(204);
        management.delete(&format!("{consent}/{kind}/{id}")).await.expect_api_error(404, "entity.not_found");
    }
    management.delete(&format!("{consent}/scopes/email")).await.expect_api_error(400, "guard.invalid_input");
    let left = management.get(&consent).await.expect(200).body;
    assert_eq!(left["userScopes"], json!(["profile"]));
    assert_eq!(texts(&left["resourceScopes"][0]["scopes"], "name"), ["write"]);
    assert_eq!(left["organizationResourceScopes"], json!([]));
    let logged = management.get("/api/logs?logKey=Management.Application.ChangeConsentScopes").await.expect(200);
    assert_eq!(logged.body.as_array().unwrap().len(), 7);
});

both!(what_no_third_party_may_ask_for_is_refused, async |server: TestServer| {
    let management = server.management().await;
    let own = application(&management, json!({})).await;
    let refused = management.post(&format!("{own}/user-consent-scopes"), json!({ "userScopes": ["profile"] })).await;
    refused.expect_api_error(422, "application.third_party_application_only");
    let path = application(&management, json!({ "isThirdParty": true })).await;
    let consent = format!("{path}/user-consent-scopes");
    for member in ["organizationScopes", "resourceScopes", "organizationResourceScopes"] {
        let refused = management.post(&consent, json!({ member: [NOBODY] })).await;
        refused.expect_api_error(422, "application.user_consent_scopes_not_found");
        let named = format!("invalid{}{}", member[..1].to_uppercase(), &member[1..]);
        assert_eq!(refused["data"][named], json!([NOBODY]), "{member}");
    }
    for scope in ["openid", "offline_access", "everything"] {
        let refused = management.post(&consent, json!({ "userScopes": [scope] })).await;
        refused.expect_api_error(400, "guard.invalid_input");
    }
    // Those of the Management API and of the console.
    for resource in management.get("/api/resources").await.expect(200).body.as_array().unwrap() {
        let indicator = resource["indicator"].as_str().unwrap();
        if !indicator.ends_with("/api") && !indicator.ends_with("/console") {
            continue;
        }
        let listed = format!("/api/resources/{}/scopes", resource["id"].as_str().unwrap());
        let scope = management.get(&listed).await.expect(200).body[0]["id"].clone();
        for member in ["resourceScopes", "organizationResourceScopes"] {
            let refused = management.post(&consent, json!({ member: [scope] })).await;
            refused.expect_api_error(422, "application.consent_management_api_scopes_not_allowed");
        }
    }
    let nowhere = format!("/api/applications/{NOBODY}/user-consent-scopes");
    management.get(&nowhere).await.expect_api_error(404, "entity.not_exists_with_id");
    management.post(&nowhere, json!({})).await.expect_api_error(404, "entity.not_exists_with_id");
    let deleted = management.delete(&format!("{nowhere}/user-scopes/email")).await;
    deleted.expect_api_error(404, "entity.not_exists_with_id");
});

both!(an_operator_says_where_a_third_party_acts_for_a_user, async |server: TestServer| {
    let management = server.management().await;
    let path = application(&management, json!({ "isThirdParty": true })).await;
    let user = server.demo().customer_user_id.to_string();
    let consents = format!("{path}/users/{user}/consent-organizations");
    let mut organizations = Vec::new();
    for name in ["a", "b", "c"] {
        let id = made(&management, "/api/organizations", json!({ "name": name }), 201).await;
        if name != "c" {
            let members = format!("/api/organizations/{id}/users");
            management.post(&members, json!({ "userIds": [user] })).await.expect(201);
        }
        organizations.push(id);
    }
    let ids = |ids: &[&String]| json!({ "organizationIds": ids });
    let [a, b, c] = [&organizations[0], &organizations[1], &organizations[2]];
    let listed = async || management.get(&consents).await.expect(200);
    assert_eq!(listed().await.body, json!({ "organizations": [] }));
    management.post(&consents, ids(&[a, b])).await.expect(201);
    management.post(&consents, ids(&[b])).await.expect(201);
    let both = listed().await;
    assert_eq!(texts(&both["organizations"], "id"), [a, b]);
    assert_eq!(both.header("total-number"), Some("2"));
    let page = management.get(&format!("{consents}?page=2&page_size=1")).await.expect(200);
    assert_eq!(texts(&page["organizations"], "id"), [b]);
    management.put(&consents, ids(&[b])).await.expect(204);
    assert_eq!(texts(&listed().await["organizations"], "id"), [b]);
    management.post(&consents, ids(&[c])).await.expect_api_error(422, "organization.require_membership");
    management.put(&consents, ids(&[c])).await.expect_api_error(422, "organization.require_membership");
    management.post(&consents, ids(&[])).await.expect_api_error(400, "guard.invalid_input");
    management.delete(&format!("{consents}/{a}")).await.expect_api_error(404, "entity.not_found");
    management.delete(&format!("{consents}/{b}")).await.expect(204);
    // Who leaves an organization is not represented there either.
    management.put(&consents, ids(&[a, b])).await.expect(204);
    management.delete(&format!("/api/organizations/{a}/users/{user}")).await.expect(204);
    assert_eq!(texts(&listed().await["organizations"], "id"), [b]);
    management.put(&consents, ids(&[])).await.expect(204);
    assert_eq!(listed().await.body, json!({ "organizations": [] }));

    for (path, status, code) in [
        (format!("/api/applications/{NOBODY}/users/{user}"), 404, "entity.not_exists_with_id"),
        (format!("{path}/users/{NOBODY}"), 404, "entity.not_found"),
        (
            format!("{}/users/{user}", application(&management, json!({})).await),
            422,
            "application.third_party_application_only",
        ),
    ] {
        let path = format!("{path}/consent-organizations");
        management.get(&path).await.expect_api_error(status, code);
        management.post(&path, ids(&[])).await.expect_api_error(status, code);
        management.put(&path, ids(&[])).await.expect_api_error(status, code);
        management.delete(&format!("{path}/{b}")).await.expect_api_error(status, code);
    }
});
