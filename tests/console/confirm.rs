//! Confirming on the page itself: what needs a recent sign-in asks for the password and the second factor, or a
//! passkey, and is carried out at once.

use crate::COOKIE;
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_domain::id::UserId;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Json, audit};
use claimsmith_test_support::{
    Answer, Authenticator, Browser, CONSOLE_PASSWORD, TestServer, both, one_time_password, told,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// An administrator whose sign-in is no longer recent.
pub(crate) async fn stale(server: &TestServer, username: &str) -> (UserId, Browser) {
    let id = server.operator(username, &[Admin]).await;
    let browser = server.at_console(username).await;
    server.clock.advance(Duration::from_mins(11));
    (id, browser)
}

/// The path of the form that deletes a new user of this name, the name, and the user.
pub(crate) async fn victim(server: &TestServer, username: &str) -> (String, UserId) {
    let id = server.operator(username, &[]).await;
    (format!("/console/users/{id}/delete"), id)
}

/// Sends the form that deletes a user.
pub(crate) async fn delete(browser: &Browser, path: &str, username: &str) -> Answer {
    let page = browser.visit(path).await.expect(200);
    browser.fill_in(&page, path, &[("name", username)]).await
}

/// Answers the page that asks, as a browser does: what is sealed comes first.
pub(crate) async fn answer(browser: &Browser, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let (sealed, csrf) = (page.hidden("confirm.form"), page.hidden("csrf"));
    assert!(!sealed.is_empty(), "{}", page.body);
    let own = [("confirm.form", sealed.as_str()), ("csrf", csrf.as_str())];
    browser.submit(path, &own.into_iter().chain(fields.iter().copied()).collect::<Vec<_>>()).await
}

/// Whether a user is there.
pub(crate) async fn is_there(server: &TestServer, id: &UserId) -> bool {
    server.management().await.get(&format!("/api/users/{id}")).await.status == 200
}

/// How often an entry with this key was written.
pub(crate) async fn entries(server: &TestServer, key: &str) -> usize {
    audit::list_by_key(&mut server.begin().await, key, 50).await.unwrap().len()
}

/// Asserts that the page asks for these fields.
fn expect_asked(page: &Answer, password: bool, code: bool, passkey: bool) {
    assert_eq!(page.status, 403, "{}", page.body);
    let html = page.html();
    assert!(html.contains("Confirm it&#39;s you") || html.contains("Confirm it's you"), "{html}");
    assert_eq!(html.contains("name=\"confirm.password\""), password, "{html}");
    assert_eq!(html.contains("name=\"confirm.code\""), code, "{html}");
    assert_eq!(html.contains("data-passkey-options="), passkey, "{html}");
}

both!(a_password_confirms_and_the_form_is_carried_out_at_once, async |server: TestServer| {
    let (ada, browser) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let before = browser.cookie(COOKIE).unwrap();
    let asked = delete(&browser, &path, "bob").await;
    expect_asked(&asked, true, false, false);
    // What was entered is sealed, and nothing but the token and the seal is in the page.
    assert!(!asked.html().contains("name=\"name\""), "{}", asked.body);
    assert!(asked.html().contains(&format!("action=\"{path}\"")), "{}", asked.body);
    assert!(is_there(&server, &bob).await);

    let wrong = answer(&browser, &asked, &path, &[("confirm.password", "wrong")]).await.expect(422);
    assert!(wrong.html().contains("Incorrect password."), "{}", wrong.body);
    assert!(!wrong.html().contains("value=\"wrong\"") && is_there(&server, &bob).await);
    // The page that says so goes on.
    let done = answer(&browser, &wrong, &path, &[("confirm.password", CONSOLE_PASSWORD)]).await.expect(303);
    assert!(done.header("location").unwrap().starts_with("/console/users?"), "{done:?}");
    assert!(!is_there(&server, &bob).await);

    // It counts for the session, which has another cookie, and for ten minutes.
    let after = browser.cookie(COOKIE).unwrap();
    assert_ne!(after, before);
    let thief = Browser::new(&server);
    thief.set_cookie(COOKIE, &before);
    thief.visit("/console").await.expect(303);
    server.clock.advance(Duration::from_mins(9));
    let (path, carol) = victim(&server, "carol").await;
    delete(&browser, &path, "carol").await.expect(303);
    assert!(!is_there(&server, &carol).await);
    server.clock.advance(Duration::from_mins(2));
    let (path, _) = victim(&server, "dan").await;
    expect_asked(&delete(&browser, &path, "dan").await, true, false, false);

    let logs = audit::list_by_key(&mut server.begin().await, "Console.Confirm", 5).await.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["userId"]), (1, &json!(ada)));
    assert!(!logs[0].payload.to_string().contains(CONSOLE_PASSWORD));
});

