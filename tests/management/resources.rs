//! `/api/resources` and the scopes of a resource.

use crate::fixtures::{NOBODY, exchange, find, role, scope, texts, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

both!(a_resource_is_created_read_listed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "name": "Orders", "indicator": "https://orders.test", "accessTokenTtl": 60 });
    let created = management.post("/api/resources", body.clone()).await.expect(201);
    let id = created.text("id");
    assert_eq!(id.len(), 21);
    let mut shown = json!({
        "tenantId": "default", "id": id, "name": "Orders", "indicator": "https://orders.test", "isDefault": false,
        "accessTokenTtl": 60,
    });
    let path = format!("/api/resources/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    assert_eq!(find(&management.get("/api/resources").await.expect(200).body, "id", &id), &shown);
    shown["scopes"] = json!([]);
    assert_eq!(created.body, shown);
    management.post("/api/resources", body.clone()).await.expect_api_error(422, "resource.resource_identifier_in_use");
    // With and without the slash it is one resource.
    let slash = json!({ "name": "Orders", "indicator": "https://orders.test/" });
    management.post("/api/resources", slash).await.expect_api_error(422, "resource.resource_identifier_in_use");
    for other in ["https://orders.test/v1", "https://orders.test/v1/", "https://orders.test:8443/"] {
        management.post("/api/resources", json!({ "name": "Other", "indicator": other })).await.expect(201);
    }

    let form = exchange(&server, &server.demo().customer_user_id, "https://orders.test", "").await;
    assert_eq!(form.without("scope").send().await.expect(200)["expires_in"], 60);

    assert_eq!(management.delete(&path).await.expect(204).body, Value::Null);
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.post("/api/resources", body).await.expect(201);
});

both!(a_resource_has_scopes, async |server: TestServer| {
    let management = server.management().await;
    let (id, read) = scope(&management, "https://orders.test", "orders:read").await;
    let path = format!("/api/resources/{id}/scopes");
    server.clock.advance(std::time::Duration::from_secs(1));
    let body = json!({ "name": "orders:write", "description": "Change orders." });
    let created = management.post(&path, body.clone()).await.expect(201);
    let shown = json!({
        "tenantId": "default", "id": created.text("id"), "resourceId": id, "name": "orders:write",
        "description": "Change orders.", "createdAt": server.clock.now_ms(),
    });
    assert_eq!(created.body, shown);
    let listed = management.get(&path).await.expect(200);
    assert_eq!(
        (texts(&listed.body, "name"), listed.header("total-number")),
        (vec!["orders:read", "orders:write"], Some("2"))
    );
    let resources = management.get("/api/resources?includeScopes=1").await.expect(200).body;
    assert_eq!(find(&resources, "id", &id)["scopes"], listed.body);

    management.post(&path, body.clone()).await.expect_api_error(422, "scope.name_exists");
    let spaced = management.post(&path, json!({ "name": "orders read" })).await;
    spaced.expect_api_error(400, "scope.name_with_space");
    // The same name on another resource is another scope.
    let (other, _) = scope(&management, "https://books.test", "orders:write").await;
    let nobodys = format!("/api/resources/{NOBODY}/scopes");
    management.post(&nobodys, body).await.expect_api_error(404, "entity.not_exists_with_id");
    management.get(&nobodys).await.expect_api_error(404, "entity.not_exists_with_id");

    let role_id = role(&management, "readers", "User", &[&read]).await;
    let elsewhere = management.delete(&format!("/api/resources/{other}/scopes/{read}")).await;
    elsewhere.expect_api_error(404, "entity.not_found");
    assert_eq!(management.delete(&format!("{path}/{read}")).await.expect(204).body, Value::Null);
    management.delete(&format!("{path}/{read}")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.get(&format!("/api/roles/{role_id}/scopes")).await.expect(200).body, json!([]));
});

both!(the_management_api_itself_stays_as_it_is, async |server: TestServer| {
    let management = server.management().await;
    let resources = management.get("/api/resources?includeScopes=true").await.expect(200).body;
    let resource = find(&resources, "indicator", &server.machine().resource);
    let path = format!("/api/resources/{}", resource["id"].as_str().unwrap());
    let all = find(&resource["scopes"], "name", "all")["id"].as_str().unwrap();

    management.delete(&path).await.expect_api_error(400, "resource.cannot_delete_management_api");
    for (path, body) in [
        (path.clone(), json!({ "name": "Mine" })),
        (format!("{path}/is-default"), json!({ "isDefault": true })),
        (format!("{path}/scopes/{all}"), json!({ "name": "nothing" })),
    ] {
        management.patch(&path, body).await.expect_api_error(400, "resource.cannot_modify_management_api");
    }
    let answer = management.post(&format!("{path}/scopes"), json!({ "name": "more" })).await;
    answer.expect_api_error(400, "resource.cannot_modify_management_api");
    let answer = management.delete(&format!("{path}/scopes/{all}")).await;
    answer.expect_api_error(400, "resource.cannot_modify_management_api");
    let again = json!({ "name": "Twin", "indicator": server.machine().resource });
    management.post("/api/resources", again).await.expect_api_error(422, "resource.resource_identifier_in_use");
    let after = management.get("/api/resources?includeScopes=true").await.expect(200).body;
    assert_eq!(after, resources);
});

