//! `/api/connectors` and `/api/connector-factories`: what is kept of a connector, what of it is shown, and what is
//! refused. What connectors send is in `messages`.

use crate::fixtures::{NOBODY, narrow};
use claimsmith_services::encryption::Purpose;
use claimsmith_storage::{audit, connectors};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const CONNECTORS: &str = "/api/connectors";

fn smtp() -> Value {
    json!({
        "host": "mail.example.com", "port": 587, "fromEmail": "Shop <shop@example.com>",
        "auth": { "type": "login", "user": "shop", "pass": "correct horse" },
    })
}

fn hidden() -> Value {
    let mut config = smtp();
    config["auth"]["pass"] = json!("********");
    config
}

both!(factories_say_what_they_need, async |server: TestServer| {
    let management = server.management().await;
    let all = management.get("/api/connector-factories").await.expect(200);
    let ids: Vec<&str> = all.body.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    for id in ["smtp", "http-email", "http-sms", "plugin-email", "plugin-sms"] {
        assert!(ids.contains(&id), "{ids:?}");
        let one = management.get(&format!("/api/connector-factories/{id}")).await.expect(200);
        assert!(all.body.as_array().unwrap().contains(&one.body));
        assert!(one["name"]["en"].is_string() && one["configTemplate"].is_string(), "{:#}", one.body);
        assert!(one["formItems"].as_array().unwrap().iter().any(|item| item["required"] == true));
        assert!(one.body.get("config").is_none());
    }
    let smtp = management.get("/api/connector-factories/smtp").await.expect(200);
    assert_eq!((&smtp["type"], &smtp["platform"], &smtp["isStandard"]), (&json!("Email"), &Value::Null, &json!(false)));
    let unknown = management.get("/api/connector-factories/carrier-pigeon").await;
    unknown.expect_api_error(404, "entity.not_exists_with_id");
});

both!(a_connector_is_created_read_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    assert_eq!(management.get(CONNECTORS).await.expect(200).body, json!([]));
    let created = management.post(CONNECTORS, json!({ "connectorId": "smtp", "config": smtp() })).await.expect(200);
    let id = created.text("id");
    for (name, value) in [
        ("connectorId", json!("smtp")),
        ("type", json!("Email")),
        ("target", json!("smtp")),
        ("name", json!({ "en": "SMTP" })),
        ("config", hidden()),
        ("metadata", json!({})),
        ("syncProfile", json!(false)),
        ("enableTokenStorage", json!(false)),
        ("createdAt", json!(server.clock.now_ms())),
    ] {
        assert_eq!(created[name], value, "{name}");
    }
    let path = format!("{CONNECTORS}/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, created.body);
    assert_eq!(management.get(CONNECTORS).await.expect(200).body, json!([created.body]));
    let by_target = |target: &str| format!("{CONNECTORS}?target={target}");
    assert_eq!(management.get(&by_target("smtp")).await.expect(200).body, json!([created.body]));
    assert_eq!(management.get(&by_target("google")).await.expect(200).body, json!([]));
    management.get(&format!("{CONNECTORS}?target=a&target=b")).await.expect_api_error(400, "guard.invalid_input");

    let mut changed = hidden();
    changed["replyTo"] = json!("help@example.com");
    let answer = management.patch(&path, json!({ "config": changed })).await.expect(200);
    assert_eq!(answer["config"], changed);
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, answer.body);

    let mut tx = server.begin().await;
    let stored = connectors::find(&mut tx, &id.as_str().into()).await.unwrap().unwrap();
    assert!(!stored.config.contains("correct horse"), "the configuration is sealed");
    let opened = server.app.cipher.decrypt(Purpose::Connector, &id, &stored.config).unwrap();
    let opened: Value = serde_json::from_slice(&opened).unwrap();
    assert_eq!((&opened["auth"]["pass"], &opened["replyTo"]), (&json!("correct horse"), &json!("help@example.com")));
    for (key, count) in [("Create", 1), ("Update", 2)] {
        let logs = audit::list_by_key(&mut tx, &format!("Management.Connector.{key}"), 10).await.unwrap();
        assert_eq!((logs.len(), &logs[0].payload["connectorId"]), (count, &json!(id)), "{key}");
        assert!(!format!("{logs:?}").contains("correct horse"));
    }
    drop(tx);
    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(&path, json!({})).await.expect_api_error(404, "entity.not_exists");
    assert_eq!(management.get(CONNECTORS).await.expect(200).body, json!([]));
});

