//! Codes that are guessed, replayed, or used elsewhere and for something else.

use crate::browser::{Browser, PASSWORD, settings, take_codes, user_with_email};
use claimsmith_test_support::{Answer, Fixture, Home, Inbox, Kind, Mailed, Received, Receiver, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const ADA: &str = "ada@example.com";
const GRACE: &str = "grace@example.com";
const BLOCKED: &str = "session.verification_blocked_too_many_attempts";
const MISMATCH: &str = "verification_code.code_mismatch";

/// Another code than this one.
fn wrong(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

/// A server that takes codes, with a user.
struct Ready {
    server: TestServer,
    inbox: Inbox,
}

impl Ready {
    async fn of(mailed: Mailed) -> Self {
        let Mailed { server, inbox } = mailed;
        take_codes(&server).await;
        user_with_email(&server, ADA).await;
        Self { server, inbox }
    }
}

impl Fixture for Ready {
    async fn given(kind: Kind) -> Self {
        Self::of(Mailed::given(kind).await).await
    }
}

/// A browser that has asked for a code.
async fn asked(server: &TestServer, inbox: &Inbox, number: usize) -> (Browser, Answer, String) {
    let mut browser = Browser::new(server).await;
    browser.start("SignIn").await.expect(204);
    let sent = browser.ask("email", ADA, "SignIn").await.expect(200);
    let code = inbox.code(ADA, number).await;
    (browser, sent, code)
}

both!(a_code_works_once, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (mut browser, sent, code) = asked(&server, &inbox, 1).await;
    browser.type_code("email", ADA, &sent, &code).await.expect(200);
    let replayed = browser.type_code("email", ADA, &sent, &code).await;
    replayed.expect_api_error(400, "verification_code.not_found");
    browser.identify(&sent).await.expect(204);
    browser.submit().await.expect(200);
    // What was proved is over with the interaction.
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    browser.identify(&sent).await.expect_api_error(404, "session.verification_session_not_found");
});

both!(a_code_is_of_the_interaction_that_asked, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (mut browser, sent, code) = asked(&server, &inbox, 1).await;
    let (mut other, others, others_code) = asked(&server, &inbox, 2).await;
    let foreign = other.type_code("email", ADA, &sent, &code).await;
    foreign.expect_api_error(404, "session.verification_session_not_found");
    if code != others_code {
        other.type_code("email", ADA, &others, &code).await.expect_api_error(400, MISMATCH);
    }
    // Begun anew, it is another interaction.
    browser.start("SignIn").await.expect(204);
    browser.type_code("email", ADA, &sent, &code).await.expect_api_error(404, "session.verification_session_not_found");
    other.type_code("email", ADA, &others, &others_code).await.expect(200);
});

both!(a_code_that_somebody_else_asked_for_takes_nobodys_place, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (mut browser, sent, code) = asked(&server, &inbox, 1).await;
    let (mut other, others, others_code) = asked(&server, &inbox, 2).await;
    // It is for the same address, and newer, and yet none of this browser's.
    if code != others_code {
        browser.type_code("email", ADA, &sent, &others_code).await.expect_api_error(400, MISMATCH);
    }
    browser.type_code("email", ADA, &sent, &code).await.expect(200);
    other.type_code("email", ADA, &others, &others_code).await.expect(200);
});

