//! Password hashes that no password can match are refused when they are imported, with the reason.

use claimsmith_storage::users::list;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

const CODE: &str = "user.password_digest_invalid";
const BCRYPT: &str = "$2b$04$153Fi443.TFSYbqgtueDoe5xsK6Fn.TikHOFUZrDjs1jHA56DDdI6";
const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const LEGACY: &str = "expected JSON of the method, its arguments with \"@\" for the password, and the hash";
const FIREBASE: &str = "a hash of Firebase is [\"firebase-scrypt\", [salt, salt separator, signer key, rounds, memory \
                        cost, \"@\"], hash], with the key and the separator of your project";
const NO_PREFIX: &str = "it begins with $, { or [, and with none of the supported prefixes";
const NO_FORMAT: &str = "it is in none of the supported formats";
const PHC: &str = "expected $argon2id$v=19$m=19456,t=2,p=1$salt$hash";
const METHODS: &str = "its method is none of md5, sha1, sha256, sha384, sha512, pbkdf2 and firebase-scrypt";

/// Algorithm, hash and reason.
#[expect(clippy::too_many_lines, reason = "one list of all refusals")]
fn refused() -> Vec<(&'static str, String, &'static str)> {
    let argon2 = |rest: &str| format!("$argon2id$v=19$m=64,t=2,p=1${rest}");
    let legacy = |method: &str, arguments: &[&str], hash: &str| json!([method, arguments, hash]).to_string();
    let keycloak = |change: Value| {
        let mut credential = json!({ "algorithm": "pbkdf2-sha256", "iterations": 1, "salt": "AAAA", "value": KEY });
        credential.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        credential.to_string()
    };
    let md5 = "5f4dcc3b5aa765d61d8327deb882cf99";
    vec![
        ("MD5", "5f4dcc3b".to_owned(), "expected 16 bytes: 32 hexadecimal digits, or base64"),
        ("MD5", md5.replace('5', "g"), "expected 16 bytes: 32 hexadecimal digits, or base64"),
        ("SHA1", md5.to_owned(), "expected 20 bytes: 40 hexadecimal digits, or base64"),
        ("SHA256", "nonsense".to_owned(), "expected 32 bytes: 64 hexadecimal digits, or base64"),
        ("SHA512", KEY.to_owned(), "expected 64 bytes: 128 hexadecimal digits, or base64"),
        ("Argon2id", "nonsense".to_owned(), "a hash of Argon2 begins with $argon2id$, $argon2i$ or $argon2d$"),
        ("Argon2id", argon2("c29tZXNhbHQ"), PHC),
        ("Argon2id", "$argon2id$v=19$m=64,t=2,p=1".to_owned(), PHC),
        ("Argon2id", argon2("c29tZXNhbHQ$AAAA"), "its hash has 3 bytes, and 10 to 64 are supported"),
        ("Argon2id", argon2("AAAA$AAAAAAAAAAAAAAAA"), "its salt has 3 bytes, and at least 8 are needed"),
        ("Argon2id", argon2("c29tZXNhbHQ$AAAA!AAAAAAAAAAA"), "its salt or its hash is not base64"),
        (
            "Argon2i",
            argon2("c29tZXNhbHQ$AAAAAAAAAAAAAAAA").replace("t=2", "t=0"),
            "its memory, passes or lanes are \
            less than Argon2 has",
        ),
        (
            "Argon2d",
            argon2("c29tZXNhbHQ$AAAAAAAAAAAAAAAA").replace("v=19", "v=20"),
            "its version is neither v=19 nor \
            v=16",
        ),
        (
            "Argon2d",
            argon2("c29tZXNhbHQ$AAAAAAAAAAAAAAAA").replace("t=2", "t=x"),
            "one of its numbers cannot be read, \
            or is too large",
        ),
        ("Bcrypt", "nonsense".to_owned(), "a hash of bcrypt begins with $2a$, $2b$, $2y$ or $wp$2y$"),
        ("Bcrypt", BCRYPT[..59].to_owned(), "expected 53 characters of salt and hash after the cost"),
        ("Bcrypt", BCRYPT.replace("$04$", "$03$"), "its cost is not a number of 04 to 31"),
        ("Bcrypt", BCRYPT.replace("$2b$", "$2c$"), "its version is none of 2a, 2b and 2y"),
        ("Bcrypt", "$2b$04".to_owned(), "expected $2b$, the cost, and 53 characters"),
        ("Legacy", "nonsense!".to_owned(), NO_FORMAT),
        ("Legacy", md5.to_owned(), NO_FORMAT),
        ("Legacy", "[".to_owned(), LEGACY),
        ("Legacy", json!(["md5", ["@"]]).to_string(), LEGACY),
        ("Legacy", json!(["md5", ["@", null], md5]).to_string(), LEGACY),
        ("Legacy", legacy("rot13", &["@"], "cnffjbeq"), METHODS),
        // Any password would match this one.
        ("Legacy", legacy("md5", &["password"], md5), "none of its arguments is \"@\", which stands for the password"),
        ("Legacy", legacy("md5", &["@"], "5f4d"), "its hash does not have 16 bytes"),
        (
            "Legacy",
            legacy("pbkdf2", &["salt", "1000", "20", "@"], md5),
            "the arguments of pbkdf2 are salt, \
            iterations, key length, digest and \"@\"",
        ),
        (
            "Legacy",
            legacy("pbkdf2", &["salt", "1000", "20", "sha512", "@"], md5),
            "its hash is not as long as its key \
            length says",
        ),
        ("Legacy", legacy("pbkdf2", &["salt", "0", "16", "sha512", "@"], md5), "its number of iterations is 0"),
        (
            "Legacy",
            legacy("pbkdf2", &["salt", "1000", "16", "md5", "@"], md5),
            "PBKDF2 is supported with SHA-1, \
            SHA-256, SHA-384 and SHA-512",
        ),
        ("Legacy", legacy("pbkdf2", &["", "1000", "16", "sha1", "@"], md5), "it has no salt"),
        (
            "Legacy",
            legacy("pbkdf2", &["hex:0g", "1000", "16", "sha1", "@"], md5),
            "its salt after hex: is not \
            hexadecimal",
        ),
        (
            "Legacy",
            legacy("pbkdf2", &["salt", "1000", "2", "sha1", "@"], "5f4d"),
            "its hash has 2 bytes, and 16 to 512 \
            are supported",
        ),
        ("Legacy", legacy("firebase-scrypt", &["AAAA", "8", "14", "@"], KEY), FIREBASE),
        ("FirebaseScrypt", KEY.to_owned(), FIREBASE),
        (
            "FirebaseScrypt",
            legacy("firebase-scrypt", &["AAAA", "Bw==", "AAAA", "8", "14", "@"], KEY),
            "its hash is not \
            as long as the signer key",
        ),
        ("PBKDF2", KEY.to_owned(), NO_FORMAT),
        ("PBKDF2", "AQAAAAIAAAPoAAAAEMNFJam8HWMN".to_owned(), NO_FORMAT),
        ("PBKDF2", "{".to_owned(), "it begins with {, and is neither JSON nor of a scheme such as {SSHA}"),
        (
            "PBKDF2",
            keycloak(json!({ "algorithm": "bcrypt" })),
            "its algorithm is none of pbkdf2, pbkdf2-sha256, \
            pbkdf2-sha512 and argon2",
        ),
        ("PBKDF2", keycloak(json!({ "algorithm": "argon2" })), "its parameter `type` is missing"),
        ("PBKDF2", keycloak(json!({ "salt": null })), "its member `salt` is missing"),
        ("PBKDF2", keycloak(json!({ "iterations": "" })), "one of its numbers cannot be read, or is too large"),
        ("PBKDF2", keycloak(json!({ "secretData": "{" })), "its parts are not JSON"),
        ("PBKDF2", format!("pbkdf2_sha256$200$${KEY}"), "it has no salt"),
        (
            "PBKDF2",
            "pbkdf2_sha256$200".to_owned(),
            "expected the iterations, the salt and the hash between dollar signs",
        ),
        ("Scrypt", format!("$scrypt$ln=0,r=8,p=1$AAAA${KEY}"), "its N is not a power of two that scrypt takes"),
        ("Scrypt", format!("$scrypt$ln=16,r=8$AAAA${KEY}"), "its parameter p= is missing"),
        ("Scrypt", format!("scrypt$1000$salt$8$1${KEY}"), "its N is not a power of two"),
        ("Scrypt", format!("$scrypt$ln=16,r=0,p=1$AAAA${KEY}"), "its r or p is not one that scrypt takes"),
        ("Scrypt", KEY.to_owned(), "a hash of scrypt begins with $scrypt$"),
        ("Phpass", "$P$Bnonsense".to_owned(), "expected 31 characters after the prefix"),
        ("Phpass", md5.to_owned(), "a hash of phpass begins with $P$ or $H$"),
        ("SSHA", "{SSHA}v2eAVaZPf9mAIqyvbw7GyD54VX8=".to_owned(), "it has no salt after its hash"),
        (
            "SSHA",
            "{ROT13}AAAA".to_owned(),
            "its scheme is not one of those that are supported, such as {SSHA} and \
            {SSHA512}",
        ),
        ("SSHA", KEY.to_owned(), "a hash of LDAP begins with its scheme, such as {SSHA}"),
        ("Crypt", "$6$salt".to_owned(), "it has no hash"),
        ("Crypt", "$6$salt$short".to_owned(), "its hash does not have 86 characters of crypt"),
        ("Crypt", "$6$rounds=10$salt$short".to_owned(), "its number of rounds is less than 1000"),
        ("Crypt", "$1$salt$qJH7.N4xYta3aEG/dfqo/0".to_owned(), NO_PREFIX),
        ("Crypt", "$y$j9T$salt$hash".to_owned(), NO_PREFIX),
    ]
}