both!(a_resource_is_changed, async |server: TestServer| {
    let management = server.management().await;
    let (id, _) = scope(&management, "https://orders.test", "orders:read").await;
    let path = format!("/api/resources/{id}");
    let mut shown = management.get(&path).await.expect(200).body;
    let change = json!({ "name": "Shop", "accessTokenTtl": 60, "indicator": "https://other.test", "isDefault": true });
    shown["name"] = json!("Shop");
    shown["accessTokenTtl"] = json!(60);
    assert_eq!(management.patch(&path, change).await.expect(200).body, shown);
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, shown);
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    let form = exchange(&server, &server.demo().customer_user_id, "https://orders.test", "").await;
    assert_eq!(form.without("scope").send().await.expect(200)["expires_in"], 60);
    let nobodys = management.patch(&format!("/api/resources/{NOBODY}"), json!({ "name": "n" })).await;
    nobodys.expect_api_error(404, "entity.not_exists");
});

both!(one_resource_is_the_default, async |server: TestServer| {
    let management = server.management().await;
    let (first, _) = scope(&management, "https://orders.test", "read").await;
    let (second, _) = scope(&management, "https://books.test", "read").await;
    for (id, is_default, now) in [
        (&first, true, Some(&first)),
        (&second, true, Some(&second)),
        (&second, true, Some(&second)),
        (&first, false, Some(&second)),
        (&second, false, None),
    ] {
        let path = format!("/api/resources/{id}");
        let answer = management.patch(&format!("{path}/is-default"), json!({ "isDefault": is_default })).await;
        assert_eq!(answer.expect(200)["isDefault"], is_default);
        let listed = management.get("/api/resources").await.expect(200).body;
        let defaults = listed.as_array().unwrap().iter().filter(|resource| resource["isDefault"] == true);
        let defaults: Vec<&str> = defaults.map(|resource| resource["id"].as_str().unwrap()).collect();
        assert_eq!(defaults, now.map(String::as_str).into_iter().collect::<Vec<_>>());
    }
    let nobodys = format!("/api/resources/{NOBODY}/is-default");
    management.patch(&nobodys, json!({ "isDefault": true })).await.expect_api_error(404, "entity.not_exists");
});

both!(a_scope_is_changed_and_held_by_its_new_name_at_once, async |server: TestServer| {
    let management = server.management().await;
    let (id, read) = scope(&management, "https://orders.test", "orders:read").await;
    let role_id = role(&management, "readers", "User", &[&read]).await;
    let user_id = user(&management, "ada").await;
    management.post(&format!("/api/roles/{role_id}/users"), json!({ "userIds": [user_id] })).await.expect(201);
    let granted = async || {
        let form = exchange(&server, &user_id, "https://orders.test", "orders:read orders:list").await;
        form.send().await.expect(200).text("scope")
    };
    assert_eq!(granted().await, "orders:read");

    let path = format!("/api/resources/{id}/scopes/{read}");
    let changed = management.patch(&path, json!({ "name": "orders:list", "description": "See orders." })).await;
    let shown = json!({
        "tenantId": "default", "id": read, "resourceId": id, "name": "orders:list", "description": "See orders.",
        "createdAt": server.clock.now_ms(),
    });
    assert_eq!(changed.expect(200).body, shown);
    assert_eq!(granted().await, "orders:list");
    let changed = management.patch(&path, json!({ "description": null })).await.expect(200);
    assert_eq!((&changed["name"], &changed["description"]), (&json!("orders:list"), &Value::Null));

    management.post(&format!("/api/resources/{id}/scopes"), json!({ "name": "orders:write" })).await.expect(201);
    let taken = management.patch(&path, json!({ "name": "orders:write", "description": "d" })).await;
    taken.expect_api_error(422, "scope.name_exists");
    let spaced = management.patch(&path, json!({ "name": "orders read" })).await;
    spaced.expect_api_error(400, "scope.name_with_space");
    let listed = management.get(&format!("/api/resources/{id}/scopes")).await.expect(200).body;
    assert_eq!(find(&listed, "id", &read), &changed.body);
    let (other, _) = scope(&management, "https://books.test", "read").await;
    for (resource, scope, code) in [
        (other.as_str(), read.as_str(), "entity.not_exists"),
        (&id, NOBODY, "entity.not_exists"),
        (NOBODY, &read, "entity.not_exists_with_id"),
    ] {
        let answer = management.patch(&format!("/api/resources/{resource}/scopes/{scope}"), json!({})).await;
        answer.expect_api_error(404, code);
    }

    management.delete(&format!("/api/roles/{role_id}/scopes/{read}")).await.expect(204);
    assert_eq!(granted().await, "");
});
