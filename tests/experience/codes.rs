//! Signing in and registering with a code by email or text message.

use crate::browser::{Browser, sessions_of, settings, take_codes, user_with_email};
use crate::factors::amr;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{Home, Mailed, both};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const ADA: &str = "ada@example.com";

both!(a_user_signs_in_with_a_code_by_email, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let id = user_with_email(&server, "Ada@Example.com").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let sent = browser.ask("email", ADA, "SignIn").await.expect(200);
    let verification_id = sent.text("verificationId");
    // It goes to the address as the account has it.
    let message = inbox.message("Ada@Example.com", 1).await;
    assert_eq!(message["type"], "SignIn");
    let code = message["payload"]["code"].as_str().unwrap().to_owned();
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    let typed = json!({ "type": "email", "value": ADA });
    let record = |verified: bool| {
        json!({ "id": verification_id, "type": "EmailVerificationCode", "identifier": typed,
            "templateType": "SignIn", "verified": verified })
    };
    assert_eq!(browser.state().await["verificationRecords"], json!([record(false)]));
    browser.identify(&sent).await.expect_api_error(400, "session.verification_failed");
    // Spaces do not count.
    let verified =
        browser.type_code("email", "ADA@example.com", &sent, &format!(" {} {}", &code[..3], &code[3..])).await;
    assert_eq!(verified.expect(200).text("verificationId"), verification_id);
    assert_eq!(browser.state().await["verificationRecords"], json!([record(true)]));
    browser.identify(&sent).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);

    // Every step is in the log, and no code.
    let logs = server.management().await.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    for key in ["EmailVerificationCode.Create", "EmailVerificationCode.Submit"] {
        assert!(logs.contains(&format!("Interaction.SignIn.Verification.{key}")), "{key}");
    }
    assert!(!logs.contains(&code), "{logs}");
});

both!(a_password_that_was_replaced_is_no_proof, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let id = user_with_email(&server, ADA).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let password = crate::browser::credentials("email", ADA, crate::browser::PASSWORD);
    let typed = browser.post("/verification/password", password).await.expect(200);
    browser.identify(&typed).await.expect(204);
    let code = browser.prove(&inbox, ADA, "SignIn", 1).await;
    browser.identify(&code).await.expect(204);
    let path = format!("/api/users/{id}/password");
    server.management().await.patch(&path, json!({ "password": "another good password" })).await.expect(200);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["otp"]);
});

both!(a_user_signs_in_with_a_code_by_text_message, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let body = json!({ "primaryPhone": "+49 151 12345678" });
    let id = server.management().await.post("/api/users", body).await.expect(200).text("id");
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let sent = browser.ask("phone", "+49 (0)151 12345678", "SignIn").await.expect(200);
    let code = inbox.code("4915112345678", 1).await;
    browser.type_code("phone", "4915112345678", &sent, &code).await.expect(200);
    browser.identify(&sent).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);
    for impossible in ["0", "999123456", "12"] {
        browser.authorize(&server).await;
        browser.start("SignIn").await.expect(204);
        browser.ask("phone", impossible, "SignIn").await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(somebody_registers_with_a_proved_address, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "Register", 1).await;
    browser.identify(&verified).await.expect(201);
    browser.submit().await.expect(200);
    let found = server.management().await.get("/api/users?search.primaryEmail=ada@example.com").await.expect(200);
    assert_eq!((&found.body[0]["primaryEmail"], &found.body[0]["hasPassword"]), (&json!(ADA), &json!(false)));
    assert_eq!(sessions_of(&server, &browser).await, [found.body[0]["id"].as_str().unwrap()]);
});

both!(whoever_has_no_account_goes_on_and_registers, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "SignIn", 1).await;
    let unknown = browser.identify(&verified).await;
    unknown.expect_api_error(404, "user.user_not_exist");
    assert_eq!(unknown["data"]["identifier"], json!({ "type": "email", "value": ADA }));
    browser.switch("Register").await.expect(204);
    browser.identify(&verified).await.expect(201);
    browser.submit().await.expect(200);
    // Another one finds it taken, and signs in with the same proof.
    let mut again = Browser::new(&server).await;
    again.start("Register").await.expect(204);
    let verified = again.prove(&inbox, ADA, "Register", 2).await;
    again.identify(&verified).await.expect_api_error(422, "user.email_already_in_use");
    again.switch("SignIn").await.expect(204);
    again.identify(&verified).await.expect(204);
    again.submit().await.expect(200);
});

both!(what_else_is_missing_follows_the_address, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let sign_up = json!({ "identifiers": ["email"], "password": true, "verify": true });
    settings(&server, json!({ "signUp": sign_up })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "Register", 1).await;
    let missing = browser.identify(&verified).await;
    missing.expect_api_error(422, "user.missing_profile");
    assert_eq!(missing["data"]["missingProfile"], json!(["password"]));
    assert_eq!(browser.state().await["profile"], json!({ "primaryEmail": ADA }));
    let near = json!({ "type": "password", "value": "ada@example.com" });
    browser.post("/profile", near).await.expect_api_error(422, "password.rejected");
    browser.post("/profile", json!({ "type": "password", "value": crate::browser::PASSWORD })).await.expect(204);
    browser.post("/identification", json!({})).await.expect(201);
    browser.submit().await.expect(200);
});