both!(one_connector_sends_emails_and_one_text_messages, async |server: TestServer| {
    let management = server.management().await;
    let create = async |factory: &str, config: Value| {
        management.post(CONNECTORS, json!({ "connectorId": factory, "config": config })).await.expect(200).text("id")
    };
    let endpoint = json!({ "endpoint": "https://messages.example.com/send" });
    let first = create("smtp", smtp()).await;
    let sms = create("http-sms", endpoint.clone()).await;
    let second = create("http-email", endpoint.clone()).await;
    let listed = management.get(CONNECTORS).await.expect(200);
    let mut ids: Vec<&str> = listed.body.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    let mut expected = vec![sms.as_str(), second.as_str()];
    ids.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ids, expected);
    management.get(&format!("{CONNECTORS}/{first}")).await.expect_api_error(404, "entity.not_exists_with_id");
    // An operator may choose the id; nobody else may have it.
    let chosen = json!({ "connectorId": "smtp", "config": smtp(), "id": "my-mail" });
    assert_eq!(management.post(CONNECTORS, chosen).await.expect(200).text("id"), "my-mail");
    let taken = json!({ "connectorId": "http-sms", "config": endpoint, "id": "my-mail" });
    management.post(CONNECTORS, taken).await.expect_api_error(422, "entity.unique_integrity_violation");
    assert_eq!(management.get(CONNECTORS).await.expect(200).body.as_array().unwrap().len(), 2);
});

both!(a_secret_stays_where_it_was_meant_to_go, async |server: TestServer| {
    let management = server.management().await;
    let create = json!({ "connectorId": "smtp", "config": smtp() });
    let path = format!("{CONNECTORS}/{}", management.post(CONNECTORS, create).await.expect(200).text("id"));
    let kept = async || {
        let id = path.rsplit('/').next().unwrap();
        let stored = connectors::find(&mut server.begin().await, &id.into()).await.unwrap().unwrap();
        let opened = server.app.cipher.decrypt(Purpose::Connector, id, &stored.config).unwrap();
        serde_json::from_slice::<Value>(&opened).unwrap()["auth"]["pass"].clone()
    };
    let mut left_out = smtp();
    left_out["auth"].as_object_mut().unwrap().remove("pass");
    for config in [hidden(), left_out] {
        let answer = management.patch(&path, json!({ "config": config })).await.expect(200);
        assert_eq!((&answer["config"]["auth"]["pass"], kept().await), (&json!("********"), json!("correct horse")));
    }
    // Whoever may change the connector could otherwise have the secret sent to themselves.
    for (name, value) in [
        ("host", json!("mail.example.org")),
        ("port", json!(26)),
        ("requireTLS", json!(false)),
        ("tls", json!({ "servername": "mail.example.org" })),
    ] {
        let mut config = hidden();
        config[name] = value;
        let refused = management.patch(&path, json!({ "config": config })).await;
        refused.expect_api_error(400, "connector.invalid_config");
        assert!(refused.body.to_string().contains("auth.pass"), "{:#}", refused.body);
        config["auth"]["pass"] = json!("another");
        management.patch(&path, json!({ "config": config })).await.expect(200);
        management.patch(&path, json!({ "config": smtp() })).await.expect(200);
    }
    let new = json!({ "connectorId": "smtp", "config": hidden() });
    management.post(CONNECTORS, new).await.expect_api_error(400, "connector.invalid_config");
    assert_eq!(kept().await, json!("correct horse"));
    // Without anybody who signs in, there is nothing to keep.
    let mut nobody = smtp();
    nobody.as_object_mut().unwrap().remove("auth");
    assert_eq!(management.patch(&path, json!({ "config": nobody })).await.expect(200)["config"], nobody);
});

