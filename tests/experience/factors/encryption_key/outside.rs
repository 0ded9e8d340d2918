//! What a browser or a backend holds across a rotation of the encryption key, and no table does: forms, cookies, captcha
//! puzzles, and links that are under way.

use super::{KEY, NEW, OLD, PREVIOUS, rekey, start};
use crate::browser::{Browser, PASSWORD, settings, user, user_with_email};
use crate::elsewhere::connector;
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{
    Answer, Browser as Pages, CONSOLE_PASSWORD, Home, TestServer, Upstream, both, parameters, solve_puzzle,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The cookie of a session at the console, over http.
const CONSOLE: &str = "claimsmith-console";
/// The cookie of a sign-in at the console that is under way.
const CONSOLE_SIGN_IN: &str = "claimsmith-console-sign-in";
const NEW_USER: &str = "/console/users/create";
const ADA: &str = "ada@example.com";
/// Where a backend has its users come back to.
const BACK: &str = "https://app.example.com/linked";

/// Rotates the key by the documented steps, for one node: the previous key is kept.
async fn rotate(home: &Arc<Home>, server: TestServer) -> TestServer {
    server.stop().await;
    let keys = [(KEY, NEW), (PREVIOUS, OLD)];
    let server = start(home, &keys).await;
    rekey(home, &keys).await;
    server
}

/// The last step: the previous key is gone.
async fn forget_the_old_key(home: &Arc<Home>, server: TestServer) -> TestServer {
    server.stop().await;
    start(home, &[(KEY, NEW)]).await
}

/// Sends the console's form of a new user.
async fn create(browser: &Pages, form: &Answer, username: &str) -> Answer {
    browser.fill_in(form, NEW_USER, &[("username", username), ("way", "none")]).await
}

async fn is_there(server: &TestServer, username: &str) -> bool {
    let path = format!("/api/users?search.username={username}&mode=exact");
    server.management().await.get(&path).await.expect(200).body != json!([])
}

both!(open_forms_of_the_console_outlive_a_rotation, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    server.operator("root", &[Admin]).await;
    let (browser, leaving) = (server.at_console("root").await, server.at_console("root").await);
    let form = browser.visit(NEW_USER).await.expect(200);
    let home_page = leaving.visit("/console").await.expect(200);
    let account = browser.visit("/account").await.expect(200);

    let server = rotate(&home, server).await;
    let (browser, leaving) = (browser.at(&server), leaving.at(&server));
    let renewed = browser.visit(NEW_USER).await.expect(200);
    assert_ne!(renewed.hidden("csrf"), form.hidden("csrf"), "a new form is under the new key");
    for (form, username) in [(&form, "grace"), (&renewed, "lin")] {
        create(&browser, form, username).await.expect(303);
        assert!(is_there(&server, username).await, "{username}");
    }
    // Buttons of the door have a check of their own.
    leaving.fill_in(&home_page, "/console/sign-out", &[]).await.expect(303);
    assert_eq!(leaving.cookie(CONSOLE), None);

    let server = forget_the_old_key(&home, server).await;
    let browser = browser.at(&server);
    let refused = create(&browser, &form, "kim").await.expect(403);
    assert!(refused.html().contains("name=\"username\" value=\"kim\""), "what was entered is kept: {}", refused.body);
    assert!(!is_there(&server, "kim").await);
    create(&browser, &renewed, "kim").await.expect(303);
    // The token of forms at the account is made of the cookie alone.
    assert!(!account.hidden("csrf").is_empty());
    assert_eq!(browser.visit("/account").await.expect(200).hidden("csrf"), account.hidden("csrf"));
});

both!(sessions_outlive_a_rotation_and_the_old_key, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    server.operator("root", &[Admin]).await;
    user(&server, "ada").await;
    let administrator = server.at_console("root").await;
    let (customer, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let mut signing_in = Browser::new(&server).await;
    signing_in.identified("ada").await;

    let mut server = rotate(&home, server).await;
    for is_kept in [true, false] {
        administrator.at(&server).visit("/console/users").await.expect(200);
        customer.at(&server).visit("/account").await.expect(200);
        signing_in.go_to(&server);
        signing_in.state().await;
        if is_kept {
            server = forget_the_old_key(&home, server).await;
        }
    }
    signing_in.submit().await.expect(200);
});

both!(a_form_of_an_ended_session_is_kept_while_the_old_key_is, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    server.operator("root", &[Admin]).await;
    let browser = server.at_console("root").await;

    let mut server = rotate(&home, server).await;
    for is_kept in [true, false] {
        server.clock.advance(Duration::from_mins(31));
        let fields = [("csrf", "of before"), ("username", "grace")];
        let ended = browser.at(&server).submit(NEW_USER, &fields).await.expect(401);
        assert!(ended.html().contains("Your session has ended"), "{}", ended.body);
        assert_eq!(ended.html().contains("name=\"username\" value=\"grace\""), is_kept, "{}", ended.body);
        if is_kept {
            server = forget_the_old_key(&home, server).await;
        }
    }
});

/// Signs in for the console, up to the answer for it, which is not opened; answers its address.
async fn up_to_callback(browser: &Pages) -> String {
    let page = browser.follow(browser.visit("/console").await).await.expect(200);
    let fields = [("identifier", "root"), ("password", CONSOLE_PASSWORD)];
    let mut answer = browser.fill_in(&page, "/sign-in", &fields).await.expect(303);
    while !answer.header("location").unwrap().contains("/console/callback?") {
        answer = browser.visit(answer.header("location").unwrap()).await.expect(303);
    }
    answer.header("location").unwrap().to_owned()
}

