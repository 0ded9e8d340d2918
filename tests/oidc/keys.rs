//! Signing keys: every algorithm, and a key rotation without failing clients.

use crate::sign_in::{client, customer};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::random::Random;
use claimsmith_test_support::{Home, Kind, Process, TestServer, both, until};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_algorithm_signs_tokens_that_the_key_set_verifies() {
    for (algorithm, key_type) in [("ES256", "EC"), ("ES384", "EC"), ("EdDSA", "OKP"), ("RS256", "RSA")] {
        let home = Home::new(Kind::Sqlite).await;
        let server = TestServer::start(&home, &[("CLAIMSMITH_SIGNING_ALGORITHM", algorithm)]).await.unwrap();
        let token = server.exchange(&server.customer_token().await).access_token().await;
        let jwt = server.verify(&token, &server.demo().resource).await;
        assert_eq!(jwt.algorithm, algorithm);
        let keys = server.get("/oidc/jwks").await.expect(200);
        assert_eq!((&keys["keys"][0]["kty"], &keys["keys"][0]["alg"]), (&key_type.into(), &algorithm.into()));
        // Beside it the key of id tokens, which may be the same.
        let algorithms: Vec<_> = keys["keys"].as_array().unwrap().iter().map(|key| key["alg"].clone()).collect();
        assert_eq!(algorithms, if algorithm == "RS256" { vec!["RS256"] } else { vec![algorithm, "RS256"] });
        // The server reads its own tokens: the one for the Management API, and one of an actor.
        let actor = &server.demo().engineer_user_id;
        let actor = server.mint_for(actor, &server.demo().spa_client_id, "openid", Some(&server.demo().resource)).await;
        server.exchange(&server.customer_token().await).actor(&actor).send().await.expect(200);
    }
}

