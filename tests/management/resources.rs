//! `/api/resources` and the scopes of a resource.

use crate::fixtures::{NOBODY, find, role, scope, texts};
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

    let form = crate::fixtures::exchange(&server, &server.demo().customer_user_id, "https://orders.test", "").await;
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
    let answer = management.post(&format!("{path}/scopes"), json!({ "name": "more" })).await;
    answer.expect_api_error(400, "resource.cannot_modify_management_api");
    let answer = management.delete(&format!("{path}/scopes/{all}")).await;
    answer.expect_api_error(400, "resource.cannot_modify_management_api");
    let again = json!({ "name": "Twin", "indicator": server.machine().resource });
    management.post("/api/resources", again).await.expect_api_error(422, "resource.resource_identifier_in_use");
    let after = management.get("/api/resources?includeScopes=true").await.expect(200).body;
    assert_eq!(after, resources);
});
