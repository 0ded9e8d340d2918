//! `/api/roles` and the scopes of a role.

use crate::fixtures::{NOBODY, find, management_scopes, role, scope, texts};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

both!(a_role_is_created_read_listed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "name": "readers", "description": "They read." });
    let created = management.post("/api/roles", body).await.expect(200);
    let id = created.text("id");
    assert_eq!(id.len(), 21);
    let shown = json!({
        "tenantId": "default", "id": id, "name": "readers", "description": "They read.", "type": "User",
        "isDefault": false,
    });
    assert_eq!(created.body, shown);
    let path = format!("/api/roles/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    let mut in_list = shown.clone();
    for (key, value) in [
        ("usersCount", json!(0)),
        ("featuredUsers", json!([])),
        ("applicationsCount", json!(0)),
        ("featuredApplications", json!([])),
    ] {
        in_list[key] = value;
    }
    assert_eq!(find(&management.get("/api/roles").await.expect(200).body, "id", &id), &in_list);

    assert_eq!(management.delete(&path).await.expect(204).body, Value::Null);
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    role(&management, "readers", "User", &[]).await;
});

both!(a_name_belongs_to_one_role, async |server: TestServer| {
    let management = server.management().await;
    role(&management, "readers", "User", &[]).await;
    let again = json!({ "name": "readers", "description": "d", "type": "MachineToMachine" });
    management.post("/api/roles", again).await.expect_api_error(422, "role.name_in_use");
    let internal = json!({ "name": "#internal:admin", "description": "d" });
    management.post("/api/roles", internal).await.expect_api_error(403, "role.internal_role_violation");
});

both!(a_role_carries_scopes, async |server: TestServer| {
    let management = server.management().await;
    let (resource_id, read) = scope(&management, "https://orders.test", "orders:read").await;
    let (_, list) = scope(&management, "https://books.test", "books:list").await;
    let id = role(&management, "readers", "User", &[&read]).await;
    let path = format!("/api/roles/{id}/scopes");
    let carried = management.get(&path).await.expect(200);
    assert_eq!(carried.header("total-number"), None);
    let now = server.clock.now_ms();
    let shown = json!([{
        "tenantId": "default", "id": read, "resourceId": resource_id, "name": "orders:read", "description": null,
        "createdAt": now,
        "resource": {
            "tenantId": "default", "id": resource_id, "name": "Orders", "indicator": "https://orders.test",
            "isDefault": false, "accessTokenTtl": 3600,
        },
    }]);
    assert_eq!(carried.body, shown);

    let added = management.post(&path, json!({ "scopeIds": [list] })).await.expect(201);
    assert_eq!(texts(&added.body, "name"), ["books:list", "orders:read"]);
    assert_eq!(management.get(&path).await.expect(200).body, added.body);
    let page = management.get(&format!("{path}?page=2&page_size=1")).await.expect(200);
    assert_eq!((texts(&page.body, "name"), page.header("total-number")), (vec!["orders:read"], Some("2")));

    let again = management.post(&path, json!({ "scopeIds": [list] })).await;
    again.expect_api_error(422, "role.scope_exists");
    let unknown = management.post(&path, json!({ "scopeIds": [NOBODY] })).await;
    unknown.expect_api_error(404, "entity.relation_foreign_key_not_found");
    let nobodys = management.post(&format!("/api/roles/{NOBODY}/scopes"), json!({ "scopeIds": [list] })).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");
    let nobodys = management.get(&format!("/api/roles/{NOBODY}/scopes")).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");
});

both!(a_role_that_is_refused_leaves_nothing_behind, async |server: TestServer| {
    let management = server.management().await;
    let all = management_scopes(&server, &management, &["all"]).await.remove(0);
    let code = "role.management_api_scopes_not_assignable_to_user_role";
    let body = json!({ "name": "users who manage", "description": "d", "scopeIds": [all] });
    management.post("/api/roles", body).await.expect_api_error(400, code);
    let id = role(&management, "users", "User", &[]).await;
    let answer = management.post(&format!("/api/roles/{id}/scopes"), json!({ "scopeIds": [all] })).await;
    answer.expect_api_error(400, code);
    let body = json!({ "name": "of the unknown", "description": "d", "scopeIds": [NOBODY] });
    management.post("/api/roles", body).await.expect_api_error(404, "entity.relation_foreign_key_not_found");

    let roles = management.get("/api/roles").await.expect(200).body;
    let names = texts(&roles, "name");
    assert!(!names.contains(&"users who manage") && !names.contains(&"of the unknown"), "{names:?}");
    assert_eq!(management.get(&format!("/api/roles/{id}/scopes")).await.expect(200).body, json!([]));
});
