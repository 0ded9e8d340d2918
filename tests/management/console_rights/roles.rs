//! The table of the decision over HTTP: every role is let through to what it may do and to nothing else, by what its user
//! holds at that moment, and as recently signed in as the operation wants.

use super::{SCOPES, command_line, console, person, resource, sign_in};
use crate::fixtures::{management_scopes, user};
use crate::openapi::is_public;
use claimsmith_domain::console::{BuiltInClient, ConsoleRole, ConsoleRoles, Operation, SignInAge};
use claimsmith_management as management;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Where a native application is sent back to.
const BACK: &str = "http://localhost:9999/callback";

/// Sends an operation with ids that nothing has, and a body that changes nothing.
async fn use_operation(actor: &Actor, name: &str) -> Answer {
    let (method, route) = name.split_once(' ').unwrap();
    let path: Vec<&str> = route.split('/').map(|part| if part.starts_with('{') { "nobody" } else { part }).collect();
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let body = if matches!(method, Method::GET | Method::DELETE) { Value::Null } else { json!({}) };
    actor.send(method, &path.join("/"), body).await
}

#[test]
fn every_operation_is_in_the_table_and_nothing_else_is() {
    let document = serde_json::to_value(management::description()).unwrap();
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        if !is_public(path) {
            described.extend(methods.as_object().unwrap().keys().map(|method| {
                let method = method.to_uppercase();
                format!("{method} {path}")
            }));
        }
    }
    let table: BTreeSet<String> = management::operations().map(|(name, _)| name.to_owned()).collect();
    let (missing, stale) = (described.difference(&table), table.difference(&described));
    assert_eq!((missing.collect::<Vec<_>>(), stale.collect::<Vec<_>>()), (vec![], vec![]), "missing, stale");
}

#[test]
fn the_scope_of_an_operation_says_the_least_that_its_roles_have() {
    let document = serde_json::to_value(management::description()).unwrap();
    for (name, Operation { roles, .. }) in management::operations() {
        let (method, path) = name.split_once(' ').unwrap();
        let operation = &document["paths"][path][method.to_lowercase()];
        // Where no narrower scope does, it is `all`.
        let scopes = operation["security"][0]["oauth2"].as_array().unwrap_or_else(|| panic!("{name} has no scope"));
        let scope = scopes.last().and_then(|scope| scope.as_str()).unwrap();
        if scope == "configs:read" {
            assert_eq!(roles, ConsoleRoles::of(&[ConsoleRole::Admin]), "{name}");
        } else if scope.ends_with(":read") && !["GET /api/plugins/{name}/logs", "GET /api/users/export"].contains(&name)
        {
            assert_eq!(roles, ConsoleRoles::of(&ConsoleRole::ALL), "{name}");
        } else {
            assert!(!roles.has(ConsoleRole::Read), "{name}");
        }
    }
}

both!(each_role_may_do_what_the_table_says_and_nothing_else, async |server: TestServer| {
    for role in ConsoleRole::ALL {
        let id = person(&server, &[role]).await;
        let actor = command_line(&server, &id, 0).await;
        for (name, operation) in management::operations() {
            let answer = use_operation(&actor, name).await;
            // What machines alone may call is the console's to call for people, not the command line's.
            let may = operation.roles.has(role) && name != "POST /api/subject-tokens";
            if may {
                assert!(!matches!(answer.status, 401 | 403), "{role:?} {name}: {answer:?}");
            } else {
                answer.expect_api_error(403, "auth.forbidden");
            }
        }
    }
});

both!(what_is_marked_needs_a_sign_in_of_the_last_ten_minutes, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Admin]).await;
    let (late, stale) = (command_line(&server, &id, 9).await, command_line(&server, &id, 10).await);
    for (name, operation) in management::operations().filter(|(name, _)| *name != "POST /api/subject-tokens") {
        let answer = use_operation(&stale, name).await;
        if operation.sign_in == SignInAge::Recent {
            answer.expect_api_error(403, "console.fresh_sign_in_required");
            let answer = use_operation(&late, name).await;
            assert_ne!(answer.status, 403, "{name}: {answer:?}");
        } else {
            assert_ne!(answer.body["code"], "console.fresh_sign_in_required", "{name}");
        }
    }
});

