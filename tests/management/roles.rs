//! `/api/roles` and the scopes of a role.

use crate::fixtures::{NOBODY, find, machine, management_scopes, role, scope, texts, user};
use claimsmith_storage::audit;
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
    let readers = role(&management, "readers", "User", &[]).await;
    let again = json!({ "name": "readers", "description": "d", "type": "MachineToMachine" });
    management.post("/api/roles", again).await.expect_api_error(422, "role.name_in_use");
    let internal = json!({ "name": "#internal:admin", "description": "d" });
    management.post("/api/roles", internal.clone()).await.expect_api_error(403, "role.internal_role_violation");

    let path = format!("/api/roles/{}", role(&management, "writers", "User", &[]).await);
    let taken = management.patch(&path, json!({ "name": "readers", "description": "changed" })).await;
    taken.expect_api_error(422, "role.name_in_use");
    management.patch(&path, internal).await.expect_api_error(403, "role.internal_role_violation");
    let shown = management.get(&path).await.expect(200);
    assert_eq!((shown.text("name"), shown.text("description")), ("writers".to_owned(), "for a test".to_owned()));
    // A role keeps the name that it has, and one that is gone can be taken.
    management.patch(&path, json!({ "name": "writers" })).await.expect(200);
    management.delete(&format!("/api/roles/{readers}")).await.expect(204);
    assert_eq!(management.patch(&path, json!({ "name": "readers" })).await.expect(200)["name"], "readers");
});

both!(a_role_is_changed, async |server: TestServer| {
    let management = server.management().await;
    let id = role(&management, "readers", "User", &[]).await;
    let path = format!("/api/roles/{id}");
    let mut shown = management.get(&path).await.expect(200).body;
    for (change, member) in [
        (json!({ "name": "people who read", "type": "MachineToMachine", "id": "other" }), "name"),
        (json!({ "description": "They read." }), "description"),
        (json!({ "isDefault": true }), "isDefault"),
    ] {
        shown[member] = change[member].clone();
        assert_eq!(management.patch(&path, change).await.expect(200).body, shown);
        assert_eq!(management.get(&path).await.expect(200).body, shown);
    }
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, shown);
    let nobodys = management.patch(&format!("/api/roles/{NOBODY}"), json!({ "name": "n" })).await;
    nobodys.expect_api_error(404, "entity.not_exists");
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Management.Role.Update", 10).await.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["roleId"]), (4, &json!(id)));
});

both!(a_default_role_is_given_to_those_who_come_later, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/roles/{}", role(&management, "members", "User", &[]).await);
    let machines = format!("/api/roles/{}", role(&management, "machines", "MachineToMachine", &[]).await);
    management.patch(&machines, json!({ "isDefault": true })).await.expect(200);
    let mut held = Vec::new();
    for (name, is_default) in [("earlier", true), ("later", false), ("latest", true)] {
        let id = user(&management, name).await;
        held.push(management.get(&format!("/api/users/{id}/roles")).await.expect(200).body);
        management.patch(&path, json!({ "isDefault": is_default })).await.expect(200);
    }
    let held: Vec<_> = held.iter().map(|roles| texts(roles, "name")).collect();
    assert_eq!(held, [vec![], vec!["members"], vec![]]);
});

both!(a_list_of_roles_is_narrowed, async |server: TestServer| {
    let management = server.management().await;
    let (readers, machines) =
        (role(&management, "readers", "User", &[]).await, role(&management, "machines", "MachineToMachine", &[]).await);
    let user_id = user(&management, "ada").await;
    let (application, _) = machine(&management, "backend").await;
    management.post(&format!("/api/users/{user_id}/roles"), json!({ "roleIds": [readers] })).await.expect(201);
    let path = format!("/api/applications/{application}/roles");
    management.post(&path, json!({ "roleIds": [machines] })).await.expect(201);
    for (query, has_readers, has_machines) in [
        (String::new(), true, true),
        ("type=User".to_owned(), true, false),
        ("type=MachineToMachine".to_owned(), false, true),
        (format!("excludeUserId={user_id}"), false, true),
        (format!("excludeApplicationId={application}&type=User"), true, false),
        (format!("excludeApplicationId={application}&excludeUserId={user_id}"), false, false),
        (format!("excludeUserId={NOBODY}"), true, true),
    ] {
        let listed = management.get(&format!("/api/roles?{query}")).await.expect(200);
        let names = texts(&listed.body, "name");
        assert_eq!((names.contains(&"readers"), names.contains(&"machines")), (has_readers, has_machines), "{query}");
        assert_eq!(listed.header("total-number"), Some(names.len().to_string().as_str()), "{query}");
    }
    for query in ["type=Robot", "type=User&type=User", "excludeUserId=a&excludeUserId=b", "excludeApplicationId=%00"] {
        management.get(&format!("/api/roles?{query}")).await.expect_api_error(400, "guard.invalid_input");
    }
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
    assert_eq!(management.delete(&format!("{path}/{list}")).await.expect(204).body, Value::Null);
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    management.delete(&format!("{path}/{list}")).await.expect_api_error(404, "entity.not_found");
    let nobodys = management.delete(&format!("/api/roles/{NOBODY}/scopes/{list}")).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");
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
