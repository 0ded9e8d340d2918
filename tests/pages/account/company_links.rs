//! People who administer link an account at an enterprise connector at the page, sign in to the console with it, and
//! remove it.

use super::links::way_back;
use super::{casey, html, post, post_proved, saved};
use crate::sign_in::{PASSWORD, give_password};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::UserId;
use claimsmith_test_support::{Browser, Home, TestServer, Upstream, both, one_time_password};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const LINK: &str = "/account/identity/link";
const ADA: &str = "ada@acme.example";

/// A server with an enterprise connector for administrators; answers its id.
async fn start(home: &Arc<Home>, upstream: &Upstream) -> (TestServer, String) {
    let server = TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap();
    upstream.person(json!({ "sub": "ada-7", "email": ADA, "email_verified": true }));
    let body = json!({
        "providerName": "OIDC", "connectorName": "The <Works>", "config": upstream.config(),
        "domains": ["acme.example"], "signsInAdministrators": true,
    });
    let id = server.management().await.post("/api/sso-connectors", body).await.expect(200).text("id");
    give_password(&server).await;
    (server, id)
}

async fn mark(server: &TestServer, id: &str, is_marked: bool) {
    let body = json!({ "signsInAdministrators": is_marked });
    server.management().await.patch(&format!("/api/sso-connectors/{id}"), body).await.expect(200);
}

/// The ids of a user's accounts at enterprise connectors.
async fn linked(server: &TestServer, id: &UserId) -> Vec<Value> {
    let path = format!("/api/users/{id}?includeSsoIdentities=true");
    let user = server.management().await.get(&path).await.expect(200);
    let identities = user["ssoIdentities"].as_array().unwrap();
    identities.iter().map(|identity| identity["identityId"].clone()).collect()
}

/// The demo's customer, who has just signed in with the password; and administers, if `role` says so.
async fn fresh(server: &TestServer, role: &[ConsoleRole]) -> (Browser, UserId) {
    let id = server.demo().customer_user_id.clone();
    server.hold(&id, role).await;
    (server.signed_in(&[&id]).await.0, id)
}

/// Goes to the provider; answers the address to come back to.
async fn leave(browser: &Browser, upstream: &Upstream, connector: &str) -> String {
    let page = browser.visit("/account").await.expect(200);
    way_back(upstream, &post(browser, &page, LINK, &[("enterprise", connector)]).await)
}

/// A browser that went to the console and signed in by the connector.
async fn by_company(server: &TestServer, upstream: &Upstream) -> Browser {
    let browser = Browser::new(server);
    let page = browser.follow(browser.visit("/console").await).await.expect(200);
    let sent = browser.fill_in(&page, "/single-sign-on", &[("email", ADA)]).await;
    browser.follow(browser.visit(&way_back(upstream, &sent)).await).await;
    browser
}