/// The ids of the published keys of an algorithm, sorted.
async fn published(server: &TestServer, algorithm: &str) -> Vec<String> {
    let keys = server.get("/oidc/jwks").await.expect(200);
    let keys = keys["keys"].as_array().unwrap().iter().filter(|key| key["alg"] == algorithm);
    let mut ids: Vec<String> = keys.map(|key| key["kid"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

/// The ids of the published keys of an algorithm after a command made one of them: a node shows what it did not change
/// itself after a moment.
async fn published_by_command(server: &TestServer, algorithm: &str, count: usize) -> Vec<String> {
    until("keys are published", async || {
        Some(published(server, algorithm).await).filter(|published| published.len() == count)
    })
    .await
}

both!(a_rotation_publishes_before_it_signs, async |server: TestServer| {
    let resource = server.machine().resource.clone();
    let early = server.management_token().await;
    let old_key = server.verify(&early, &resource).await.kid;

    let changes = [("CLAIMSMITH_KEY_PUBLISH_DELAY", "300")];
    let rotated = Process::run(BINARY, &server.home, &changes, &["keys", "rotate"]).await;
    assert!(rotated.status.success(), "{}", String::from_utf8_lossy(&rotated.stderr));
    // The next key is published at once.
    let keys = published_by_command(&server, "ES256", 2).await;
    let new_key = keys.into_iter().find(|kid| *kid != old_key).unwrap();
    assert_eq!(server.verify(&server.management_token().await, &resource).await.kid, old_key, "and does not sign yet");

    // The command reads the clock of the machine, which may be some seconds ahead of the server's by now.
    server.clock.advance(Duration::from_secs(300 + 60));
    let late = server.management_token().await;
    let jwt = server.verify(&late, &resource).await;
    assert_eq!((jwt.kid, jwt.algorithm.as_str()), (new_key.clone(), "ES256"), "from then on it signs");
    server.verify(&early, &resource).await;
    server.bearer(&early).get("/api/plugins").await.expect(200);

    // The last token of the old key was issued just before the new one took over, and lives an hour.
    server.clock.advance(Duration::from_secs(3600 - 120));
    assert_eq!(published(&server, "ES256").await.len(), 2);
    server.clock.advance(Duration::from_secs(120));
    assert_eq!(published(&server, "ES256").await, [new_key]);
    assert!(server.try_verify(&early, &resource).await.is_err());
    server.bearer(&server.management_token().await).get("/api/plugins").await.expect(200);
});

both!(another_algorithm_is_published_before_servers_sign_with_it, async |server: TestServer| {
    let (home, resource) = (server.home.clone(), server.machine().resource.clone());
    let early = server.management_token().await;
    let old_key = server.verify(&early, &resource).await.kid;
    let refused = Process::run(BINARY, &home, &[], &["keys", "rotate", "--algorithm", "HS256"]).await;
    assert_eq!(refused.status.code(), Some(2));
    let rotated = Process::run(BINARY, &home, &[], &["keys", "rotate", "--algorithm", "EdDSA"]).await;
    assert!(rotated.status.success(), "{}", String::from_utf8_lossy(&rotated.stderr));
    let new_key = published_by_command(&server, "EdDSA", 1).await;
    server.clock.advance(Duration::from_secs(3600));
    let token = server.management_token().await;
    assert_eq!(server.verify(&token, &resource).await.kid, old_key, "a rotation changes no algorithm");
    server.stop().await;

    // The configuration does; what was signed before stays valid, for its keys are published as before.
    let server = TestServer::start(&home, &[("CLAIMSMITH_SIGNING_ALGORITHM", "EdDSA")]).await.unwrap();
    let late = server.verify(&server.management_token().await, &resource).await;
    assert_eq!((late.algorithm.as_str(), vec![late.kid]), ("EdDSA", new_key));
    assert_eq!(server.verify(&early, &resource).await.kid, old_key);
    server.stop().await;

    // Without a rotation before, the start makes the key.
    let server = TestServer::start(&home, &[("CLAIMSMITH_SIGNING_ALGORITHM", "ES384")]).await.unwrap();
    let late = server.verify(&server.management_token().await, &resource).await;
    assert_eq!((late.algorithm.as_str(), vec![late.kid]), ("ES384", published(&server, "ES384").await));
});

both!(a_rotation_without_delay_signs_at_once, async |server: TestServer| {
    let resource = server.machine().resource.clone();
    let early = server.management_token().await;
    let changes = [("CLAIMSMITH_KEY_PUBLISH_DELAY", "0")];
    assert!(Process::run(BINARY, &server.home, &changes, &["keys", "rotate"]).await.status.success());
    server.clock.advance(Duration::from_secs(60));
    let late = server.management_token().await;
    let (early, late) = (server.verify(&early, &resource).await, server.verify(&late, &resource).await);
    assert_ne!(early.kid, late.kid);
});

both!(a_new_encryption_key_reads_what_the_old_one_wrote, async |home: Arc<Home>| {
    let (old, new) = ("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=");
    let server = TestServer::start(&home, &[("CLAIMSMITH_ENCRYPTION_KEY", old)]).await.unwrap();
    let key = server.get("/oidc/jwks").await.expect(200).body;
    let config = json!({ "endpoint": "https://messages.example.com", "authorization": "a secret" });
    let body = json!({ "connectorId": "http-email", "config": config });
    let connector = server.management().await.post("/api/connectors", body).await.expect(200).text("id");
    server.stop().await;

    // Without the key that sealed it, the signing key is of no use, and nothing pretends otherwise.
    let server = TestServer::start(&home, &[("CLAIMSMITH_ENCRYPTION_KEY", new)]).await.unwrap();
    server.client_credentials().send().await.expect_oauth_error(500, "server_error");
    server.stop().await;

    let changes = [("CLAIMSMITH_ENCRYPTION_KEY", new), ("CLAIMSMITH_ENCRYPTION_PREVIOUS_KEYS", old)];
    assert!(Process::run(BINARY, &home, &changes, &["keys", "rekey"]).await.status.success());
    let server = TestServer::start(&home, &[("CLAIMSMITH_ENCRYPTION_KEY", new)]).await.unwrap();
    server.client_credentials().send().await.expect(200);
    assert_eq!(server.get("/oidc/jwks").await.expect(200).body, key);
    let shown = server.management().await.get(&format!("/api/connectors/{connector}")).await.expect(200);
    assert_eq!(shown["config"]["endpoint"], "https://messages.example.com");
});

both!(families_of_refresh_tokens_outlive_the_encryption_key, async |home: Arc<Home>| {
    let (old, new) = ("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=");
    let server = TestServer::start(&home, &[("CLAIMSMITH_ENCRYPTION_KEY", old)]).await.unwrap();
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let mut families = Vec::new();
    for _ in 0..3 {
        let code = client.code(&browser, "openid offline_access", &[]).await;
        let zero = client.exchange(&server, &code).send().await.expect(200).text("refresh_token");
        let one = client.refresh(&server, &zero).send().await.expect(200).text("refresh_token");
        families.push((zero, one));
    }
    let clock = server.clock.clone();
    server.stop().await;
    let changes = [("CLAIMSMITH_ENCRYPTION_KEY", new), ("CLAIMSMITH_ENCRYPTION_PREVIOUS_KEYS", old)];
    assert!(Process::run(BINARY, &home, &changes, &["keys", "rekey"]).await.status.success());

    // The old key is gone, and each family derives what it derived before.
    let settings = [("CLAIMSMITH_ENCRYPTION_KEY", new)];
    let server = Box::pin(TestServer::start_at((clock, Random::system()), &home, &settings)).await.unwrap();
    for (zero, one) in families {
        assert_eq!(client.refresh(&server, &zero).send().await.expect(200).text("refresh_token"), one);
        client.refresh(&server, &one).send().await.expect(200);
    }
});
