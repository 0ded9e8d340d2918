//! The session that a sign-in begins.

use crate::browser::{Browser, sessions_of, user};
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use reqwest::header::COOKIE;
use serde_json::{Value, json};
use std::time::Duration;

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

both!(a_new_session_lives_as_long_as_the_configuration_says_then, async |server: TestServer| {
    let id = user(&server, "ada").await;
    let mut before = Browser::new(&server).await;
    before.sign_in("ada").await;
    let management = server.management().await;
    management.patch("/api/configs/oidc/session", json!({ "ttl": 600 })).await.expect(200);
    let mut after = Browser::new(&server).await;
    after.sign_in("ada").await;
    server.clock.advance(Duration::from_secs(599));
    assert_eq!(sessions_of(&server, &after).await, [id.as_str()]);
    server.clock.advance(Duration::from_secs(1));
    assert_eq!(sessions_of(&server, &after).await, [""; 0]);
    assert_eq!(sessions_of(&server, &before).await, [id]);
});

both!(a_step_names_its_interaction, async |server: TestServer| {
    user(&server, "ada").await;
    let (mut first, second) = (Browser::new(&server).await, Browser::new(&server).await);
    // Both are of one browser.
    let cookies = [&first, &second]
        .map(|tab| format!("claimsmith-interaction-{}={}", tab.interaction_id, tab.interaction_secret()));
    let step = |method: Method, path: String, body: Value| {
        let request = server.anonymous().request(method, &path).header(COOKIE, cookies.join("; "));
        Answer::of(if body.is_null() { request } else { request.json(&body) })
    };
    let begin = json!({ "interactionEvent": "Register" });
    step(Method::PUT, format!("/api/experience?interaction={}", first.interaction_id), begin).await.expect(204);
    assert_eq!(first.state().await["interactionEvent"], "Register");
    let path = |id: &str| format!("/api/experience/interaction?interaction={id}");
    step(Method::GET, path(&second.interaction_id), Value::Null)
        .await
        .expect_api_error(404, "session.interaction_not_found");
    step(Method::GET, path(&first.interaction_id), Value::Null).await.expect(200);
    // One of another browser is none of these.
    let other = Browser::new(&server).await;
    step(Method::GET, path(&other.interaction_id), Value::Null).await.expect_api_error(400, "session.not_found");
    // Of one that is over, the answer says where the browser begins anew.
    server.clock.advance(std::time::Duration::from_hours(1));
    let over = step(Method::GET, path(&first.interaction_id), Value::Null).await;
    over.expect_api_error(400, "session.not_found");
    let again = format!("{}/auth/{}?again=true", server.issuer(), first.interaction_id);
    assert_eq!(over["data"]["redirectTo"], again);
});
