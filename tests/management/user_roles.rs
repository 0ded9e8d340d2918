//! `/api/users/{userId}/roles`: role assignments of a user, and their effect on tokens.

use crate::fixtures::{NOBODY, exchange, role, scope, texts, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

both!(roles_are_given_replaced_and_taken, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}/roles");
    let (first, second) =
        (role(&management, "a readers", "User", &[]).await, role(&management, "b writers", "User", &[]).await);

    let answer = management.post(&path, json!({ "roleIds": [first] })).await.expect(201);
    assert_eq!(answer.body, json!({ "roleIds": [first], "addedRoleIds": [first] }));
    let mut ids = [first.clone(), second.clone()];
    ids.sort();
    let answer = management.post(&path, json!({ "roleIds": [second, first, second] })).await.expect(201);
    assert_eq!(answer.body, json!({ "roleIds": ids, "addedRoleIds": [second] }));
    let listed = management.get(&path).await.expect(200);
    assert_eq!(texts(&listed.body, "name"), ["a readers", "b writers"]);
    assert_eq!(listed.header("total-number"), Some("2"));
    let shown = json!({
        "tenantId": "default", "id": first, "name": "a readers", "description": "for a test", "type": "User",
        "isDefault": false,
    });
    assert_eq!(listed.body[0], shown);

    let answer = management.put(&path, json!({ "roleIds": [second] })).await.expect(200);
    assert_eq!(answer.body, json!({ "roleIds": [second] }));
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "name"), ["b writers"]);

    management.delete(&format!("{path}/{first}")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.delete(&format!("{path}/{second}")).await.expect(204).body, Value::Null);
    management.delete(&format!("{path}/{second}")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
});

both!(what_is_no_role_for_users_is_not_given, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}/roles");
    let readers = role(&management, "readers", "User", &[]).await;
    let machines = role(&management, "machines", "MachineToMachine", &[]).await;
    management.put(&path, json!({ "roleIds": [readers] })).await.expect(200);

    for method in ["POST", "PUT"] {
        let send = async |path: &str, ids: &[&str]| {
            let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
            management.send(method, path, json!({ "roleIds": ids })).await
        };
        send(&path, &[&readers, &machines]).await.expect_api_error(422, "user.invalid_role_type");
        send(&path, &[&readers, NOBODY]).await.expect_api_error(404, "entity.relation_foreign_key_not_found");
        let nobodys = format!("/api/users/{NOBODY}/roles");
        send(&nobodys, &[&readers]).await.expect_api_error(404, "entity.not_found");
    }
    let answer = management.get(&format!("/api/users/{NOBODY}/roles")).await;
    answer.expect_api_error(404, "entity.not_found");
    // A refused replacement took nothing away.
    assert_eq!(texts(&management.get(&path).await.expect(200).body, "name"), ["readers"]);
});

both!(tokens_follow_the_roles_at_once, async |server: TestServer| {
    let management = server.management().await;
    let (resource_id, read) = scope(&management, "https://orders.test", "orders:read").await;
    let body = json!({ "name": "orders:write" });
    let write = management.post(&format!("/api/resources/{resource_id}/scopes"), body).await.expect(201).text("id");
    let readers = role(&management, "readers", "User", &[&read]).await;
    let writers = role(&management, "writers", "User", &[]).await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}/roles");
    let granted = async || {
        let form = exchange(&server, &id, "https://orders.test", "orders:read orders:write").await;
        form.send().await.expect(200).text("scope")
    };

    assert_eq!(granted().await, "");
    management.post(&path, json!({ "roleIds": [readers, writers] })).await.expect(201);
    assert_eq!(granted().await, "orders:read");
    management.post(&format!("/api/roles/{writers}/scopes"), json!({ "scopeIds": [write] })).await.expect(201);
    assert_eq!(granted().await, "orders:read orders:write");
    management.delete(&format!("{path}/{readers}")).await.expect(204);
    assert_eq!(granted().await, "orders:write");
    management.delete(&format!("/api/resources/{resource_id}/scopes/{write}")).await.expect(204);
    assert_eq!(granted().await, "");
    management.delete(&format!("/api/resources/{resource_id}")).await.expect(204);
    let form = exchange(&server, &id, "https://orders.test", "orders:read").await;
    form.send().await.expect_oauth_error(400, "invalid_target");
});