both!(what_a_request_asks_for_decides_where_the_table_leaves_it_open, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Developer]).await;
    let (fresh, stale) = (command_line(&server, &id, 0).await, command_line(&server, &id, 11).await);
    let refused = "console.fresh_sign_in_required";
    let native =
        |uris: Value| json!({ "name": "App", "type": "Native", "oidcClientMetadata": { "redirectUris": uris } });
    stale.post("/api/applications", native(json!([BACK]))).await.expect_api_error(403, refused);
    let machine = json!({ "name": "Machine", "type": "MachineToMachine" });
    stale.post("/api/applications", machine).await.expect_api_error(403, refused);
    let made = stale.post("/api/applications", native(json!([]))).await.expect(200).text("id");
    let path = format!("/api/applications/{made}");
    stale.patch(&path, json!({ "name": "Renamed" })).await.expect(200);
    let uris = json!({ "oidcClientMetadata": { "redirectUris": [BACK] } });
    stale.patch(&path, uris.clone()).await.expect_api_error(403, refused);
    fresh.patch(&path, uris.clone()).await.expect(200);
    // The same again changes nothing.
    stale.patch(&path, uris).await.expect(200);
    stale
        .patch(&path, json!({ "customClientMetadata": { "allowTokenExchange": true } }))
        .await
        .expect_api_error(403, refused);

    // A plugin is stored with any sign-in, and put into service with a recent one.
    let source = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
    let upload = async |actor: &Actor, query: &str| {
        let request = actor.request(Method::PUT, &format!("/api/plugins/plan{query}"));
        Answer::of(request.header("content-type", "text/javascript").body(source)).await
    };
    upload(&stale, "").await.expect_api_error(403, refused);
    upload(&stale, "?activate=true").await.expect_api_error(403, refused);
    upload(&stale, "?activate=false").await.expect(201);
    fresh.patch("/api/plugins/plan", json!({ "enabled": false })).await.expect(200);
    stale.patch("/api/plugins/plan", json!({ "order": 7 })).await.expect(200);
    stale.patch("/api/plugins/plan", json!({ "enabled": true })).await.expect_api_error(403, refused);
    stale.patch("/api/plugins/plan", json!({ "enabled": false })).await.expect(200);
    fresh.patch("/api/plugins/plan", json!({ "enabled": true })).await.expect(200);
});

both!(rights_are_what_the_user_holds_now, async |server: TestServer| {
    let management = server.management().await;
    let (ada, boss) = (person(&server, &[ConsoleRole::Admin]).await, person(&server, &[ConsoleRole::Admin]).await);
    let actor = command_line(&server, &ada, 0).await;
    actor.get("/api/sign-in-exp").await.expect(200);
    let roles = |role: ConsoleRole| json!({ "roleIds": [role.role_id()] });
    management.put(&format!("/api/users/{ada}/roles"), roles(ConsoleRole::Read)).await.expect(200);
    // The token carries console:admin, which its user does not hold any more; what they got since, it does not carry.
    actor.get("/api/sign-in-exp").await.expect_api_error(403, "auth.forbidden");
    actor.get("/api/users").await.expect_api_error(403, "auth.forbidden");
    management.put(&format!("/api/users/{ada}/roles"), roles(ConsoleRole::Admin)).await.expect(200);
    actor.get("/api/sign-in-exp").await.expect(200);
    let suspended = json!({ "isSuspended": true });
    management.patch(&format!("/api/users/{ada}/is-suspended"), suspended).await.expect(200);
    actor.get("/api/users").await.expect_api_error(401, "auth.unauthorized");
    command_line(&server, &boss, 0).await.get("/api/users").await.expect(200);
});

both!(a_token_without_a_sign_in_proves_nobodys_presence, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Admin]).await;
    let client_id = BuiltInClient::CommandLine.id().into();
    let token = server.mint_for(&id, &client_id, SCOPES, Some(&resource(&server))).await;
    let actor = server.bearer(&token);
    actor.get("/api/configs/id-token").await.expect(200);
    actor.delete("/api/users/nobody").await.expect_api_error(403, "console.fresh_sign_in_required");
});

