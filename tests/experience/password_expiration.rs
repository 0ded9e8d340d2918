//! Passwords that expire: they sign nobody in any more, and are replaced by a code.

use crate::browser::{Browser, PASSWORD, credentials, settings, take_codes, user_with_email};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_storage::audit;
use claimsmith_test_support::{Answer, Inbox, Mailed, TestServer, both};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

const ADA: &str = "ada@example.com";
const NEW: &str = "another good password";
const DAY: Duration = Duration::from_hours(24);
const EXPIRED: &str = "password.expired";

/// Lets passwords expire after thirty days.
async fn expire(server: &TestServer) {
    take_codes(server).await;
    settings(server, json!({ "passwordExpiration": { "enabled": true, "validPeriodDays": 30 } })).await;
}

/// Signs in with the address and a password, up to the verification.
async fn verify(browser: &mut Browser, password: &str) -> Answer {
    browser.start("SignIn").await.expect(204);
    browser.post("/verification/password", credentials("email", ADA, password)).await
}

/// Signs in with a password.
async fn signs_in(server: &TestServer, password: &str) {
    let mut browser = Browser::new(server).await;
    let verified = verify(&mut browser, password).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
}

/// Resets the password with the code of this message.
async fn reset(browser: &mut Browser, inbox: &Inbox, number: usize) {
    browser.start("ForgotPassword").await.expect(204);
    let verified = browser.prove(inbox, ADA, "ForgotPassword", number).await;
    browser.identify(&verified).await.expect(204);
    let same = browser.send(Method::PUT, "/profile/password", json!({ "password": PASSWORD })).await;
    same.expect_api_error(422, "user.same_password");
    browser.send(Method::PUT, "/profile/password", json!({ "password": NEW })).await.expect(204);
    browser.submit().await.expect(200);
}

both!(a_password_that_is_too_old_is_replaced_before_it_signs_in, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    expire(&server).await;
    user_with_email(&server, ADA).await;
    server.clock.advance(29 * DAY);
    signs_in(&server, PASSWORD).await;
    server.clock.advance(DAY);
    let mut browser = Browser::new(&server).await;
    // Only whoever knows the password learns that it has expired.
    verify(&mut browser, "a wrong password").await.expect_api_error(422, "session.invalid_credentials");
    verify(&mut browser, PASSWORD).await.expect_api_error(422, EXPIRED);
    assert_eq!(browser.state().await["verificationRecords"], json!([]));
    browser.submit().await.expect_api_error(404, "session.identifier_not_found");
    reset(&mut browser, &inbox, 1).await;
    let verified = verify(&mut browser, NEW).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    // The new one counts from its change, and other ways to sign in have no age.
    server.clock.advance(29 * DAY);
    signs_in(&server, NEW).await;
    server.clock.advance(DAY);
    let mut browser = Browser::new(&server).await;
    verify(&mut browser, NEW).await.expect_api_error(422, EXPIRED);
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "SignIn", 2).await;
    browser.identify(&verified).await.expect(204);
    // Where they do not expire any more, it counts again.
    settings(&server, json!({ "passwordExpiration": { "enabled": false } })).await;
    signs_in(&server, NEW).await;
});

both!(a_password_of_unknown_age_counts_from_when_passwords_began_to_expire, async |mailed: Mailed| {
    let Mailed { server, .. } = mailed;
    user_with_email(&server, ADA).await;
    let mut tx = server.begin().await;
    tx.sql("UPDATE users SET password_updated_at = NULL").execute().await.unwrap();
    tx.commit().await.unwrap();
    server.clock.advance(1000 * DAY);
    expire(&server).await;
    signs_in(&server, PASSWORD).await;
    server.clock.advance(30 * DAY);
    verify(&mut Browser::new(&server).await, PASSWORD).await.expect_api_error(422, EXPIRED);
});

both!(an_operator_expires_a_password, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let management = server.management().await;
    let id = user_with_email(&server, ADA).await;
    let path = format!("/api/users/{id}/password/expiration");
    let expired = |is_expired: bool| json!({ "isExpired": is_expired });
    let not_enabled = "sign_in_experiences.password_expiration_not_enabled";
    management.patch(&path, expired(true)).await.expect_api_error(400, not_enabled);
    expire(&server).await;
    let nobody = "/api/users/nobody/password/expiration";
    management.patch(nobody, expired(true)).await.expect_api_error(404, "entity.not_found");
    for wrong in [json!({}), json!({ "isExpired": null }), json!({ "isExpired": "yes" })] {
        management.patch(&path, wrong).await.expect_api_error(400, "guard.invalid_input");
    }

    // What was verified before does not count any more.
    let mut browser = Browser::new(&server).await;
    let verified = verify(&mut browser, PASSWORD).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let shown = management.patch(&path, expired(true)).await.expect(200);
    assert_eq!((&shown["id"], &shown["hasPassword"]), (&json!(id), &json!(true)));
    browser.submit().await.expect_api_error(422, EXPIRED);
    verify(&mut browser, PASSWORD).await.expect_api_error(422, EXPIRED);
    management.patch(&path, expired(false)).await.expect(200);
    signs_in(&server, PASSWORD).await;
    management.patch(&path, expired(true)).await.expect(200);
    // Another change of the user leaves it alone, and a new password ends it.
    management.patch(&format!("/api/users/{id}"), json!({ "name": "Ada" })).await.expect(200);
    verify(&mut browser, PASSWORD).await.expect_api_error(422, EXPIRED);
    reset(&mut browser, &inbox, 1).await;
    signs_in(&server, NEW).await;
    management.patch(&path, expired(true)).await.expect(200);
    let body = json!({ "password": PASSWORD });
    management.patch(&format!("/api/users/{id}/password"), body).await.expect(200);
    signs_in(&server, PASSWORD).await;
    let entries = audit::list_by_key(&mut server.begin().await, "Management.User.ExpirePassword", 10).await.unwrap();
    assert_eq!(entries.len(), 4);

    let bare = management.post("/api/users", json!({ "username": "bare" })).await.expect(200).text("id");
    let refused = management.patch(&format!("/api/users/{bare}/password/expiration"), expired(true)).await;
    assert_eq!(refused["code"], "request.invalid_input");
});

both!(passwords_of_administrators_do_not_expire, async |mailed: Mailed| {
    let Mailed { server, .. } = mailed;
    expire(&server).await;
    let id = user_with_email(&server, ADA).await;
    server.hold(&id.as_str().into(), &[ConsoleRole::Support]).await;
    server.clock.advance(31 * DAY);
    // No code could reset it.
    signs_in(&server, PASSWORD).await;
    let path = format!("/api/users/{id}/password/expiration");
    let refused = server.management().await.patch(&path, json!({ "isExpired": true })).await;
    refused.expect_api_error(400, "sign_in_experiences.password_expiration_not_enabled");
    server.hold(&id.as_str().into(), &[]).await;
    verify(&mut Browser::new(&server).await, PASSWORD).await.expect_api_error(422, EXPIRED);
});
