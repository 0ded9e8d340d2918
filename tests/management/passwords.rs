//! Password hashing: imported hashes that are too expensive are refused, and one client cannot fill the queue.

use crate::fixtures::user;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_storage::users;
use claimsmith_test_support::{Answer, Home, TestServer, both};
use reqwest::Method;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Digests that would take from seconds to days.
const TOO_COSTLY: [(&str, &str); 12] = [
    ("Bcrypt", "$2b$31$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K"),
    ("Bcrypt", "$2y$15$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K"),
    ("Argon2id", "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHQ$uxrWjdyfDHiIrNWxZjK3vTuEoxmGfIrf8lCZXQ6ssLU"),
    ("Argon2i", "$argon2i$v=19$m=8,t=4294967295,p=1$c29tZXNhbHQ$uxrWjdyfDHiIrNWxZjK3vTuEoxmGfIrf8lCZXQ6ssLU"),
    ("Argon2d", "$argon2d$v=19$m=131072,t=64,p=1$c29tZXNhbHQ$uxrWjdyfDHiIrNWxZjK3vTuEoxmGfIrf8lCZXQ6ssLU"),
    ("Argon2id", "$argon2id$v=19$m=65536,t=3,p=255$c29tZXNhbHQ$uxrWjdyfDHiIrNWxZjK3vTuEoxmGfIrf8lCZXQ6ssLU"),
    ("PBKDF2", "pbkdf2_sha256$2097153$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    (
        "Legacy",
        r#"["pbkdf2", ["pepper", "4294967295", "20", "sha512", "@"], "4ba76669e5126e085b695e6561d348c276b135db"]"#,
    ),
    ("Scrypt", "$scrypt$ln=18,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
    ("Scrypt", "$scrypt$ln=10,r=8,p=10000$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
    ("Phpass", "$P$Ssaltsalt......................"),
    (
        "Crypt",
        "$6$rounds=999999999$s$......................................................................................",
    ),
];

both!(a_digest_that_asks_for_too_much_work_is_not_taken_in, async |server: TestServer| {
    let management = server.management().await;
    for (algorithm, digest) in TOO_COSTLY {
        let body = json!({ "username": "ada", "passwordDigest": digest, "passwordAlgorithm": algorithm });
        let answer = management.post("/api/users", body).await;
        answer.expect_api_error(422, "user.password_digest_too_costly");
        assert!(!answer.body.to_string().contains(digest));
    }
    let worth = "$2b$14$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K";
    let body = json!({ "username": "ada", "passwordDigest": worth, "passwordAlgorithm": "Bcrypt" });
    management.post("/api/users", body).await.expect(200);
});

both!(a_digest_from_before_that_asks_for_too_much_work_is_not_computed, async |server: TestServer| {
    let management = server.management().await;
    let (ada, grace) = (user(&management, "ada").await, user(&management, "grace").await);
    let password = json!({ "password": "engine" });
    management.patch(&format!("/api/users/{grace}/password"), password.clone()).await.expect(200);
    for (algorithm, digest) in TOO_COSTLY {
        let mut tx = server.begin().await;
        let mut found = users::find(&mut tx, &ada.as_str().into()).await.unwrap().unwrap();
        (found.password_digest, found.password_algorithm) =
            (Some(digest.to_owned()), PasswordAlgorithm::parse(algorithm));
        users::update(&mut tx, &found).await.unwrap();
        tx.commit().await.unwrap();
        let answer = management.post(&format!("/api/users/{ada}/password/verify"), password.clone()).await;
        answer.expect_api_error(422, "session.invalid_credentials");
        assert!(answer.text("message").contains("set a new one"), "{:#}", answer.body);
        management.post(&format!("/api/users/{grace}/password/verify"), password.clone()).await.expect(204);
    }
    management.patch(&format!("/api/users/{ada}/password"), password.clone()).await.expect(200);
    management.post(&format!("/api/users/{ada}/password/verify"), password).await.expect(204);
});

both!(two_addresses_at_new_passwords_keep_nobody_from_theirs, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1")]).await.unwrap();
    let management = server.management().await;
    let path = format!("/api/users/{}/password", user(&management, "ada").await);
    let grace = format!("/api/users/{}/password", user(&management, "grace").await);
    let send = |method: Method, path: &str, address: &str| {
        let request = management.request(method, path).header("X-Forwarded-For", address);
        Answer::of(request.json(&json!({ "password": "engine" })))
    };
    send(Method::PATCH, &grace, "192.0.2.3").await.expect(200);
    let mut flood = JoinSet::new();
    for number in 0..240 {
        flood.spawn(send(Method::PATCH, &path, ["192.0.2.1", "192.0.2.2"][number % 2]));
    }
    let (mut tally, mut others) = (BTreeMap::<u16, usize>::new(), 0);
    while let Some(answer) = flood.join_next().await {
        let status = answer.unwrap().status;
        *tally.entry(status).or_default() += 1;
        // Once they fill all places that there are for them, correct passwords from elsewhere are verified, and others
        // set theirs.
        if status == 503 && others < 4 {
            let address = format!("198.51.100.{others}");
            send(Method::POST, &format!("{grace}/verify"), &address).await.expect(204);
            send(Method::PATCH, &grace, &address).await.expect(200);
            others += 1;
        }
    }
    assert_eq!(tally.keys().copied().collect::<Vec<_>>(), [200, 503], "{tally:?}");
    assert_eq!(others, 4);
});

both!(one_address_does_not_take_all_places, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_PASSWORDS_DIGEST_MS", "200"), ("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let management = server.management().await;
    let path = format!("/api/users/{}/password", user(&management, "ada").await);
    let set = |address: &str| {
        let request = management.request(Method::PATCH, &path).header("X-Forwarded-For", address);
        Answer::of(request.json(&json!({ "password": "engine" })))
    };
    // The first one measures what a digest costs.
    set("192.0.2.1").await.expect(200);
    let mut calls = JoinSet::new();
    for _ in 0..160 {
        calls.spawn(set("192.0.2.1"));
    }
    // Beside them, others are served: they do not stand in that line.
    let mut tally = BTreeMap::<u16, usize>::new();
    let mut others = 0;
    while let Some(answer) = calls.join_next().await {
        let answer = answer.unwrap();
        *tally.entry(answer.status).or_default() += 1;
        if answer.status == 503 {
            answer.expect_api_error(503, "user.password_busy");
            assert_eq!(answer.header("retry-after"), Some("1"));
            if others < 3 {
                set(&format!("192.0.2.{}", 2 + others)).await.expect(200);
                others += 1;
            }
        }
    }
    assert_eq!(tally.keys().copied().collect::<Vec<_>>(), [200, 503], "{tally:?}");
    assert!(tally[&503] >= 96 - 32, "half of the places are one address's: {tally:?}");
    assert_eq!(others, 3);
    set("192.0.2.1").await.expect(200);
});