both!(the_sign_in_of_somebody_else_proves_nothing, async |server: TestServer| {
    let (ada, eve) = (person(&server, &[ConsoleRole::Admin]).await, person(&server, &[]).await);
    let client_id = BuiltInClient::CommandLine.id().into();
    let token = server.mint_for(&ada, &client_id, SCOPES, Some(&resource(&server))).await;
    let claims = server.verify(&token, &resource(&server)).await.claims;
    sign_in(&server, &eve, claims["jti"].as_str().unwrap(), 0).await;
    let actor = server.bearer(&token);
    actor.get("/api/configs/id-token").await.expect(200);
    actor.delete("/api/users/nobody").await.expect_api_error(403, "console.fresh_sign_in_required");
});

both!(the_command_line_never_holds_all, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Admin]).await;
    let cli = command_line(&server, &id, 0).await;
    let machine = json!({ "name": "Machine", "type": "MachineToMachine" });
    let made = cli.post("/api/applications", machine).await.expect(200).text("id");
    let path = format!("/api/applications/{made}");
    cli.patch(&path, json!({ "isAdmin": true })).await.expect_api_error(403, "auth.forbidden");
    // In the console, after a recent sign-in, an administrator does.
    let (fresh, stale) =
        (console(&server, &id, &[ConsoleRole::Admin], 0).await, console(&server, &id, &[ConsoleRole::Admin], 11).await);
    stale.patch(&path, json!({ "isAdmin": true })).await.expect_api_error(403, "console.fresh_sign_in_required");
    fresh.patch(&path, json!({ "isAdmin": true })).await.expect(200);
    for changed in [json!({ "name": "mine" }), json!({ "isAdmin": false })] {
        cli.patch(&path, changed).await.expect_api_error(403, "auth.forbidden");
    }
});

both!(what_opens_the_management_api_is_given_after_a_recent_sign_in, async |server: TestServer| {
    let management = server.management().await;
    let id = person(&server, &[ConsoleRole::Admin]).await;
    let (fresh, stale) =
        (console(&server, &id, &[ConsoleRole::Admin], 9).await, console(&server, &id, &[ConsoleRole::Admin], 10).await);
    let scopes = management_scopes(&server, &management, &["users:read"]).await;
    let made = json!({ "name": "readers", "description": "d", "type": "MachineToMachine" });
    let path = format!("/api/roles/{}", stale.post("/api/roles", made).await.expect(200).text("id"));
    // Writing a role needs no such sign-in; what this one carries does.
    let given = json!({ "scopeIds": scopes });
    let refused = stale.post(&format!("{path}/scopes"), given.clone()).await;
    refused.expect_api_error(403, "console.fresh_sign_in_required");
    fresh.post(&format!("{path}/scopes"), given).await.expect(201);
    for (method, path, body) in [
        (Method::PATCH, path.clone(), json!({ "description": "e" })),
        (Method::DELETE, format!("{path}/scopes/{}", scopes[0]), Value::Null),
    ] {
        let refused = stale.send(method.clone(), &path, body.clone()).await;
        refused.expect_api_error(403, "console.fresh_sign_in_required");
        let answer = fresh.send(method, &path, body).await;
        assert!(answer.status < 300, "{path}: {answer:?}");
    }
});

both!(the_person_is_the_actor_of_what_they_do, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Admin]).await;
    let (cli, door) = (command_line(&server, &id, 0).await, console(&server, &id, &[ConsoleRole::Admin], 0).await);
    for (actor, client, name) in [(&cli, BuiltInClient::CommandLine, "ada"), (&door, BuiltInClient::Console, "grace")] {
        let made = user(actor, name).await;
        let entries = door.get("/api/logs?logKey=Management.User.Create").await.expect(200).body;
        let entry = entries.as_array().unwrap().iter().find(|entry| entry["payload"]["userId"] == made.as_str());
        let payload = &entry.unwrap_or_else(|| panic!("no entry of {made}: {entries:#}"))["payload"];
        assert_eq!(payload["applicationId"], client.id(), "{payload:#}");
        assert_eq!(payload["byUserId"], id.as_str(), "{payload:#}");
    }
});