both!(what_is_no_connector_is_refused, async |server: TestServer| {
    let management = server.management().await;
    let good = json!({ "connectorId": "smtp", "config": smtp() });
    let path = format!("{CONNECTORS}/{}", management.post(CONNECTORS, good.clone()).await.expect(200).text("id"));
    for (member, value, status, code) in [
        ("connectorId", json!("carrier-pigeon"), 422, "connector.not_found_with_connector_id"),
        ("connectorId", json!(""), 400, "guard.invalid_input"),
        ("connectorId", json!(7), 400, "guard.invalid_input"),
        ("config", json!([]), 400, "guard.invalid_input"),
        ("config", Value::Null, 400, "guard.invalid_input"),
        ("config", json!({}), 400, "connector.invalid_config"),
        ("config", json!({ "host": "a.test", "port": 0, "fromEmail": "a@b.test" }), 400, "connector.invalid_config"),
        (
            "config",
            json!({ "host": "a.test", "port": 25, "fromEmail": "a@b\r\nx: y" }),
            400,
            "connector.invalid_config",
        ),
        ("id", json!("a/b"), 400, "guard.invalid_input"),
        ("syncProfile", json!(true), 422, "connector.invalid_type_for_syncing_profile"),
        ("enableTokenStorage", json!(true), 422, "connector.token_storage_not_supported"),
        ("enableTokenStorage", json!("yes"), 400, "guard.invalid_input"),
        (
            "metadata",
            json!({ "target": "mine" }),
            400,
            "connector.cannot_overwrite_metadata_for_non_standard_connector",
        ),
        ("metadata", json!({ "target": "a b" }), 400, "guard.invalid_input"),
    ] {
        let mut body = good.clone();
        body[member] = value.clone();
        management.post(CONNECTORS, body).await.expect_api_error(status, code);
        if !matches!(member, "connectorId" | "id") {
            management.patch(&path, json!({ member: value })).await.expect_api_error(status, code);
        }
    }
    let mut config = smtp();
    config["host"] = json!("bad host");
    let refused = management.post(CONNECTORS, json!({ "connectorId": "smtp", "config": config })).await;
    refused.expect_api_error(400, "connector.invalid_config");
    assert!(!refused.body.to_string().contains("correct horse"), "{:#}", refused.body);
    assert_eq!(management.get(CONNECTORS).await.expect(200).body.as_array().unwrap().len(), 1);
    management.patch(&format!("{CONNECTORS}/{NOBODY}"), json!({})).await.expect_api_error(404, "entity.not_exists");
});

both!(connectors_are_part_of_the_configuration, async |server: TestServer| {
    let management = server.management().await;
    let reader = narrow(&server, &management, &["configs:read"]).await;
    let other = narrow(&server, &management, &["users:write"]).await;
    for path in [CONNECTORS, "/api/connector-factories", "/api/connector-factories/smtp", "/api/email-templates"] {
        reader.get(path).await.expect(200);
        other.get(path).await.expect_api_error(403, "auth.forbidden");
        server.get(path).await.expect_api_error(401, "auth.authorization_header_missing");
    }
    let body = json!({ "connectorId": "smtp", "config": smtp() });
    reader.post(CONNECTORS, body).await.expect_api_error(403, "auth.forbidden");
    let trial = json!({ "email": "ada@example.com", "config": smtp() });
    reader.post(&format!("{CONNECTORS}/smtp/test"), trial).await.expect_api_error(403, "auth.forbidden");
});

both!(with_users_a_social_connector_stays_at_its_server, async |server: TestServer| {
    let management = server.management().await;
    let config = |issuer: &str, client_id: &str| json!({ "issuer": issuer, "clientId": client_id });
    let (here, elsewhere) = ("https://id.example.com", "https://evil.example.com");
    let body = json!({ "connectorId": "oidc", "metadata": { "target": "work" }, "config": config(here, "c") });
    let path = format!("{CONNECTORS}/{}", management.post(CONNECTORS, body).await.expect(200).text("id"));
    // Nobody is known by it yet.
    management.patch(&path, json!({ "config": config(elsewhere, "c") })).await.expect(200);
    management.patch(&path, json!({ "config": config(here, "c") })).await.expect(200);
    let identity = format!("/api/users/{}/identities/work", server.demo().customer_user_id);
    management.put(&identity, json!({ "userId": "ada" })).await.expect(201);
    let refused = management.patch(&path, json!({ "config": config(elsewhere, "c") })).await;
    refused.expect_api_error(400, "connector.can_not_modify_target");
    assert_eq!(management.get(&path).await.expect(200)["config"]["issuer"], here);
    management.patch(&path, json!({ "config": config(here, "another") })).await.expect(200);
    management.delete(&identity).await.expect(200);
    management.patch(&path, json!({ "config": config(elsewhere, "c") })).await.expect(200);
});
