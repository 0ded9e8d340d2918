//! Email addresses: one strict parser wherever one is given, and whoever got another one before still has it.

use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_storage::users::{self, User};
use claimsmith_test_support::seed::new_user;
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::json;

/// What is none: characters that nobody sees, that control, or that part addresses, and more than one address.
const NONE: [&str; 14] = [
    "cust\u{200b}omer@example.com",
    "customer@exam\u{200d}ple.com",
    "a\u{ad}b@example.com",
    "a\u{202e}moc@example.com",
    "a\u{2060}@example.com",
    "a\u{feff}@example.com",
    "a\u{3164}@example.com",
    "a@b@example.com",
    "a@example.com,b@example.com",
    "<a@example.com>",
    "a\u{7f}@example.com",
    "a\r\nbcc:b@example.com",
    "a..b@example.com",
    "a@example..com",
];

both!(what_is_no_address_is_refused_wherever_one_is_given, async |server: TestServer| {
    let management = server.management().await;
    let ada = management.post("/api/users", json!({ "primaryEmail": "ada@example.com" })).await.expect(200).text("id");
    let acme = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    let before = management.get("/api/users?page_size=100").await.expect(200).body;
    for address in NONE {
        let until = server.clock.now_ms() + 3_600_000;
        for (method, path, body) in [
            (Method::POST, "/api/users".to_owned(), json!({ "primaryEmail": address })),
            (Method::PATCH, format!("/api/users/{ada}"), json!({ "primaryEmail": address })),
            (
                Method::POST,
                "/api/organization-invitations".to_owned(),
                json!({ "invitee": address, "organizationId": acme, "expiresAt": until, "messagePayload": false }),
            ),
            (Method::PATCH, "/api/sign-in-exp".to_owned(), json!({ "supportEmail": address })),
        ] {
            let refused = management.send(method, &path, body).await;
            assert_eq!(refused.status, 400, "{path} {address:?}: {:#}", refused.body);
        }
        let line = format!("{}\n", json!({ "username": "eve", "primaryEmail": address }));
        let import = management.request(Method::POST, "/api/users/import").header("content-type", "application/jsonl");
        let said = Answer::of(import.body(line)).await.expect(200).body;
        assert!(said.as_str().unwrap().contains("\"created\":0,\"failed\":1"), "{address:?}: {said}");
    }
    assert_eq!(management.get("/api/users?page_size=100").await.expect(200).body, before);
    for address in ["o'brien+tag@mail.example.co.uk", "用户@例え.テスト", "नमस्ते@उदाहरण.भारत"]
    {
        management.post("/api/users", json!({ "primaryEmail": address })).await.expect(200);
    }
});

both!(who_has_such_an_address_already_keeps_it, async |server: TestServer| {
    let management = server.management().await;
    let known = "for\u{200b}mer@example.com";
    let user = User { primary_email: Some(known.to_owned()), ..new_user() };
    let mut tx = server.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("/api/users/{}", user.id);
    assert_eq!(management.get(&path).await.expect(200)["primaryEmail"], known);
    // What is not the address is changed, and the address may be written back as it was read, by whoever replaces it.
    management.patch(&path, json!({ "name": "Former" })).await.expect(200);
    management.patch(&format!("{path}/profile"), json!({ "profile": { "nickname": "c" } })).await.expect(200);
    management.patch(&format!("{path}/password"), json!({ "password": "correct horse battery" })).await.expect(200);
    assert_eq!(management.get(&path).await.expect(200)["primaryEmail"], known);
    // They are found by it, and sent what they ask for.
    let code = management.post("/api/verification-codes", json!({ "email": known })).await;
    assert_eq!(code.status, 204, "{code:?}");
    management.patch(&path, json!({ "primaryEmail": "former@example.com" })).await.expect(200);
    management.patch(&path, json!({ "primaryEmail": known })).await.expect_api_error(400, "guard.invalid_input");
    // Settings of before are read.
    let settings = serde_json::from_value::<SignInExperience>(json!({ "supportEmail": "a@b@example.com" }));
    assert!(settings.is_ok(), "{settings:?}");
});