both!(only_codes_that_are_of_use_are_sent, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    user_with_email(&server, ADA).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    browser.ask("email", ADA, "Register").await.expect_api_error(422, "user.sign_in_method_not_enabled");
    browser.start("SignIn").await.expect(204);
    browser.ask("email", ADA, "ForgotPassword").await.expect_api_error(400, "session.invalid_interaction_type");
    browser.ask("email", "ada", "SignIn").await.expect_api_error(400, "guard.invalid_input");
    browser.ask("username", "ada", "SignIn").await.expect_api_error(400, "guard.invalid_input");
    take_codes(&server).await;
    let blocked = json!({ "blockSubaddressing": true, "customBlocklist": ["@blocked.example"] });
    settings(&server, json!({ "emailBlocklistPolicy": blocked })).await;
    browser.start("Register").await.expect(204);
    for (email, code) in [
        ("ada+shop@example.com", "session.email_blocklist.email_subaddressing_not_allowed"),
        ("ada@Blocked.example", "session.email_blocklist.email_not_allowed"),
    ] {
        browser.ask("email", email, "Register").await.expect_api_error(422, code);
    }
    assert_eq!(inbox.count(), 0);
});

both!(a_code_that_does_not_sign_in_is_refused_when_it_identifies, async |mailed: Mailed| {
    const OFF: &str = "user.sign_in_method_not_enabled";
    let Mailed { server, inbox } = mailed;
    // Names and passwords alone sign in and register.
    user_with_email(&server, ADA).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "SignIn", 1).await;
    let refused = browser.identify(&verified).await;
    refused.expect_api_error(422, OFF);
    assert_eq!(refused["message"], "The settings of sign-in do not accept this method.");
    browser.submit().await.expect_api_error(404, "session.identifier_not_found");
    // Nobody else is sent anything, and the answers are the same.
    let (stranger, number) = ("nobody@example.com", "+49 151 12345678");
    let sent = browser.ask("email", stranger, "SignIn").await.expect(200);
    for code in ["000000", "000001"] {
        let typed = browser.type_code("email", stranger, &sent, code).await;
        typed.expect_api_error(400, "verification_code.code_mismatch");
    }
    browser.ask("phone", number, "SignIn").await.expect(200);
    // Who signs up with anything is not asked for an address, so one is of no use.
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    browser.ask("email", stranger, "SignIn").await.expect(200);
    assert_eq!(inbox.count(), 1);
    // The settings decide when it identifies.
    take_codes(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "SignIn", 2).await;
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
});

both!(where_nothing_sends_there_are_no_codes, async |home: Arc<Home>| {
    // The demo has a mailbox of its own; without it there is nothing.
    let Mailed { server, inbox } = Mailed::start(&home, &[("CLAIMSMITH_DEMO", "false")]).await;
    take_codes(&server).await;
    let (client_id, _) = server.add_application(ApplicationType::Spa).await;
    let management = server.management().await;
    let connectors = management.get("/api/connectors").await.expect(200);
    for connector in connectors.body.as_array().unwrap() {
        management.delete(&format!("/api/connectors/{}", connector["id"].as_str().unwrap())).await.expect(204);
    }
    let mut browser = Browser::of(&server, &client_id).await;
    browser.start("SignIn").await.expect(204);
    for email in [ADA, "nobody@example.com"] {
        browser.ask("email", email, "SignIn").await.expect_api_error(501, "connector.not_found");
    }
    browser.start("ForgotPassword").await.expect(204);
    browser.ask("email", ADA, "ForgotPassword").await.expect_api_error(501, "connector.not_found");
    assert_eq!(inbox.count(), 0);
});

both!(a_code_lives_as_long_as_the_settings_say, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    user_with_email(&server, ADA).await;
    let mut browser = Browser::new(&server).await;
    for (number, seconds, works) in [(1, 599, true), (2, 600, false)] {
        browser.authorize(&server).await;
        browser.start("SignIn").await.expect(204);
        let sent = browser.ask("email", ADA, "SignIn").await.expect(200);
        let code = inbox.code(ADA, number).await;
        server.clock.advance(Duration::from_secs(seconds));
        let typed = browser.type_code("email", ADA, &sent, &code).await;
        if works { drop(typed.expect(200)) } else { typed.expect_api_error(400, "verification_code.expired") }
    }
    settings(&server, json!({ "verificationCodePolicy": { "expirationDuration": 60, "maxRetryAttempts": 2 } })).await;
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    let sent = browser.ask("email", ADA, "SignIn").await.expect(200);
    let code = inbox.code(ADA, 3).await;
    for _ in 0..2 {
        let wrong = if code == "000000" { "000001" } else { "000000" };
        browser.type_code("email", ADA, &sent, wrong).await.expect_api_error(400, "verification_code.code_mismatch");
    }
    browser.type_code("email", ADA, &sent, &code).await.expect_api_error(400, "verification_code.exceed_max_try");
});
