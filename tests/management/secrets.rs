//! `/api/applications/{id}/secrets`: shown once, and valid until they expire or are deleted.

use crate::fixtures::{NOBODY, credentials, machine, texts};
use claimsmith_storage::{applications, audit};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

both!(confidential_applications_get_a_secret_with_their_creation, async |server: TestServer| {
    let management = server.management().await;
    for (kind, confidential) in [("Traditional", true), ("MachineToMachine", true), ("SPA", false), ("Native", false)] {
        let created = management.post("/api/applications", json!({ "name": kind, "type": kind })).await.expect(200);
        assert_eq!(created.body.get("secret").is_some(), confidential, "{kind}");
        let path = format!("/api/applications/{}", created.text("id"));
        assert!(management.get(&path).await.expect(200).body.get("secret").is_none());
        let secrets = management.get(&format!("{path}/secrets")).await.expect(200).body;
        if confidential {
            assert_eq!(created.text("secret").len(), 32);
            let shown = json!([{
                "tenantId": "default", "applicationId": created["id"], "name": "Default secret", "value": "********",
                "createdAt": server.clock.now_ms(), "expiresAt": null,
            }]);
            assert_eq!(secrets, shown);
        } else {
            assert_eq!(secrets, json!([]));
            let answer = management.post(&format!("{path}/secrets"), json!({ "name": "key" })).await;
            answer.expect_api_error(422, "entity.db_constraint_violated");
        }
    }
});

both!(a_secret_is_added_used_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let (id, first) = machine(&management, "backend").await;
    let path = format!("/api/applications/{id}/secrets");
    server.clock.advance(Duration::from_secs(1));
    let expires_at = server.clock.now_ms() + 60_000;
    let body = json!({ "name": "second key", "expiresAt": expires_at });
    let created = management.post(&path, body.clone()).await.expect(201);
    let second = created.text("value");
    assert_eq!(second.len(), 32);
    let shown = json!({
        "tenantId": "default", "applicationId": id, "name": "second key", "value": second,
        "createdAt": server.clock.now_ms(), "expiresAt": expires_at,
    });
    assert_eq!(created.body, shown);
    management.post(&path, body).await.expect_api_error(422, "application.secret_name_exists");
    let listed = management.get(&path).await.expect(200).body;
    assert_eq!(texts(&listed, "name"), ["Default secret", "second key"]);
    assert_eq!(texts(&listed, "value"), ["********", "********"]);

    credentials(&server, &id, &first).send().await.expect(200);
    credentials(&server, &id, &second).send().await.expect(200);
    server.clock.advance(Duration::from_mins(1));
    credentials(&server, &id, &second).send().await.expect_oauth_error(400, "invalid_request");
    let management = server.management().await;
    assert_eq!(management.delete(&format!("{path}/Default%20secret")).await.expect(204).body, Value::Null);
    credentials(&server, &id, &first).send().await.expect_oauth_error(401, "invalid_client");
    let again = management.delete(&format!("{path}/Default%20secret")).await;
    again.expect_api_error(404, "entity.not_found");
    let nobodys = format!("/api/applications/{NOBODY}/secrets");
    management.get(&nobodys).await.expect_api_error(404, "entity.not_exists_with_id");
    let answer = management.post(&nobodys, json!({ "name": "key" })).await;
    answer.expect_api_error(404, "entity.not_exists_with_id");
});

both!(a_secret_gets_another_name_and_another_end, async |server: TestServer| {
    let management = server.management().await;
    let (id, first) = machine(&management, "backend").await;
    let path = format!("/api/applications/{id}/secrets");
    let second = management.post(&path, json!({ "name": "second" })).await.expect(201).text("value");
    let expires_at = server.clock.now_ms() + 60_000;
    let mut shown = management.get(&path).await.expect(200).body[0].clone();
    // As many characters as a name may have, each of two bytes.
    let name = "ä".repeat(128);
    shown["name"] = json!(name);
    shown["expiresAt"] = json!(expires_at);
    let change = json!({ "name": name, "expiresAt": expires_at });
    let changed = management.patch(&format!("{path}/Default%20secret"), change).await.expect(200);
    assert_eq!((&changed.body, changed.text("value")), (&shown, "********".to_owned()));
    let renamed = format!("{path}/{}", "%C3%A4".repeat(128));
    assert_eq!(management.patch(&renamed, json!({})).await.expect(200).body, shown);
    let taken = management.patch(&renamed, json!({ "name": "second", "expiresAt": null })).await;
    taken.expect_api_error(422, "application.secret_name_exists");
    let past = management.patch(&renamed, json!({ "expiresAt": server.clock.now_ms() })).await;
    past.expect_api_error(400, "guard.invalid_input");
    management.patch(&format!("{path}/third"), json!({})).await.expect_api_error(404, "entity.not_exists");
    let nobodys = management.patch(&format!("/api/applications/{NOBODY}/secrets/second"), json!({})).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");

    // The values are what they were; the first opens until its end, and again when it has none.
    credentials(&server, &id, &second).send().await.expect(200);
    credentials(&server, &id, &first).send().await.expect(200);
    server.clock.advance(Duration::from_mins(1));
    credentials(&server, &id, &first).send().await.expect_oauth_error(400, "invalid_request");
    let management = server.management().await;
    management.patch(&renamed, json!({ "expiresAt": null })).await.expect(200);
    credentials(&server, &id, &first).send().await.expect(200);
    management.delete(&renamed).await.expect(204);
    credentials(&server, &id, &first).send().await.expect_oauth_error(401, "invalid_client");
});

both!(a_secret_is_stored_and_logged_nowhere, async |server: TestServer| {
    let management = server.management().await;
    let (id, secret) = machine(&management, "backend").await;
    let mut tx = server.begin().await;
    let stored = applications::secrets_of(&mut tx, &id.as_str().into()).await.unwrap().remove(0);
    let logs = audit::list_by_key(&mut tx, "Management.Application.Create", 10).await.unwrap();
    assert_eq!(stored.hash, claimsmith_services::tokens::hash(&secret));
    assert_eq!(logs[0].payload["createdApplicationId"], id);
    assert!(!format!("{stored:?} {logs:?}").contains(&secret));
});