both!(a_second_factor_is_asked_for_too, async |server: TestServer| {
    let ada = server.operator("ada", &[Admin]).await;
    let (browser, other) = (server.at_console("ada").await, server.at_console("ada").await);
    server.clock.advance(Duration::from_mins(11));
    let factors = format!("/api/users/{ada}/mfa-verifications");
    let management = server.management().await;
    let secret = management.post(&factors, json!({ "type": "Totp" })).await.expect(200).text("secret");
    let made = management.post(&factors, json!({ "type": "BackupCode" })).await.expect(200);
    let backup: Vec<String> = serde_json::from_value(made["codes"].clone()).unwrap();
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&browser, &path, "bob").await;
    expect_asked(&asked, true, true, false);
    let code = one_time_password(&server, &secret);
    let password = ("confirm.password", CONSOLE_PASSWORD);
    for (fields, says) in [
        (vec![password], "Incorrect code."),
        (vec![password, ("confirm.code", "")], "Incorrect code."),
        (vec![password, ("confirm.code", "no-backup-code")], "Incorrect code."),
        // A wrong password uses no code up.
        (vec![("confirm.password", "wrong"), ("confirm.code", &*code)], "Incorrect password."),
        (vec![("confirm.password", "wrong"), ("confirm.code", &*backup[0])], "Incorrect password."),
    ] {
        let refused = answer(&browser, &asked, &path, &fields).await.expect(422);
        assert!(refused.html().contains(says), "{fields:?} {}", refused.body);
    }
    assert!(is_there(&server, &bob).await);
    answer(&browser, &asked, &path, &[password, ("confirm.code", &*code)]).await.expect(303);
    assert!(!is_there(&server, &bob).await);

    // Neither kind of code counts twice, also not in another browser.
    let (path, carol) = victim(&server, "carol").await;
    let asked = delete(&other, &path, "carol").await;
    answer(&other, &asked, &path, &[password, ("confirm.code", &*code)]).await.expect(422);
    assert!(is_there(&server, &carol).await);
    answer(&other, &asked, &path, &[password, ("confirm.code", &*backup[0])]).await.expect(303);
    assert!(!is_there(&server, &carol).await);
    server.clock.advance(Duration::from_mins(11));
    let (path, dan) = victim(&server, "dan").await;
    let asked = delete(&other, &path, "dan").await;
    answer(&other, &asked, &path, &[password, ("confirm.code", &*backup[0])]).await.expect(422);
    assert!(is_there(&server, &dan).await);
});

/// Gives a user a passkey.
async fn passkey(server: &TestServer, id: &UserId) -> Authenticator {
    let mut authenticator = Authenticator::new(&server.report.base_url);
    let asked = server.app.passkeys.ask_for_new(id, "ada", &[]).unwrap();
    let made = authenticator.create(&asked.options).as_object().unwrap().clone();
    let made = server.app.passkeys.verify_new(made, &asked.state).unwrap();
    let passkey = Passkey {
        id: "passkey".into(),
        user_id: id.clone(),
        credential_id: made.credential_id,
        credential: Json(made.credential),
        is_synced: made.is_synced,
        name: None,
        agent: None,
        created_at: server.clock.now_ms(),
        last_used_at: None,
    };
    let mut tx = server.begin().await;
    passkeys::insert(&mut tx, &passkey).await.unwrap();
    tx.commit().await.unwrap();
    authenticator
}

/// What the page asks of passkeys.
fn options(page: &Answer) -> Value {
    let options = page.html().split_once("data-passkey-options=\"").unwrap().1;
    let options = options.split_once('"').unwrap().0;
    serde_json::from_str(&options.replace("&#34;", "\"").replace("&quot;", "\"")).unwrap()
}

both!(a_passkey_confirms, async |server: TestServer| {
    let (ada, browser) = stale(&server, "ada").await;
    let mut authenticator = passkey(&server, &ada).await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&browser, &path, "bob").await;
    // It is the second factor, so the password alone would be less than at the sign-in.
    expect_asked(&asked, false, false, true);
    answer(&browser, &asked, &path, &[("confirm.password", CONSOLE_PASSWORD)]).await.expect(422);
    let asked_of = options(&asked);
    assert_eq!(asked_of["allowCredentials"][0]["id"], json!(authenticator.id()));
    assert_eq!(asked_of["userVerification"], json!("required"));
    // Of another page, or unlocked by nobody, it proves nothing.
    let mut other = authenticator.clone();
    other.origin = "https://evil.example".to_owned();
    let mut unverified = authenticator.clone();
    unverified.flags = 0x01;
    for wrong in [other.get(&asked_of), unverified.get(&asked_of), json!({}), Value::Object(Map::new()), json!("x")] {
        let wrong = wrong.to_string();
        let refused = answer(&browser, &asked, &path, &[("confirm.passkey", &*wrong)]).await.expect(422);
        assert!(refused.html().contains("passkey was not accepted"), "{}", refused.body);
    }
    assert!(is_there(&server, &bob).await);
    let right = authenticator.get(&asked_of).to_string();
    answer(&browser, &asked, &path, &[("confirm.passkey", &*right)]).await.expect(303);
    assert!(!is_there(&server, &bob).await);

    // The same response does not count for another form.
    server.clock.advance(Duration::from_mins(11));
    let (path, carol) = victim(&server, "carol").await;
    let asked = delete(&browser, &path, "carol").await;
    answer(&browser, &asked, &path, &[("confirm.passkey", &*right)]).await.expect(422);
    assert!(is_there(&server, &carol).await);
});

