//! How long a session lasts, and what ends it.

use crate::COOKIE;
use claimsmith_domain::console::ConsoleRole::{Admin, Read};
use claimsmith_storage::console;
use claimsmith_storage::sessions;
use claimsmith_test_support::{Answer, Browser, CONSOLE_PASSWORD, TestServer, both};
use serde_json::json;
use std::time::Duration;

/// Whether the browser gets a page of the console.
async fn is_in(browser: &Browser) -> bool {
    let answer = browser.visit("/console").await;
    assert!([200, 303].contains(&answer.status), "{answer:?}");
    answer.status == 200
}

async fn asks_for_password(browser: &Browser) -> Answer {
    let page = browser.follow(browser.visit("/console").await).await.expect(200);
    assert!(page.html().contains("name=\"password\""), "{}", page.body);
    page
}

both!(half_an_hour_without_use_ends_it, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    let browser = server.at_console("ada").await;
    for _ in 0..3 {
        server.clock.advance(Duration::from_mins(29));
        assert!(is_in(&browser).await);
    }
    server.clock.advance(Duration::from_mins(30));
    assert!(!is_in(&browser).await);
    // The sign-in behind it is there still, and is not enough: whoever sits there has to prove who they are.
    asks_for_password(&browser).await;
});

both!(twelve_hours_end_it_whatever_happens, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    let browser = server.at_console("ada").await;
    for _ in 0..35 {
        server.clock.advance(Duration::from_mins(20));
        assert!(is_in(&browser).await);
    }
    server.clock.advance(Duration::from_mins(20));
    assert!(!is_in(&browser).await, "twelve hours");
    asks_for_password(&browser).await;
});

both!(it_ends_with_the_sign_in_behind_it, async |server: TestServer| {
    let id = server.operator("ada", &[Read]).await;
    let management = server.management().await;
    let user = format!("/api/users/{id}");

    let browser = server.at_console("ada").await;
    let live = sessions::of_user(&mut server.begin().await, &id, server.clock.now_ms(), 0).await.unwrap();
    management.delete(&format!("{user}/sessions/{}", live[0].id)).await.expect(204);
    assert!(!is_in(&browser).await, "an operator ended the session");

    let browser = server.at_console("ada").await;
    management.patch(&format!("{user}/password"), json!({ "password": CONSOLE_PASSWORD })).await.expect(200);
    assert!(!is_in(&browser).await, "a new password");

    let browser = server.at_console("ada").await;
    management.patch(&format!("{user}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    assert!(!is_in(&browser).await, "a suspension");
    management.patch(&format!("{user}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
    assert!(!is_in(&browser).await, "and it does not come back");

    let browser = server.at_console("ada").await;
    management.delete(&user).await.expect(204);
    assert!(!is_in(&browser).await, "a deleted user");
});

both!(rights_are_those_of_this_moment, async |server: TestServer| {
    let id = server.operator("ada", &[Admin]).await;
    server.operator("root", &[Admin]).await;
    let browser = server.at_console("ada").await;
    assert!(browser.visit("/console").await.html().contains("<small>Administrator</small>"));
    server.hold(&id, &[Read]).await;
    let page = browser.visit("/console").await.expect(200);
    assert!(page.html().contains("Reader") && !page.html().contains("<small>Administrator</small>"), "{}", page.body);
    // Without the last role the session is over.
    server.hold(&id, &[]).await;
    let refused = browser.visit("/console").await.expect(403);
    assert!(refused.html().contains("The console is for administrators"), "{}", refused.body);
    assert_eq!(browser.cookie(COOKIE), None);
    server.hold(&id, &[Read]).await;
    assert!(!is_in(&browser).await);
});

both!(nobody_gets_in_by_a_guess, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    let ada = server.at_console("ada").await;
    for guess in ["x", "", &*"x".repeat(500), &*claimsmith_services::tokens::hash(&ada.cookie(COOKIE).unwrap())] {
        let browser = Browser::new(&server);
        browser.set_cookie(COOKIE, guess);
        assert!(!is_in(&browser).await, "{guess}");
    }
});

both!(what_has_ended_is_deleted_in_time, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    let browser = server.at_console("ada").await;
    let hash = claimsmith_services::tokens::hash(&browser.cookie(COOKIE).unwrap());
    server.clock.advance(Duration::from_hours(12));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    assert!(console::sessions::delete(&mut server.begin().await, &hash).await.unwrap(), "kept for an hour");
    server.clock.advance(Duration::from_mins(61));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    assert!(!console::sessions::delete(&mut server.begin().await, &hash).await.unwrap());
});
