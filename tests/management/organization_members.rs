//! Members of organizations and their roles: users and machine-to-machine applications.

use crate::fixtures::{NOBODY, find, machine, texts, user};
use claimsmith_test_support::{Actor, TestServer, both};
use serde_json::{Value, json};

const UNKNOWN: &str = "entity.relation_foreign_key_not_found";

async fn created(management: &Actor, path: &str, body: Value) -> String {
    management.post(path, body).await.expect(201).text("id")
}

both!(members_come_and_go, async |server: TestServer| {
    let management = server.management().await;
    let zoo = created(&management, "/api/organizations", json!({ "name": "Zoo" })).await;
    let (ada, bob) = (user(&management, "ada").await, user(&management, "bob").await);
    let path = format!("/api/organizations/{zoo}/users");
    let answer = management.post(&path, json!({ "userIds": [ada] })).await.expect(201);
    assert_eq!(answer.body, json!({ "userIds": [ada] }));
    let listed = management.get(&path).await.expect(200);
    assert_eq!(listed.header("total-number"), Some("1"));
    let shown = &listed.body[0];
    assert_eq!((&shown["username"], &shown["organizationRoles"]), (&json!("ada"), &json!([])));
    assert!(shown.get("hasPassword").is_none() && shown.get("passwordDigest").is_none());
    management.put(&path, json!({ "userIds": [bob] })).await.expect(204);
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "id"), [&bob]);
    assert_eq!(management.get(&format!("/api/users/{ada}/organizations")).await.expect(200).body, json!([]));

    for refused in [json!({ "userIds": [bob, NOBODY] }), json!({ "userIds": [ada, bob, NOBODY] })] {
        management.post(&path, refused.clone()).await.expect_api_error(422, UNKNOWN);
        management.put(&path, refused).await.expect_api_error(422, UNKNOWN);
    }
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "id"), [&bob]);
    let nowhere = format!("/api/organizations/{NOBODY}/users");
    management.get(&nowhere).await.expect_api_error(404, "entity.not_exists_with_id");
    management.post(&nowhere, json!({ "userIds": [ada] })).await.expect_api_error(422, UNKNOWN);
    management.put(&nowhere, json!({ "userIds": [] })).await.expect_api_error(422, UNKNOWN);
    management.delete(&format!("{path}/{ada}")).await.expect_api_error(404, "entity.not_found");
    management.delete(&format!("{path}/{bob}")).await.expect(204);
    // Whoever is deleted is nowhere a member.
    management.post(&path, json!({ "userIds": [ada] })).await.expect(201);
    management.delete(&format!("/api/users/{ada}")).await.expect(204);
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
});

both!(members_have_roles_by_id_and_by_name, async |server: TestServer| {
    let management = server.management().await;
    let zoo = created(&management, "/api/organizations", json!({ "name": "Zoo" })).await;
    let scope = created(&management, "/api/organization-scopes", json!({ "name": "feed" })).await;
    let keeper = json!({ "name": "keeper", "organizationScopeIds": [scope] });
    let keeper = created(&management, "/api/organization-roles", keeper).await;
    let captain = created(&management, "/api/organization-roles", json!({ "name": "captain" })).await;
    let robot = json!({ "name": "robot", "type": "MachineToMachine" });
    let robot = created(&management, "/api/organization-roles", robot).await;
    let (ada, bob) = (user(&management, "ada").await, user(&management, "bob").await);
    let members = format!("/api/organizations/{zoo}/users");
    let roles = format!("{members}/{ada}/roles");
    let scopes = format!("{members}/{ada}/scopes");
    for path in [&roles, &scopes] {
        management.get(path).await.expect_api_error(422, "organization.require_membership");
    }
    let body = json!({ "organizationRoleIds": [keeper] });
    management.post(&roles, body.clone()).await.expect_api_error(422, "organization.require_membership");
    management.put(&roles, body.clone()).await.expect_api_error(422, "organization.require_membership");
    let answer = management.delete(&format!("{roles}/{keeper}")).await;
    answer.expect_api_error(422, "organization.require_membership");

    management.post(&members, json!({ "userIds": [ada, bob] })).await.expect(201);
    let mut both = [keeper.clone(), captain.clone()];
    both.sort();
    let body = json!({ "organizationRoleIds": [keeper], "organizationRoleNames": ["captain"] });
    let answer = management.post(&roles, body).await.expect(201);
    assert_eq!(answer.body, json!({ "organizationRoleIds": both }));
    assert_eq!(texts(&management.get(&roles).await.expect(200).body, "name"), ["captain", "keeper"]);
    assert_eq!(texts(&management.get(&scopes).await.expect(200).body, "name"), ["feed"]);
    let listed = management.get(&format!("{members}?organizationRoleId={keeper}")).await.expect(200);
    assert_eq!(texts(&listed.body, "username"), ["ada"]);
    let held = json!([{ "id": captain, "name": "captain" }, { "id": keeper, "name": "keeper" }]);
    assert_eq!(listed.body[0]["organizationRoles"], held);
    let own = management.get(&format!("/api/users/{ada}/organizations")).await.expect(200).body;
    assert_eq!(find(&own, "id", &zoo)["organizationRoles"], held);
    let found = management.get(&format!("{members}?q=BOB")).await.expect(200);
    assert_eq!((texts(&found.body, "username"), found.header("total-number")), (vec!["bob"], Some("1")));

    management.delete(&format!("{roles}/{keeper}")).await.expect(204);
    management.delete(&format!("{roles}/{keeper}")).await.expect_api_error(404, "entity.not_found");
    management.put(&roles, json!({ "organizationRoleNames": ["keeper"] })).await.expect(204);
    assert_eq!(texts(&management.get(&roles).await.expect(200).body, "name"), ["keeper"]);
    let several = format!("{members}/roles");
    let body = json!({ "userIds": [ada, bob], "organizationRoleIds": [captain, keeper] });
    management.post(&several, body).await.expect(201);
    let page = management.get(&format!("{members}/{bob}/roles?page=2&page_size=1")).await.expect(200);
    assert_eq!((texts(&page.body, "name"), page.header("total-number")), (vec!["keeper"], Some("2")));

    let unnamed = json!({ "organizationRoleNames": ["Keeper"] });
    management.post(&roles, unnamed.clone()).await.expect_api_error(422, "organization.role_names_not_found");
    management.put(&roles, unnamed).await.expect_api_error(422, "organization.role_names_not_found");
    for (role, code) in [(NOBODY, UNKNOWN), (robot.as_str(), "entity.db_constraint_violated")] {
        let body = json!({ "organizationRoleIds": [role] });
        management.post(&roles, body.clone()).await.expect_api_error(422, code);
        management.put(&roles, body).await.expect_api_error(422, code);
        let body = json!({ "userIds": [ada], "organizationRoleIds": [role] });
        management.post(&several, body).await.expect_api_error(422, code);
    }
    let body = json!({ "userIds": [ada, NOBODY], "organizationRoleIds": [keeper] });
    management.post(&several, body).await.expect_api_error(422, "organization.require_membership");
});

