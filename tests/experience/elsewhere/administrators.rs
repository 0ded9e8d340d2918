//! Accounts elsewhere of users who administer: they sign in with none but the one that they linked themselves, at an
//! enterprise connector that was marked for it.

use super::{ask_nothing, connector, leave, server, user_of, visit};
use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings};
use claimsmith_domain::console::{BuiltInClient, ConsoleRole};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_test_support::{Home, TestServer, Upstream, both, one_time_password};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const ADA: &str = "ada@acme.example";

/// An enterprise connector that owns the domain of [`ADA`]; answers its id.
async fn company(server: &TestServer, upstream: &Upstream) -> String {
    let body = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["acme.example"],
    });
    let made = server.management().await.post("/api/sso-connectors", body).await.expect(200);
    assert_eq!(made["signsInAdministrators"], false, "off by default");
    settings(server, json!({ "singleSignOnEnabled": true })).await;
    made.text("id")
}

async fn mark(server: &TestServer, id: &str, is_marked: bool) {
    let body = json!({ "signsInAdministrators": is_marked });
    let path = format!("/api/sso-connectors/{id}");
    let marked = server.management().await.patch(&path, body).await.expect(200);
    assert_eq!(marked["signsInAdministrators"], is_marked);
}

/// An administrator with [`PASSWORD`].
async fn administrator(server: &TestServer) -> UserId {
    let body = json!({ "username": "ada", "primaryEmail": ADA, "password": PASSWORD });
    let id: UserId = server.management().await.post("/api/users", body).await.expect(200).text("id").as_str().into();
    server.hold(&id, &[ConsoleRole::Admin]).await;
    id
}

async fn begun(server: &TestServer, client_id: &ApplicationId) -> Browser {
    let mut browser = Browser::of(server, client_id).await;
    browser.start("SignIn").await.expect(204);
    browser
}

fn console() -> ApplicationId {
    BuiltInClient::Console.id().into()
}

/// Links the account of the upstream in a sign-in by password; answers whether it may be done.
async fn link(server: &TestServer, upstream: &Upstream, client_id: &ApplicationId, id: &str) -> Option<Browser> {
    let mut browser = begun(server, client_id).await;
    let proof = browser.post("/verification/password", credentials("username", "ada", PASSWORD)).await.expect(200);
    browser.identify(&proof).await.expect(204);
    let sent = leave(&mut browser, server, "sso", id).await;
    if sent.status != 200 {
        sent.expect_api_error(422, "user.sign_in_method_not_enabled");
        return None;
    }
    let verified = visit(&mut browser, server, upstream, "sso", id).await.expect(200);
    let body = json!({ "type": "enterpriseSso", "verificationId": verified["verificationId"] });
    let staged = browser.post("/profile", body).await;
    (staged.status == 204).then_some(browser)
}

both!(a_company_signs_in_administrators_where_it_is_marked_and_they_linked_it, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada-7", "email": ADA, "email_verified": true }));
    let id = company(&server, &upstream).await;
    let (user_id, spa) = (administrator(&server).await, server.demo().spa_client_id.clone());

    // Not marked: nobody goes there from the console, and nobody links it.
    assert!(link(&server, &upstream, &console(), &id).await.is_none());
    assert!(link(&server, &upstream, &spa, &id).await.is_none());
    mark(&server, &id, true).await;
    // Marked, but not linked by them: the address does not find them, wherever.
    for client_id in [console(), spa.clone()] {
        let mut browser = begun(&server, &client_id).await;
        let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
        browser.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
        // Without a proof of their own, they link nothing either.
        let body = json!({ "type": "enterpriseSso", "verificationId": verified["verificationId"] });
        browser.post("/profile", body).await.expect_api_error(404, "session.identifier_not_found");
    }
    // They link it, unless the mark is taken back before the end.
    let mut browser = link(&server, &upstream, &console(), &id).await.unwrap();
    mark(&server, &id, false).await;
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    mark(&server, &id, true).await;
    browser.submit().await.expect(200);
    assert_eq!(user_of(&server, user_id.as_str()).await["ssoIdentities"][0]["identityId"], "ada-7");

    let mut browser = begun(&server, &console()).await;
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    // Their own second factor is asked for all the same.
    let path = format!("/api/users/{user_id}/mfa-verifications");
    let secret = server.management().await.post(&path, json!({ "type": "Totp" })).await.expect(200).text("secret");
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    server.clock.advance(Duration::from_secs(30));
    let code = json!({ "code": one_time_password(&server, &secret) });
    browser.post("/verification/totp/verify", code).await.expect(200);
    // The mark counts until the end.
    mark(&server, &id, false).await;
    browser.submit().await.expect_api_error(422, "user.sign_in_method_not_enabled");
    mark(&server, &id, true).await;
    browser.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &browser).await, [user_id.as_str()]);

    // Whoever has an address of the company has a password there, and a connector that is not marked is not shown.
    let mut browser = begun(&server, &console()).await;
    let proof = browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    browser.identify(&proof).await.expect(204);
    for (is_marked, shown) in [(true, json!([id])), (false, json!([]))] {
        mark(&server, &id, is_marked).await;
        let path = format!("/sso-connectors?email={ADA}");
        let found = browser.send(reqwest::Method::GET, &path, Value::Null).await.expect(200);
        assert_eq!(found["connectorIds"], shown);
        let public = server.get(&format!("/api/.well-known/sign-in-exp?appId={}", console())).await.expect(200);
        assert_eq!(public["ssoConnectors"].as_array().map(Vec::len), shown.as_array().map(Vec::len));
    }
});

both!(what_a_company_linked_by_itself_signs_in_no_administrator, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada-7", "email": ADA, "email_verified": true }));
    let id = company(&server, &upstream).await;
    mark(&server, &id, true).await;
    let (user_id, spa) = (administrator(&server).await, server.demo().spa_client_id.clone());
    // Linked by the domain of the address, while the user did not administer.
    server.hold(&user_id, &[]).await;
    for is_first in [true, false] {
        let mut browser = begun(&server, &spa).await;
        let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
        browser.identify(&verified).await.expect(204);
        if is_first {
            browser.submit().await.expect(200);
            continue;
        }
        server.hold(&user_id, &[ConsoleRole::Read]).await;
        browser.submit().await.expect_api_error(404, "user.sso_identity_not_exist");
    }
    for client_id in [console(), spa] {
        let mut browser = begun(&server, &client_id).await;
        let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
        browser.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
    }
});

both!(no_social_connector_leads_to_the_console, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "email": ADA, "email_verified": true }));
    let id = connector(&server, &upstream, "work").await;
    administrator(&server).await;
    for client in BuiltInClient::ALL {
        let mut browser = begun(&server, &client.id().into()).await;
        leave(&mut browser, &server, "social", &id).await.expect_api_error(422, "user.sign_in_method_not_enabled");
    }
});
