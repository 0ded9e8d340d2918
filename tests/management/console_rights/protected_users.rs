//! A user who holds a console role is changed, let in, signed out or impersonated by administrators and by `all` alone.

use super::{administrator, command_line, console, person};
use crate::fixtures::{narrow, user};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::UserId;
use claimsmith_test_support::{Actor, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// Ends the lock-outs of the address before and after its change.
fn unlocked(name: &str) -> Value {
    json!({ "targetType": "User", "targets": [format!("{name}@example.com"), format!("{name}2@example.com")] })
}

/// Every way to change a user, and what is theirs; those to get rid of them come last.
async fn changes(management: &Actor, id: &str, name: &str) -> Vec<(Method, String, Value)> {
    let path = format!("/api/users/{id}");
    let factors = format!("{path}/mfa-verifications");
    management.patch(&path, json!({ "primaryEmail": format!("{name}@example.com") })).await.expect(200);
    let token = json!({ "name": "first" });
    management.post(&format!("{path}/personal-access-tokens"), token).await.expect(201);
    management.post(&factors, json!({ "type": "Totp" })).await.expect(200);
    let factor = management.get(&factors).await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    let phone = format!("44123456{:04}", name.bytes().map(u32::from).sum::<u32>());
    let identity = json!({ "userId": format!("{name} elsewhere"), "details": {} });
    vec![
        (Method::PATCH, path.clone(), json!({ "name": "Somebody" })),
        (Method::PATCH, path.clone(), json!({ "username": format!("{name}2") })),
        (Method::PATCH, path.clone(), json!({ "primaryPhone": phone })),
        (Method::PATCH, format!("{path}/custom-data"), json!({ "customData": { "plan": "gold" } })),
        (Method::PATCH, format!("{path}/profile"), json!({ "profile": { "nickname": "S" } })),
        (Method::PATCH, format!("{path}/logto-configs"), json!({ "mfa": { "skipped": true } })),
        (Method::PATCH, format!("{path}/password"), json!({ "password": "correct horse battery staple" })),
        (Method::DELETE, format!("{factors}/{factor}"), Value::Null),
        (Method::POST, factors, json!({ "type": "Totp" })),
        (Method::PUT, format!("{path}/identities/github"), identity),
        (Method::DELETE, format!("{path}/identities/github"), Value::Null),
        (Method::PATCH, format!("{path}/personal-access-tokens/first"), json!({ "name": "second" })),
        (Method::DELETE, format!("{path}/personal-access-tokens/second"), Value::Null),
        (Method::POST, format!("{path}/personal-access-tokens"), json!({ "name": "third" })),
        (
            Method::POST,
            "/api/one-time-tokens".to_owned(),
            json!({ "email": format!("{}@Example.com", name.to_uppercase()) }),
        ),
        (Method::PATCH, path.clone(), json!({ "primaryEmail": format!("{name}2@example.com") })),
        (Method::PATCH, format!("{path}/is-suspended"), json!({ "isSuspended": true })),
        (Method::POST, "/api/sentinel-activities/delete".to_owned(), unlocked(name)),
        (Method::DELETE, path, Value::Null),
    ]
}

both!(narrow_scopes_change_nobody_who_administers, async |server: TestServer| {
    let management = server.management().await;
    let narrow = narrow(&server, &management, &["users:write"]).await;
    for role in [ConsoleRole::Read, ConsoleRole::Admin] {
        let id = person(&server, &[role]).await;
        let name = role.scope().replace(':', "_");
        for (method, path, body) in changes(&management, &id, &name).await {
            narrow.send(method, &path, body).await.expect_api_error(403, "auth.forbidden");
        }
    }
    // Everybody else is changed by it.
    let grace = user(&management, "grace").await;
    for (method, path, body) in changes(&management, &grace, "grace").await {
        let answer = narrow.send(method, &path, body).await;
        assert!(answer.status < 300, "{path}: {answer:?}");
    }
});

both!(all_and_administrators_change_whoever_administers, async |server: TestServer| {
    let management = server.management().await;
    let boss = person(&server, &[ConsoleRole::Admin]).await;
    let cli = command_line(&server, &boss, 0).await;
    let door = console(&server, &boss, &[ConsoleRole::Admin], 0).await;
    let stale = console(&server, &boss, &[ConsoleRole::Admin], 11).await;
    for (actor, name) in [(&management, "ada"), (&cli, "grace"), (&door, "joan")] {
        let id = person(&server, &[ConsoleRole::Support]).await;
        for (method, path, body) in changes(&management, &id, name).await {
            // Who administers is always looked at twice, whatever the operation.
            let late = stale.send(method.clone(), &path, body.clone()).await;
            late.expect_api_error(403, "console.fresh_sign_in_required");
            let answer = actor.send(method, &path, body).await;
            assert!(answer.status < 300, "{name} {path}: {answer:?}");
        }
    }
});

both!(support_helps_users_and_nobody_who_administers, async |server: TestServer| {
    let support = person(&server, &[ConsoleRole::Support]).await;
    let actor = command_line(&server, &support, 0).await;
    let customer = server.add_user().await;
    // Their tokens of the command line have a session and a grant behind them.
    let admin = person(&server, &[ConsoleRole::Read]).await;
    command_line(&server, &admin, 0).await;
    let management = server.management().await;
    let session = management.get(&format!("/api/users/{admin}/sessions")).await.expect(200).body;
    let session = session["sessions"][0]["payload"]["uid"].as_str().unwrap().to_owned();
    let grant = management.get(&format!("/api/users/{admin}/grants")).await.expect(200).body;
    let grant = grant["grants"][0]["id"].as_str().unwrap().to_owned();
    let suspended = json!({ "isSuspended": true });
    actor.patch(&format!("/api/users/{customer}/is-suspended"), suspended.clone()).await.expect(200);
    for (method, path, body) in [
        (Method::PATCH, format!("/api/users/{admin}/is-suspended"), suspended),
        (Method::DELETE, format!("/api/users/{admin}/sessions/{session}"), Value::Null),
        (Method::DELETE, format!("/api/users/{admin}/grants/{grant}"), Value::Null),
        (Method::DELETE, format!("/api/users/{admin}/trusted-devices/nobody"), Value::Null),
    ] {
        actor.send(method.clone(), &path, body.clone()).await.expect_api_error(403, "auth.forbidden");
        let answer = management.send(method, &path, body).await;
        assert_ne!(answer.status, 403, "{path}: {answer:?}");
    }
});

both!(nobody_but_all_acts_as_somebody_who_administers, async |server: TestServer| {
    let management = server.management().await;
    let narrow = narrow(&server, &management, &["subject-tokens:write"]).await;
    let admin = person(&server, &[ConsoleRole::Read]).await;
    let wanted = |id: &UserId| json!({ "userId": id, "context": { "reason": "a stuck order", "ticketId": "T-1" } });
    narrow.post("/api/subject-tokens", wanted(&admin)).await.expect_api_error(403, "auth.forbidden");
    management.post("/api/subject-tokens", wanted(&admin)).await.expect(201);
    let door = administrator(&server).await;
    door.post("/api/subject-tokens", wanted(&admin)).await.expect_api_error(403, "auth.forbidden");
    let customer = server.add_user().await;
    narrow.post("/api/subject-tokens", wanted(&customer)).await.expect(201);
});

both!(administrators_alone_grant_console_roles, async |server: TestServer| {
    let management = server.management().await;
    let machine = narrow(&server, &management, &["roles:write", "users:write"]).await;
    let boss = person(&server, &[ConsoleRole::Admin]).await;
    let stale = console(&server, &boss, &[ConsoleRole::Admin], 11).await;
    let fresh = command_line(&server, &boss, 0).await;
    for role in ConsoleRole::ALL {
        let (holder, customer) = (person(&server, &[role]).await, server.add_user().await);
        let id = role.role_id();
        for (method, path, body) in [
            (Method::POST, format!("/api/users/{customer}/roles"), json!({ "roleIds": [id] })),
            (Method::PUT, format!("/api/users/{customer}/roles"), json!({ "roleIds": [id] })),
            (Method::PUT, format!("/api/users/{holder}/roles"), json!({ "roleIds": [] })),
            (Method::POST, format!("/api/roles/{id}/users"), json!({ "userIds": [customer] })),
            (Method::DELETE, format!("/api/users/{holder}/roles/{id}"), Value::Null),
            (Method::DELETE, format!("/api/roles/{id}/users/{holder}"), Value::Null),
        ] {
            machine.send(method.clone(), &path, body.clone()).await.expect_api_error(403, "auth.forbidden");
            stale.send(method, &path, body).await.expect_api_error(403, "console.fresh_sign_in_required");
        }
        // Holding it already, and other roles beside it, is none of anybody's grants.
        let same = json!({ "roleIds": [id] });
        machine.put(&format!("/api/users/{holder}/roles"), same).await.expect(200);
        fresh.post(&format!("/api/users/{customer}/roles"), json!({ "roleIds": [id] })).await.expect(201);
        fresh.delete(&format!("/api/roles/{id}/users/{customer}")).await.expect(204);
    }
});