both!(sign_ins_at_the_console_outlive_a_rotation_while_the_old_key_is_kept, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    server.operator("root", &[Admin]).await;
    let (begun, back, late) = (Pages::new(&server), Pages::new(&server), Pages::new(&server));
    let page = begun.follow(begun.visit("/console").await).await.expect(200);
    let callback = up_to_callback(&back).await;
    let too_late = up_to_callback(&late).await;

    let server = rotate(&home, server).await;
    // One has yet to enter the password, the other has only to come back.
    let begun = begun.at(&server);
    let fields = [("identifier", "root"), ("password", CONSOLE_PASSWORD)];
    let signed_in = begun.follow(begun.fill_in(&page, "/sign-in", &fields).await).await.expect(200);
    assert!(signed_in.html().contains("<small>Administrator</small>"), "{}", signed_in.body);
    let back = back.at(&server);
    back.follow(back.visit(&callback).await).await.expect(200);
    for browser in [&begun, &back] {
        assert!(browser.cookie(CONSOLE).is_some());
        assert_eq!(browser.cookie(CONSOLE_SIGN_IN), None, "it is used up");
    }

    let server = forget_the_old_key(&home, server).await;
    let late = late.at(&server);
    let refused = late.visit(&too_late).await.expect(400);
    assert!(refused.html().contains("Please sign in once more"), "{}", refused.body);
    late.follow(late.visit("/console").await).await.expect(200);
    assert!(late.cookie(CONSOLE).is_some(), "the next one works");
});

both!(captcha_puzzles_outlive_a_rotation_while_the_old_key_is_kept, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    user(&server, "ada").await;
    let provider = json!({ "config": { "type": "ProofOfWork", "difficulty": 8 } });
    server.management().await.put("/api/captcha-provider", provider).await.expect(200);
    settings(&server, json!({ "captchaPolicy": { "enabled": true } })).await;
    let puzzle = async |browser: &mut Browser| browser.post("/preflight/captcha", Value::Null).await.expect(200);
    let (mut solving, mut late) = (Browser::new(&server).await, Browser::new(&server).await);
    let (given, given_late) = (puzzle(&mut solving).await, puzzle(&mut late).await);

    let begin = async |browser: &mut Browser, puzzle: &Answer| {
        let body = json!({ "interactionEvent": "SignIn", "captchaToken": solve_puzzle(puzzle) });
        browser.send(Method::PUT, "", body).await
    };
    let server = rotate(&home, server).await;
    solving.go_to(&server);
    begin(&mut solving, &given).await.expect(204);
    begin(&mut solving, &given).await.expect_api_error(422, "session.captcha_failed");

    let server = forget_the_old_key(&home, server).await;
    // The answer stays accepted, and used.
    solving.go_to(&server);
    let verified = solving.verify("ada", PASSWORD).await.expect(200);
    solving.identify(&verified).await.expect(204);
    solving.submit().await.expect(200);
    late.go_to(&server);
    begin(&mut late, &given_late).await.expect_api_error(422, "session.captcha_failed");
    let renewed = puzzle(&mut late).await;
    begin(&mut late, &renewed).await.expect(204);
});

both!(a_backend_that_links_an_account_begins_again, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada-at-work" }));
    let social = connector(&server, &upstream, "work").await;
    let ada = user(&server, "ada").await;
    let (begin, finish) =
        (format!("/api/connectors/{social}/authorization-uri"), format!("/api/users/{ada}/identities"));
    let attempt = json!({ "state": "of the backend", "redirectUri": BACK });
    let away = server.management().await.post(&begin, attempt.clone()).await.expect(200).text("redirectTo");
    let brought = |away: &str| {
        let code = upstream.let_in(away);
        let data = json!({ "code": code, "state": "of the backend", "redirectUri": BACK });
        json!({ "connectorId": social, "connectorData": data })
    };

    let server = rotate(&home, server).await;
    let management = server.management().await;
    // The code verifier is derived from the current key, and a code can be tried once: the old key cannot help.
    let refused = management.post(&finish, brought(&away)).await;
    assert_eq!(refused.status, 401, "{:#}", refused.body);
    assert_eq!(management.get(&format!("/api/users/{ada}")).await.expect(200)["identities"], json!({}));
    let again = management.post(&begin, attempt).await.expect(200).text("redirectTo");
    assert_ne!(parameters(&again)["code_challenge"], parameters(&away)["code_challenge"]);
    let linked = management.post(&finish, brought(&again)).await.expect(200);
    assert_eq!(linked["work"]["userId"], "ada-at-work");
});

both!(one_time_tokens_outlive_a_rotation_and_the_old_key, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    user_with_email(&server, ADA).await;
    let made = server.management().await.post("/api/one-time-tokens", json!({ "email": ADA })).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);

    let server = rotate(&home, server).await;
    let server = forget_the_old_key(&home, server).await;
    browser.go_to(&server);
    let body = json!({ "identifier": { "type": "email", "value": ADA }, "token": made.text("token") });
    let verified = browser.post("/verification/one-time-token/verify", body).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
});
