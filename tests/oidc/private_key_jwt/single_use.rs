//! Each assertion works once, whoever sends it how often and wherever.

use super::{ask, assertion, claims, header, key, machine, with_assertion};
use claimsmith_identity::retention;
use claimsmith_test_support::{Answer, Home, Kind, TestServer, both};
use futures_util::future::join_all;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

fn succeeded(answers: &[Answer]) -> usize {
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.expect_oauth_error(401, "invalid_client");
    }
    answers.iter().filter(|answer| answer.status == 200).count()
}

both!(of_twenty_at_once_one_succeeds, async |home: Arc<Home>| {
    let one = TestServer::start(&home, &[]).await.unwrap();
    // On PostgreSQL, half of them go to another node.
    let other = match home.kind() {
        Kind::Sqlite => None,
        Kind::Postgres => {
            let folder = home.folder().join("other");
            let changes = [("CLAIMSMITH_DATA_DIR", folder.to_str().unwrap())];
            Some(TestServer::start(&home, &changes).await.unwrap())
        }
    };
    let key = key();
    let id = machine(&one, &[&key]).await;
    for _ in 0..5 {
        let text = assertion(&one, &id, &key);
        let ask = async |index: usize| {
            let node = other.as_ref().filter(|_| index % 2 == 1).unwrap_or(&one);
            with_assertion(ask(node), &text).send().await
        };
        let answers = join_all((0..20).map(ask)).await;
        assert_eq!(succeeded(&answers), 1);
    }
});

both!(an_assertion_is_used_at_all_endpoints_together, async |server: TestServer| {
    let key = key();
    let id = machine(&server, &[&key]).await;
    let introspect = |text: &str| with_assertion(server.form("/oidc/token/introspection").with("token", "x"), text);
    let first = assertion(&server, &id, &key);
    introspect(&first).send().await.expect(200);
    with_assertion(ask(&server), &first).send().await.expect_oauth_error(401, "invalid_client");
    // One whose request is refused afterwards is used, too.
    let second = assertion(&server, &id, &key);
    let unknown = with_assertion(ask(&server).with("resource", "https://unknown.example.com"), &second).send().await;
    unknown.expect_oauth_error(400, "invalid_target");
    introspect(&second).send().await.expect_oauth_error(401, "invalid_client");
});

both!(the_same_jti_serves_each_client_and_again_after_its_expiry, async |server: TestServer| {
    let key = key();
    let (id, other) = (machine(&server, &[&key]).await, machine(&server, &[&key]).await);
    let signed = |client_id: &str| {
        let mut claims = claims(&server, client_id);
        claims["jti"] = json!("1");
        key.sign(&header(), &claims)
    };
    with_assertion(ask(&server), &signed(&id)).send().await.expect(200);
    with_assertion(ask(&server), &signed(&other)).send().await.expect(200);
    server.clock.advance(Duration::from_secs(30));
    with_assertion(ask(&server), &signed(&id)).send().await.expect_oauth_error(401, "invalid_client");
    server.clock.advance(Duration::from_secs(30));
    let again = signed(&id);
    with_assertion(ask(&server), &again).send().await.expect(200);
    with_assertion(ask(&server), &again).send().await.expect_oauth_error(401, "invalid_client");
});

both!(uses_are_hashed_and_swept, async |server: TestServer| {
    #[derive(claimsmith_storage::Row)]
    struct Row {
        hash: String,
    }

    let key = key();
    let id = machine(&server, &[&key]).await;
    let claims = claims(&server, &id);
    with_assertion(ask(&server), &key.sign(&header(), &claims)).send().await.expect(200);
    let rows =
        async || -> Vec<Row> { server.begin().await.sql("SELECT hash FROM client_assertions").all().await.unwrap() };
    let stored = rows().await;
    assert_eq!(stored.len(), 1);
    assert!(stored[0].hash.len() == 64 && !stored[0].hash.contains(claims["jti"].as_str().unwrap()));
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(rows().await.len(), 1);
    server.clock.advance(Duration::from_secs(60 + 3601));
    retention::delete_expired(&server.app).await.unwrap();
    assert!(rows().await.is_empty());
});