both!(an_administrator_links_an_account_and_signs_in_to_the_console_with_it, async |home: Arc<Home>| {
    let upstream = Upstream::start(true).await;
    let (server, connector) = start(&home, &upstream).await;
    let (browser, id, _) = casey(&server).await;
    server.hold(&id, &[ConsoleRole::Admin]).await;
    by_company(&server, &upstream).await.visit("/console").await.expect(303);
    let page = browser.visit("/account").await.expect(200);
    let button = format!("name=\"enterprise\" value=\"{connector}\"");
    assert!(html(&page).contains("Link The &#60;Works&#62;") && html(&page).contains(&button), "{}", page.body);
    assert!(!page.header("content-security-policy").unwrap().contains("form-action"));
    // The password is asked for, since the sign-in was some time ago.
    let sent = post_proved(&browser, LINK, &[("enterprise", &connector)]).await;
    let back = way_back(&upstream, &sent);
    assert!(back.starts_with(&format!("{}/account/callback/sso/{connector}?", server.report.base_url)), "{back}");
    // Another browser, another state and the callback of social connectors link nothing.
    let (other, _) = server.signed_in(&[&server.demo().engineer_user_id.clone()]).await;
    other.visit(&back).await.expect(400);
    browser.visit(&back.replace("state=", "state=x")).await.expect(400);
    browser.visit(&back.replace("/callback/sso/", "/callback/social/")).await.expect(400);
    assert!(linked(&server, &id).await.is_empty());
    saved(&browser.visit(&back).await);
    assert_eq!(linked(&server, &id).await, ["ada-7"]);
    // The answer counts once.
    browser.visit(&back).await.expect(400);
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains("Link The") && html(&page).contains(&button), "{}", page.body);
    let signed_in = by_company(&server, &upstream).await;
    signed_in.visit("/console").await.expect(200);
    // A sign-in by the connector proves nothing here, however recent it is.
    let page = signed_in.visit("/account").await.expect(200);
    for path in [LINK, "/account/identity"] {
        let asked = post(&signed_in, &page, path, &[("enterprise", &connector)]).await.expect(200);
        assert!(html(&asked).contains("page-account-proof"), "{path}: {}", asked.body);
    }
    assert_eq!(linked(&server, &id).await, ["ada-7"]);
    let logs = server.management().await.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    for key in ["EnterpriseSso.Create", "EnterpriseSso.Submit"].map(|end| format!("Account.Verification.{end}")) {
        assert!(logs.contains(&key), "{key}: {logs}");
    }
    assert!(logs.contains("Account.User.LinkIdentity"), "{logs}");

    // They remove it, and it lets nobody in any more.
    server.clock.advance(Duration::from_secs(601));
    saved(&post_proved(&browser, "/account/identity", &[("enterprise", &connector)]).await);
    assert!(linked(&server, &id).await.is_empty());
    by_company(&server, &upstream).await.visit("/console").await.expect(303);
    let page = browser.visit("/account").await.expect(200);
    let gone = post(&browser, &page, "/account/identity", &[("enterprise", &connector)]).await.expect(422);
    assert!(html(&gone).contains("form-error"), "{}", gone.body);
});

