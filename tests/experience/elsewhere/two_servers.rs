//! A second server of this kind as the upstream: what it says is what the other one understands.

use super::{STATE, ask_nothing, asked, bring, connector_with, leave, redirect_uri, server, user_of};
use crate::browser::Browser;
use claimsmith_test_support::{Browser as Visitor, Home, TestServer, both, told};
use serde_json::json;
use std::net::TcpListener;
use std::sync::Arc;

/// A server whose issuer is where it listens.
async fn upstream(home: &Arc<Home>) -> TestServer {
    let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let base_url = format!("http://{listen}");
    TestServer::start(home, &[("CLAIMSMITH_LISTEN", &listen), ("CLAIMSMITH_BASE_URL", &base_url)]).await.unwrap()
}

both!(one_server_signs_people_in_at_another, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let elsewhere = Home::new(home.kind()).await;
    let upstream = upstream(&elsewhere).await;
    let management = upstream.management().await;
    let application = json!({ "name": "The other server", "type": "Traditional", "oidcClientMetadata": {
        "redirectUris": [redirect_uri(&server, "partner")], "postLogoutRedirectUris": [] } });
    let application = management.post("/api/applications", application).await.expect(200);
    let client_id = application.text("id");
    let secret = application["secret"].as_str().map(str::to_owned);
    let config = json!({ "issuer": upstream.issuer(), "clientId": client_id, "clientSecret": secret });
    let id = connector_with(&server, "partner", config, json!({ "id": "partner" })).await;

    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    assert_eq!(asked(&sent)["scope"], "openid profile email");
    // Somebody who is signed in there comes straight back.
    let (visitor, _): (Visitor, _) = upstream.signed_in(&[&upstream.demo().customer_user_id]).await;
    let answer = visitor.open(&sent.text("authorizationUri")).await.expect(303);
    let told = told(&answer);
    assert_eq!((told["state"].as_str(), &told["iss"]), (STATE, &upstream.issuer()));
    let data = json!({ "state": told["state"], "code": told["code"], "iss": told["iss"] });
    let verified = bring(&mut browser, "social", &id, &sent["verificationId"], data).await.expect(200);
    browser.identify(&verified).await.expect(201);
    let user_id = browser.state().await["userId"].as_str().unwrap().to_owned();
    browser.submit().await.expect(200);
    let identity = user_of(&server, &user_id).await["identities"]["partner"].clone();
    assert_eq!(identity["userId"], upstream.demo().customer_user_id.as_str());
});