both!(signing_in_again_in_another_tab_confirms_too, async |server: TestServer| {
    let (_, browser) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&browser, &path, "bob").await;
    assert!(asked.html().contains("/console/step-up?return=/console/confirmed"), "{}", asked.body);
    // Too early.
    answer(&browser, &asked, &path, &[]).await.expect(403);
    assert!(is_there(&server, &bob).await);
    let done = browser.sign_in_at("/console/step-up?return=/console/confirmed", "ada", CONSOLE_PASSWORD).await;
    assert!(done.expect(200).html().contains("confirmed your identity"));
    answer(&browser, &asked, &path, &[]).await.expect(303);
    assert!(!is_there(&server, &bob).await);
});

both!(whoever_has_nothing_to_confirm_with_signs_in_again, async |server: TestServer| {
    let (ada, browser) = stale(&server, "ada").await;
    let mut tx = server.begin().await;
    let user = users::find(&mut tx, &ada).await.unwrap().unwrap();
    // As somebody whom a company signs in.
    let without = User { password_digest: None, password_algorithm: None, ..user.clone() };
    users::update(&mut tx, &without).await.unwrap();
    tx.commit().await.unwrap();
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&browser, &path, "bob").await;
    expect_asked(&asked, false, false, false);
    assert!(asked.html().contains("/console/step-up?return=/console/confirmed"), "{}", asked.body);
    // A password that they do not have lets nobody through.
    answer(&browser, &asked, &path, &[("confirm.password", CONSOLE_PASSWORD)]).await.expect(422);
    assert!(is_there(&server, &bob).await);
    let page = browser.visit("/console/users/export/file").await;
    assert!(
        page.html().contains("href=\"/console/step-up?return=%2Fconsole%2Fusers%2Fexport%2Ffile\""),
        "{}",
        page.body
    );
    let asked_again = browser.visit("/console/step-up?return=/console/confirmed").await.expect(303);
    assert_eq!(told(&asked_again)["prompt"], "login");
    let mut tx = server.begin().await;
    users::update(&mut tx, &user).await.unwrap();
    tx.commit().await.unwrap();
    browser.sign_in_at("/console/step-up?return=/console/confirmed", "ada", CONSOLE_PASSWORD).await.expect(200);
    answer(&browser, &asked, &path, &[]).await.expect(303);
    assert!(!is_there(&server, &bob).await);
});

both!(a_page_that_needs_it_is_opened_afterwards, async |server: TestServer| {
    let (_, browser) = stale(&server, "ada").await;
    let file = "/console/users/export/file?format=csv";
    let asked = browser.visit(file).await;
    expect_asked(&asked, true, false, false);
    let confirm = "/console/confirm?return=%2Fconsole%2Fusers%2Fexport%2Ffile%3Fformat%3Dcsv";
    assert!(asked.html().contains(&format!("action=\"{confirm}\"")), "{}", asked.body);
    let done = answer(&browser, &asked, confirm, &[("confirm.password", CONSOLE_PASSWORD)]).await.expect(303);
    assert_eq!(done.header("location"), Some(file));
    let exported = browser.visit(file).await.expect(200);
    assert!(exported.header("content-type").unwrap().starts_with("text/csv"));
    // The page by itself leads nowhere else.
    server.clock.advance(Duration::from_mins(11));
    for elsewhere in ["https://evil.example/console", "//evil.example", "/account", ""] {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("return", elsewhere).finish();
        let page = browser.visit(&format!("/console/confirm?{query}")).await;
        expect_asked(&page, true, false, false);
        assert!(page.html().contains("action=\"/console/confirm?return=%2Fconsole\""), "{}", page.body);
    }
});

both!(a_script_is_told_what_to_ask, async |server: TestServer| {
    let (_, browser) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let csrf = browser.visit(&path).await.expect(200).hidden("csrf");
    let send = async |fields: &[(&str, &str)]| {
        let request = browser.request(reqwest::Method::POST, &path).header("accept", "application/json");
        browser.send(request.form(fields).header("sec-fetch-site", "same-origin")).await
    };
    let asked = send(&[("csrf", &*csrf), ("name", "bob")]).await.expect(403);
    assert_eq!(asked["code"], json!("console.fresh_sign_in_required"));
    assert_eq!(
        (&asked["password"], &asked["verificationCode"], &asked["passkey"]),
        (&json!(true), &json!(false), &json!(null))
    );
    assert!(asked.text("action").ends_with(&path), "{}", asked.body);
    let form = asked.text("form");
    let wrong = send(&[("confirm.form", &*form), ("csrf", &*csrf), ("confirm.password", "wrong")]).await.expect(422);
    assert_eq!(wrong["message"], json!("Incorrect password."));
    let form = wrong.text("form");
    send(&[("confirm.form", &*form), ("csrf", &*csrf), ("confirm.password", CONSOLE_PASSWORD)]).await.expect(303);
    assert!(!is_there(&server, &bob).await);
});
