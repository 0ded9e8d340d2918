//! Codes by e-mail and text message as second factors, set up in a browser without JavaScript.

use crate::codes::settings;
use crate::html;
use crate::sign_in::{PASSWORD, application, begin, fill_in, follow};
use claimsmith_test_support::{Answer, Browser, Mailed, TestServer, both, page_of, told};
use serde_json::{Value, json};

const LEE: &str = "lee@example.com";
const EMAIL: &str = "/second-factor/set-up/email";
const PHONE: &str = "/second-factor/set-up/phone";

async fn policy(server: &TestServer, policy: &str, factors: &[&str]) {
    settings(server, json!({ "mfa": { "policy": policy, "factors": factors } })).await;
}

/// A user named lee, perhaps with more.
async fn user(server: &TestServer, more: Value) -> String {
    let mut body = json!({ "username": "lee", "password": PASSWORD });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    server.management().await.post("/api/users", body).await.expect(200).text("id")
}

/// Enters the password.
async fn sign_in(browser: &Browser, client: &str) -> Answer {
    let page = begin(browser, client, &[]).await.expect(200);
    fill_in(browser, &page, "/sign-in", &[("identifier", "lee"), ("password", PASSWORD)]).await
}

both!(somebody_without_an_address_gives_one, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    let id = user(&server, json!({})).await;
    let taken = json!({ "username": "other", "primaryEmail": "taken@example.com" });
    server.management().await.post("/api/users", taken).await.expect(200);
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = sign_in(&browser, &client).await.expect(200);
    let text = html(&page);
    assert!(text.contains("page-set-up-code") && text.contains("name=\"identifier\""), "{text}");
    assert!(!text.contains("name=\"code\"") && !text.contains("value=\"skip\""), "{text}");
    for wrong in ["", "lee", "a@b@c.d", "4915112345678"] {
        let refused = fill_in(&browser, &page, EMAIL, &[("decision", "send"), ("identifier", wrong)]).await.expect(422);
        assert!(html(&refused).contains("id=\"identifier-error\""), "{wrong}: {}", refused.body);
    }
    // Nobody gets on without, and no code is taken before one was sent.
    assert_eq!(fill_in(&browser, &page, EMAIL, &[("decision", "skip")]).await.status, 422);
    html(&fill_in(&browser, &page, EMAIL, &[("code", "123456")]).await.expect(200));
    // The address of somebody else is proved, and still not given.
    let ask = [("decision", "send"), ("identifier", "taken@example.com")];
    let sent = fill_in(&browser, &page, EMAIL, &ask).await.expect(200);
    let code = inbox.code("taken@example.com", 1).await;
    let refused = fill_in(&browser, &sent, EMAIL, &[("code", &code)]).await.expect(422);
    assert!(html(&refused).contains("id=\"identifier-error\""), "{}", refused.body);

    let sent = fill_in(&browser, &refused, EMAIL, &[("decision", "send"), ("identifier", LEE)]).await.expect(200);
    let text = html(&sent);
    assert!(text.contains("autocomplete=\"one-time-code\"") && text.contains(LEE), "{text}");
    // Whoever loads it again sees the same.
    assert!(html(&browser.open(EMAIL).await.expect(200)).contains("name=\"code\""));
    let code = inbox.code(LEE, 1).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for typed in ["", wrong] {
        let refused = fill_in(&browser, &sent, EMAIL, &[("code", typed)]).await.expect(422);
        assert!(html(&refused).contains("id=\"code-error\""), "{}", refused.body);
    }
    let answer = fill_in(&browser, &sent, EMAIL, &[("code", &code)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let shown = server.management().await.get(&format!("/api/users/{id}")).await.expect(200);
    assert_eq!(shown["primaryEmail"], LEE);

    // From now on a code goes there.
    let other = Browser::new(&server);
    let page = sign_in(&other, &client).await.expect(200);
    assert!(html(&page).contains("page-second-factor"), "{}", page.body);
    let sent = fill_in(&other, &page, "/second-factor/email", &[("decision", "send")]).await.expect(200);
    let code = inbox.code(LEE, 2).await;
    let answer = fill_in(&other, &sent, "/second-factor/email", &[("code", &code)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(somebody_with_a_number_proves_it_or_puts_it_off, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "UserControlled", &["PhoneVerificationCode"]).await;
    user(&server, json!({ "primaryPhone": "4915112345678" })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = sign_in(&browser, &client).await.expect(200);
    let text = html(&page);
    assert!(text.contains("********5678") && !text.contains("name=\"identifier\""), "{text}");
    // Another number than theirs is not asked for, whatever the form says.
    let ask = [("decision", "send"), ("identifier", "4915199999999")];
    let sent = fill_in(&browser, &page, PHONE, &ask).await.expect(200);
    let code = inbox.code("4915112345678", 1).await;
    assert_eq!(inbox.count(), 1);
    let resent = fill_in(&browser, &sent, PHONE, &[("decision", "send")]).await.expect(200);
    let second = inbox.code("4915112345678", 2).await;
    if code != second {
        fill_in(&browser, &resent, PHONE, &[("code", &code)]).await.expect(422);
    }
    let answer = fill_in(&browser, &resent, PHONE, &[("code", &second)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(the_ways_to_set_one_up_lead_to_each_other, async |mailed: Mailed| {
    let Mailed { server, .. } = mailed;
    let all = ["Totp", "WebAuthn", "EmailVerificationCode", "PhoneVerificationCode"];
    policy(&server, "UserControlled", &all).await;
    user(&server, json!({})).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = sign_in(&browser, &client).await.expect(200);
    let paths = ["/passkey", "/second-factor/set-up", EMAIL, PHONE];
    assert!(html(&page).contains("page-set-up-factor"), "{}", page.body);
    for path in paths {
        let shown = browser.open(path).await.expect(200);
        for other in paths {
            assert_eq!(html(&shown).contains(&format!("href=\"{other}?interaction=")), other != path, "{path} {other}");
        }
    }
    // One that the settings do not have leads to one that they have.
    policy(&server, "UserControlled", &["PhoneVerificationCode"]).await;
    for path in ["/second-factor/set-up", "/passkey", EMAIL] {
        let shown = follow(&browser, browser.open(path).await).await.expect(200);
        assert!(html(&shown).contains("autocomplete=\"tel\""), "{path}: {}", shown.body);
    }
    // Forms of other sites are refused, and so is a browser without a sign-in.
    let form = [("decision".to_owned(), "skip".to_owned())];
    for path in [EMAIL, PHONE] {
        browser.post(path, &form).await.expect(403);
        Browser::new(&server).open(path).await.expect(400);
    }
    let page = browser.open(PHONE).await.expect(200);
    let answer = fill_in(&browser, &page, PHONE, &[("decision", "skip")]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(without_a_connector_there_is_no_way_to_set_codes_up, async |server: TestServer| {
    crate::sign_in::give_password(&server).await;
    settings(&server, json!({ "mfa": { "policy": "UserControlled", "factors": ["Totp"] } })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let page = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    assert!(!html(&page).contains(EMAIL), "{}", page.body);
    let shown = browser.open(EMAIL).await.expect(303);
    assert_eq!(page_of(&shown), "/second-factor/set-up");
});

both!(a_further_factor_is_offered_and_can_be_declined, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode", "Totp"]).await;
    let sign_up = json!({ "identifiers": ["email"], "password": true, "verify": true });
    let methods = json!([crate::codes::method("email", true, false)]);
    settings(&server, json!({ "signUp": sign_up, "signIn": { "methods": methods } })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "register")]).await.expect(200);
    let fields = [("identifier", LEE), ("decision", "code")];
    let code_page = fill_in(&browser, &page, "/register", &fields).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    let rest = fill_in(&browser, &code_page, "/verification-code", &[("code", &code)]).await.expect(200);
    let offered = fill_in(&browser, &rest, "/profile", &[("password", PASSWORD)]).await.expect(200);
    let text = html(&offered);
    // An authenticator, and no codes to the address that they have.
    assert!(text.contains("page-set-up-factor") && text.contains("value=\"skip\""), "{text}");
    assert!(!text.contains(EMAIL), "{text}");
    let answer = fill_in(&browser, &offered, "/second-factor/set-up", &[("decision", "skip")]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});
