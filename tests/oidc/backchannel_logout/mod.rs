//! Back-channel logout: which applications are told that a session has ended, how, and how often.

mod deliveries;
mod endings;
mod races;
mod receivers;

use crate::sign_in::{CALLBACK, Client, authorize, with};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_storage::Json;
use claimsmith_test_support::{Answer, Browser, Home, Received, Receiver, TestServer, seed, told, until};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where people go who signed out.
const BYE: &str = "https://shop.example.com/bye";

/// A server that looks at its clock, which the test moves, many times a second.
async fn server(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap()
}

/// An application that wants to be told there.
async fn client_told_at(server: &TestServer, uri: &str) -> Client {
    client_with(server, Some(uri), CustomClientMetadata::default()).await
}

async fn client_with(server: &TestServer, uri: Option<&str>, metadata: CustomClientMetadata) -> Client {
    let mut application = seed::new_application(ApplicationType::Native);
    application.custom_client_metadata = Json(metadata);
    application.oidc_client_metadata = Json(OidcClientMetadata {
        redirect_uris: vec![CALLBACK.to_owned()],
        post_logout_redirect_uris: vec![BYE.to_owned()],
        backchannel_logout_uri: uri.map(str::to_owned),
        ..OidcClientMetadata::default()
    });
    let (id, secret) = server.add(application).await;
    Client { id, secret, kind: ApplicationType::Native }
}

/// Somebody who is signed in in a browser of their own.
struct SignedInUser {
    id: UserId,
    browser: Browser,
    session_id: SessionId,
}

impl SignedInUser {
    async fn new(server: &TestServer) -> Self {
        Self::again(server, &server.add_user().await).await
    }

    /// The same user in another browser.
    async fn again(server: &TestServer, id: &UserId) -> Self {
        let (browser, mut sessions) = server.signed_in(&[id]).await;
        Self { id: id.clone(), browser, session_id: sessions.remove(0) }
    }

    /// Signs in to an application; answers its tokens.
    async fn use_application(&self, server: &TestServer, client: &Client) -> Answer {
        let code = client.code(&self.browser, "openid", &[]).await;
        client.exchange(server, &code).send().await.expect(200)
    }

    /// Signs out, as the application whose ID token this is asks.
    async fn sign_out(&self, id_token: &str) {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("id_token_hint", id_token)
            .append_pair("post_logout_redirect_uri", BYE)
            .finish();
        let answer = self.browser.open(&format!("/oidc/session/end?{query}")).await.expect(303);
        assert_eq!(answer.header("location"), Some(BYE));
    }

    async fn is_signed_in(&self, client: &Client) -> bool {
        let silent = with(client.request("openid"), &[("prompt", "none")]);
        told(&authorize(&self.browser, &silent).await).contains_key("code")
    }
}

/// The claims of a logout token in a request that has nothing else, after all checks of an application (OpenID Connect
/// Back-Channel Logout 1.0 section 2.6).
pub(crate) async fn claims(server: &TestServer, client_id: &str, received: &Received) -> Value {
    assert_eq!(received.header("content-type"), "application/x-www-form-urlencoded");
    let form: Vec<(String, String)> = form_urlencoded::parse(&received.body).into_owned().collect();
    let [(name, token)] = form.as_slice() else { panic!("logout_token alone: {form:?}") };
    assert_eq!(name, "logout_token");
    let token = server.verify(token, client_id).await;
    assert_eq!(token.kind.as_deref(), Some("logout+jwt"));
    let names: BTreeSet<&str> = token.claims.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["aud", "events", "exp", "iat", "iss", "jti", "sid", "sub"]));
    let events = serde_json::json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
    assert_eq!(token.claims["events"], events);
    let number = |name: &str| token.claims[name].as_i64().unwrap();
    assert_eq!(number("exp") - number("iat"), 120);
    token.claims
}

/// Asserts that a request tells of this person's session.
async fn expect_told(server: &TestServer, client: &Client, person: &SignedInUser, received: &Received) {
    let claims = claims(server, &client.id, received).await;
    assert_eq!((claims["sub"].as_str(), claims["sid"].as_str()), (Some(&*person.id), Some(&*person.session_id)));
    assert_eq!(claims["iat"], server.clock.now_ms() / 1000);
}

/// A row of the queue.
#[derive(Clone, Debug, PartialEq, claimsmith_storage::Row)]
struct Queued {
    application_id: String,
    session_id: String,
    state: String,
    due_at: Option<i64>,
    attempts: i64,
    note: Option<String>,
}

/// What was ever to be told, in order.
async fn queue(server: &TestServer) -> Vec<Queued> {
    let sql = "SELECT application_id, session_id, state, due_at, attempts, note FROM backchannel_logouts ORDER BY seq";
    server.app.db.read().await.unwrap().sql(sql).all().await.unwrap()
}

/// Waits until the only thing to tell is as the test wants it.
async fn until_queued(server: &TestServer, wanted: impl Fn(&Queued) -> bool) -> Queued {
    until("a result", async || {
        let mut queue = queue(server).await;
        assert_eq!(queue.len(), 1, "{queue:?}");
        Some(queue.remove(0)).filter(|one| wanted(one))
    })
    .await
}

/// The audit entries of back-channel logout, newest first.
async fn audited(server: &TestServer) -> Vec<Value> {
    let logs = server.management().await.get("/api/logs?logKey=BackchannelLogout&page_size=100").await.expect(200);
    logs.body.as_array().unwrap().iter().map(|log| log["payload"].clone()).collect()
}

/// A receiver that takes everything, and an application that is told there.
async fn told_application(server: &TestServer) -> (Client, Receiver) {
    let receiver = Receiver::start().await;
    (client_told_at(server, &receiver.url()).await, receiver)
}
