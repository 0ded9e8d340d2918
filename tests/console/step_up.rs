//! Confirming that it is still the same person.

use crate::COOKIE;
use claimsmith::domain::console::ConsoleRole::Admin;
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