async fn count(server: &TestServer) -> i64 {
    list::count(&mut server.begin().await, &list::Filter::default()).await.unwrap()
}

/// Imports lines, and answers what is said of them.
async fn import(caller: &Actor, query: &str, kind: &str, body: String) -> Answer {
    let request = caller.request(Method::POST, &format!("/api/users/import{query}"));
    Answer::of(request.header("content-type", kind).body(body)).await
}

fn lines(answer: &Answer) -> Vec<Value> {
    let text = answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

both!(a_hash_that_no_password_can_match_is_refused_with_the_reason, async |server: TestServer| {
    let (management, before) = (server.management().await, count(&server).await);
    let mut body = Vec::new();
    for (algorithm, digest, reason) in refused() {
        let user = json!({ "username": "ada", "passwordDigest": digest, "passwordAlgorithm": algorithm });
        let answer = management.post("/api/users", user.clone()).await;
        answer.expect_api_error(422, CODE);
        let message = format!("No password can match `passwordDigest`: {reason}.");
        assert_eq!(answer["message"], message, "{algorithm} {digest}");
        assert_eq!(answer["data"], json!({ "field": "passwordDigest" }));
        body.push(user.to_string());
    }
    for query in ["", "?dryRun=true"] {
        let said = lines(&import(&management, query, "application/jsonl", body.join("\n")).await.expect(200));
        assert_eq!(said.len(), body.len() + 1);
        for (line, (.., reason)) in said.iter().zip(refused()) {
            assert_eq!((&line["code"], line["message"].as_str().unwrap().contains(reason)), (&json!(CODE), true));
        }
    }
    let csv = format!("username,passwordAlgorithm,passwordDigest\nada,Bcrypt,{}\n", &BCRYPT[..59]);
    assert_eq!(lines(&import(&management, "", "text/csv", csv).await.expect(200))[0]["code"], CODE);
    assert_eq!(count(&server).await, before);
});

both!(a_line_with_the_names_of_another_system_is_refused_with_the_nearest_known, async |server: TestServer| {
    let (management, before) = (server.management().await, count(&server).await);
    let body = [
        json!({ "email": "ada@example.com", "user_id": "auth0|1", "passwordHash": BCRYPT }).to_string(),
        json!({ "username": "ada", "profile": { "given_name": "Ada" } }).to_string(),
        json!({ "username": "bob", "favouriteColour": "red" }).to_string(),
        json!({ "username": "cy", "email": null, "roles": ["x"], "id": "x", "hasPassword": true }).to_string(),
        json!({ "username": "dee", "customData": { "email": "x" } }).to_string(),
    ];
    let said = lines(&import(&management, "", "application/jsonl", body.join("\n")).await.expect(200));
    let told = [
        "Error in key path \"email\": unknown member, did you mean `primaryEmail`?\n\
         Error in key path \"user_id\": unknown member, did you mean `customData`? The server gives ids of its own.\n\
         Error in key path \"passwordHash\": unknown member, did you mean `passwordDigest`?",
        "Error in key path \"profile.given_name\": unknown member, did you mean `profile.givenName`?",
        "Error in key path \"favouriteColour\": unknown member; `customData` has room for it",
    ];
    for (place, told) in told.iter().enumerate() {
        let expected = json!({ "line": place + 1, "code": "guard.invalid_input", "message": told });
        assert_eq!(said[place], expected);
    }
    assert_eq!(said[3], json!({ "done": { "lines": 5, "created": 2, "failed": 3, "dryRun": false } }));
    assert_eq!(count(&server).await, before + 2);
    for (column, told) in [
        ("Email", "there is no column \"Email\", did you mean `primaryEmail`."),
        ("given_name", "there is no column \"given_name\", did you mean `profile.givenName`."),
        ("colour", "there is no column \"colour\"; `customData` has room for it."),
    ] {
        let answer = import(&management, "", "text/csv", format!("username,{column}\nada,x\n")).await;
        answer.expect_api_error(400, "user.import_columns_invalid");
        assert!(answer.text("message").ends_with(told), "{:#}", answer.body);
    }
});
