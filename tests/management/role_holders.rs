//! `/api/roles/{id}/users`, `/api/roles/{id}/applications` and `/api/applications/{id}/roles`: role assignments.

use crate::fixtures::{NOBODY, find, machine, role, texts, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

/// Ids as they are listed.
fn sorted(ids: &[String]) -> Vec<&str> {
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    ids
}

both!(a_role_is_given_to_users, async |server: TestServer| {
    let management = server.management().await;
    let id = role(&management, "readers", "User", &[]).await;
    let path = format!("/api/roles/{id}/users");
    let mut users = Vec::new();
    for index in 0..5 {
        users.push(user(&management, &format!("reader{index}")).await);
    }
    let answer = management.post(&path, json!({ "userIds": users[..4] })).await.expect(201);
    assert_eq!(answer.body, Value::Null);

    let again = management.post(&path, json!({ "userIds": [users[4], users[0]] })).await;
    again.expect_api_error(422, "role.user_exists");
    let unknown = management.post(&path, json!({ "userIds": [users[4], NOBODY] })).await;
    unknown.expect_api_error(404, "entity.relation_foreign_key_not_found");
    // Neither refusal gave the fifth user the role.
    let listed = management.get("/api/roles").await.expect(200).body;
    let listed = find(&listed, "id", &id);
    users[..4].sort();
    assert_eq!(
        (&listed["usersCount"], texts(&listed["featuredUsers"], "id")),
        (&json!(4), users[..3].iter().map(String::as_str).collect())
    );
    assert_eq!(management.get(&format!("/api/users/{}/roles", users[4])).await.expect(200).body, json!([]));

    let holders = management.get(&path).await.expect(200);
    assert_eq!((texts(&holders.body, "id"), holders.header("total-number")), (sorted(&users[..4]), Some("4")));
    assert_eq!(holders.body[0], management.get(&format!("/api/users/{}", users[0])).await.expect(200).body);
    let page = management.get(&format!("{path}?page=2&page_size=3")).await.expect(200);
    assert_eq!((texts(&page.body, "id"), page.header("total-number")), (vec![users[3].as_str()], Some("4")));
    assert_eq!(management.delete(&format!("{path}/{}", users[0])).await.expect(204).body, Value::Null);
    management.delete(&format!("{path}/{}", users[0])).await.expect_api_error(404, "entity.not_found");
    let holders = management.get(&path).await.expect(200).body;
    assert_eq!(texts(&holders, "id"), sorted(&users[1..4]));
    let nobodys = management.get(&format!("/api/roles/{NOBODY}/users")).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");

    let machines = role(&management, "machines", "MachineToMachine", &[]).await;
    let answer = management.post(&format!("/api/roles/{machines}/users"), json!({ "userIds": [users[4]] })).await;
    answer.expect_api_error(422, "entity.db_constraint_violated");
    let answer = management.post(&format!("/api/roles/{NOBODY}/users"), json!({ "userIds": [users[4]] })).await;
    answer.expect_api_error(404, "entity.not_exists_with_id");
});

both!(a_role_is_given_to_machines, async |server: TestServer| {
    let management = server.management().await;
    let id = role(&management, "machines", "MachineToMachine", &[]).await;
    let path = format!("/api/roles/{id}/applications");
    let (application, _) = machine(&management, "backend").await;
    let answer = management.post(&path, json!({ "applicationIds": [application] })).await.expect(201);
    assert_eq!(answer.body, Value::Null);
    let held = management.get(&format!("/api/applications/{application}/roles")).await.expect(200);
    assert_eq!((texts(&held.body, "name"), held.header("total-number")), (vec!["machines"], Some("1")));
    let listed = management.get("/api/roles").await.expect(200).body;
    let listed = find(&listed, "id", &id);
    assert_eq!(listed["applicationsCount"], 1);
    let featured = json!([{ "id": application, "name": "backend", "type": "MachineToMachine" }]);
    assert_eq!(listed["featuredApplications"], featured);

    let again = management.post(&path, json!({ "applicationIds": [application] })).await;
    again.expect_api_error(422, "role.application_exists");
    let holders = management.get(&path).await.expect(200);
    assert_eq!((texts(&holders.body, "id"), holders.header("total-number")), (vec![application.as_str()], Some("1")));
    let shown = management.get(&format!("/api/applications/{application}")).await.expect(200)["name"].clone();
    assert_eq!(holders.body[0]["name"], shown);
    let nobodys = management.get(&format!("/api/roles/{NOBODY}/applications")).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");
    assert_eq!(management.delete(&format!("{path}/{application}")).await.expect(204).body, Value::Null);
    management.delete(&format!("{path}/{application}")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
    // Who called is not lost behind the application that was changed.
    let logs = management.get("/api/logs?logKey=Management.Role.RemoveFromApplication").await.expect(200).body;
    let said = (&logs[0]["payload"]["applicationId"], &logs[0]["payload"]["changedApplicationId"]);
    assert_eq!(said, (&json!(server.machine().client_id), &json!(application)));
    let unknown = management.post(&path, json!({ "applicationIds": [NOBODY] })).await;
    unknown.expect_api_error(404, "entity.relation_foreign_key_not_found");
    let web = &server.demo().web_client_id;
    let other_type = management.post(&path, json!({ "applicationIds": [web] })).await;
    other_type.expect_api_error(422, "application.invalid_type");
    let users = role(&management, "users", "User", &[]).await;
    let body = json!({ "applicationIds": [application] });
    let answer = management.post(&format!("/api/roles/{users}/applications"), body.clone()).await;
    answer.expect_api_error(422, "application.invalid_role_type");
    let answer = management.post(&format!("/api/roles/{NOBODY}/applications"), body).await;
    answer.expect_api_error(404, "entity.not_exists_with_id");
});

both!(a_machine_is_given_roles, async |server: TestServer| {
    let management = server.management().await;
    let (application, _) = machine(&management, "backend").await;
    let path = format!("/api/applications/{application}/roles");
    let (first, second) = (
        role(&management, "first", "MachineToMachine", &[]).await,
        role(&management, "second", "MachineToMachine", &[]).await,
    );
    management.post(&path, json!({ "roleIds": [first] })).await.expect(201);
    let answer = management.post(&path, json!({ "roleIds": [first, second] })).await.expect(201);
    assert_eq!(answer["addedRoleIds"], json!([second]));
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "name"), ["first", "second"]);

    let third = role(&management, "third", "MachineToMachine", &[]).await;
    let mut wanted = vec![second.as_str(), third.as_str()];
    wanted.sort_unstable();
    let replaced = management.put(&path, json!({ "roleIds": wanted })).await.expect(200);
    assert_eq!(replaced.body, json!({ "roleIds": wanted }));
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "name"), ["second", "third"]);
    let unknown = management.put(&path, json!({ "roleIds": [first, NOBODY] })).await;
    unknown.expect_api_error(404, "entity.relation_foreign_key_not_found");
    assert_eq!(management.delete(&format!("{path}/{second}")).await.expect(204).body, Value::Null);
    management.delete(&format!("{path}/{second}")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "name"), ["third"]);
    management.put(&path, json!({ "roleIds": [] })).await.expect(200);
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));

    let users = role(&management, "users", "User", &[]).await;
    let answer = management.post(&path, json!({ "roleIds": [users] })).await;
    answer.expect_api_error(422, "application.invalid_role_type");
    let answer = management.post(&path, json!({ "roleIds": [NOBODY] })).await;
    answer.expect_api_error(404, "entity.relation_foreign_key_not_found");
    let web = format!("/api/applications/{}/roles", server.demo().web_client_id);
    let body = json!({ "roleIds": [first] });
    management.post(&web, body.clone()).await.expect_api_error(422, "application.invalid_type");
    management.put(&web, body.clone()).await.expect_api_error(422, "application.invalid_type");
    management.delete(&format!("{web}/{first}")).await.expect_api_error(422, "application.invalid_type");
    management.get(&web).await.expect_api_error(422, "application.invalid_type");
    let nobodys = format!("/api/applications/{NOBODY}/roles");
    management.post(&nobodys, body.clone()).await.expect_api_error(404, "entity.not_exists_with_id");
    management.put(&nobodys, body).await.expect_api_error(404, "entity.not_exists_with_id");
    management.delete(&format!("{nobodys}/{first}")).await.expect_api_error(404, "entity.not_exists_with_id");
    management.get(&nobodys).await.expect_api_error(404, "entity.not_exists_with_id");
});
