//! `/api/hooks`: create, read, update, delete.

use crate::fixtures::NOBODY;
use claimsmith_storage::{audit, hooks};
use claimsmith_test_support::{TestServer, both};
use data_encoding::BASE64;
use serde_json::{Value, json};

both!(a_hook_is_created_read_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let config = json!({ "url": "https://receiver.test/hook", "headers": { "x-key": "k" }, "retries": 3 });
    let body = json!({ "name": "crm", "events": ["User.Deleted", "User.Created", "User.Created"], "config": config });
    let created = management.post("/api/hooks", body).await.expect(201);
    let (id, key) = (created.text("id"), created.text("signingKey"));
    assert_eq!((id.len(), key.len()), (21, 32));
    let shown = json!({
        "tenantId": "default", "id": id, "name": "crm", "event": null, "events": ["User.Created", "User.Deleted"],
        "config": config, "signingKey": key, "signingSecret": format!("whsec_{}", BASE64.encode(key.as_bytes())),
        "publicKey": created["publicKey"], "enabled": true, "disabledReason": null, "failingSince": null,
        "paused": false, "ordered": false, "maxConcurrency": 50, "rateLimit": null,
        "createdAt": server.clock.now_ms(),
    });
    let public_key = created.text("publicKey");
    assert_eq!(BASE64.decode(public_key.strip_prefix("whpk_").unwrap().as_bytes()).unwrap().len(), 32);
    assert_eq!(created.body, shown);
    let path = format!("/api/hooks/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    assert_eq!(management.get("/api/hooks").await.expect(200).body, json!([shown]));
    let page = management.get("/api/hooks?page=2&page_size=1").await.expect(200);
    assert_eq!((&page.body, page.header("total-number")), (&json!([]), Some("1")));

    let changes =
        json!({ "name": "erp", "event": "Role.Created", "config": { "url": "http://a.test" }, "enabled": false });
    let changed = management.patch(&path, changes).await.expect(200);
    assert_eq!((&changed["name"], &changed["events"]), (&json!("erp"), &json!(["Role.Created"])));
    assert_eq!(changed["event"], "Role.Created");
    let config = json!({ "url": "http://a.test", "headers": { "x-key": "k" }, "retries": 3 });
    assert_eq!((&changed["config"], &changed["enabled"]), (&config, &json!(false)), "what is not named stays");
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, changed.body);
    let fewer = json!({ "config": { "headers": { "x-other": "o" }, "retries": null } });
    let changed = management.patch(&path, fewer).await.expect(200);
    assert_eq!(changed["config"], json!({ "url": "http://a.test", "headers": { "x-other": "o" } }));
    let renewed = management.patch(&format!("{path}/signing-key"), Value::Null).await.expect(200);
    assert_ne!(renewed["signingKey"], changed["signingKey"]);
    assert_eq!(management.get(&path).await.expect(200).body, renewed.body);

    let mut tx = server.begin().await;
    let stored = hooks::find(&mut tx, &id.as_str().into()).await.unwrap().unwrap();
    assert!(!stored.signing_key.contains(&renewed.text("signingKey")), "the key is sealed");
    for key in ["Create", "Update", "RotateSigningKey"] {
        let logs = audit::list_by_key(&mut tx, &format!("Management.Hook.{key}"), 10).await.unwrap();
        assert_eq!(logs[0].payload["hookId"], json!(id));
    }
    drop(tx);
    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(&path, json!({})).await.expect_api_error(404, "entity.not_exists");
    let nobodys = format!("/api/hooks/{NOBODY}/signing-key");
    management.patch(&nobodys, Value::Null).await.expect_api_error(404, "entity.not_exists");

    // Whoever names one event reads it back; whoever names a list does not.
    let one = json!({ "event": "PostRegister", "config": { "url": "https://receiver.test" } });
    let created = management.post("/api/hooks", one).await.expect(201);
    assert_eq!((&created["event"], &created["events"]), (&json!("PostRegister"), &json!(["PostRegister"])));
    let one = format!("/api/hooks/{}", created.text("id"));
    assert_eq!(management.get(&one).await.expect(200).body, created.body);
    let listed = management.patch(&one, json!({ "events": ["User.Created"], "event": "PostSignIn" })).await;
    assert_eq!((&listed["event"], &listed["events"]), (&Value::Null, &json!(["User.Created"])));
});