both!(what_lets_an_administrator_link_is_checked_at_every_step, async |home: Arc<Home>| {
    let upstream = Upstream::start(false).await;
    let (server, connector) = start(&home, &upstream).await;
    // Nobody else is offered it, or links or removes one.
    let (browser, id) = fresh(&server, &[]).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains("name=\"enterprise\""), "{}", page.body);
    for path in [LINK, "/account/identity"] {
        let refused = post(&browser, &page, path, &[("enterprise", &connector)]).await.expect(422);
        assert!(html(&refused).contains("form-error"), "{path}: {}", refused.body);
    }
    // One that lacks its provider's address is not offered, and says what it lacks.
    let (browser, _) = fresh(&server, &[ConsoleRole::Read]).await;
    let body = json!({ "providerName": "OIDC", "connectorName": "Unfinished", "signsInAdministrators": true });
    let unfinished = server.management().await.post("/api/sso-connectors", body).await.expect(200).text("id");
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("Link The") && !html(&page).contains("Unfinished"), "{}", page.body);
    let refused = post(&browser, &page, LINK, &[("enterprise", &unfinished)]).await.expect(422);
    assert!(html(&refused).contains("form-error"), "{}", refused.body);
    // Rights are taken while they are away.
    let (browser, _) = fresh(&server, &[ConsoleRole::Read]).await;
    let back = leave(&browser, &upstream, &connector).await;
    server.hold(&id, &[]).await;
    browser.visit(&back).await.expect(422);
    server.hold(&id, &[ConsoleRole::Read]).await;
    // The mark is removed, before they leave and while they are away.
    let back = leave(&browser, &upstream, &connector).await;
    mark(&server, &connector, false).await;
    browser.visit(&back).await.expect(422);
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains("name=\"enterprise\""), "{}", page.body);
    for (unknown, status) in [(connector.as_str(), 422), ("nothing", 422), ("", 404), ("../x", 400)] {
        post(&browser, &page, LINK, &[("enterprise", unknown)]).await.expect(status);
    }
    mark(&server, &connector, true).await;
    assert!(linked(&server, &id).await.is_empty());
    // The session ends.
    let back = leave(&browser, &upstream, &connector).await;
    let end = format!("/api/users/{id}/sessions");
    let sessions = server.management().await.get(&end).await.expect(200);
    for session in sessions["sessions"].as_array().unwrap() {
        let path = format!("{end}/{}", session["payload"]["uid"].as_str().unwrap());
        server.management().await.delete(&path).await.expect(204);
    }
    browser.visit(&back).await.expect(303);
    assert!(linked(&server, &id).await.is_empty());
    // Whoever has neither password nor passkey keeps the account: without it nobody would let them in.
    let penny = server.management().await.post("/api/users", json!({ "username": "penny" })).await.expect(200);
    let penny = UserId::from(penny.text("id"));
    server.hold(&penny, &[ConsoleRole::Read]).await;
    let (other, _) = server.signed_in(&[&penny]).await;
    saved(&other.visit(&leave(&other, &upstream, &connector).await).await);
    let page = other.visit("/account").await.expect(200);
    let last = post(&other, &page, "/account/identity", &[("enterprise", &connector)]).await.expect(422);
    assert!(html(&last).contains("you could not sign in any more"), "{}", last.body);
    assert_eq!(linked(&server, &penny).await, ["ada-7"]);
    // The account of somebody else, and a second one.
    let (browser, _) = fresh(&server, &[ConsoleRole::Read]).await;
    let refused = browser.visit(&leave(&browser, &upstream, &connector).await).await.expect(422);
    assert!(html(&refused).contains("already linked to a user"), "{}", refused.body);
    upstream.person(json!({ "sub": "ada-8" }));
    let (first, second) = (leave(&browser, &upstream, &connector).await, leave(&browser, &upstream, &connector).await);
    saved(&browser.visit(&first).await);
    browser.visit(&second).await.expect(422);
    assert_eq!(linked(&server, &id).await, ["ada-8"]);
    // The connector is deleted while they are away.
    let page = browser.visit("/account").await.expect(200);
    saved(&post(&browser, &page, "/account/identity", &[("enterprise", &connector)]).await);
    let back = leave(&browser, &upstream, &connector).await;
    server.management().await.delete(&format!("/api/sso-connectors/{connector}")).await.expect(204);
    browser.visit(&back).await.expect(422);
    assert!(linked(&server, &id).await.is_empty());
});

both!(a_second_factor_is_proved_in_a_recent_sign_in, async |home: Arc<Home>| {
    let upstream = Upstream::start(false).await;
    let (server, connector) = start(&home, &upstream).await;
    let (browser, id) = fresh(&server, &[ConsoleRole::Admin]).await;
    let path = format!("/api/users/{id}/mfa-verifications");
    let secret = server.management().await.post(&path, json!({ "type": "Totp" })).await.expect(200).text("secret");
    // They signed in without it, and a password does not suffice.
    let page = browser.visit("/account").await.expect(200);
    for fields in
        [vec![("enterprise", connector.as_str())], vec![("enterprise", &connector), ("current_password", PASSWORD)]]
    {
        let asked = post(&browser, &page, LINK, &fields).await.expect(200);
        assert!(
            html(&asked).contains("value=\"again\"") && !html(&asked).contains("current_password"),
            "{}",
            asked.body
        );
    }
    server.clock.advance(Duration::from_secs(30));
    let browser = Browser::new(&server);
    let page = browser.sign_in_at("/account", "customer", PASSWORD).await.expect(200);
    let code = one_time_password(&server, &secret);
    browser.follow(browser.fill_in(&page, "/second-factor", &[("code", &code)]).await).await.expect(200);
    saved(&browser.visit(&leave(&browser, &upstream, &connector).await).await);
    assert_eq!(linked(&server, &id).await, ["ada-7"]);
});
