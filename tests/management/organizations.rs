//! `/api/organizations`, and the effect of changes on tokens.

use crate::fixtures::{NOBODY, exchange, scope, texts, user};
use claimsmith_test_support::{Actor, TestServer, both};
use serde_json::{Value, json};

async fn organization(management: &Actor, name: &str) -> String {
    management.post("/api/organizations", json!({ "name": name })).await.expect(201).text("id")
}

both!(an_organization_is_created_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({
        "name": "Zoo", "description": "Animals", "customData": { "a": { "b": 1 } }, "isMfaRequired": true,
        "color": { "primaryColor": "#0af" }, "branding": { "logoUrl": "https://zoo.test/logo.png" },
        "customCss": "a { color: red }",
    });
    let created = management.post("/api/organizations", body.clone()).await.expect(201);
    let id = created.text("id");
    assert_eq!(id.len(), 12);
    let mut shown = body;
    for (key, value) in [("tenantId", json!("default")), ("id", json!(id)), ("createdAt", json!(server.clock.now_ms()))]
    {
        shown[key] = value;
    }
    assert_eq!(created.body, shown);
    let path = format!("/api/organizations/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);

    // Own data is replaced, null takes away, what is left out stays, also of colours.
    let kept = management.patch(&path, json!({ "color": {}, "branding": {} })).await.expect(200);
    assert_eq!(kept.body, shown);
    let nothing: serde_json::Map<_, _> =
        shown["color"].as_object().unwrap().keys().map(|name| (name.clone(), Value::Null)).collect();
    let cleared = management.patch(&path, json!({ "color": nothing })).await.expect(200);
    assert_eq!(cleared["color"], json!({}));
    let change = json!({ "customData": { "c": 2 }, "color": {}, "customCss": null, "isMfaRequired": false });
    let changed = management.patch(&path, change.clone()).await.expect(200);
    for (key, value) in change.as_object().unwrap() {
        shown[key] = value.clone();
    }
    assert_eq!(changed.body, shown);
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, shown);
    assert_eq!(management.delete(&path).await.expect(204).body, Value::Null);
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(&path, json!({})).await.expect_api_error(404, "entity.not_exists");
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
});

both!(organizations_are_listed_and_searched, async |server: TestServer| {
    let management = server.management().await;
    for name in ["ACME 100%", "\u{c4}rzte_Haus", "acme east"] {
        server.clock.advance(std::time::Duration::from_millis(1));
        organization(&management, name).await;
    }
    for (part, names) in [
        ("", &["acme east", "\u{c4}rzte_Haus", "ACME 100%"][..]),
        ("q=Acme", &["acme east", "ACME 100%"]),
        ("q=%25", &["ACME 100%"]),
        ("q=a%CC%88RZTE", &["\u{c4}rzte_Haus"]),
        ("q=%27%20OR%201%3D1", &[]),
    ] {
        let answer = management.get(&format!("/api/organizations?{part}")).await.expect(200);
        assert_eq!(texts(&answer.body, "name"), names, "{part}");
        assert_eq!(answer.header("total-number"), Some(names.len().to_string().as_str()));
        assert!(answer.body[0].get("usersCount").is_none());
    }
    let page = management.get("/api/organizations?q=acme&page=2&page_size=1").await.expect(200);
    assert_eq!((texts(&page.body, "name"), page.header("total-number")), (vec!["ACME 100%"], Some("2")));

    let id = page.body[0]["id"].as_str().unwrap();
    let body = json!({ "username": "ada", "name": "Ada" });
    let ada = management.post("/api/users", body).await.expect(200).text("id");
    management.post(&format!("/api/organizations/{id}/users"), json!({ "userIds": [ada] })).await.expect(201);
    let featured = management.get("/api/organizations?q=acme&showFeatured=true").await.expect(200).body;
    assert_eq!((&featured[0]["usersCount"], &featured[0]["featuredUsers"]), (&json!(0), &json!([])));
    assert_eq!(featured[1]["usersCount"], 1);
    assert_eq!(featured[1]["featuredUsers"], json!([{ "id": ada, "avatar": null, "name": "Ada" }]));
    for bad in ["q=%00", "q=a&q=b", "showFeatured=maybe", "page=0", "page_size=101"] {
        let answer = management.get(&format!("/api/organizations?{bad}")).await;
        let code = if bad.starts_with("page") { "guard.invalid_pagination" } else { "guard.invalid_input" };
        answer.expect_api_error(400, code);
    }
});

