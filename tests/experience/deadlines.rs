//! Wrong passwords are answered at one deadline, whoever is meant and whatever kind of hash is stored; an imported hash is
//! replaced at the first sign-in.

use crate::browser::{Browser, PASSWORD, user};
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_storage::users;
use claimsmith_test_support::{Home, TestServer, both, until};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const WRONG: &str = "session.invalid_credentials";
/// Hashes of nothing that is tried here, from those that cost nothing to 128 MiB of work.
const IMPORTED: [(&str, &str, &str); 4] = [
    ("md5", "MD5", "5f4dcc3b5aa765d61d8327deb882cf99"),
    ("cheap", "Bcrypt", "$2b$04$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K"),
    ("usual", "Bcrypt", "$2b$10$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K"),
    ("costly", "Argon2id", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$uxrWjdyfDHiIrNWxZjK3vTuEoxmGfIrf8lCZXQ6ssLU"),
];
/// Milliseconds until a wrong password is answered where only the server's own hashes are stored.
const OWN_MS: i64 = 46;
/// The same where the costliest of [`IMPORTED`] is stored.
const COSTLY_MS: i64 = 156;

async fn import(server: &TestServer, username: &str, algorithm: &str, digest: &str) -> String {
    let body = json!({ "username": username, "passwordDigest": digest, "passwordAlgorithm": algorithm });
    server.management().await.post("/api/users", body).await.expect(200).text("id")
}

/// When wrong passwords were answered, after the time at which the clock stands.
fn answered(server: &TestServer) -> Vec<i64> {
    server.clock.deadlines().into_iter().map(|deadline| deadline - server.clock.now_ms()).collect()
}

both!(wrong_passwords_have_one_deadline_whatever_hash_is_stored, async |server: TestServer| {
    user(&server, "own").await;
    server.management().await.post("/api/users", json!({ "username": "nothing" })).await.expect(200);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let everybody = ["own", "nobody", "nothing"];
    for name in everybody {
        browser.verify(name, "a wrong password").await.expect_api_error(422, WRONG);
    }
    assert_eq!(answered(&server), [OWN_MS; 3]);
    for (name, algorithm, digest) in IMPORTED {
        import(&server, name, algorithm, digest).await;
    }
    for name in everybody.into_iter().chain(IMPORTED.map(|(name, ..)| name)) {
        browser.verify(name, "a wrong password").await.expect_api_error(422, WRONG);
    }
    assert_eq!(answered(&server)[3..], [COSTLY_MS; 7]);
    // A right one waits for nothing.
    browser.verify("own", PASSWORD).await.expect(200);
    assert_eq!(answered(&server).len(), 10);
});

both!(an_imported_account_is_hashed_anew_at_its_first_sign_in, async |server: TestServer| {
    let digest = bcrypt::hash(PASSWORD, 11).unwrap();
    let id = import(&server, "ada", "Bcrypt", &digest).await;
    let (mut one, mut two) = (Browser::new(&server).await, Browser::new(&server).await);
    one.start("SignIn").await.expect(204);
    one.verify("nobody", "a wrong password").await.expect_api_error(422, WRONG);
    assert_eq!(answered(&server), [COSTLY_MS]);
    // Two at once: both are let in, whoever replaces it.
    tokio::join!(one.sign_in("ada"), two.sign_in("ada"));
    let stored = users::find(&mut server.begin().await, &id.as_str().into()).await.unwrap().unwrap();
    let digest = stored.password_digest.unwrap();
    assert!(digest.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{digest}");
    assert_eq!(stored.password_algorithm, Some(PasswordAlgorithm::Argon2id));
    // Nobody else has such a hash, so nobody waits for it any more.
    let mut later = Browser::new(&server).await;
    later.start("SignIn").await.expect(204);
    later.verify("ada", "a wrong password").await.expect_api_error(422, WRONG);
    assert_eq!(answered(&server), [COSTLY_MS, OWN_MS]);
    later.sign_in("ada").await;
});

both!(a_hash_from_before_that_is_never_verified_makes_nobody_wait, async |server: TestServer| {
    let id = user(&server, "ada").await;
    let mut tx = server.begin().await;
    let mut found = users::find(&mut tx, &id.as_str().into()).await.unwrap().unwrap();
    found.password_digest = Some("$2b$31$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K".to_owned());
    found.password_algorithm = Some(PasswordAlgorithm::Bcrypt);
    users::update(&mut tx, &found).await.unwrap();
    tx.commit().await.unwrap();
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    for name in ["ada", "nobody"] {
        browser.verify(name, PASSWORD).await.expect_api_error(422, WRONG);
    }
    assert_eq!(answered(&server), [OWN_MS; 2]);
});

both!(an_answer_that_waits_holds_no_connection_and_no_place, async |home: Arc<Home>| {
    // On a slow machine, the answers wait for long.
    let changes = [("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "4"), ("CLAIMSMITH_REQUEST_TIMEOUT", "600")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    user(&server, "ada").await;
    server.clock.hold();
    let mut waiting = JoinSet::new();
    // More than there are connections, and more than the places that one address has for hashing.
    for number in 1..=70 {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        waiting.spawn(async move { browser.verify(&format!("nobody{number}"), "a wrong password").await });
        until("an answer that waits", async || (server.clock.deadlines().len() == number).then_some(())).await;
    }
    // Everybody else goes on.
    let mut browser = Browser::new(&server).await;
    browser.sign_in("ada").await;
    browser.authorize(&server).await;
    browser.register("grace").await;
    assert!(waiting.try_join_next().is_none(), "nothing was answered before its time");
    server.clock.advance(Duration::from_millis(OWN_MS.unsigned_abs()));
    let answers = waiting.join_all().await;
    assert_eq!(answers.len(), 70);
    for answer in answers {
        answer.expect_api_error(422, WRONG);
    }
});
