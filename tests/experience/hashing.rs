//! Limits come before every hash of a new password: the captcha, and what one address may have hashed.

use crate::browser::{Browser, PASSWORD, settings, take_codes, user_with_email};
use claimsmith_test_support::{Answer, Home, Mailed, both};
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const ADA: &str = "ada@example.com";
const NEW: &str = "another good password";

/// Has the new password of somebody who registers hashed.
async fn add(browser: &mut Browser) -> Answer {
    browser.post("/profile", json!({ "type": "password", "value": NEW })).await
}

/// Has the new password of somebody who forgot theirs hashed.
async fn replace(browser: &mut Browser) -> Answer {
    browser.send(Method::PUT, "/profile/password", json!({ "password": NEW })).await
}

/// A browser whose user is to choose a new password.
async fn forgetful(Mailed { server, inbox }: &Mailed) -> Browser {
    let mut browser = Browser::new(server).await;
    browser.start("ForgotPassword").await.expect(204);
    let verified = browser.prove(inbox, ADA, "ForgotPassword", 1).await;
    browser.identify(&verified).await.expect(204);
    browser
}

both!(no_new_password_is_hashed_before_the_captcha, async |mailed: Mailed| {
    take_codes(&mailed.server).await;
    user_with_email(&mailed.server, ADA).await;
    let mut forgetful = forgetful(&mailed).await;
    let server = mailed.server;
    let config = json!({ "type": "ProofOfWork", "difficulty": 8 });
    server.management().await.put("/api/captcha-provider", json!({ "config": config })).await.expect(200);
    settings(&server, json!({ "captchaPolicy": { "enabled": true } })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let computed = server.app.passwords.computed();
    for refused in [browser.choose("grace", PASSWORD).await, add(&mut browser).await, replace(&mut forgetful).await] {
        refused.expect_api_error(422, "session.captcha_required");
    }
    assert_eq!(server.app.passwords.computed(), computed);
    assert_eq!(browser.state().await["verificationRecords"], json!([]));
});

both!(one_address_has_only_so_many_new_passwords_hashed, async |home: Arc<Home>| {
    let mailed = Mailed::start(&home, &[("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1")]).await;
    take_codes(&mailed.server).await;
    user_with_email(&mailed.server, ADA).await;
    let mut forgetful = forgetful(&mailed).await;
    let server = mailed.server;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    for number in 0..100 {
        let chosen = browser.choose("grace", PASSWORD).await;
        assert_eq!(chosen.status, 200, "{number}: {}", chosen.body);
    }
    let computed = server.app.passwords.computed();
    for refused in [browser.choose("grace", PASSWORD).await, add(&mut browser).await, replace(&mut forgetful).await] {
        refused.expect_api_error(503, "user.password_busy");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    assert_eq!(server.app.passwords.computed(), computed, "nothing is hashed any more");
    // What the policy refuses was no hash, so it does not count either.
    browser.choose("grace", "short").await.expect_api_error(422, "password.rejected");
    // Others have their own.
    let mut other = Browser::new(&server).await;
    other.from = Some("198.51.100.1".to_owned());
    other.start("Register").await.expect(204);
    other.choose("lee", PASSWORD).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    replace(&mut forgetful).await.expect(204);
    add(&mut browser).await.expect(204);
    browser.choose("grace", PASSWORD).await.expect_api_error(503, "user.password_busy");
});
