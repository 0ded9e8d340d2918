//! The session that a sign-in begins.

use crate::browser::{Browser, sessions_of, user};
use claimsmith_test_support::{TestServer, both};

both!(a_planted_cookie_opens_nothing, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.session = Some("planted".to_owned());
    let planted = browser.clone();
    browser.sign_in("ada").await;
    assert_ne!(browser.session.as_deref(), Some("planted"));
    assert_eq!(sessions_of(&server, &browser).await.len(), 1);
    assert_eq!(sessions_of(&server, &planted).await, [""; 0]);
});

both!(a_cookie_that_was_seen_before_opens_nothing_after, async |server: TestServer| {
    let (ada, grace) = (user(&server, "ada").await, user(&server, "grace").await);
    // Whoever plants a session of their own.
    let mut browser = Browser::new(&server).await;
    browser.sign_in("grace").await;
    let before = browser.clone();
    browser.authorize(&server).await;
    browser.sign_in("ada").await;
    assert_eq!(sessions_of(&server, &before).await, [""; 0]);
    let mut users = sessions_of(&server, &browser).await;
    users.sort();
    let mut expected = [ada, grace];
    expected.sort();
    assert_eq!(users, expected);
});

both!(signing_in_again_renews_the_session, async |server: TestServer| {
    let id = user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.sign_in("ada").await;
    let before = browser.clone();
    browser.authorize(&server).await;
    browser.sign_in("ada").await;
    assert_eq!(sessions_of(&server, &browser).await, [id]);
    assert_eq!(sessions_of(&server, &before).await, [""; 0]);
});
