//! A passkey at the page: what its script does.

use super::{casey, html, post, saved, settings};
use crate::sign_in::PASSWORD;
use claimsmith_test_support::{Authenticator, Browser, TestServer, both};
use serde_json::json;

const OPTIONS: &str = "/account/passkey/options";

both!(a_passkey_is_made_at_the_page, async |server: TestServer| {
    let (browser, ..) = casey(&server).await;
    let factors = json!({ "mfa": { "factors": ["WebAuthn"], "policy": "UserControlled" } });
    assert!(!html(&browser.visit("/account").await.expect(200)).contains("href=\"/account/passkey\""));
    server.management().await.patch("/api/sign-in-exp", factors).await.expect(200);
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("href=\"/account/passkey\""), "{}", overview.body);
    let page = browser.visit("/account/passkey").await.expect(200);
    assert!(html(&page).contains("data-options=\"/account/passkey/options\""), "{}", page.body);
    // Of another site, and of nobody.
    let foreign = server.http.post(server.url(OPTIONS)).header("origin", "https://evil.example.com");
    browser.send(foreign).await.expect(403);
    Browser::new(&server).post(OPTIONS, &[]).await.expect(303);
    let asked = browser.post(OPTIONS, &[]).await.expect(200);
    assert_eq!(asked.header("cache-control"), Some("no-store"));
    let mut authenticator = Authenticator::new(&server.report.base_url);
    let made = authenticator.create(&asked["registrationOptions"]).to_string();
    let id = asked.text("verificationId");
    let fields = [("verification_id", id.as_str()), ("payload", made.as_str())];
    let proof = post(&browser, &page, "/account/passkey", &fields).await.expect(200);
    assert!(html(&proof).contains("page-account-proof"), "{}", proof.body);
    let proved = [fields[0], fields[1], ("current_password", PASSWORD)];
    saved(&post(&browser, &proof, "/account/passkey", &proved).await);
    for payload in ["", "{}", "[", made.as_str()] {
        let fields = [("verification_id", id.as_str()), ("payload", payload)];
        let refused = post(&browser, &page, "/account/passkey", &fields).await.expect(422);
        assert!(html(&refused).contains("form-error"), "{payload}: {}", refused.body);
    }
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("Name of the passkey"), "{}", overview.body);
    // The browser is told of the passkeys that are left.
    let handle = asked["registrationOptions"]["user"]["id"].as_str().unwrap();
    assert!(html(&overview).contains(&format!("data-user=\"{handle}\"")), "{}", overview.body);
    assert!(!html(&overview).contains("data-accepted-passkeys=\"\""), "{}", overview.body);
    let named = html(&overview).split_once("name=\"id\" value=\"").unwrap().1.split_once('"').unwrap().0;
    saved(&post(&browser, &overview, "/account/factor-name", &[("id", named), ("name", "My key")]).await);
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("My key"), "{}", overview.body);
    saved(&post(&browser, &overview, "/account/factor", &[("id", named)]).await);
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("data-accepted-passkeys=\"\""), "{}", overview.body);
    // Not where people do not change it.
    settings(&server, json!({ "fields": { "mfa": "ReadOnly", "passkey": "ReadOnly" } })).await;
    browser.post(OPTIONS, &[]).await.expect_api_error(400, "account_center.field_not_editable");
});
