//! Poison deliveries: one that cannot be prepared, or whose result cannot be written, costs itself an attempt and does
//! not delay others; and no attempt outlasts its lease.

use crate::fixtures::{all_in, deliveries, details, hook, role, server};
use claimsmith_storage::Dialect;
use claimsmith_test_support::{Answer, Home, Receiver, Reply, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Makes the database refuse a row, as it does one that its columns cannot hold.
async fn refuse(server: &TestServer, sqlite: &'static str, postgres: &'static str) {
    let mut tx = server.begin().await;
    if tx.dialect() == Dialect::Postgres {
        let function = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             IF (SELECT name FROM hooks WHERE id = NEW.hook_id) = 'poisoned' THEN RAISE EXCEPTION 'refused'; END IF; \
             RETURN NEW; END $$";
        tx.sql(function).execute().await.unwrap();
        tx.sql(postgres).execute().await.unwrap();
    } else {
        tx.sql(sqlite).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}

both!(a_delivery_that_cannot_be_prepared_is_counted_and_comes_back_later, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (receiver, other) = (Receiver::start().await, Receiver::start().await);
    let poisoned = hook(&management, &receiver.url(), &["Role.Created"], json!({ "name": "poisoned" })).await;
    let sound = hook(&management, &other.url(), &["Role.Created"], json!({ "name": "sound" })).await;
    let source = "export const transformWebhook = () => ({ body: 'made' });";
    let request = management.request(Method::PUT, "/api/plugins/shape");
    Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source)).await.expect(201);
    refuse(
        &server,
        "CREATE TRIGGER refused BEFORE UPDATE OF prepared ON deliveries WHEN NEW.prepared IS NOT NULL \
         AND (SELECT name FROM hooks WHERE id = NEW.hook_id) = 'poisoned' BEGIN SELECT RAISE(ABORT, 'refused'); END",
        "CREATE TRIGGER refused BEFORE UPDATE OF prepared ON deliveries FOR EACH ROW \
         WHEN (NEW.prepared IS NOT NULL) EXECUTE FUNCTION refuse()",
    )
    .await;
    role(&management, "first").await;
    deliveries(&management, &sound, all_in("delivered", 1)).await;
    let failed = deliveries(&management, &poisoned, |listed| listed[0]["attempts"] == 1).await;
    assert_eq!(
        (&failed[0]["state"], &failed[0]["note"]),
        (&json!("pending"), &json!("the result of the transforms cannot be stored"))
    );
    server.clock.advance(Duration::from_secs(5));
    deliveries(&management, &poisoned, |listed| listed[0]["attempts"] == 2).await;
    role(&management, "second").await;
    deliveries(&management, &sound, all_in("delivered", 2)).await;
    assert_eq!(receiver.count(), 0);
});

both!(a_result_that_cannot_be_written_holds_up_no_other, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (receiver, other) = (Receiver::answering(|_, _| Reply::from(500)).await, Receiver::start().await);
    let poisoned = hook(&management, &receiver.url(), &["Role.Created"], json!({ "name": "poisoned" })).await;
    let sound = hook(&management, &other.url(), &["Role.Created"], json!({ "name": "sound" })).await;
    refuse(
        &server,
        "CREATE TRIGGER refused BEFORE INSERT ON attempts \
         WHEN (SELECT name FROM hooks WHERE id = NEW.hook_id) = 'poisoned' BEGIN SELECT RAISE(ABORT, 'refused'); END",
        "CREATE TRIGGER refused BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION refuse()",
    )
    .await;
    for index in 0..20 {
        role(&management, &format!("role {index}")).await;
    }
    deliveries(&management, &sound, all_in("delivered", 20)).await;
    let failed = deliveries(&management, &poisoned, |listed| {
        listed.len() == 20 && listed.iter().all(|delivery| delivery["attempts"] == 1)
    })
    .await;
    assert!(failed[0]["note"].as_str().unwrap().contains("could not be written"), "{}", failed[0]);
    assert_eq!(details(&management, &poisoned, &failed[0]).await["log"], json!([]));
});

both!(a_claim_lasts_longer_than_an_attempt_may, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_PLUGINS_BUDGET_MS", "60000")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let management = server.management().await;
    let (slow, other) = (Receiver::answering(|_, _| Reply::Hang).await, Receiver::start().await);
    let held = hook(&management, &slow.url(), &["Role.Created"], json!({})).await;
    hook(&management, &other.url(), &["User.Created"], json!({})).await;
    role(&management, "readers").await;
    slow.wait(1).await;
    // Transforms may take a minute, the receiver ten seconds.
    server.clock.advance(Duration::from_secs(70));
    for (index, name) in ["ada", "grace", "edith"].iter().enumerate() {
        management.post("/api/users", json!({ "username": name })).await.expect(200);
        other.wait(index + 1).await;
    }
    assert_eq!(slow.count(), 1);
    server.clock.advance(Duration::from_secs(6));
    slow.wait(2).await;
    deliveries(&management, &held, |listed| listed[0]["state"] == "pending").await;
});
