//! Answers to sign-ins that are not what this browser asked for.

use crate::{COOKIE, SIGN_IN_COOKIE};
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{Answer, Browser, CONSOLE_PASSWORD, TestServer, both, told};
use std::time::Duration;

/// Signs somebody in up to the callback, which is not opened; answers its address.
async fn up_to_callback(browser: &Browser, username: &str) -> String {
    let page = browser.follow(browser.visit("/console").await).await.expect(200);
    let fields = [("identifier", username), ("password", CONSOLE_PASSWORD)];
    let mut answer = browser.fill_in(&page, "/sign-in", &fields).await.expect(303);
    while !answer.header("location").unwrap().contains("/console/callback?") {
        answer = browser.visit(answer.header("location").unwrap()).await.expect(303);
    }
    answer.header("location").unwrap().to_owned()
}

fn expect_refused(browser: &Browser, answer: Answer) {
    let answer = answer.expect(400);
    assert!(answer.html().contains("<html"), "a page, not JSON: {}", answer.body);
    assert_eq!(browser.cookie(COOKIE), None);
}

/// The callback with other values for some parameters.
fn with(callback: &str, changes: &[(&str, &str)]) -> String {
    let (path, query) = callback.split_once('?').unwrap();
    let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
    let kept = pairs.filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name)).collect::<Vec<_>>();
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(kept).extend_pairs(changes.iter().filter(|(_, value)| !value.is_empty()));
    format!("{path}?{}", query.finish())
}

both!(the_answer_for_another_browser_is_refused, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let (ada, victim, stranger) = (Browser::new(&server), Browser::new(&server), Browser::new(&server));
    let callback = up_to_callback(&ada, "ada").await;
    // One has a sign-in of their own under way, the other has none.
    victim.follow(victim.visit("/console").await).await.expect(200);
    let own = victim.cookie(SIGN_IN_COOKIE);
    for browser in [&victim, &stranger] {
        expect_refused(browser, browser.visit(&callback).await);
    }
    assert_eq!(victim.cookie(SIGN_IN_COOKIE), own, "their own sign-in goes on");
    // It was not used up by that.
    let home = ada.follow(ada.visit(&callback).await).await.expect(200);
    assert!(home.html().contains("ada"), "{}", home.body);
});

both!(an_answer_that_was_changed_is_refused, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    for changes in [
        &[("iss", "https://evil.example")][..],
        &[("iss", "")],
        &[("state", "")],
        &[("state", "x")],
        &[("code", "x")],
        &[("code", "")],
        &[("error", "access_denied"), ("error_description", "<script>alert(1)</script>")],
    ] {
        let browser = Browser::new(&server);
        let callback = up_to_callback(&browser, "ada").await;
        let refused = browser.visit(&with(&callback, changes)).await;
        assert!(!refused.html().contains("<script>alert"), "{}", refused.body);
        expect_refused(&browser, refused);
    }
    // Of two values nobody has to guess which one counts.
    let browser = Browser::new(&server);
    let callback = up_to_callback(&browser, "ada").await;
    expect_refused(&browser, browser.visit(&format!("{callback}&state=x")).await);
});

both!(a_sign_in_of_before_is_not_enough, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    server.clock.advance(Duration::from_mins(31));
    // Whoever sits at the screen asks the server for less than the console does.
    let asked = browser.visit("/console/sign-in").await.expect(303);
    let less = asked.header("location").unwrap().replace("&max_age=1800", "");
    assert!(!less.contains("max_age"), "{less}");
    let refused = browser.follow(browser.visit(&less).await).await.expect(400);
    assert!(refused.html().contains("You are not signed in"), "{}", refused.body);
    browser.visit("/console").await.expect(303);
});

both!(an_answer_counts_once, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = Browser::new(&server);
    let callback = up_to_callback(&browser, "ada").await;
    let kept = browser.cookie(SIGN_IN_COOKIE).unwrap();
    browser.visit(&callback).await.expect(303);
    browser.visit(&callback).await.expect(400);
    // Nor with the cookie of before: the code is used up.
    let thief = Browser::new(&server);
    thief.set_cookie(SIGN_IN_COOKIE, &kept);
    expect_refused(&thief, thief.visit(&callback).await);
});

both!(a_sign_in_takes_ten_minutes_at_most, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = Browser::new(&server);
    browser.visit("/console/sign-in").await.expect(303);
    let kept = browser.cookie(SIGN_IN_COOKIE).unwrap();
    server.clock.advance(Duration::from_mins(10));
    browser.set_cookie(SIGN_IN_COOKIE, &kept);
    let page = browser.visit("/console/callback?code=x&state=x").await.expect(400);
    assert!(page.html().contains("Please sign in once more"), "{}", page.body);
    // A cookie that somebody else wrote is none.
    for forged in ["x", "eyJzdGF0ZSI6IngifQ==", &*"A".repeat(3000)] {
        browser.set_cookie(SIGN_IN_COOKIE, forged);
        browser.visit("/console/callback?code=x&state=x").await.expect(400);
    }
});

both!(every_sign_in_gets_another_cookie, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let (browser, thief) = (Browser::new(&server), Browser::new(&server));
    // A cookie that was planted opens nothing afterwards.
    browser.set_cookie(COOKIE, "planted");
    thief.set_cookie(COOKIE, "planted");
    browser.sign_in_at("/console", "ada", CONSOLE_PASSWORD).await.expect(200);
    assert_ne!(browser.cookie(COOKIE).unwrap(), "planted");
    thief.visit("/console").await.expect(303);

    let first = browser.cookie(COOKIE).unwrap();
    let again = browser.visit("/console/sign-in").await.expect(303);
    assert!(!told(&again)["state"].is_empty());
    browser.follow(again).await.expect(200);
    assert_ne!(browser.cookie(COOKIE).unwrap(), first, "nobody was asked, and it is another one");
    thief.set_cookie(COOKIE, &first);
    thief.visit("/console").await.expect(303);
});

both!(two_tabs_sign_in_at_the_same_time, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = Browser::new(&server);
    let first = browser.visit("/console/sign-in?return=%2Fconsole%2Fusers").await.expect(303);
    let second = up_to_callback(&browser, "ada").await;
    // Somebody is signed in now, so nobody is asked.
    let mut answer = browser.visit(first.header("location").unwrap()).await.expect(303);
    while answer.header("location").unwrap().contains("/oidc/") {
        answer = browser.visit(answer.header("location").unwrap()).await.expect(303);
    }
    let callback = answer.header("location").unwrap().to_owned();
    let done = browser.visit(&callback).await.expect(303);
    assert!(done.header("location").unwrap().ends_with("/console/users"), "{done:?}");
    // That one is used up, and the other one is not.
    browser.visit(&callback).await.expect(400);
    browser.visit(&second).await.expect(303);
    assert_eq!(browser.cookie(SIGN_IN_COOKIE), None);
});
