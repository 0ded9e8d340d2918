//! The life of a hook: it is created, an event happens, and the receiver gets it.

use crate::fixtures::{all_in, deliveries, hook, path, rename, role, server};
use claimsmith_test_support::{Home, Receiver, both};
use serde_json::{Value, json};
use std::sync::Arc;

both!(events_are_delivered_and_signed, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let settings =
        json!({ "config": { "url": receiver.url(), "headers": { "X-Source": "claimsmith", "User-Agent": "us" } } });
    let hook = hook(&management, "", &["User.Created"], settings).await;
    let secret = hook["signingSecret"].as_str().unwrap();

    let created = management.post("/api/users", json!({ "username": "ada" })).await.expect(200);
    let told = receiver.wait(1).await.remove(0);
    let body = told.json();
    assert_eq!((&body["event"], &body["data"]["id"]), (&json!("User.Created"), &created["id"]));
    assert_eq!((&body["hookId"], &body["path"], &body["method"]), (&hook["id"], &json!("/users"), &json!("POST")));
    let members: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!((members[0], members[members.len() - 1]), (&"event".to_owned(), &"hookId".to_owned()));
    assert_eq!((told.path.as_str(), told.header("content-type")), ("/hook", "application/json"));
    assert_eq!((told.header("x-source"), told.header("user-agent")), ("claimsmith", "us"));

    let id = told.header("webhook-id");
    assert!(id.starts_with("msg_") && id.len() == 25, "{id}");
    // With the library that receivers in this language use, which also looks at its own clock.
    standardwebhooks::Webhook::new(secret).unwrap().verify(&told.body, &told.headers).unwrap();
    let mut tampered = told.body.to_vec();
    tampered[20] ^= 1;
    assert!(standardwebhooks::Webhook::new(secret).unwrap().verify(&tampered, &told.headers).is_err());

    let listed = deliveries(&management, &hook, all_in("delivered", 1)).await;
    assert_eq!((&listed[0]["id"], &listed[0]["attempts"]), (&json!(id), &json!(1)));
    let shown = management.get(&format!("{}/deliveries/{id}", path(&hook))).await.expect(200).body;
    assert_eq!(shown["body"].as_str().unwrap().as_bytes(), told.body);
    assert_eq!((&shown["log"][0]["status"], &shown["log"][0]["error"]), (&json!(204), &Value::Null));
});

both!(a_hook_hears_of_what_it_names_alone, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (roles, users, all) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
    hook(&management, &roles.url(), &["Role.*"], json!({})).await;
    hook(&management, &users.url(), &["User.Created", "User.Deleted"], json!({})).await;
    let disabled = hook(&management, &users.url(), &["*"], json!({ "enabled": false })).await;
    hook(&management, &all.url(), &["*"], json!({})).await;
    // The older field for a single event.
    let single = Receiver::start().await;
    let body = json!({ "event": "User.Created", "config": { "url": single.url() } });
    management.post("/api/hooks", body).await.expect(201);

    let id = role(&management, "readers").await;
    rename(&management, &id, "may read").await;
    let user = management.post("/api/users", json!({ "username": "ada" })).await.expect(200).text("id");
    management.delete(&format!("/api/users/{user}")).await.expect(204);
    let events = |receiver: &Receiver| {
        let mut events: Vec<String> =
            receiver.received().iter().map(|told| told.json()["event"].as_str().unwrap().to_owned()).collect();
        events.sort_unstable();
        events
    };
    all.wait(4).await;
    roles.wait(2).await;
    users.wait(2).await;
    single.wait(1).await;
    assert_eq!(events(&single), ["User.Created"]);
    assert_eq!(events(&all), ["Role.Created", "Role.Data.Updated", "User.Created", "User.Deleted"]);
    assert_eq!(events(&roles), ["Role.Created", "Role.Data.Updated"]);
    assert_eq!(events(&users), ["User.Created", "User.Deleted"]);
    assert_eq!(deliveries(&management, &disabled, |_| true).await, Vec::<Value>::new());
});

both!(the_catalogue_shows_every_event, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let events = management.get("/api/hooks/events").await.expect(200).body;
    let events = events.as_array().unwrap();
    // The base catalogue, and those beyond it.
    assert_eq!(events.len(), 25 + 10);
    for event in events {
        let (name, example) = (event["event"].as_str().unwrap(), &event["example"]);
        assert_eq!(example["event"], name);
        assert!(example["hookId"].is_string() && example["createdAt"].is_string(), "{name}");
        let family = name.split_once('.').map(|(family, _)| json!(format!("{family}.*")));
        let is_beside = name.ends_with(".Roles.Updated");
        assert_eq!(event["family"], family.clone().filter(|_| !is_beside).unwrap_or_default());
        assert_eq!(example["path"].is_string(), family.is_some(), "{name}");
        // What is listed can be asked for.
        hook(&management, "http://127.0.0.1:9", &[name], json!({ "enabled": false })).await;
    }
});
