//! An account elsewhere for a user who exists: only for whoever proves both.

use super::{ADA, ask_nothing, connector, register, server, user_of, visit};
use crate::browser::{Browser, PASSWORD, credentials, user, user_with_email};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Answer, Home, Receiver, TestServer, Upstream, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// Links the account of a verification to the user who has its address.
async fn link(browser: &mut Browser, verified: &Answer) -> Answer {
    let body = json!({ "verificationId": verified["verificationId"], "linkSocialIdentity": true });
    browser.post("/identification", body).await
}

/// Gives a user the rights of the console.
pub(super) async fn let_administer(server: &TestServer, user_id: &str) {
    let path = format!("/api/users/{user_id}/roles");
    let body = json!({ "roleIds": [ConsoleRole::Read.role_id()] });
    server.management().await.post(&path, body).await.expect(201);
}

both!(whoever_proves_both_links_them, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let user_id = user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "email": "Ada@Example.com", "email_verified": true }));
    let id = connector(&server, &upstream, "work").await;
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["User.Data.Updated"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    let offered = browser.identify(&verified).await;
    offered.expect_api_error(404, "user.identity_not_exist");
    assert_eq!(offered["data"]["relatedUser"], json!({ "type": "email", "value": ADA }));
    // The address alone is not enough.
    let refused = link(&mut browser, &verified).await;
    refused.expect_api_error(404, "user.identity_not_exist");
    assert_eq!(user_of(&server, &user_id).await["identities"], json!({}));
    browser.post("/verification/password", credentials("email", ADA, "wrong")).await.expect(422);
    link(&mut browser, &verified).await.expect_api_error(404, "user.identity_not_exist");
    browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    link(&mut browser, &verified).await.expect(204);
    assert_eq!(browser.state().await["userId"], user_id.as_str());
    browser.submit().await.expect(200);
    assert_eq!(receiver.wait(1).await[0].json()["data"]["identities"]["work"]["userId"], "ada");
    assert_eq!(user_of(&server, &user_id).await["identities"]["work"]["userId"], "ada");
    // From now on it is enough.
    let mut again = Browser::new(&server).await;
    again.start("SignIn").await.expect(204);
    let verified = visit(&mut again, &server, &upstream, "social", &id).await.expect(200);
    again.identify(&verified).await.expect(204);
    again.submit().await.expect(200);
});

both!(a_proof_of_somebody_else_links_nothing, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let ada = user_with_email(&server, ADA).await;
    let grace = user_with_email(&server, "grace@example.com").await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "email": ADA, "email_verified": true }));
    let id = connector(&server, &upstream, "work").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    browser.post("/verification/password", credentials("email", "grace@example.com", PASSWORD)).await.expect(200);
    link(&mut browser, &verified).await.expect_api_error(404, "user.identity_not_exist");
    for id in [ada, grace] {
        assert_eq!(user_of(&server, &id).await["identities"], json!({}));
    }
});

both!(whoever_administers_is_not_linked_by_an_address, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let user_id = user_with_email(&server, ADA).await;
    let_administer(&server, &user_id).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "email": ADA, "email_verified": true }));
    let id = connector(&server, &upstream, "work").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    let refused = browser.identify(&verified).await;
    refused.expect_api_error(404, "user.identity_not_exist");
    assert_eq!(refused.body.get("data").unwrap_or(&Value::Null), &Value::Null);
    let proof = browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    link(&mut browser, &verified).await.expect_api_error(404, "user.identity_not_exist");
    browser.identify(&proof).await.expect(204);
    let social = json!({ "type": "social", "verificationId": verified["verificationId"] });
    browser.post("/profile", social).await.expect_api_error(403, "auth.forbidden");
});

both!(what_was_unlinked_does_not_link_itself_again, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let (_, user_id) = register(&server, &upstream, "social", &id).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    // Its owner takes it away, while somebody has come by it.
    server.management().await.delete(&format!("/api/users/{user_id}/identities/work")).await.expect(200);
    let social = json!({ "type": "social", "verificationId": verified["verificationId"] });
    browser.post("/profile", social).await.expect(204);
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    assert_eq!(user_of(&server, &user_id).await["identities"], json!({}));
});

both!(whoever_administers_by_now_is_not_linked, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let user_id = user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    let social = json!({ "type": "social", "verificationId": verified["verificationId"] });
    browser.post("/profile", social).await.expect(204);
    let_administer(&server, &user_id).await;
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    assert_eq!(user_of(&server, &user_id).await["identities"], json!({}));
});
