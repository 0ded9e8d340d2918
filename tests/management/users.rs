//! `/api/users`: create, read, update, delete, and validation.

use crate::fixtures::{NOBODY, exchange, role, scope, texts, user};
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_storage::{audit, users};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

both!(a_user_is_created_read_listed_suspended_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let created = management
        .post(
            "/api/users",
            json!({
                "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": "441234567890",
                "name": "Ada", "avatar": "https://example.com/ada.png", "customData": { "tier": "gold" },
                "profile": { "givenName": "Ada", "address": { "country": "UK" }, "unknown": "left out" },
            }),
        )
        .await
        .expect(200);
    let id = created.text("id");
    assert_eq!(id.len(), 12);
    let now = server.clock.now_ms();
    let shown = json!({
        "id": id, "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": "441234567890",
        "name": "Ada", "avatar": "https://example.com/ada.png", "customData": { "tier": "gold" },
        "identities": {}, "lastSignInAt": null, "createdAt": now, "updatedAt": now,
        "profile": { "givenName": "Ada", "address": { "country": "UK" } }, "applicationId": null,
        "cimdClientId": null, "isSuspended": false, "hasPassword": false,
    });
    assert_eq!(created.body, shown);
    let path = format!("/api/users/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    assert!(management.get("/api/users").await.expect(200).body.as_array().unwrap().contains(&shown));

    server.clock.advance(Duration::from_secs(1));
    let suspended = management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    assert_eq!((&suspended["isSuspended"], &suspended["updatedAt"]), (&json!(true), &json!(now + 1000)));
    assert_eq!(management.get(&path).await.expect(200).body, suspended.body);
    for (is_suspended, is_found) in [("true", true), ("false", false)] {
        let found = management.get(&format!("/api/users?isSuspended={is_suspended}")).await.expect(200);
        assert_eq!(found.body.as_array().unwrap().iter().any(|user| user["id"] == id), is_found, "{is_suspended}");
    }
    management.get("/api/users?isSuspended=perhaps").await.expect_api_error(400, "guard.invalid_input");
    let restored = management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await;
    assert_eq!(restored.expect(200)["isSuspended"], false);

    assert_eq!(management.delete(&path).await.expect(204).body, Value::Null);
    management.get(&path).await.expect_api_error(404, "entity.not_found");
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    let answer = management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await;
    answer.expect_api_error(404, "entity.not_found");
    // What was theirs is free again.
    user(&management, "ada").await;
});

both!(an_identifier_belongs_to_one_user, async |server: TestServer| {
    let management = server.management().await;
    let first = json!({ "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": "441234567890" });
    management.post("/api/users", first).await.expect(200);
    for (body, code) in [
        (json!({ "username": "ada" }), "user.username_already_in_use"),
        (json!({ "username": "grace", "primaryEmail": "ada@example.com" }), "user.email_already_in_use"),
        (json!({ "primaryPhone": "441234567890" }), "user.phone_already_in_use"),
    ] {
        management.post("/api/users", body).await.expect_api_error(422, code);
    }
    user(&management, "grace").await;
    // None of an identifier is not the same identifier.
    management.post("/api/users", json!({})).await.expect(200);
    management.post("/api/users", json!({})).await.expect(200);
});

const MD5: &str = "5f4dcc3b5aa765d61d8327deb882cf99";