both!(a_code_is_for_one_address_and_one_purpose, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    user_with_email(&server, GRACE).await;
    let (mut browser, sent, code) = asked(&server, &inbox, 1).await;
    let other = browser.type_code("email", GRACE, &sent, &code).await;
    other.expect_api_error(400, "verification_code.email_mismatch");
    let phone = browser.type_code("phone", "4915112345678", &sent, &code).await;
    phone.expect_api_error(400, "verification_code.phone_mismatch");
    browser.type_code("email", ADA, &sent, &code).await.expect(200);
    // Whoever proved an address to sign in proved nothing about a forgotten password, and the other way round.
    browser.switch("ForgotPassword").await.expect_api_error(400, "session.not_supported_for_forgot_password");
    let reset = json!({ "password": "another good password" });
    let refused = browser.send(Method::PUT, "/profile/password", reset).await;
    refused.expect_api_error(400, "session.invalid_interaction_type");

    let mut forgot = Browser::new(&server).await;
    forgot.start("ForgotPassword").await.expect(204);
    let verified = forgot.prove(&inbox, ADA, "ForgotPassword", 2).await;
    forgot.switch("SignIn").await.expect_api_error(400, "session.not_supported_for_forgot_password");
    forgot.identify(&verified).await.expect(204);
    forgot.submit().await.expect_api_error(422, "user.new_password_required_in_profile");
    forgot
        .post("/profile", json!({ "type": "username", "value": "ada" }))
        .await
        .expect_api_error(400, "session.not_supported_for_forgot_password");
    assert_eq!(forgot.session, None);
});

both!(the_same_code_twice_at_once_works_once, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (browser, sent, code) = asked(&server, &inbox, 1).await;
    let mut guesses = JoinSet::new();
    for _ in 0..8 {
        let (mut browser, sent, code) = (browser.clone(), sent.clone(), code.clone());
        guesses.spawn(async move { browser.type_code("email", ADA, &sent, &code).await });
    }
    let mut statuses: Vec<u16> = guesses.join_all().await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert!(statuses[1..].iter().all(|status| [400, 409].contains(status)), "{statuses:?}");
});

both!(guesses_at_once_do_not_pass_the_limit_of_a_code, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 1000 } })).await;
    let (browser, sent, code) = asked(&server, &inbox, 1).await;
    let mut guesses = JoinSet::new();
    for _ in 0..20 {
        let (mut browser, sent, code) = (browser.clone(), sent.clone(), wrong(&code));
        guesses.spawn(async move { browser.type_code("email", ADA, &sent, code).await.text("code") });
    }
    let mut codes = BTreeMap::new();
    for refusal in guesses.join_all().await {
        *codes.entry(refusal).or_insert(0) += 1;
    }
    let expected = [(MISMATCH.to_owned(), 10), ("verification_code.exceed_max_try".to_owned(), 10)];
    assert_eq!(codes, BTreeMap::from(expected));
});

both!(wrong_codes_and_wrong_passwords_are_counted_together, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (mut browser, sent, code) = asked(&server, &inbox, 1).await;
    let by_password = |password: &str| crate::browser::credentials("email", ADA, password);
    for _ in 0..4 {
        browser.type_code("email", ADA, &sent, wrong(&code)).await.expect_api_error(400, MISMATCH);
        let refused = browser.post("/verification/password", by_password("a wrong password")).await;
        refused.expect_api_error(422, "session.invalid_credentials");
    }
    let refused = browser.post("/verification/password", by_password("a wrong password")).await;
    refused.expect_api_error(422, "session.invalid_credentials");
    // The code that reaches the limit is answered by the lock.
    browser.type_code("email", ADA, &sent, wrong(&code)).await.expect_api_error(400, BLOCKED);
    browser.type_code("email", ADA, &sent, &code).await.expect_api_error(400, BLOCKED);
    browser.post("/verification/password", by_password(PASSWORD)).await.expect_api_error(400, BLOCKED);
});