both!(what_is_no_hook_is_refused, async |server: TestServer| {
    let management = server.management().await;
    let url = json!({ "url": "https://receiver.test" });
    let good = json!({ "events": ["User.Created"], "config": url });
    let id = management.post("/api/hooks", good.clone()).await.expect(201).text("id");
    let path = format!("/api/hooks/{id}");
    let many: serde_json::Map<String, Value> = (0..51).map(|index| (format!("x-{index}"), json!("v"))).collect();
    for (member, value, code) in [
        ("events", json!([]), "hook.missing_events"),
        ("events", json!(["User.Exploded"]), "guard.invalid_input"),
        ("events", Value::Null, "guard.invalid_input"),
        ("name", json!(""), "guard.invalid_input"),
        ("name", json!("a".repeat(257)), "guard.invalid_input"),
        ("enabled", json!("yes"), "guard.invalid_input"),
        ("config", json!({ "url": null }), "guard.invalid_input"),
        ("config", json!({ "url": 7 }), "guard.invalid_input"),
        ("config", json!({ "url": "a".repeat(2049) }), "guard.invalid_input"),
        ("config", json!({ "url": "https://a.test", "retries": 4 }), "guard.invalid_input"),
        ("config", json!({ "url": "https://a.test", "headers": { "Host": "b.test" } }), "guard.invalid_input"),
        ("config", json!({ "url": "https://a.test", "headers": { "x": "a\r\nb: c" } }), "guard.invalid_input"),
        ("config", json!({ "url": "https://a.test", "headers": many }), "guard.invalid_input"),
    ] {
        let mut body = good.clone();
        body[member] = value.clone();
        management.post("/api/hooks", body).await.expect_api_error(400, code);
        management.patch(&path, json!({ member: value })).await.expect_api_error(400, code);
    }
    // Of a change, an empty configuration names nothing; a hook to come has no URL.
    let empty = json!({ "config": {} });
    assert_eq!(management.patch(&path, empty).await.expect(200)["config"], url);
    let without_url = json!({ "events": ["User.Created"], "config": {} });
    management.post("/api/hooks", without_url).await.expect_api_error(400, "guard.invalid_input");
    // Whatever else is wrong.
    for config in [url.clone(), json!({ "url": "not_work_url" }), json!({ "url": "", "retries": 4 })] {
        let without = json!({ "config": config });
        management.post("/api/hooks", without).await.expect_api_error(400, "hook.missing_events");
        let none = json!({ "events": [], "config": config });
        management.patch(&path, none).await.expect_api_error(400, "hook.missing_events");
    }
    // What can never work, at its field.
    for wrong in ["not_work_url", "", "ftp://a.test", "https://*.a.test/in", "https://a.test/in now", "https://"] {
        let body = json!({ "events": ["User.Created"], "config": { "url": wrong } });
        let refused = management.post("/api/hooks", body).await;
        refused.expect_api_error(422, "request.invalid_input");
        assert!(refused.body.to_string().contains("config.url"), "{wrong} {}", refused.body);
        let change = json!({ "config": { "url": wrong } });
        management.patch(&path, change).await.expect_api_error(422, "request.invalid_input");
    }
    let without = json!({ "events": ["User.Created"] });
    management.post("/api/hooks", without).await.expect_api_error(400, "guard.invalid_input");
    management.get("/api/hooks?page=0").await.expect_api_error(400, "guard.invalid_pagination");
    management.get("/api/hooks?page_size=101").await.expect_api_error(400, "guard.invalid_pagination");
    assert_eq!(management.get("/api/hooks").await.expect(200).body.as_array().unwrap().len(), 1);
});
