//! Password hashes of other systems: each format is imported, its password signs in, another one does not, and the hash
//! is replaced by one of the server's own.
//!
//! The hashes in `imported_digests.jsonl` are of one invented password, and were made by other programs: bcrypt,
//! passlib, argon2-cffi and Django (whose hashers got fewer iterations), Python's hashlib and hmac for Keycloak, ASP.NET,
//! LDAP with SHA-2, Kratos and `Legacy`, and npm's firebase-scrypt with the sample project of Firebase's own repository.

use crate::browser::Browser;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_storage::users;
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// The password of all hashes.
pub(crate) const PASSWORD: &str = "Tr0ub4dor-ünï 3";
const DIGESTS: &str = include_str!("imported_digests.jsonl");
const WRONG: &str = "session.invalid_credentials";

/// Of 80 times `x`: bcrypt sees the first 72.
const LONG_BCRYPT: &str = "$2b$04$Oyc1kiiG5lKFu3mMRl5uY.dl2zL/AynpTHtthr3RLCGEVJ5/G5x36";
/// Of 128 and of 129 times `y`.
const LONGEST_CRYPT: &str =
    "$6$rounds=1000$abc$Cup.i2F1zwNsBlNl3t8nH0h5uRKpv8Q40NBrregiUQFsIgYxPbO..nOTp3Ft96gMftmqsySX9NB4QiPnaCOyx/";
const TOO_LONG_CRYPT: &str =
    "$6$rounds=1000$abc$uRW4AZLgv74mOjaf/c2mNBDjuBymO2EZhK0wpPLIG95ydDmThPZsAkVnGlwRzYwzJBkPT1aWDeYa/RLVUOb5X0";

/// The hashes, each with the user name that it is imported for.
fn digests() -> Vec<(String, Value)> {
    let rows = DIGESTS.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.enumerate().map(|(number, row)| (format!("user{number}"), row)).collect()
}

/// The hash with this description.
pub(crate) fn digest_of(what: &str) -> String {
    let found = digests().into_iter().find(|(_, row)| row["what"] == what);
    found.unwrap().1["passwordDigest"].as_str().unwrap().to_owned()
}

/// Imports these users as lines, and says what came of it.
pub(crate) async fn import(server: &TestServer, lines: Vec<Value>) -> Vec<Value> {
    let body: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let request = server.management().await.request(Method::POST, "/api/users/import");
    let answer =
        Answer::of(request.header("content-type", "application/jsonl").body(body.join("\n"))).await.expect(200);
    let text = answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn stored(server: &TestServer, username: &str) -> (String, Option<PasswordAlgorithm>) {
    let found = server.management().await.get(&format!("/api/users?search.username={username}")).await.expect(200);
    let id = found.body[0]["id"].as_str().unwrap().to_owned();
    let user = users::find(&mut server.begin().await, &id.as_str().into()).await.unwrap().unwrap();
    (user.password_digest.unwrap(), user.password_algorithm)
}

/// A browser in a sign-in.
async fn browser(server: &TestServer) -> Browser {
    let mut browser = Browser::new(server).await;
    browser.start("SignIn").await.expect(204);
    browser
}

both!(a_hash_of_every_format_lets_its_password_in_and_is_replaced, async |server: TestServer| {
    let digests = digests();
    let line = |(username, row): &(String, Value)| {
        json!({ "username": username, "passwordDigest": row["passwordDigest"],
            "passwordAlgorithm": row["passwordAlgorithm"] })
    };
    let (of_lines, alone) = digests.split_at(digests.len() / 2);
    let said = import(&server, of_lines.iter().map(line).collect()).await;
    assert_eq!(said.len(), 1, "{said:#?}");
    for one in alone {
        server.management().await.post("/api/users", line(one)).await.expect(200);
    }
    for (username, row) in &digests {
        let what = &row["what"];
        let (before, _) = stored(&server, username).await;
        assert_eq!(row["passwordDigest"], before.as_str(), "{what}");
        let mut browser = browser(&server).await;
        // One each: an address may be wrong a hundred times.
        let answer = browser.verify(username, "Tr0ub4dor-ünï 3x").await;
        assert_eq!((answer.status, &answer["code"]), (422, &json!(WRONG)), "{what}");
        assert_eq!(stored(&server, username).await.0, before, "{what}");
        let verified = browser.verify(username, PASSWORD).await;
        assert_eq!(verified.status, 200, "{what}: {:#}", verified.body);
        browser.identify(&verified).await.expect(204);
        browser.submit().await.expect(200);
        let (after, algorithm) = stored(&server, username).await;
        assert!(after.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{what}: {after}");
        assert_eq!(algorithm, Some(PasswordAlgorithm::Argon2id), "{what}");
    }
    // With the new hashes as well.
    let mut browser = browser(&server).await;
    browser.verify("user0", PASSWORD).await.expect(200);
    browser.verify("user0", "wrong").await.expect_api_error(422, WRONG);
});

both!(a_long_password_counts_as_far_as_its_format_says, async |server: TestServer| {
    let mut lines = Vec::new();
    for (username, digest) in [("short", LONG_BCRYPT), ("longest", LONGEST_CRYPT), ("longer", TOO_LONG_CRYPT)] {
        lines.push(json!({ "username": username, "passwordDigest": digest, "passwordAlgorithm": "Legacy" }));
    }
    assert_eq!(import(&server, lines).await.len(), 1);
    let mut browser = browser(&server).await;
    browser.verify("short", &"x".repeat(71)).await.expect_api_error(422, WRONG);
    browser.verify("short", &"x".repeat(80)).await.expect(200);
    // The server's own hash is of all of it.
    browser.verify("short", &"x".repeat(72)).await.expect_api_error(422, WRONG);
    browser.verify("longest", &"y".repeat(128)).await.expect(200);
    // A round takes as long as the password is, so longer ones are not tried.
    let before = server.app.passwords.computed();
    browser.verify("longer", &"y".repeat(129)).await.expect_api_error(422, WRONG);
    assert!(server.app.passwords.computed() > before);
});

both!(blanks_around_a_password_of_wordpress_do_not_count, async |server: TestServer| {
    let digest = digest_of("WordPress 6.8");
    let body = json!({ "username": "ada", "passwordDigest": digest, "passwordAlgorithm": "Bcrypt" });
    server.management().await.post("/api/users", body).await.expect(200);
    browser(&server).await.verify("ada", &format!(" {PASSWORD}\t")).await.expect(200);
});
