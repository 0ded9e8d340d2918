//! Captcha: nobody guesses passwords, is sent codes, registers or signs in without an answer, and each answer is for one
//! interaction, one time and some minutes.

use crate::browser::{Browser, PASSWORD, settings, take_codes, user, user_with_email};
use claimsmith_storage::audit;
use claimsmith_test_support::{Answer, Mailed, TestServer, both, solve_puzzle};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const PROVIDER: &str = "/api/captcha-provider";
const KEY: &str = "Interaction.Create.Captcha";

/// Has the server ask, with this configuration.
async fn ask_with(server: &TestServer, config: Value) {
    server.management().await.put(PROVIDER, json!({ "config": config })).await.expect(200);
    settings(server, json!({ "captchaPolicy": { "enabled": true } })).await;
}

/// Has the server ask easy puzzles.
async fn ask(server: &TestServer) {
    ask_with(server, json!({ "type": "ProofOfWork", "difficulty": 8 })).await;
}

both!(a_puzzle_is_as_hard_as_the_settings_say, async |server: TestServer| {
    for difficulty in [8, 11] {
        ask_with(&server, json!({ "type": "ProofOfWork", "difficulty": difficulty })).await;
        let mut browser = Browser::new(&server).await;
        let puzzle = browser.post("/preflight/captcha", Value::Null).await.expect(200);
        assert_eq!(puzzle["difficulty"], difficulty);
    }
});

/// Asks for a puzzle, and solves it.
async fn solved(browser: &mut Browser) -> String {
    solve_puzzle(&browser.post("/preflight/captcha", Value::Null).await.expect(200))
}

/// Begins with an answer.
async fn start(browser: &mut Browser, event: &str, answer: &str) -> Answer {
    browser.send(Method::PUT, "", json!({ "interactionEvent": event, "captchaToken": answer })).await
}

fn is_asked(answer: &Answer) {
    answer.expect_api_error(422, "session.captcha_required");
}

both!(who_answers_signs_in_and_nobody_else, async |server: TestServer| {
    user(&server, "ada").await;
    ask(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    is_asked(&browser.verify("ada", PASSWORD).await);
    is_asked(&browser.submit().await);
    assert_eq!(browser.state().await["captcha"], json!({ "verified": false, "skipped": false }));

    let answer = solved(&mut browser).await;
    start(&mut browser, "SignIn", &answer).await.expect(204);
    assert_eq!(browser.state().await["captcha"], json!({ "verified": true, "skipped": false }));
    let verified = browser.verify("ada", PASSWORD).await.expect(200);
    // Each works once.
    start(&mut browser, "SignIn", &answer).await.expect_api_error(422, "session.captcha_failed");
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);

    let logs = audit::list_by_key(&mut server.begin().await, KEY, 10).await.unwrap();
    assert!(logs.iter().any(|log| log.payload["interactionId"] == browser.interaction_id.as_str()), "{logs:?}");
});