both!(machines_belong_to_organizations, async |server: TestServer| {
    let management = server.management().await;
    let zoo = created(&management, "/api/organizations", json!({ "name": "Zoo" })).await;
    let robot = json!({ "name": "robot", "type": "MachineToMachine" });
    let robot = created(&management, "/api/organization-roles", robot).await;
    let keeper = created(&management, "/api/organization-roles", json!({ "name": "keeper" })).await;
    let (feeder, _) = machine(&management, "feeder").await;
    let (cleaner, _) = machine(&management, "cleaner").await;
    let path = format!("/api/organizations/{zoo}/applications");
    let web = server.demo().web_client_id.clone();
    for (id, code) in [(NOBODY, UNKNOWN), (web.as_str(), "entity.db_constraint_violated")] {
        let body = json!({ "applicationIds": [feeder, id] });
        management.post(&path, body.clone()).await.expect_api_error(422, code);
        management.put(&path, body).await.expect_api_error(422, code);
    }
    let roles = format!("{path}/{feeder}/roles");
    management.get(&roles).await.expect_api_error(422, "organization.require_membership");

    let body = json!({ "applicationIds": [feeder] });
    assert_eq!(management.post(&path, body.clone()).await.expect(201).body, body);
    let answer = management.post(&roles, json!({ "organizationRoleIds": [keeper] })).await;
    answer.expect_api_error(422, "entity.db_constraint_violated");
    management.post(&roles, json!({ "organizationRoleIds": [robot] })).await.expect(201);
    assert_eq!(texts(&management.get(&roles).await.expect(200).body, "name"), ["robot"]);
    let listed = management.get(&format!("{path}?q=FEED")).await.expect(200);
    assert_eq!((texts(&listed.body, "id"), listed.header("total-number")), (vec![feeder.as_str()], Some("1")));
    assert_eq!(listed.body[0]["organizationRoles"], json!([{ "id": robot, "name": "robot" }]));
    let own = management.get(&format!("/api/applications/{feeder}/organizations")).await.expect(200).body;
    assert_eq!((texts(&own, "id"), &own[0]["organizationRoles"][0]["name"]), (vec![zoo.as_str()], &json!("robot")));

    management.delete(&format!("{roles}/{robot}")).await.expect(204);
    management.delete(&format!("{roles}/{robot}")).await.expect_api_error(404, "entity.not_found");
    management.put(&roles, json!({ "organizationRoleNames": ["robot"] })).await.expect(204);
    management.put(&path, json!({ "applicationIds": [feeder, cleaner] })).await.expect(204);
    let body = json!({ "applicationIds": [feeder, cleaner], "organizationRoleIds": [robot] });
    management.post(&format!("{path}/roles"), body).await.expect(201);
    assert_eq!(management.get(&format!("{path}/{cleaner}/roles")).await.expect(200).body[0]["id"], json!(robot));
    management.delete(&format!("{path}/{cleaner}")).await.expect(204);
    management.delete(&format!("{path}/{cleaner}")).await.expect_api_error(404, "entity.not_found");
    management.delete(&format!("/api/applications/{feeder}")).await.expect(204);
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
    let nowhere = format!("/api/applications/{feeder}/organizations");
    management.get(&nowhere).await.expect_api_error(404, "entity.not_exists_with_id");
});
