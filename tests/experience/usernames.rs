//! User names of other systems: which the policy allows, whose they are, and who signs in with them.

use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings, take_codes};
use claimsmith_test_support::{Answer, Home, Mailed, TestServer, Upstream, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

const BLOCKED: &str = "session.verification_blocked_too_many_attempts";
const WRONG: &str = "session.invalid_credentials";

/// Lets names have all these characters.
async fn allow(server: &TestServer, characters: &[&str]) {
    let allowed: serde_json::Map<String, Value> =
        characters.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
    settings(server, json!({ "usernamePolicy": { "allowedChars": allowed } })).await;
}

/// Creates a user as an operator does, with [`PASSWORD`].
async fn create(server: &TestServer, username: &str) -> Answer {
    server.management().await.post("/api/users", json!({ "username": username, "password": PASSWORD })).await
}

/// Signs in with a name or an address, and answers whose session the browser has.
async fn sign_in(server: &TestServer, kind: &str, value: &str) -> Vec<String> {
    let mut browser = Browser::new(server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.post("/verification/password", credentials(kind, value, PASSWORD)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    sessions_of(server, &browser).await
}

both!(names_of_other_systems_are_taken_where_the_policy_allows_them, async |server: TestServer| {
    let names = ["jane.doe", "jane-doe", "4711jane", "Jörg", "最上", "4915112345678", "jane@corp.example"];
    for name in names {
        create(&server, name).await.expect_api_error(400, "guard.invalid_input");
    }
    for (name, characters) in names.into_iter().zip([
        &["dot"][..],
        &["hyphen"],
        &["leadingDigit"],
        &["letters"],
        &["letters"],
        &["leadingDigit"],
        &["at"],
    ]) {
        allow(&server, characters).await;
        let id = create(&server, name).await.expect(200).text("id");
        assert_eq!(sign_in(&server, "username", name).await, [id.as_str()], "{name}");
        // Whatever the case and the spelling.
        for same in [name.to_uppercase(), name.replace('ö', "o\u{308}")] {
            assert_eq!(sign_in(&server, "username", &same).await, [id.as_str()], "{same}");
            create(&server, &same).await.expect_api_error(422, "user.username_already_in_use");
        }
        let shown = server.management().await.get(&format!("/api/users/{id}")).await.expect(200);
        assert_eq!(shown["username"], name);
    }
    for name in ["o'neil", "DOMAIN\\jane", "jane doe", ".jane", "-jane", "ja\u{200b}ne", "<b>", "j\u{430}ne", "a@b@c"] {
        create(&server, name).await.expect_api_error(400, "guard.invalid_input");
    }
    // What is there stays, and signs in, when the policy changes.
    let all = json!({ "dot": false, "hyphen": false, "leadingDigit": false, "letters": false, "at": false });
    settings(&server, json!({ "usernamePolicy": { "allowedChars": all } })).await;
    for (number, name) in names.into_iter().enumerate() {
        let id = sign_in(&server, "username", name).await.remove(0);
        let path = format!("/api/users/{id}");
        let body = json!({ "username": name, "primaryPhone": format!("491511234510{number}") });
        server.management().await.patch(&path, body).await.expect(200);
        create(&server, &format!("{name}.x")).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(people_choose_such_names_too, async |server: TestServer| {
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    browser.choose("jane.doe", PASSWORD).await.expect_api_error(422, "user.username_invalid_charset_hard");
    allow(&server, &["dot", "hyphen", "letters", "leadingDigit", "at"]).await;
    for (name, code) in [
        ("jane@corp.example", "user.username_invalid_charset_hard"),
        ("0151-2345678", "user.username_starts_with_number"),
        ("j\u{430}ne", "user.username_invalid_charset_hard"),
        ("ja\u{202e}ne", "user.username_invalid_charset_hard"),
        ("jane\r\nSet-Cookie: a=b", "user.username_invalid_charset_hard"),
        ("<script>", "user.username_invalid_charset_hard"),
    ] {
        browser.choose(name, PASSWORD).await.expect_api_error(422, code);
        let profile = browser.post("/profile", json!({ "type": "username", "value": name })).await;
        profile.expect_api_error(422, code);
    }
    Browser::new(&server).await.register("4.jo\u{308}rg-doe").await;
    let found = server.management().await.get("/api/users?search.username=4.j%C3%B6rg-doe").await.expect(200);
    assert_eq!(found.body[0]["username"], "4.jörg-doe");
    // The policy is asked once more at the end.
    let chosen = browser.choose("jane.doe", PASSWORD).await.expect(200);
    settings(&server, json!({ "usernamePolicy": { "allowedChars": { "dot": false } } })).await;
    browser.identify(&chosen).await.expect_api_error(422, "user.username_invalid_charset_hard");
});

both!(of_two_who_get_one_name_at_once_one_does, async |server: TestServer| {
    allow(&server, &["letters"]).await;
    let management = server.management().await;
    let body = |name: &str| json!({ "username": name });
    for number in 0..5 {
        let names = [format!("jörg{number}"), format!("JO\u{308}RG{number}")];
        let (one, other) = tokio::join!(
            management.post("/api/users", body(&names[0])),
            management.post("/api/users", body(&names[1])),
        );
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422]);
    }
});

both!(a_name_is_nobody_elses_address_or_number, async |server: TestServer| {
    allow(&server, &["at", "leadingDigit"]).await;
    let management = server.management().await;
    let owner = json!({ "primaryEmail": "Jane@Corp.example", "primaryPhone": "+49 151 12345678" });
    let owner = management.post("/api/users", owner).await.expect(200).text("id");
    let other = management.post("/api/users", json!({ "username": "other" })).await.expect(200).text("id");
    for name in ["jane@corp.example", "JANE@CORP.EXAMPLE", "4915112345678"] {
        create(&server, name).await.expect_api_error(422, "user.username_already_in_use");
        let change = management.patch(&format!("/api/users/{other}"), json!({ "username": name })).await;
        change.expect_api_error(422, "user.username_already_in_use");
        // It may be one's own.
        management.patch(&format!("/api/users/{owner}"), json!({ "username": name })).await.expect(200);
    }
    // An import says so for its line alone.
    management.patch(&format!("/api/users/{owner}"), json!({ "username": null })).await.expect(200);
    let lines = "{\"username\":\"jane@corp.example\"}\n{\"username\":\"joe@corp.example\"}\n{\"username\":\"jo.e\"}\n";
    let request = management.request(Method::POST, "/api/users/import").header("content-type", "application/jsonl");
    let told = request.body(lines).send().await.unwrap().text().await.unwrap();
    assert!(told.contains("\"line\":1,\"code\":\"user.username_already_in_use\""), "{told}");
    assert!(told.contains("\"line\":3,\"code\":\"guard.invalid_input\""), "{told}");
    assert!(told.contains("\"created\":1,\"failed\":2"), "{told}");
    let csv = "username,name\njill@corp.example,=1+1\n";
    let request = management.request(Method::POST, "/api/users/import").header("content-type", "text/csv");
    let told = request.body(csv).send().await.unwrap().text().await.unwrap();
    assert!(told.contains("\"created\":1,\"failed\":0"), "{told}");
});

both!(an_address_takes_precedence_over_a_name_like_it, async |mailed: Mailed| {
    const NAME: &str = "jane@corp.example";
    let Mailed { server, inbox } = mailed;
    allow(&server, &["at"]).await;
    let by_name = json!({ "identifier": "username", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    settings(&server, json!({ "signIn": { "methods": [by_name] } })).await;
    let named = create(&server, NAME).await.expect(200).text("id");
    // By user names alone, then in the field of addresses as well.
    assert_eq!(sign_in(&server, "username", NAME).await, [named.as_str()]);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let off = browser.post("/verification/password", credentials("email", NAME, PASSWORD)).await;
    off.expect_api_error(422, "user.sign_in_method_not_enabled");
    take_codes(&server).await;
    for kind in ["username", "email"] {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let verified = browser.post("/verification/password", credentials(kind, NAME, PASSWORD)).await.expect(200);
        browser.identify(&verified).await.expect(204);
        assert_eq!(browser.state().await["userId"], json!(named), "{kind}");
    }
    // A name is no address: nothing is sent to it for its user, and nobody who has none is found by it.
    let sent = browser.ask("email", NAME, "SignIn").await.expect(200);
    let code = inbox.code(NAME, 1).await;
    browser.type_code("email", NAME, &sent, &code).await.expect(200);
    browser.identify(&sent).await.expect_api_error(404, "user.user_not_exist");
    // Then somebody proves that it is theirs.
    browser.switch("Register").await.expect(204);
    browser.identify(&sent).await.expect(201);
    browser.submit().await.expect(200);
    let owner = sessions_of(&server, &browser).await.remove(0);
    assert_ne!(owner, named);
    let management = server.management().await;
    let path = format!("/api/users/{owner}/password");
    management.patch(&path, json!({ "password": "another good password" })).await.expect(200);
    for kind in ["username", "email"] {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        browser.post("/verification/password", credentials(kind, NAME, PASSWORD)).await.expect_api_error(422, WRONG);
        let theirs = credentials(kind, NAME, "another good password");
        let verified = browser.post("/verification/password", theirs).await.expect(200);
        browser.identify(&verified).await.expect(204);
        browser.submit().await.expect(200);
        assert_eq!(sessions_of(&server, &browser).await, [owner.as_str()], "{kind}");
    }
    // Also where addresses do not sign in: whose name it was does not get in, and nobody learns why.
    settings(&server, json!({ "signIn": { "methods": [by_name] } })).await;
    for password in [PASSWORD, "another good password"] {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        browser.verify(NAME, password).await.expect_api_error(422, WRONG);
    }
    // The name stays with its user, who can be changed beside it.
    let body = json!({ "primaryPhone": "4915112345678" });
    management.patch(&format!("/api/users/{named}"), body).await.expect(200);
});

both!(a_name_and_an_address_are_guessed_together, async |server: TestServer| {
    const NAME: &str = "jane@corp.example";
    allow(&server, &["at"]).await;
    take_codes(&server).await;
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 4 } })).await;
    create(&server, NAME).await.expect(200);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    for (kind, status, code) in
        [("username", 422, WRONG), ("email", 422, WRONG), ("username", 422, WRONG), ("email", 400, BLOCKED)]
    {
        let guess = credentials(kind, NAME, "a wrong password");
        browser.post("/verification/password", guess).await.expect_api_error(status, code);
    }
    for kind in ["username", "email"] {
        let right = credentials(kind, NAME, PASSWORD);
        browser.post("/verification/password", right).await.expect_api_error(400, BLOCKED);
    }
    let body = json!({ "targetType": "User", "targets": [NAME] });
    server.management().await.post("/api/sentinel-activities/delete", body).await.expect(204);
    browser.verify(NAME, PASSWORD).await.expect(200);
});

both!(a_name_of_a_companys_domain_is_its_address, async |home: Arc<Home>| {
    const NAME: &str = "jane@corp.example";
    let server = crate::elsewhere::server(&home).await;
    let upstream = Upstream::start(false).await;
    allow(&server, &["at"]).await;
    create(&server, NAME).await.expect(200);
    let company = json!({ "providerName": "OIDC", "connectorName": "Corp", "domains": ["corp.example"],
        "config": upstream.config() });
    server.management().await.post("/api/sso-connectors", company).await.expect(200);
    settings(&server, json!({ "singleSignOnEnabled": true })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.verify(NAME, PASSWORD).await.expect(200);
    browser.identify(&verified).await.expect_api_error(422, "session.sso_enabled");
    settings(&server, json!({ "singleSignOnEnabled": false })).await;
    browser.identify(&verified).await.expect(204);
});