both!(who_begins_anew_answers_anew, async |server: TestServer| {
    user(&server, "ada").await;
    ask(&server).await;
    let mut browser = Browser::new(&server).await;
    let answer = solved(&mut browser).await;
    start(&mut browser, "SignIn", &answer).await.expect(204);
    browser.start("SignIn").await.expect(204);
    is_asked(&browser.verify("ada", PASSWORD).await);
    let answer = solved(&mut browser).await;
    start(&mut browser, "SignIn", &answer).await.expect(204);
    // Going on as something else is no new begin.
    browser.switch("Register").await.expect(204);
    let chosen = browser.choose("grace", PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
});

both!(wrong_answers_are_refused, async |server: TestServer| {
    user(&server, "ada").await;
    ask(&server).await;
    let (mut browser, mut other) = (Browser::new(&server).await, Browser::new(&server).await);
    let of_another = solved(&mut other).await;
    let good = solved(&mut browser).await;
    let easier = good.replacen("8.", "0.", 1);
    let unsolved = good.rsplit_once('.').unwrap().0.to_owned();
    let long = "9".repeat(8192);
    for wrong in [of_another.as_str(), &easier, &unsolved, "nonsense", "....", "", &long] {
        start(&mut browser, "SignIn", wrong).await.expect_api_error(422, "session.captcha_failed");
    }
    start(&mut browser, "SignIn", &"9".repeat(8193)).await.expect_api_error(400, "guard.invalid_input");
    server.clock.advance(Duration::from_mins(5));
    start(&mut browser, "SignIn", &good).await.expect_api_error(422, "session.captcha_failed");
    let good = solved(&mut browser).await;
    start(&mut browser, "SignIn", &good).await.expect(204);
});

both!(of_two_begins_with_one_answer_at_once_one_counts, async |server: TestServer| {
    ask(&server).await;
    let mut browser = Browser::new(&server).await;
    let answer = solved(&mut browser).await;
    let mut same = browser.clone();
    let (one, two) = tokio::join!(start(&mut browser, "SignIn", &answer), start(&mut same, "SignIn", &answer));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert!(statuses == [204, 409] || statuses == [204, 422], "{statuses:?}");
});

both!(codes_and_registrations_need_an_answer, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    user_with_email(&server, "ada@example.com").await;
    ask(&server).await;
    let mut browser = Browser::new(&server).await;
    for event in ["SignIn", "Register", "ForgotPassword"] {
        browser.start(event).await.expect(204);
        is_asked(&browser.ask("email", "ada@example.com", event).await);
    }
    assert_eq!(inbox.count(), 0);
    browser.start("Register").await.expect(204);
    // Before the password is hashed.
    is_asked(&browser.choose("grace", PASSWORD).await);
    is_asked(&browser.post("/identification", json!({})).await);

    let answer = solved(&mut browser).await;
    start(&mut browser, "ForgotPassword", &answer).await.expect(204);
    let verified = browser.prove(&inbox, "ada@example.com", "ForgotPassword", 1).await;
    browser.identify(&verified).await.expect(204);
    let chosen = json!({ "password": "another good password" });
    browser.send(Method::PUT, "/profile/password", chosen).await.expect(204);
    browser.submit().await.expect(200);
    // The answer stays used.
    start(&mut browser, "SignIn", &answer).await.expect_api_error(422, "session.captcha_failed");
});

both!(who_comes_by_a_link_is_not_asked, async |server: TestServer| {
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    user_with_email(&server, "ada@example.com").await;
    ask(&server).await;
    let link = json!({ "email": "ada@example.com" });
    let made = server.management().await.post("/api/one-time-tokens", link).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let body = json!({ "identifier": { "type": "email", "value": "ada@example.com" }, "token": made.text("token") });
    let verified = browser.post("/verification/one-time-token/verify", body).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
});

both!(without_a_policy_or_a_provider_nobody_is_asked, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    let nothing = browser.post("/preflight/captcha", Value::Null).await;
    nothing.expect_api_error(404, "session.captcha_not_found");
    // A policy alone asks nobody, and neither does a provider; answers are passed over.
    settings(&server, json!({ "captchaPolicy": { "enabled": true } })).await;
    Browser::new(&server).await.sign_in("ada").await;
    ask(&server).await;
    settings(&server, json!({ "captchaPolicy": { "enabled": false } })).await;
    start(&mut browser, "SignIn", "nonsense").await.expect(204);
    browser.verify("ada", PASSWORD).await.expect(200);
    // Somebody else asks: there is no puzzle, and without an answer nobody signs in.
    ask_with(&server, json!({ "type": "Turnstile", "siteKey": "site", "secretKey": "secret" })).await;
    let mut browser = Browser::new(&server).await;
    let nothing = browser.post("/preflight/captcha", Value::Null).await;
    nothing.expect_api_error(404, "session.captcha_not_found");
    browser.start("SignIn").await.expect(204);
    is_asked(&browser.verify("ada", PASSWORD).await);
    server.management().await.delete(PROVIDER).await.expect(204);
    browser.verify("ada", PASSWORD).await.expect(200);
});
