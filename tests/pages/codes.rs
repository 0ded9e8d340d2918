//! Codes by email and text message in a browser without JavaScript: signing in, registering, adding an address.

use crate::html;
use crate::sign_in::{PASSWORD, application, begin, fill_in};
use claimsmith_test_support::{Answer, Browser, Mailed, TestServer, both, page_of, told};
use serde_json::{Value, json};

const LEE: &str = "lee@example.com";

/// A way to sign in.
pub(crate) fn method(identifier: &str, password: bool, code: bool) -> Value {
    json!({ "identifier": identifier, "password": password, "verificationCode": code, "isPasswordPrimary": true })
}

/// Changes the settings of sign-in.
pub(crate) async fn settings(server: &TestServer, change: Value) {
    server.management().await.patch("/api/sign-in-exp", change).await.expect(200);
}

/// Asks for a code on the sign-in page.
async fn ask(browser: &Browser, page: &Answer, identifier: &str) -> Answer {
    fill_in(browser, page, "/sign-in", &[("identifier", identifier), ("decision", "code")]).await
}

both!(a_person_signs_in_with_a_code, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let methods = json!([method("username", true, false), method("email", true, true)]);
    settings(&server, json!({ "signIn": { "methods": methods } })).await;
    let user = json!({ "username": "lee", "primaryEmail": LEE, "password": PASSWORD });
    server.management().await.post("/api/users", user).await.expect(200);
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    assert!(html(&page).contains("name=\"decision\" value=\"code\" formnovalidate"), "{}", page.body);
    for unreachable in ["lee", "491511234567"] {
        let refused = ask(&browser, &page, unreachable).await.expect(422);
        assert!(html(&refused).contains("id=\"identifier-error\""), "{}", refused.body);
    }
    let code_page = ask(&browser, &page, LEE).await.expect(200);
    let text = html(&code_page);
    assert!(text.contains("autocomplete=\"one-time-code\"") && text.contains(LEE), "{text}");
    let first = inbox.code(LEE, 1).await;
    // A page that is loaded again is the same; another code replaces the former.
    html(&browser.open("/verification-code").await.expect(200));
    let resent = fill_in(&browser, &code_page, "/verification-code", &[("decision", "resend")]).await.expect(200);
    assert!(html(&resent).contains("role=\"status\""), "{}", resent.body);
    let second = inbox.code(LEE, 2).await;
    for wrong in ["", "1", first.as_str()] {
        if wrong == second {
            continue;
        }
        let refused = fill_in(&browser, &resent, "/verification-code", &[("code", wrong)]).await.expect(422);
        assert!(html(&refused).contains("id=\"code-error\""), "{wrong}");
    }
    let answer = fill_in(&browser, &resent, "/verification-code", &[("code", &second)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(a_page_of_codes_alone_asks_for_no_password, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let sign_up = json!({ "identifiers": ["phone"], "password": false, "verify": true });
    let change = json!({ "signIn": { "methods": [method("phone", false, true)] }, "signUp": sign_up });
    settings(&server, change).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    assert!(!html(&page).contains("name=\"password\""), "{}", page.body);
    let code_page = ask(&browser, &page, "+49 (0)151 12345678").await.expect(200);
    let code = inbox.code("4915112345678", 1).await;
    // Nobody has the number: it is asked whether they want an account.
    let question = fill_in(&browser, &code_page, "/verification-code", &[("code", &code)]).await.expect(200);
    assert!(html(&question).contains("page-no-account"), "{}", question.body);
    let made = fill_in(&browser, &question, "/verification-code", &[("decision", "register")]).await.expect(303);
    assert!(told(&made).contains_key("code"), "{made:?}");
    let found = server.management().await.get("/api/users?search.primaryPhone=4915112345678").await.expect(200);
    assert_eq!(found.body.as_array().unwrap().len(), 1);
});

both!(a_person_registers_with_an_address, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let sign_up = json!({ "identifiers": ["email"], "password": true, "verify": true });
    let change = json!({ "signIn": { "methods": [method("email", true, true)] }, "signUp": sign_up });
    settings(&server, change).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "register")]).await.expect(200);
    assert!(!html(&page).contains("name=\"username\""), "{}", page.body);
    let code_page =
        fill_in(&browser, &page, "/register", &[("identifier", LEE), ("decision", "code")]).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    let rest = fill_in(&browser, &code_page, "/verification-code", &[("code", &code)]).await.expect(200);
    assert!(html(&rest).contains("page-profile") && html(&rest).contains("name=\"password\""), "{}", rest.body);
    let made = fill_in(&browser, &rest, "/profile", &[("password", PASSWORD)]).await.expect(303);
    assert!(told(&made).contains_key("code"), "{made:?}");
    // Whoever has an account signs in by the same way.
    let again = Browser::new(&server);
    let page = begin(&again, &client, &[("first_screen", "register")]).await.expect(200);
    let code_page = fill_in(&again, &page, "/register", &[("identifier", LEE), ("decision", "code")]).await.expect(200);
    let code = inbox.code(LEE, 2).await;
    let answer = fill_in(&again, &code_page, "/verification-code", &[("code", &code)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(a_missing_address_is_asked_for_and_proved, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let sign_up = json!({ "identifiers": ["username"], "password": true, "verify": true,
        "secondaryIdentifiers": [{ "identifier": "email", "verify": true }] });
    settings(&server, json!({ "signUp": sign_up })).await;
    let user = json!({ "username": "lee", "password": PASSWORD });
    let id = server.management().await.post("/api/users", user).await.expect(200).text("id");
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let fields = [("identifier", "lee"), ("password", PASSWORD)];
    let profile = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    assert!(html(&profile).contains("name=\"identifier\""), "{}", profile.body);
    for wrong in ["", "lee", "4915112345678"] {
        let refused = fill_in(&browser, &profile, "/profile", &[("identifier", wrong)]).await.expect(422);
        assert!(html(&refused).contains("id=\"identifier-error\""), "{wrong}");
    }
    let code_page = fill_in(&browser, &profile, "/profile", &[("identifier", LEE)]).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    let answer = fill_in(&browser, &code_page, "/verification-code", &[("code", &code)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let shown = server.management().await.get(&format!("/api/users/{id}")).await.expect(200);
    assert_eq!(shown["primaryEmail"], LEE);

    // Somebody new gives both, one after the other.
    let other = Browser::new(&server);
    let page = begin(&other, &client, &[("first_screen", "register")]).await.expect(200);
    let fields = [("username", "newcomer"), ("password", PASSWORD)];
    let profile = fill_in(&other, &page, "/register", &fields).await.expect(200);
    let code_page = fill_in(&other, &profile, "/profile", &[("identifier", "new@example.com")]).await.expect(200);
    let code = inbox.code("new@example.com", 1).await;
    let answer = fill_in(&other, &code_page, "/verification-code", &[("code", &code)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(codes_are_limited_and_said_in_words, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    settings(&server, json!({ "signIn": { "methods": [method("email", true, true)] } })).await;
    let user = json!({ "primaryEmail": LEE, "password": PASSWORD });
    server.management().await.post("/api/users", user).await.expect(200);
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("ui_locales", "de")]).await.expect(200);
    let code_page = ask(&browser, &page, LEE).await.expect(200);
    for _ in 0..9 {
        fill_in(&browser, &code_page, "/verification-code", &[("decision", "resend")]).await.expect(200);
    }
    let refused = fill_in(&browser, &code_page, "/verification-code", &[("decision", "resend")]).await.expect(422);
    assert!(html(&refused).contains("zu viele Codes"), "{}", refused.body);
    inbox.message(LEE, 1).await;
    // Without a code there is nothing to type, and forms of other sites are refused.
    let stranger = Browser::new(&server);
    begin(&stranger, &client, &[]).await.expect(200);
    assert_eq!(page_of(&stranger.open("/verification-code").await.expect(303)), "/sign-in");
    let form = [("code".to_owned(), "123456".to_owned())];
    browser.post("/verification-code", &form).await.expect(403);
});

both!(a_code_is_requested_first_where_the_password_is_not_primary, async |mailed: Mailed| {
    let Mailed { server, .. } = mailed;
    let client = application(&server, false).await;
    for is_password_primary in [false, true] {
        let mut by_email = method("email", true, true);
        by_email["isPasswordPrimary"] = json!(is_password_primary);
        settings(&server, json!({ "signIn": { "methods": [by_email] } })).await;
        let browser = Browser::new(&server);
        let page = begin(&browser, &client, &[]).await.expect(200);
        assert_eq!(html(&page).contains("name=\"password\""), is_password_primary, "{}", page.body);
        // The other way is one step away.
        let other = browser.open("/sign-in?with=password").await.expect(200);
        assert!(html(&other).contains("name=\"password\"") && html(&page).contains("value=\"code\""), "{}", other.body);
    }
});
