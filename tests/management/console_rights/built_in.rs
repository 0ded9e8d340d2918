//! What is built in: there after every start, following the base URL, and changed by nobody.

use super::{administrator, person, resource};
use crate::fixtures::{machine, role, scope, user};
use claimsmith_domain::console::{BuiltInClient, ConsoleRole, built_in};
use claimsmith_storage::{applications, resources, roles};
use claimsmith_test_support::{Home, TestServer, both, seed};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

both!(nothing_of_it_is_changed_by_anybody, async |server: TestServer| {
    let management = server.management().await;
    let (id, console) = (built_in::RESOURCE_ID, format!("/api/resources/{}", built_in::RESOURCE_ID));
    let scope_id = ConsoleRole::Admin.scope_id();
    let mut tried = vec![
        (Method::PATCH, console.clone(), json!({ "name": "Mine" })),
        (Method::PATCH, console.clone(), json!({ "accessTokenTtl": 31_536_000 })),
        (Method::PATCH, format!("{console}/is-default"), json!({ "isDefault": true })),
        (Method::POST, format!("{console}/scopes"), json!({ "name": "console:root" })),
        (Method::PATCH, format!("{console}/scopes/{scope_id}"), json!({ "name": "console:nothing" })),
        (Method::DELETE, format!("{console}/scopes/{scope_id}"), Value::Null),
        (Method::DELETE, console, Value::Null),
    ];
    let (_, others) = scope(&management, "https://orders.test", "orders:read").await;
    let machine_id = machine(&management, "machine").await.0;
    for role in ConsoleRole::ALL {
        let path = format!("/api/roles/{}", role.role_id());
        tried.extend([
            (Method::PATCH, path.clone(), json!({ "name": "Mine" })),
            (Method::PATCH, path.clone(), json!({ "isDefault": true })),
            (Method::POST, format!("{path}/scopes"), json!({ "scopeIds": [others] })),
            (Method::DELETE, format!("{path}/scopes/{}", role.scope_id()), Value::Null),
            (Method::POST, format!("{path}/applications"), json!({ "applicationIds": [machine_id] })),
            (Method::POST, format!("/api/applications/{machine_id}/roles"), json!({ "roleIds": [role.role_id()] })),
            (Method::PUT, format!("/api/applications/{machine_id}/roles"), json!({ "roleIds": [role.role_id()] })),
            (Method::DELETE, path, Value::Null),
        ]);
    }
    for client in BuiltInClient::ALL {
        let path = format!("/api/applications/{}", client.id());
        let uris = json!({ "oidcClientMetadata": { "redirectUris": ["https://evil.test/back"] } });
        tried.extend([
            (Method::PATCH, path.clone(), uris),
            (Method::PATCH, path.clone(), json!({ "customClientMetadata": { "allowTokenExchange": true } })),
            (Method::PATCH, format!("{path}/custom-data"), json!({ "mine": true })),
            (Method::PUT, format!("{path}/sign-in-experience"), json!({ "displayName": "Mine" })),
            (Method::POST, format!("{path}/secrets"), json!({ "name": "mine" })),
            (Method::PATCH, format!("{path}/secrets/mine"), json!({ "name": "yours" })),
            (Method::DELETE, format!("{path}/secrets/mine"), Value::Null),
            (Method::POST, format!("{path}/roles"), json!({ "roleIds": [] })),
            (Method::PUT, format!("{path}/roles"), json!({ "roleIds": [] })),
            (Method::DELETE, path, Value::Null),
        ]);
    }
    let door = administrator(&server).await;
    for actor in [&management, &door] {
        for (method, path, body) in &tried {
            let answer = actor.send(method.clone(), path, body.clone()).await;
            answer.expect_api_error(422, "console.built_in");
        }
    }
    for client in BuiltInClient::ALL {
        let secrets = management.get(&format!("/api/applications/{}/secrets", client.id())).await.expect(200);
        assert_eq!(secrets.body, json!([]));
    }
    let shown = management.get(&format!("/api/resources/{id}")).await.expect(200);
    assert_eq!((&shown["indicator"], &shown["isDefault"]), (&json!(resource(&server)), &json!(false)));
    let again = json!({ "name": "Mine", "indicator": resource(&server) });
    management.post("/api/resources", again).await.expect_api_error(422, "resource.resource_identifier_in_use");
});

