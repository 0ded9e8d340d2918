//! Servers that speak OAuth 2 alone: nothing is signed there, so the state, the proof of possession of the code (PKCE) and
//! the address to come back to have to do.

use super::{ADA, STATE, ask_nothing, asked, bring, connector_with, leave, server, user_of};
use crate::browser::Browser;
use claimsmith_test_support::{Home, TestServer, UPSTREAM_CLIENT, UPSTREAM_SECRET, Upstream, both};
use serde_json::json;
use std::sync::Arc;

/// A connector of an upstream that is asked for a profile; answers its id.
async fn connector(server: &TestServer, upstream: &Upstream) -> String {
    let issuer = &upstream.issuer;
    let config = json!({
        "authorizationEndpoint": format!("{issuer}/authorize"), "tokenEndpoint": format!("{issuer}/token"),
        "userInfoEndpoint": format!("{issuer}/userinfo"), "clientId": UPSTREAM_CLIENT,
        "clientSecret": UPSTREAM_SECRET, "scope": "user email",
        "profileMap": { "id": "sub", "emailVerified": "email_verified" },
    });
    connector_with(server, "work", config, json!({ "connectorId": "oauth2" })).await
}

both!(somebody_registers_by_a_profile, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "name": "Ada", "email": ADA, "email_verified": true }));
    let id = connector(&server, &upstream).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    let parameters = asked(&sent);
    assert_eq!((parameters["state"].as_str(), parameters["scope"].as_str()), (STATE, "user email"));
    assert_eq!(parameters.get("nonce"), None);
    let data = json!({ "state": STATE, "code": upstream.let_in_by_oauth(&sent.text("authorizationUri")) });
    let verified = bring(&mut browser, "social", &id, &sent["verificationId"], data).await.expect(200);
    browser.identify(&verified).await.expect(201);
    let user_id = browser.state().await["userId"].as_str().unwrap().to_owned();
    browser.submit().await.expect(200);
    let user = user_of(&server, &user_id).await;
    assert_eq!((&user["identities"]["work"]["userId"], &user["primaryEmail"]), (&json!("ada"), &json!(ADA)));
});

both!(a_code_of_another_attempt_is_refused, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream).await;
    let (mut browser, mut attacker) = (Browser::new(&server).await, Browser::new(&server).await);
    browser.start("SignIn").await.expect(204);
    attacker.start("SignIn").await.expect(204);
    let theirs = leave(&mut browser, &server, "social", &id).await.expect(200);
    let stolen = upstream.let_in_by_oauth(&theirs.text("authorizationUri"));
    let own = leave(&mut attacker, &server, "social", &id).await.expect(200);
    let data = json!({ "state": STATE, "code": stolen });
    bring(&mut attacker, "social", &id, &own["verificationId"], data)
        .await
        .expect_api_error(401, "connector.social_auth_code_invalid");
    assert_eq!(attacker.state().await["verificationRecords"][0].get("socialUserInfo"), None);
});
