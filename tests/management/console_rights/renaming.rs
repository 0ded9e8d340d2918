//! Rights by renaming: whoever holds something by a name holds another right when the name is another one, so renaming
//! needs what granting needs.

use super::{command_line, person};
use crate::fixtures::{find, narrow, role, scope, user};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Actor, TestServer, both};
use serde_json::json;

const REFUSED: &str = "console.fresh_sign_in_required";

/// Renames something, and says whether it was let through, and why not.
async fn rename(actor: &Actor, path: &str, name: &str) -> Option<String> {
    let answer = actor.patch(path, json!({ "name": name })).await;
    match answer.status {
        200 => None,
        403 => Some(answer.text("code")),
        _ => panic!("{path}: {answer:?}"),
    }
}

both!(a_scope_that_roles_carry_gets_another_name_from_those_who_may_grant_it, async |server: TestServer| {
    let management = server.management().await;
    let (resource_id, read) = scope(&management, "https://orders.example.com", "orders:read").await;
    let scopes = format!("/api/resources/{resource_id}/scopes");
    management.post(&scopes, json!({ "name": "orders:admin" })).await.expect(201);
    let path = format!("{scopes}/{read}");
    let resources = narrow(&server, &management, &["resources:write"]).await;
    let developer = command_line(&server, &person(&server, &[ConsoleRole::Developer]).await, 0).await;
    let admin = person(&server, &[ConsoleRole::Admin]).await;
    let (fresh, stale) = (command_line(&server, &admin, 0).await, command_line(&server, &admin, 11).await);

    // Nobody has it yet: any name, by whoever writes resources.
    for (actor, name) in [(&resources, "orders:list"), (&developer, "orders:see"), (&stale, "orders:read")] {
        assert_eq!(rename(actor, &path, name).await, None, "{name}");
    }
    let clerks = role(&management, "clerks", "User", &[&read]).await;
    // The attack: a name that another role holds is freed, and given to what the attacker's own role carries.
    for actor in [&resources, &developer] {
        assert_eq!(rename(actor, &path, "orders:everything").await.as_deref(), Some("auth.forbidden"));
        // What is called the same, and its description, may be written.
        let same = json!({ "name": "orders:read", "description": "Read orders" });
        assert_eq!(actor.patch(&path, same).await.expect(200).body["description"], "Read orders");
    }
    assert_eq!(rename(&stale, &path, "orders:everything").await.as_deref(), Some(REFUSED));
    let both = narrow(&server, &management, &["resources:write", "roles:write"]).await;
    for (actor, name) in [(&fresh, "orders:list"), (&both, "orders:see"), (&management, "orders:read")] {
        assert_eq!(rename(actor, &path, name).await, None, "{name}");
    }

    // Where an organization role carries it too, whoever may change roles alone does not.
    let editors = json!({ "name": "editor" });
    let editors = management.post("/api/organization-roles", editors).await.expect(201).text("id");
    let given = json!({ "scopeIds": [read] });
    management.post(&format!("/api/organization-roles/{editors}/resource-scopes"), given).await.expect(201);
    assert_eq!(rename(&both, &path, "orders:list").await.as_deref(), Some("auth.forbidden"));
    management.delete(&format!("/api/roles/{clerks}/scopes/{read}")).await.expect(204);
    assert_eq!(rename(&both, &path, "orders:list").await.as_deref(), Some("auth.forbidden"));
    let organizations = narrow(&server, &management, &["resources:write", "organizations:write"]).await;
    assert_eq!(rename(&organizations, &path, "orders:list").await, None);
    assert_eq!(find(&management.get(&scopes).await.expect(200).body, "id", &read)["name"], "orders:list");
});

both!(what_is_held_in_organizations_gets_another_name_after_a_recent_sign_in, async |server: TestServer| {
    let management = server.management().await;
    let admin = person(&server, &[ConsoleRole::Admin]).await;
    let (fresh, stale) = (command_line(&server, &admin, 9).await, command_line(&server, &admin, 10).await);
    let made = management.post("/api/organization-scopes", json!({ "name": "publish" })).await.expect(201).text("id");
    let editors = management.post("/api/organization-roles", json!({ "name": "editor" })).await.expect(201).text("id");
    let (scope, editor) = (format!("/api/organization-scopes/{made}"), format!("/api/organization-roles/{editors}"));
    for path in [&scope, &editor] {
        assert_eq!(rename(&stale, path, "other").await, None, "nobody has it: {path}");
    }
    management.post(&format!("{editor}/scopes"), json!({ "organizationScopeIds": [made] })).await.expect(201);
    let acme = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    let ada = user(&management, "ada").await;
    let users = format!("/api/organizations/{acme}/users");
    management.post(&users, json!({ "userIds": [ada] })).await.expect(201);
    let given = json!({ "organizationRoleIds": [editors] });
    management.post(&format!("{users}/{ada}/roles"), given).await.expect(201);
    for path in [&scope, &editor] {
        assert_eq!(rename(&stale, path, "admin").await.as_deref(), Some(REFUSED), "{path}");
        stale.patch(path, json!({ "name": "other", "description": "d" })).await.expect(200);
        assert_eq!(rename(&fresh, path, "admin").await, None, "{path}");
    }
});

both!(a_role_gets_another_name_or_new_users_as_it_is_granted, async |server: TestServer| {
    let management = server.management().await;
    let admin = person(&server, &[ConsoleRole::Admin]).await;
    let (fresh, stale) = (command_line(&server, &admin, 9).await, command_line(&server, &admin, 10).await);
    let clerks = role(&management, "clerks", "User", &[]).await;
    let path = format!("/api/roles/{clerks}");
    assert_eq!(rename(&stale, &path, "office").await, None, "nobody holds it");
    let ada = user(&management, "ada").await;
    management.post(&format!("{path}/users"), json!({ "userIds": [ada] })).await.expect(201);
    assert_eq!(rename(&stale, &path, "bosses").await.as_deref(), Some(REFUSED));
    stale.patch(&path, json!({ "name": "office", "description": "d" })).await.expect(200);
    assert_eq!(rename(&fresh, &path, "bosses").await, None);

    let new = |name: &str| json!({ "name": name, "description": "d", "isDefault": true });
    stale.post("/api/roles", new("everybody")).await.expect_api_error(403, REFUSED);
    stale.patch(&path, json!({ "isDefault": true })).await.expect_api_error(403, REFUSED);
    fresh.post("/api/roles", new("everybody")).await.expect(200);
    fresh.patch(&path, json!({ "isDefault": true })).await.expect(200);
    // It is one already, and may cease to be one.
    stale.patch(&path, json!({ "isDefault": true })).await.expect(200);
    stale.patch(&path, json!({ "isDefault": false })).await.expect(200);
});