both!(no_other_role_carries_its_scopes, async |server: TestServer| {
    let management = server.management().await;
    let of_users = role(&management, "users", "User", &[]).await;
    let of_machines = role(&management, "machines", "MachineToMachine", &[]).await;
    let body = json!({ "name": "members", "description": "d" });
    let of_members = management.post("/api/organization-roles", body).await.expect(201).text("id");
    for role in ConsoleRole::ALL {
        let ids = json!({ "scopeIds": [role.scope_id()] });
        for path in [
            format!("/api/roles/{of_users}/scopes"),
            format!("/api/roles/{of_machines}/scopes"),
            format!("/api/organization-roles/{of_members}/resource-scopes"),
        ] {
            management.post(&path, ids.clone()).await.expect_api_error(422, "console.built_in");
        }
        let path = format!("/api/organization-roles/{of_members}/resource-scopes");
        management.put(&path, ids).await.expect_api_error(422, "console.built_in");
        for kind in ["User", "MachineToMachine"] {
            let body = json!({ "name": "new", "description": "d", "type": kind, "scopeIds": [role.scope_id()] });
            management.post("/api/roles", body).await.expect_api_error(422, "console.built_in");
        }
        let body = json!({ "name": "new", "description": "d", "resourceScopeIds": [role.scope_id()] });
        management.post("/api/organization-roles", body).await.expect_api_error(422, "console.built_in");
    }
    // Nor does a new user get one of the roles by itself.
    let id = user(&management, "ada").await;
    let held = management.get(&format!("/api/users/{id}/roles")).await.expect(200).body;
    assert_eq!(held, json!([]));
});

both!(it_is_made_where_it_is_missing_and_follows_the_base_url, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let ada = person(&server, &[ConsoleRole::Admin]).await;
    // As in a database of an older version, in which somebody has used the names for something else.
    let moved = "http://moved.localhost:3001";
    let mine = seed::new_resource(&format!("{moved}/console"));
    let mut tx = server.begin().await;
    resources::insert(&mut tx, &mine).await.unwrap();
    resources::insert_scope(&mut tx, &seed::new_scope(&mine.id, "console:admin")).await.unwrap();
    roles::delete(&mut tx, &ConsoleRole::Read.role_id().into()).await.unwrap();
    let namesake = roles::Role { name: ConsoleRole::Read.role_name().to_owned(), ..seed::new_role("User") };
    roles::insert(&mut tx, &namesake).await.unwrap();
    applications::delete(&mut tx, &BuiltInClient::CommandLine.id().into()).await.unwrap();
    tx.commit().await.unwrap();
    server.stop().await;

    let changes = [("CLAIMSMITH_BASE_URL", moved)];
    for _ in 0..2 {
        let server = TestServer::start(&home, &changes).await.unwrap();
        let mut tx = server.begin().await;
        let console = resources::find(&mut tx, &built_in::RESOURCE_ID.into()).await.unwrap().unwrap();
        assert_eq!(console.indicator, format!("{moved}/console"));
        let other = resources::find(&mut tx, &mine.id).await.unwrap().unwrap();
        assert_eq!(other.indicator, format!("{moved}/console/{}", mine.id), "it gave way");
        for role in ConsoleRole::ALL {
            let found = roles::find(&mut tx, &role.role_id().into()).await.unwrap().unwrap();
            assert_eq!(found.name, role.role_name());
            let carried = resources::scopes_of_role(&mut tx, &found.id).await.unwrap();
            assert_eq!(carried.iter().map(|scope| &*scope.name).collect::<Vec<_>>(), [role.scope()]);
        }
        assert_ne!(roles::find(&mut tx, &namesake.id).await.unwrap().unwrap().name, namesake.name);
        let held = roles::console::of_user(&mut tx, &ada).await.unwrap();
        assert!(held.has(ConsoleRole::Admin), "what people held they hold");
        let application = applications::find(&mut tx, &BuiltInClient::Console.id().into()).await.unwrap().unwrap();
        assert_eq!(application.oidc_client_metadata.redirect_uris, [format!("{moved}/console/callback")]);
        assert_eq!(application.oidc_client_metadata.post_logout_redirect_uris, [format!("{moved}/console")]);
        let device = applications::find(&mut tx, &BuiltInClient::CommandLine.id().into()).await.unwrap().unwrap();
        assert_eq!(device.custom_client_metadata.is_device_flow, Some(true));
        drop(tx);
        server.stop().await;
    }
});

both!(the_management_api_is_another_resource, async |home: Arc<Home>| {
    let resource = ("CLAIMSMITH_MANAGEMENT_RESOURCE", "http://localhost:3001/console");
    let changes = [("CLAIMSMITH_BASE_URL", "http://localhost:3001"), resource];
    let refused = TestServer::start(&home, &changes).await.err().unwrap();
    assert!(format!("{refused:#}").contains("management_resource"), "{refused:#}");
});
