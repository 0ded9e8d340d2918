//! Requests that change something: from the console itself, with the token of the session, or not at all. What was
//! entered is not lost when the session has ended.

use crate::COOKIE;
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_identity::retention;
use claimsmith_test_support::{Browser, TestServer, both};
use std::time::Duration;

both!(a_request_of_another_site_is_refused, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let token = browser.visit("/console").await.expect(200).hidden("csrf");
    let form = [("csrf", token.as_str())];
    let own = server.report.base_url.clone();
    for path in ["/console/sign-out", "/console/users", "/console/nothing"] {
        for headers in [
            &[][..],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "none")],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[("sec-fetch-site", "cross-site"), ("origin", &*own)],
        ] {
            let request = browser.form(path, &form);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            let refused = browser.send(request).await.expect(403);
            assert!(refused.html().contains("not sent from the console"), "{path} {headers:?}: {}", refused.body);
        }
    }
    assert!(browser.cookie(COOKIE).is_some());
    // A browser that does not know `Sec-Fetch-Site` says its origin.
    browser.send(browser.form("/console/sign-out", &form).header("origin", &own)).await.expect(303);
});

both!(the_token_of_another_session_is_refused, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    server.operator("eve", &[Admin]).await;
    let (ada, eve) = (server.at_console("ada").await, server.at_console("eve").await);
    let foreign = eve.visit("/console").await.expect(200).hidden("csrf");
    for form in [&[][..], &[("csrf", "")], &[("csrf", "x")], &[("csrf", &*foreign)]] {
        ada.submit("/console/sign-out", form).await.expect(403);
    }
    ada.visit("/console").await.expect(200);
});

both!(what_was_entered_waits_for_the_sign_in, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    server.clock.advance(Duration::from_mins(31));
    let form = [("csrf", "old"), ("name", "\"><script>"), ("tag", "a"), ("tag", "b")];
    let kept = browser.submit("/console/users?tab=new", &form).await.expect(401);
    let page = kept.html();
    assert!(page.contains("Your session has ended") && page.contains("target=\"_blank\""), "{page}");
    assert!(page.contains("name=\"name\" value=\"&#34;&#62;&#60;script&#62;\""), "{page}");
    assert!(page.contains("value=\"a\"") && page.contains("value=\"b\"") && !page.contains("value=\"old\""), "{page}");
    assert!(page.contains("/console/users?tab=new\""), "{page}");
    // Another site cannot have it shown either.
    let request = Browser::new(&server).form("/console/users", &form).header("sec-fetch-site", "cross-site");
    browser.send(request).await.expect(403);
    // What cannot be kept is said.
    let file = browser.request(reqwest::Method::POST, "/console/users").header("sec-fetch-site", "same-origin");
    let file = file.header("content-type", "multipart/form-data; boundary=x").body("--x--");
    let refused = browser.send(file).await.expect(401);
    assert!(refused.html().contains("Your session has ended"), "{}", refused.body);
});

both!(only_a_browser_that_had_a_session_has_a_form_kept, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let cookie = browser.cookie(COOKIE).unwrap();
    server.clock.advance(Duration::from_hours(24));
    // Nothing is left of the session but the cookie.
    retention::delete_expired(&server.app).await.unwrap();
    let keeps = async |browser: &Browser, bytes: usize| {
        let form = [("name", &*"\"".repeat(bytes))];
        let refused = browser.submit("/console/users", &form).await.expect(401);
        refused.html().contains("name=\"name\"")
    };
    assert!(keeps(&browser, 80 << 10).await);
    // Percent-encoded, it has more than 256 KiB.
    assert!(!keeps(&browser, 100 << 10).await);
    let (secret, seal) = cookie.split_at(43);
    let other = "A".repeat(43);
    for made_up in [&*format!("{other}{seal}"), secret, &other, "x", ""] {
        let browser = Browser::new(&server);
        browser.set_cookie(COOKIE, made_up);
        assert!(!keeps(&browser, 10).await, "{made_up}");
    }
    assert!(!keeps(&Browser::new(&server), 10).await);
});

both!(a_script_is_told_and_not_redirected, async |server: TestServer| {
    let browser = Browser::new(&server);
    let request = browser.request(reqwest::Method::GET, "/console").header("sec-fetch-mode", "cors");
    browser.send(request).await.expect(401);
    let request = browser.request(reqwest::Method::GET, "/console").header("sec-fetch-mode", "navigate");
    browser.send(request).await.expect(303);
});

both!(nothing_from_outside_is_a_person, async |server: TestServer| {
    // The cookie of the console opens the console alone.
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    browser.visit("/api/users").await.expect(401);
});
