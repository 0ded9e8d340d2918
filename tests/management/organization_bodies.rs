//! Invalid request bodies of the organization routes: the error names the field, and nothing is written.

use crate::fixtures::texts;
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

both!(a_field_that_is_wrong_is_named, async |server: TestServer| {
    let management = server.management().await;
    let long = "a".repeat(300);
    let id = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
    let role = management.post("/api/organization-roles", json!({ "name": "guest" })).await.expect(201).text("id");
    let change = format!("PATCH /api/organizations/{id}");
    let users = format!("/api/organizations/{id}/users");
    let (add, replace) = (format!("POST {users}"), format!("PUT {users}"));
    let (roles, give) = (format!("POST {users}/x/roles"), format!("POST {users}/roles"));
    let domains = format!("POST /api/organizations/{id}/jit/email-domains");
    let all_domains = format!("PUT /api/organizations/{id}/jit/email-domains");
    let jit_roles = format!("POST /api/organizations/{id}/jit/roles");
    let scopes = format!("POST /api/organization-roles/{role}/scopes");
    let resource_scopes = format!("PUT /api/organization-roles/{role}/resource-scopes");
    let applications = format!("POST /api/organizations/{id}/applications");
    let many: Vec<String> = (0..101).map(|index| format!("id {index}")).collect();
    let named = |more: (&str, Value)| json!({ "name": "n", more.0: more.1 });
    let cases: Vec<(&str, Value, &str)> = vec![
        ("POST /api/organization-scopes", json!({}), "name"),
        ("POST /api/organization-scopes", json!({ "name": null }), "name"),
        ("POST /api/organization-scopes", json!({ "name": "" }), "name"),
        ("POST /api/organization-scopes", json!({ "name": "a".repeat(129) }), "name"),
        ("POST /api/organization-scopes", named(("description", json!(1))), "description"),
        ("POST /api/organization-scopes", named(("description", json!(long))), "description"),
        ("POST /api/organization-roles", named(("type", json!("Robot"))), "type"),
        ("POST /api/organization-roles", named(("organizationScopeIds", json!(null))), "organizationScopeIds"),
        ("POST /api/organization-roles", named(("resourceScopeIds", json!([1]))), "resourceScopeIds[0]"),
        ("POST /api/organization-roles", named(("resourceScopeIds", json!(vec!["x"; 1001]))), "resourceScopeIds"),
        ("POST /api/organizations", json!({ "description": "d" }), "name"),
        ("POST /api/organizations", json!({ "name": "a".repeat(129) }), "name"),
        ("POST /api/organizations", named(("customData", json!([]))), "customData"),
        ("POST /api/organizations", named(("isMfaRequired", json!("yes"))), "isMfaRequired"),
        ("POST /api/organizations", named(("color", json!({ "primaryColor": "red" }))), "color.primaryColor"),
        ("POST /api/organizations", named(("color", json!([]))), "color"),
        ("POST /api/organizations", named(("branding", json!({ "logoUrl": "logo" }))), "branding.logoUrl"),
        ("POST /api/organizations", named(("customCss", json!("a".repeat(65_537)))), "customCss"),
        (&change, json!({ "name": null }), "name"),
        (&change, json!({ "customData": null }), "customData"),
        (&change, json!({ "color": null }), "color"),
        (&add, json!({}), "userIds"),
        (&add, json!({ "userIds": [] }), "userIds"),
        (&add, json!({ "userIds": [""] }), "userIds"),
        (&replace, json!({ "userIds": vec!["x"; 1001] }), "userIds"),
        (&replace, json!({}), "userIds"),
        (&roles, json!({}), "organizationRoleIds"),
        (&roles, json!({ "organizationRoleNames": [""] }), "organizationRoleNames[0]"),
        (&roles, json!({ "organizationRoleNames": vec!["x"; 1001] }), "organizationRoleNames"),
        (&give, json!({ "userIds": ["x"], "organizationRoleIds": [] }), "organizationRoleIds"),
        (&give, json!({ "userIds": many, "organizationRoleIds": many }), "userIds"),
        (&applications, json!({ "applicationIds": [] }), "applicationIds"),
        (&domains, json!({ "emailDomain": "nodomain" }), "emailDomain"),
        (&domains, json!({ "emailDomain": "a@b.c" }), "emailDomain"),
        (&all_domains, json!({ "emailDomains": ["a.b", "c"] }), "emailDomains[1]"),
        (&jit_roles, json!({ "organizationRoleIds": [] }), "organizationRoleIds"),
        (&scopes, json!({ "organizationScopeIds": [] }), "organizationScopeIds"),
        (&resource_scopes, json!({}), "scopeIds"),
    ];
    for (operation, body, key) in cases {
        let (method, path) = operation.split_once(' ').unwrap();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = management.send(method, path, body.clone()).await;
        answer.expect_api_error(400, "guard.invalid_input");
        let details = answer.text("details");
        let named = details.contains(&format!("\"{key}\"")) || details.contains(&format!("missing field `{key}`"));
        assert!(named, "{operation} {body}: {details}");
    }
    assert_eq!(texts(&management.get("/api/organizations").await.expect(200).body, "name"), ["Zoo"]);
    assert_eq!(texts(&management.get("/api/organization-roles").await.expect(200).body, "name"), ["guest"]);
    assert_eq!(management.get("/api/organization-scopes").await.expect(200).body, json!([]));
});
