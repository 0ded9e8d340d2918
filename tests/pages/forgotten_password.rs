//! A way back in for whoever forgot their password, in a browser without JavaScript.

use crate::codes::{method, settings};
use crate::html;
use crate::sign_in::{PASSWORD, application, begin, fill_in, follow};
use claimsmith_test_support::{Browser, Mailed, TestServer, both, told};
use serde_json::json;
use std::time::Duration;

const LEE: &str = "lee@example.com";
const NEW: &str = "orange-kettle-43";

both!(a_forgotten_password_is_replaced, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    settings(&server, json!({ "signIn": { "methods": [method("username", true, false)] } })).await;
    let user = json!({ "username": "lee", "primaryEmail": LEE, "password": PASSWORD });
    server.management().await.post("/api/users", user).await.expect(200);
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    assert!(html(&page).contains("href=\"/reset-password?interaction="), "{}", page.body);
    let page = browser.open("/reset-password").await.expect(200);
    for wrong in ["", "lee"] {
        let refused = fill_in(&browser, &page, "/reset-password", &[("identifier", wrong)]).await.expect(422);
        assert!(html(&refused).contains("id=\"identifier-error\""), "{wrong}");
    }
    // The page of the new password comes after the code.
    let early = follow(&browser, browser.open("/reset-password/new").await).await.expect(200);
    assert!(html(&early).contains("page-reset-password"));
    let code_page = fill_in(&browser, &page, "/reset-password", &[("identifier", LEE)]).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    let new_page = fill_in(&browser, &code_page, "/verification-code", &[("code", &code)]).await.expect(200);
    assert!(html(&new_page).contains("autocomplete=\"new-password\""), "{}", new_page.body);
    for (password, words) in [("1234567", "at least"), (PASSWORD, "different from the old one"), ("", "fill in")] {
        let refused = fill_in(&browser, &new_page, "/reset-password/new", &[("password", password)]).await.expect(422);
        assert!(html(&refused).contains(words) && !html(&refused).contains(PASSWORD), "{}", refused.body);
    }
    let done = fill_in(&browser, &new_page, "/reset-password/new", &[("password", NEW)]).await.expect(200);
    assert!(html(&done).contains("page-sign-in") && html(&done).contains("role=\"status\""), "{}", done.body);
    let old = [("identifier", "lee"), ("password", PASSWORD)];
    fill_in(&browser, &done, "/sign-in", &old).await.expect(422);
    let answer = fill_in(&browser, &done, "/sign-in", &[("identifier", "lee"), ("password", NEW)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(an_expired_password_is_replaced, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let methods = json!({ "methods": [method("username", true, false), method("email", true, false)] });
    let expiration = json!({ "enabled": true, "validPeriodDays": 1 });
    settings(&server, json!({ "signIn": methods, "passwordExpiration": expiration })).await;
    let user = json!({ "username": "lee", "primaryEmail": LEE, "password": PASSWORD });
    server.management().await.post("/api/users", user).await.expect(200);
    server.clock.advance(Duration::from_hours(24));
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    // A user name receives no code.
    for (identifier, prefilled) in [("lee", false), (LEE, true)] {
        let entered = [("identifier", identifier), ("password", PASSWORD)];
        let reset = fill_in(&browser, &page, "/sign-in", &entered).await.expect(422);
        assert!(html(&reset).contains("page-reset-password"), "{}", reset.body);
        assert!(html(&reset).contains("Your password has expired") && !html(&reset).contains(PASSWORD));
        assert_eq!(html(&reset).contains(LEE), prefilled, "{identifier}");
    }
    let wrong = [("identifier", "lee"), ("password", "a wrong password")];
    let refused = fill_in(&browser, &page, "/sign-in", &wrong).await.expect(422);
    assert!(html(&refused).contains("page-sign-in"), "{}", refused.body);
    let reset = fill_in(&browser, &page, "/sign-in", &[("identifier", LEE), ("password", PASSWORD)]).await;
    let code_page = fill_in(&browser, &reset, "/reset-password", &[("identifier", LEE)]).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    let new_page = fill_in(&browser, &code_page, "/verification-code", &[("code", &code)]).await.expect(200);
    let done = fill_in(&browser, &new_page, "/reset-password/new", &[("password", NEW)]).await.expect(200);
    let answer = fill_in(&browser, &done, "/sign-in", &[("identifier", "lee"), ("password", NEW)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(nobody_learns_who_has_an_account, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let user = json!({ "primaryEmail": LEE, "password": PASSWORD });
    server.management().await.post("/api/users", user).await.expect(200);
    let client = application(&server, false).await;
    let mut pages = Vec::new();
    for email in [LEE, "nob@example.com"] {
        let browser = Browser::new(&server);
        begin(&browser, &client, &[("first_screen", "reset_password")]).await.expect(200);
        let page = browser.open("/reset-password").await.expect(200);
        let code_page = fill_in(&browser, &page, "/reset-password", &[("identifier", email)]).await.expect(200);
        let refused = fill_in(&browser, &code_page, "/verification-code", &[("code", "12345x")]).await.expect(422);
        for answer in [code_page, refused] {
            let (before, rest) = html(&answer).split_once("name=\"csrf\" value=\"").unwrap();
            let after = rest.split_once('"').unwrap().1;
            let after =
                after.split("name=\"csrf\" value=\"").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
            let page = before.to_owned() + &after.collect::<String>();
            // Links name the interaction of the page.
            let (_, rest) = page.split_once("?interaction=").unwrap();
            let interaction = rest.split_once('"').unwrap().0;
            pages.push(page.replace(interaction, "INTERACTION").replace(email, "EMAIL"));
        }
    }
    assert_eq!((&pages[0], &pages[1]), (&pages[2], &pages[3]));
    inbox.message(LEE, 1).await;
    assert_eq!(inbox.count(), 1);
});

both!(where_there_is_no_way_back_there_is_no_link, async |server: TestServer| {
    settings(&server, json!({ "forgotPasswordMethods": [] })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "reset_password")]).await.expect(200);
    assert!(html(&page).contains("page-sign-in") && !html(&page).contains("/reset-password"), "{}", page.body);
});

both!(every_language_has_the_pages, async |mailed: Mailed| {
    let Mailed { server, inbox: _inbox } = mailed;
    let client = application(&server, false).await;
    let mut titles = Vec::new();
    for language in ["en", "de", "fr", "es", "ja", "zh"] {
        let browser = Browser::new(&server);
        let page = begin(&browser, &client, &[("first_screen", "reset_password"), ("ui_locales", language)]).await;
        let code_page =
            fill_in(&browser, &page.expect(200), "/reset-password", &[("identifier", LEE)]).await.expect(200);
        assert_eq!(code_page.header("content-language"), Some(language));
        titles.push(html(&code_page).split_once("<title>").unwrap().1.split_once('<').unwrap().0.to_owned());
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 6, "{titles:?}");
});