both!(a_thousand_guesses_from_a_hundred_addresses_are_stopped, async |home: Arc<Home>| {
    let mailed = Mailed::start(&home, &[("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1")]).await;
    let Ready { server, inbox } = Ready::of(mailed).await;
    let mut judged = BTreeMap::new();
    for address in 0..100 {
        let mut browser = Browser::new(&server).await;
        browser.from = Some(format!("203.0.113.{address}"));
        browser.start("SignIn").await.expect(204);
        let sent = browser.ask("email", ADA, "SignIn").await;
        if sent.status == 429 {
            // Not even a code is sent to be guessed.
            *judged.entry("request.message_rate_limited".to_owned()).or_insert(0) += 10;
            continue;
        }
        for guess in 0..10 {
            let answer = browser.type_code("email", ADA, &sent, &format!("{guess:06}")).await;
            *judged.entry(answer.text("code")).or_insert(0) += 1;
        }
    }
    let compared = judged.get(MISMATCH).copied().unwrap_or_default();
    assert!(compared <= 10 && judged.values().sum::<i32>() == 1000, "{judged:?}");
    assert!(inbox.messages(ADA).len() <= 10);
});

both!(an_address_that_was_not_proved_never_becomes_primary, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let sent = browser.ask("email", ADA, "Register").await.expect(200);
    inbox.code(ADA, 1).await;
    browser.identify(&sent).await.expect_api_error(400, "session.verification_failed");
    let staged = json!({ "type": "email", "verificationId": sent["verificationId"] });
    browser.post("/profile", staged).await.expect_api_error(400, "session.verification_failed");
    for body in [json!({ "type": "email", "value": ADA }), json!({ "type": "phone", "value": "4915112345678" })] {
        browser.post("/profile", body).await.expect_api_error(400, "guard.invalid_input");
    }
    browser.post("/identification", json!({})).await.expect_api_error(422, "user.missing_profile");
    // A code that came for a forgotten password adds nothing.
    user_with_email(&server, GRACE).await;
    let found = server.management().await.get("/api/users?search.primaryEmail=ada@example.com").await.expect(200);
    assert_eq!(found.body, json!([]));
});

both!(a_code_that_was_used_is_not_sent_any_more, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (mut browser, sent, code) = asked(&server, &inbox, 1).await;
    server.put_off(ADA).await;
    browser.type_code("email", ADA, &sent, &code).await.expect(200);
    assert_eq!(server.withdrawn(ADA).await, 1);
});

both!(a_code_that_is_sent_again_replaces_the_former, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    let (mut browser, first, former) = asked(&server, &inbox, 1).await;
    let second = browser.ask("email", ADA, "SignIn").await.expect(200);
    let code = inbox.code(ADA, 2).await;
    let refused = browser.type_code("email", ADA, &first, &former).await;
    refused.expect_api_error(404, "session.verification_session_not_found");
    if former != code {
        browser.type_code("email", ADA, &second, &former).await.expect_api_error(400, MISMATCH);
    }
    browser.type_code("email", ADA, &second, &code).await.expect(200);
});

both!(codes_do_not_tell_who_has_an_account, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    settings(&server, json!({ "signInMode": "SignIn" })).await;
    for event in ["SignIn", "ForgotPassword"] {
        let mut told = Vec::new();
        for email in [ADA, "nobody@example.com"] {
            let mut browser = Browser::new(&server).await;
            browser.start(event).await.expect(204);
            let sent = browser.ask("email", email, event).await.expect(200);
            assert_eq!(sent.text("verificationId").len(), 21);
            let mut state = browser.state().await;
            state["verificationRecords"][0]["id"] = Value::Null;
            state["verificationRecords"][0]["identifier"]["value"] = Value::Null;
            let refused = browser.type_code("email", email, &sent, "12345x").await;
            refused.expect_api_error(400, MISMATCH);
            browser.identify(&sent).await.expect_api_error(400, "session.verification_failed");
            told.push((state, refused.body));
        }
        assert_eq!(told[0], told[1], "{event}");
    }
    // The limit of messages counts both.
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    for email in [ADA, "nobody@example.com"] {
        for _ in 0..8 {
            browser.ask("email", email, "SignIn").await.expect(200);
        }
        browser.ask("email", email, "SignIn").await.expect_api_error(429, "request.message_rate_limited");
    }
    inbox.message(ADA, 2).await;
    assert_eq!(inbox.messages("nobody@example.com"), [Value::Null; 0]);
});