both!(an_exchange_follows_every_change_at_once, async |server: TestServer| {
    let management = server.management().await;
    let (_, read) = scope(&management, "https://zoo.test", "animals:read").await;
    let user = user(&management, "ada").await;
    let zoo = organization(&management, "Zoo").await;
    let role = json!({ "name": "keeper", "resourceScopeIds": [read] });
    let role = management.post("/api/organization-roles", role).await.expect(201).text("id");
    let members = format!("/api/organizations/{zoo}/users");
    let roles = format!("{members}/{user}/roles");
    let resource_scopes = format!("/api/organization-roles/{role}/resource-scopes");
    let granted = async || {
        let form = exchange(&server, &user, "https://zoo.test", "animals:read").await.with("organization_id", &zoo);
        let answer = form.send().await;
        if answer.status == 200 { answer.text("scope") } else { answer.text("error") }
    };
    let join = async || {
        management.post(&members, json!({ "userIds": [user] })).await.expect(201);
        management.post(&roles, json!({ "organizationRoleIds": [role] })).await.expect(201);
    };

    assert_eq!(granted().await, "access_denied");
    management.post(&members, json!({ "userIds": [user] })).await.expect(201);
    assert_eq!(granted().await, "");
    management.post(&roles, json!({ "organizationRoleNames": ["keeper"] })).await.expect(201);
    assert_eq!(granted().await, "animals:read");
    management.delete(&format!("{resource_scopes}/{read}")).await.expect(204);
    assert_eq!(granted().await, "");
    management.put(&resource_scopes, json!({ "scopeIds": [read] })).await.expect(204);
    assert_eq!(granted().await, "animals:read");
    management.put(&roles, json!({ "organizationRoleIds": [] })).await.expect(204);
    assert_eq!(granted().await, "");
    management.put(&members, json!({ "userIds": [] })).await.expect(204);
    assert_eq!(granted().await, "access_denied");
    join().await;
    assert_eq!(granted().await, "animals:read");
    management.delete(&format!("{members}/{user}")).await.expect(204);
    assert_eq!(granted().await, "access_denied");
    join().await;
    management.delete(&format!("/api/organization-roles/{role}")).await.expect(204);
    assert_eq!(granted().await, "");
    management.delete(&format!("/api/organizations/{zoo}")).await.expect(204);
    assert_eq!(granted().await, "access_denied");
});

both!(an_organization_lets_in_people_of_its_domains, async |server: TestServer| {
    let management = server.management().await;
    let zoo = organization(&management, "Zoo").await;
    let role = management.post("/api/organization-roles", json!({ "name": "guest" })).await.expect(201).text("id");
    let domains = format!("/api/organizations/{zoo}/jit/email-domains");
    let added = management.post(&domains, json!({ "emailDomain": "Zoo.Example" })).await.expect(201);
    let shown = json!({ "tenantId": "default", "organizationId": zoo, "emailDomain": "zoo.example" });
    assert_eq!(added.body, shown);
    let again = management.post(&domains, json!({ "emailDomain": "zoo.EXAMPLE" })).await;
    again.expect_api_error(422, "entity.unique_integrity_violation");
    assert_eq!(management.get(&domains).await.expect(200).body, json!([shown]));
    let roles = format!("/api/organizations/{zoo}/jit/roles");
    management.post(&roles, json!({ "organizationRoleIds": [role] })).await.expect(201);
    assert_eq!(texts(&management.get(&roles).await.expect(200).body, "id"), [&role]);

    // Nobody has verified the address of whom an operator creates.
    let created = management.post("/api/users", json!({ "primaryEmail": "ada@ZOO.example" })).await.expect(200);
    let organizations = format!("/api/users/{}/organizations", created.text("id"));
    assert_eq!(management.get(&organizations).await.expect(200).body, json!([]));

    management.delete(&format!("{roles}/{role}")).await.expect(204);
    management.delete(&format!("{roles}/{role}")).await.expect_api_error(404, "entity.not_found");
    management.put(&roles, json!({ "organizationRoleIds": [role] })).await.expect(204);
    management.delete(&format!("{domains}/ZOO.example")).await.expect(204);
    management.delete(&format!("{domains}/zoo.example")).await.expect_api_error(404, "entity.not_found");
    management.put(&domains, json!({ "emailDomains": ["b.test", "A.test", "a.TEST"] })).await.expect(204);
    let listed = management.get(&domains).await.expect(200);
    assert_eq!(texts(&listed.body, "emailDomain"), ["a.test", "b.test"]);
    for (path, body) in
        [("email-domains", json!({ "emailDomains": [] })), ("roles", json!({ "organizationRoleIds": [role] }))]
    {
        let path = format!("/api/organizations/{NOBODY}/jit/{path}");
        management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
        let answer = management.put(&path, body).await;
        answer.expect_api_error(422, "entity.relation_foreign_key_not_found");
    }
});
