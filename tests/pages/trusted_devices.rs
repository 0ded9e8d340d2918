//! Trusting a device in a browser without JavaScript, and ending it at the page of one's account.

use crate::html;
use crate::sign_in::{PASSWORD, application, begin, fill_in, follow, give_password};
use claimsmith_test_support::{Answer, Browser, TestServer, both, one_time_password, told};
use serde_json::json;
use std::time::Duration;

/// Enters the password.
async fn sign_in(browser: &Browser, client: &str) -> Answer {
    let page = begin(browser, client, &[("prompt", "login")]).await.expect(200);
    fill_in(browser, &page, "/sign-in", &[("identifier", "customer"), ("password", PASSWORD)]).await
}

both!(a_person_trusts_a_device_and_takes_it_back, async |server: TestServer| {
    give_password(&server).await;
    let management = server.management().await;
    let mfa = json!({ "policy": "UserControlled", "factors": ["Totp"] });
    management.patch("/api/sign-in-exp", json!({ "mfa": mfa })).await.expect(200);
    let factors = format!("/api/users/{}/mfa-verifications", server.demo().customer_user_id);
    let secret = management.post(&factors, json!({ "type": "Totp" })).await.expect(200).text("secret");
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = sign_in(&browser, &client).await.expect(200);
    assert!(!html(&page).contains("trust_device"), "it is off by default: {}", page.body);
    let on = json!({ "trustedDevice": { "enabled": true, "durationDays": 14 } });
    management.patch("/api/sign-in-exp", on).await.expect(200);

    // Whoever does not tick the box is asked again.
    let page = sign_in(&browser, &client).await.expect(200);
    assert!(html(&page).contains("name=\"trust_device\"") && html(&page).contains("14 days"), "{}", page.body);
    let code = one_time_password(&server, &secret);
    fill_in(&browser, &page, "/second-factor", &[("code", &code)]).await.expect(303);
    assert_eq!(browser.cookie("claimsmith-trusted"), None);
    server.clock.advance(Duration::from_secs(30));
    let page = sign_in(&browser, &client).await.expect(200);
    assert!(html(&page).contains("page-second-factor"), "{}", page.body);
    // A code that is wrong trusts nothing.
    fill_in(&browser, &page, "/second-factor", &[("code", "1"), ("trust_device", "true")]).await.expect(422);
    let code = one_time_password(&server, &secret);
    let fields = [("code", code.as_str()), ("trust_device", "true")];
    let answer = fill_in(&browser, &page, "/second-factor", &fields).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    assert!(browser.cookie("claimsmith-trusted").is_some());
    let answer = sign_in(&browser, &client).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");

    // At the page of the account.
    let page = follow(&browser, browser.visit("/account").await).await.expect(200);
    assert!(html(&page).contains("id=\"devices\""), "{}", page.body);
    let ended = fill_in(&browser, &page, "/account/device", &[("all", "true")]).await.expect(200);
    assert!(!html(&ended).contains("id=\"devices\""), "{}", ended.body);
    let page = sign_in(&browser, &client).await.expect(200);
    assert!(html(&page).contains("page-second-factor"), "{}", page.body);
});
