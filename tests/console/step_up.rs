//! Confirming that it is still the same person.

use crate::COOKIE;
use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{Browser, CONSOLE_PASSWORD, TestServer, both, told};
use std::time::Duration;

both!(somebody_confirms_that_it_is_them, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let before = browser.cookie(COOKIE).unwrap();
    let token = browser.visit("/console").await.expect(200).hidden("csrf");
    server.clock.advance(Duration::from_mins(11));

    let asked = browser.visit("/console/step-up?return=/console/users").await.expect(303);
    let request = told(&asked);
    for (name, value) in [("prompt", "login"), ("max_age", "0"), ("login_hint", "ada")] {
        assert_eq!(request[name], value);
    }
    let page = browser.follow(asked).await.expect(200);
    assert!(page.html().contains("value=\"ada\""), "the name stands there: {}", page.body);
    let mut answer = browser.fill_in(&page, "/sign-in", &[("identifier", "ada"), ("password", CONSOLE_PASSWORD)]).await;
    while !answer.header("location").unwrap().ends_with("/console/users") {
        answer = browser.visit(answer.header("location").unwrap()).await.expect(303);
    }
    let after = browser.cookie(COOKIE).unwrap();
    assert_ne!(after, before);
    // Forms that are open go on working; the old cookie does not.
    assert_eq!(browser.visit("/console").await.expect(200).hidden("csrf"), token);
    let thief = Browser::new(&server);
    thief.set_cookie(COOKIE, &before);
    thief.visit("/console").await.expect(303);
});

both!(nobody_confirms_it_by_the_sign_in_of_before, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let before = browser.cookie(COOKIE).unwrap();
    server.clock.advance(Duration::from_mins(11));
    // Whoever sits at the screen asks the server for less than the console does.
    let asked = browser.visit("/console/step-up?return=/console/users").await.expect(303);
    let location = asked.header("location").unwrap();
    let less = location.replace("&prompt=login", "").replace("&max_age=0", "");
    assert!(!less.contains("prompt") && !less.contains("max_age"), "{less}");
    browser.follow(browser.visit(&less).await).await.expect(400);
    assert_eq!(browser.cookie(COOKIE), Some(before));
});

both!(a_session_is_as_old_as_the_sign_in_behind_it, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let bob = server.operator("bob", &[]).await;
    let browser = server.at_console("ada").await;
    server.clock.advance(Duration::from_mins(11));
    let before = browser.cookie(COOKIE).unwrap();
    // Nobody is asked for a password.
    browser.follow(browser.visit("/console/sign-in").await).await.expect(200);
    assert_ne!(browser.cookie(COOKIE).unwrap(), before);
    let path = format!("/console/users/{bob}/delete");
    let page = browser.visit(&path).await.expect(200);
    let refused = browser.fill_in(&page, &path, &[("name", "bob")]).await.expect(403);
    assert!(refused.html().contains("/console/step-up?"), "{}", refused.body);
    server.management().await.get(&format!("/api/users/{bob}")).await.expect(200);
});

both!(another_person_confirms_nothing, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    server.operator("eve", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let before = browser.cookie(COOKIE).unwrap();
    let refused = browser.sign_in_at("/console/step-up?return=/console", "eve", CONSOLE_PASSWORD).await.expect(403);
    assert!(refused.html().contains("That was another account"), "{}", refused.body);
    assert_eq!(browser.cookie(COOKIE), Some(before));
    assert!(browser.visit("/console").await.expect(200).html().contains("ada"));
});

both!(without_a_session_it_is_a_sign_in, async |server: TestServer| {
    let base = server.report.base_url.clone();
    let answer = Browser::new(&server).visit("/console/step-up?return=/console/users").await.expect(303);
    assert_eq!(answer.header("location"), Some(&*format!("{base}/console/sign-in?return=%2Fconsole%2Fusers")));
});
