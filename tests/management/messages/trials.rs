//! `POST /api/connectors/{factoryId}/test`: a message at once, by a configuration that is not kept.

use super::{config, connect, server, server_with};
use claimsmith_storage::audit;
use claimsmith_test_support::{Home, MailRelay, Receiver, RelayReply, Reply, Security, both};
use serde_json::{Value, json};
use std::sync::Arc;

both!(a_configuration_is_tried_before_it_is_kept, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::StartTls).await;
    let trial = |config: Value| json!({ "email": "ada@example.com", "config": config, "locale": "de" });
    management.post("/api/connectors/smtp/test", trial(config(&relay, json!({})))).await.expect(204);
    let mails = relay.mails();
    assert!(mails[0].data.contains("000000") && mails[0].header("Subject").starts_with("Ihr "), "{}", mails[0].data);
    assert_eq!(management.get("/api/connectors").await.expect(200).body, json!([]));

    let receiver = Receiver::start().await;
    let body = json!({ "phone": "+1 (650) 253-0000", "config": { "endpoint": receiver.url() } });
    management.post("/api/connectors/http-sms/test", body).await.expect(204);
    let received = receiver.received()[0].json();
    assert_eq!((&received["to"], &received["type"]), (&json!("16502530000"), &json!("Generic")));
    assert_eq!((&received["payload"]["code"], &received["payload"]["locale"]), (&json!("000000"), &json!("en")));

    // The secret of the connector that there is may be used where it was meant to go.
    connect(&management, "smtp", config(&relay, json!({}))).await;
    let mut hidden = config(&relay, json!({}));
    hidden["auth"]["pass"] = json!("********");
    management.post("/api/connectors/smtp/test", trial(hidden.clone())).await.expect(204);
    assert_eq!(relay.mails()[1].user, Some(("shop".to_owned(), "correct horse".to_owned())));
    let other = MailRelay::start(Security::StartTls).await;
    hidden["port"] = json!(other.address().port());
    let refused = management.post("/api/connectors/smtp/test", trial(hidden)).await;
    refused.expect_api_error(400, "connector.invalid_config");
    assert_eq!(other.connections(), 0);
    let logs = audit::list_by_key(&mut server.begin().await, "Management.Connector.Test", 10).await.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["sent"]), (3, &json!(true)));
});

both!(a_trial_says_why_nothing_was_sent, async |home: Arc<Home>| {
    let server = server_with(&home, &[("CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", "1500")]).await;
    let management = server.management().await;
    let trial = |config: Value| json!({ "email": "ada@example.com", "config": config });
    for (reply, told) in [
        (RelayReply::Say("550 no".to_owned()), "the relay refused the message: 550"),
        (RelayReply::Say("451 later".to_owned()), "the relay answered 451"),
        (RelayReply::Hang, "the relay did not take the message within 4500 ms"),
    ] {
        let relay = MailRelay::answering(Security::StartTls, move |_, line| (line == ".").then(|| reply.clone())).await;
        let refused = management.post("/api/connectors/smtp/test", trial(config(&relay, json!({})))).await;
        refused.expect_api_error(422, "connector.general");
        assert!(refused.text("message").contains(told), "{:#}", refused.body);
    }
    let receiver = Receiver::answering(|_, _| Reply::from(503)).await;
    let refused =
        management.post("/api/connectors/http-email/test", trial(json!({ "endpoint": receiver.url() }))).await;
    refused.expect_api_error(422, "connector.general");
    assert!(refused.text("message").contains("503"), "{:#}", refused.body);
    let logs = audit::list_by_key(&mut server.begin().await, "Management.Connector.Test", 10).await.unwrap();
    assert!(logs.len() == 4 && logs.iter().all(|log| log.payload["sent"] == json!(false)));
});

both!(what_cannot_be_tried_is_refused, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let endpoint = json!({ "endpoint": "https://messages.example.com/" });
    for (factory, body, status, code) in [
        ("pigeon", json!({ "email": "a@b.test", "config": {} }), 422, "connector.not_found_with_connector_id"),
        ("http-email", json!({ "config": endpoint }), 400, "guard.invalid_input"),
        ("http-email", json!({ "phone": "16502530000", "config": endpoint }), 400, "guard.invalid_input"),
        ("http-email", json!({ "email": "a@b.test\r\nBcc: c@d.test", "config": endpoint }), 400, "guard.invalid_input"),
        ("http-email", json!({ "email": "a@b.test" }), 400, "guard.invalid_input"),
        ("http-email", json!({ "email": "a@b.test", "config": {} }), 400, "connector.invalid_config"),
        ("http-email", json!({ "email": "a@b.test", "config": endpoint, "locale": "x y" }), 400, "guard.invalid_input"),
        ("http-sms", json!({ "phone": "1", "config": endpoint }), 400, "guard.invalid_input"),
        ("http-sms", json!({ "email": "a@b.test", "config": endpoint }), 400, "guard.invalid_input"),
    ] {
        let refused = management.post(&format!("/api/connectors/{factory}/test"), body).await;
        refused.expect_api_error(status, code);
    }
});