both!(a_code_goes_to_the_address_of_the_account_alone, async |ready: Ready| {
    let Ready { server, inbox } = ready;
    user_with_email(&server, "mike@example.com").await;
    // The Kelvin sign, whose small letter is a k: it may be another mailbox elsewhere.
    let mut browser = Browser::new(&server).await;
    browser.start("ForgotPassword").await.expect(204);
    browser.ask("email", "mi\u{212a}e@example.com", "ForgotPassword").await.expect(200);
    inbox.message("mike@example.com", 1).await;
    assert_eq!(inbox.count(), 1);
});

both!(text_messages_that_are_written_are_limited_in_all, async |home: Arc<Home>| {
    let Mailed { server, inbox } = Mailed::start(&home, &[("CLAIMSMITH_MAX_TEXTS_PER_HOUR", "4")]).await;
    take_codes(&server).await;
    settings(&server, json!({ "signInMode": "SignIn" })).await;
    user_with_email(&server, ADA).await;
    let number = |last: usize| format!("491511234567{last}");
    for (last, name) in ["zoe", "una", "dan", "eve", "fay"].into_iter().enumerate() {
        let body = json!({ "username": name, "primaryPhone": number(last), "password": PASSWORD });
        server.management().await.post("/api/users", body).await.expect(200);
    }
    let mut hers = Browser::new(&server).await;
    hers.sign_in("eve").await;
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["Message.RateLimited"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    // What nobody is sent costs nothing but the place of its address.
    for last in 10..50 {
        browser.ask("phone", &format!("49151123456{last}"), "SignIn").await.expect(200);
    }
    for last in 0..3 {
        browser.ask("phone", &number(last), "SignIn").await.expect(200);
    }
    // One of four is reserved. Whether anybody has the number does not show.
    for number in [number(3), number(4), "4915112345699".to_owned()] {
        let refused = browser.ask("phone", &number, "SignIn").await;
        refused.expect_api_error(429, "request.message_rate_limited");
    }
    // It is for browsers in which their user has signed in before.
    hers.authorize(&server).await;
    hers.start("SignIn").await.expect(204);
    hers.ask("phone", &number(4), "SignIn").await.expect_api_error(429, "request.message_rate_limited");
    hers.ask("phone", &number(3), "SignIn").await.expect(200);
    inbox.code(&number(3), 1).await;
    hers.ask("phone", &number(3), "SignIn").await.expect_api_error(429, "request.message_rate_limited");
    browser.ask("email", ADA, "SignIn").await.expect(200);
    inbox.code(ADA, 1).await;
    // The first one too many of either is told, and no other. They come in any order.
    let told: Vec<Value> = receiver.wait(2).await.iter().map(Received::json).collect();
    let of = |browser: &Browser| told.iter().find(|event| event["sessionId"] == browser.interaction_id.as_str());
    for (browser, recipient) in [(&browser, number(3)), (&hers, number(3))] {
        let event = of(browser).unwrap();
        assert_eq!(
            (&event["event"], &event["action"], &event["recipient"]),
            (&json!("Message.RateLimited"), &json!("SignIn"), &json!(recipient))
        );
    }
    assert_eq!(receiver.count(), 2);
    server.clock.advance(Duration::from_hours(1));
    let mut later = Browser::new(&server).await;
    later.start("SignIn").await.expect(204);
    later.ask("phone", &number(4), "SignIn").await.expect(200);
});

both!(one_address_asks_for_so_many_codes_only, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    for number in 0..300 {
        let sent = browser.ask("email", &format!("somebody{number}@example.com"), "Register").await;
        assert_eq!(sent.status, 200, "{number}: {}", sent.body);
    }
    browser.ask("email", ADA, "Register").await.expect_api_error(429, "request.message_rate_limited");
    assert_eq!(inbox.messages(ADA), [Value::Null; 0]);
});