both!(a_password_is_kept_as_its_digest, async |server: TestServer| {
    let management = server.management().await;
    let answer = management.post("/api/users", json!({ "username": "ada", "password": "engine 1843" })).await;
    let answer = answer.expect(200);
    assert_eq!(answer["hasPassword"], true);
    let imported = json!({ "username": "grace", "passwordDigest": MD5, "passwordAlgorithm": "MD5" });
    let imported = management.post("/api/users", imported).await.expect(200);
    assert_eq!(imported["hasPassword"], true);

    let mut tx = server.begin().await;
    let ada = users::find(&mut tx, &answer.text("id").into()).await.unwrap().unwrap();
    assert!(ada.password_digest.unwrap().starts_with("$argon2id$v=19$m=19456,t="));
    assert_eq!(ada.password_algorithm, Some(PasswordAlgorithm::Argon2id));
    let grace = users::find(&mut tx, &imported.text("id").into()).await.unwrap().unwrap();
    assert_eq!(
        (grace.password_digest.as_deref(), grace.password_algorithm.map(PasswordAlgorithm::as_str)),
        (Some(MD5), Some("MD5"))
    );
    let logs = audit::list_by_key(&mut tx, "Management.User.Create", 10).await.unwrap();
    drop(tx);
    let ids: Vec<&Value> = logs.iter().map(|log| &log.payload["userId"]).collect();
    assert!(ids.contains(&&answer["id"]) && ids.contains(&&imported["id"]));
    assert!(logs.iter().all(|log| log.payload["applicationId"] == *server.machine().client_id));
    assert!(!format!("{logs:?}").contains("engine") && !format!("{logs:?}").contains(MD5));

    let both = json!({ "password": "a", "passwordDigest": "b", "passwordAlgorithm": "MD5" });
    management.post("/api/users", both).await.expect_api_error(400, "user.password_and_digest");
    let without = json!({ "passwordDigest": "b" });
    management.post("/api/users", without).await.expect_api_error(400, "user.password_algorithm_required");
});

both!(a_new_user_gets_the_default_roles_for_users, async |server: TestServer| {
    let management = server.management().await;
    for (name, kind, is_default) in
        [("members", "User", true), ("editors", "User", false), ("machines", "MachineToMachine", true)]
    {
        let body = json!({ "name": name, "description": "d", "type": kind, "isDefault": is_default });
        assert_eq!(management.post("/api/roles", body).await.expect(200)["isDefault"], is_default);
    }
    let id = user(&management, "ada").await;
    let roles = management.get(&format!("/api/users/{id}/roles")).await.expect(200).body;
    assert_eq!(texts(&roles, "name"), ["members"]);
});

both!(a_created_user_can_be_impersonated_until_suspended_or_deleted, async |server: TestServer| {
    let management = server.management().await;
    let (_, scope_id) = scope(&management, "https://orders.test", "orders:read").await;
    let role_id = role(&management, "customers", "User", &[&scope_id]).await;
    let id = user(&management, "ada").await;
    management.post(&format!("/api/users/{id}/roles"), json!({ "roleIds": [role_id] })).await.expect(201);

    let form = exchange(&server, &id, "https://orders.test", "orders:read orders:write").await;
    let answer = form.send().await.expect(200);
    assert_eq!(answer["scope"], "orders:read");
    let jwt = server.verify(&answer.text("access_token"), "https://orders.test").await;
    assert_eq!((&jwt.claims["sub"], &jwt.claims["scope"]), (&json!(id), &json!("orders:read")));

    let form = exchange(&server, &id, "https://orders.test", "orders:read").await;
    let path = format!("/api/users/{id}");
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    form.send().await.expect_oauth_error(400, "invalid_request");
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
    form.send().await.expect(200);

    let form = exchange(&server, &id, "https://orders.test", "orders:read").await;
    management.delete(&path).await.expect(204);
    form.send().await.expect_oauth_error(400, "invalid_request");
    let answer = management.post("/api/subject-tokens", json!({ "userId": id })).await;
    answer.expect_api_error(404, "entity.relation_foreign_key_not_found");
});

both!(nobody_deletes_themselves, async |server: TestServer| {
    let machine = &server.machine().client_id;
    let answer = server.management().await.delete(&format!("/api/users/{machine}")).await;
    answer.expect_api_error(400, "user.cannot_delete_self");
    let answer = server.management().await.delete(&format!("/api/users/{NOBODY}")).await;
    answer.expect_api_error(404, "entity.not_found");
});
