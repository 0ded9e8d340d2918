//! `/api/organization-scopes` and `/api/organization-roles`.

use crate::fixtures::{NOBODY, find, management_scopes, scope, texts};
use claimsmith_test_support::{Actor, TestServer, both};
use serde_json::{Value, json};

async fn organization_scope(management: &Actor, name: &str) -> String {
    management.post("/api/organization-scopes", json!({ "name": name })).await.expect(201).text("id")
}

both!(an_organization_scope_is_created_changed_listed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "name": "read", "description": "They read." });
    let created = management.post("/api/organization-scopes", body).await.expect(201);
    let id = created.text("id");
    assert_eq!(created.body, json!({ "tenantId": "default", "id": id, "name": "read", "description": "They read." }));
    let path = format!("/api/organization-scopes/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, created.body);
    // Upper and lower case are two names, two spellings are one.
    organization_scope(&management, "Read").await;
    organization_scope(&management, "\u{e4}ndern").await;
    for taken in ["read", "a\u{308}ndern"] {
        let answer = management.post("/api/organization-scopes", json!({ "name": taken })).await;
        answer.expect_api_error(422, "entity.unique_integrity_violation");
    }
    let answer = management.patch(&path, json!({ "name": "Read" })).await;
    answer.expect_api_error(422, "entity.unique_integrity_violation");
    let changed = management.patch(&path, json!({ "description": null })).await.expect(200);
    assert_eq!((&changed["name"], &changed["description"]), (&json!("read"), &Value::Null));

    let all = management.get("/api/organization-scopes").await.expect(200);
    assert_eq!((all.body.as_array().unwrap().len(), all.header("total-number")), (3, None));
    let page = management.get("/api/organization-scopes?page=1&page_size=1").await.expect(200);
    assert_eq!((page.body.as_array().unwrap().len(), page.header("total-number")), (1, Some("3")));
    for (part, count) in [("READ", 2), ("%C3%84NDERN", 1), ("%25", 0), ("_", 0), ("", 3)] {
        let found = management.get(&format!("/api/organization-scopes?q={part}")).await.expect(200).body;
        assert_eq!(found.as_array().unwrap().len(), count, "{part}: {found:#}");
    }
    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.patch(&path, json!({})).await.expect_api_error(404, "entity.not_exists");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
});

both!(an_organization_role_carries_scopes_of_both_kinds, async |server: TestServer| {
    let management = server.management().await;
    let (resource_id, read) = scope(&management, "https://zoo.test", "animals:read").await;
    let (feed, clean) = (organization_scope(&management, "feed").await, organization_scope(&management, "clean").await);
    let body = json!({ "name": "keeper", "organizationScopeIds": [feed], "resourceScopeIds": [read] });
    let created = management.post("/api/organization-roles", body).await.expect(201);
    let id = created.text("id");
    let mut shown = json!({ "tenantId": "default", "id": id, "name": "keeper", "description": null, "type": "User" });
    assert_eq!(created.body, shown);
    let path = format!("/api/organization-roles/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    shown["scopes"] = json!([{ "id": feed, "name": "feed" }]);
    shown["resourceScopes"] =
        json!([{ "id": read, "name": "animals:read", "resource": { "id": resource_id, "name": "Orders" } }]);
    let listed = management.get("/api/organization-roles?q=KEEP").await.expect(200);
    assert_eq!((&listed.body, listed.header("total-number")), (&json!([shown]), Some("1")));

    let scopes = format!("{path}/scopes");
    let added = management.post(&scopes, json!({ "organizationScopeIds": [clean, feed] })).await.expect(201);
    assert_eq!(added.body, Value::Null);
    assert_eq!(texts(&management.get(&scopes).await.expect(200).body, "name"), ["clean", "feed"]);
    management.put(&scopes, json!({ "organizationScopeIds": [clean] })).await.expect(204);
    assert_eq!(texts(&management.get(&scopes).await.expect(200).body, "name"), ["clean"]);
    management.delete(&format!("{scopes}/{clean}")).await.expect(204);
    management.delete(&format!("{scopes}/{clean}")).await.expect_api_error(404, "entity.not_found");

    let resource_scopes = format!("{path}/resource-scopes");
    assert_eq!(texts(&management.get(&resource_scopes).await.expect(200).body, "id"), [&read]);
    management.put(&resource_scopes, json!({ "scopeIds": [] })).await.expect(204);
    management.post(&resource_scopes, json!({ "scopeIds": [read] })).await.expect(201);
    management.delete(&format!("{resource_scopes}/{read}")).await.expect(204);
    management.delete(&format!("{resource_scopes}/{read}")).await.expect_api_error(404, "entity.not_found");

    let changed = management.patch(&path, json!({ "name": "Keeper", "description": "d" })).await.expect(200);
    assert_eq!((&changed["name"], &changed["description"]), (&json!("Keeper"), &json!("d")));
    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.get(&scopes).await.expect_api_error(404, "entity.not_exists_with_id");
});

both!(what_an_organization_role_cannot_carry_is_refused_and_leaves_nothing, async |server: TestServer| {
    let management = server.management().await;
    let all = management_scopes(&server, &management, &["all"]).await.remove(0);
    let role = management.post("/api/organization-roles", json!({ "name": "keeper" })).await.expect(201).text("id");
    let unknown = "entity.relation_foreign_key_not_found";
    for (key, id, code) in [
        ("organizationScopeIds", NOBODY, unknown),
        ("resourceScopeIds", NOBODY, unknown),
        ("resourceScopeIds", &all, "entity.db_constraint_violated"),
    ] {
        let answer = management.post("/api/organization-roles", json!({ "name": "other", key: [id] })).await;
        answer.expect_api_error(422, code);
    }
    for (path, key) in [("scopes", "organizationScopeIds"), ("resource-scopes", "scopeIds")] {
        let body = json!({ key: [NOBODY] });
        for role in [role.as_str(), NOBODY] {
            let path = format!("/api/organization-roles/{role}/{path}");
            management.post(&path, body.clone()).await.expect_api_error(422, unknown);
            management.put(&path, body.clone()).await.expect_api_error(422, unknown);
        }
        let answer = management.put(&format!("/api/organization-roles/{NOBODY}/{path}"), json!({ key: [] })).await;
        answer.expect_api_error(422, unknown);
    }
    let again = management.post("/api/organization-roles", json!({ "name": "keeper" })).await;
    again.expect_api_error(422, "entity.unique_integrity_violation");
    let listed = management.get("/api/organization-roles").await.expect(200).body;
    assert_eq!(texts(&listed, "name"), ["keeper"]);
    assert_eq!(find(&listed, "name", "keeper")["scopes"], json!([]));
});
