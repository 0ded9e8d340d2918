//! Linking an account at a social connector by the Account API.

use super::{ALL, Casey, casey, sign_in_settings, signed_in, with};
use claimsmith_test_support::{Answer, Home, TestServer, Upstream, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

const STATE: &str = "a state of the page";

async fn start(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap()
}

/// A connector of an upstream, which people sign in with; answers its id.
async fn connector(server: &TestServer, upstream: &Upstream, target: &str) -> String {
    let body = json!({ "connectorId": "oidc", "metadata": { "target": target }, "config": upstream.config() });
    let id = server.management().await.post("/api/connectors", body).await.expect(200).text("id");
    sign_in_settings(server, json!({ "socialSignInConnectorTargets": [target] })).await;
    id
}

impl Casey {
    /// Leaves for a connector.
    async fn leave(&self, connector_id: &str, redirect_uri: &str) -> Answer {
        let body = json!({ "connectorId": connector_id, "state": STATE, "redirectUri": redirect_uri });
        self.actor.post("/api/verifications/social", body).await
    }

    /// Brings an answer back.
    async fn bring(&self, record: &str, data: Value) -> Answer {
        let body = json!({ "verificationRecordId": record, "connectorData": data });
        self.actor.post("/api/verifications/social/verify", body).await
    }

    /// Goes there and comes back; answers the record.
    async fn visit(&self, server: &TestServer, upstream: &Upstream, id: &str) -> String {
        let sent = self.leave(id, &server.base(id)).await.expect(201);
        let (record, code) = (sent.text("verificationRecordId"), upstream.let_in(&sent.text("authorizationUri")));
        self.bring(&record, json!({ "state": STATE, "code": code })).await.expect(200);
        record
    }

    async fn link(&self, method: Method, record: &str) -> Answer {
        let body = json!({ "newIdentifierVerificationRecordId": record });
        self.proved(method, "/identities", body).await
    }
}

trait Base {
    /// Where the answers of a connector come to.
    fn base(&self, connector_id: &str) -> String;
}

impl Base for TestServer {
    fn base(&self, connector_id: &str) -> String {
        format!("{}/callback/{connector_id}", self.report.base_url)
    }
}

both!(scopes_of_the_other_server_are_asked_for_beside_the_connectors, async |home: Arc<Home>| {
    let server = start(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let casey = casey(&server, ALL).await;
    let leave = async |scope: Value| {
        let redirect_uri = server.base(&id);
        let body = json!({ "connectorId": id, "state": STATE, "redirectUri": redirect_uri, "scope": scope });
        casey.actor.post("/api/verifications/social", body).await
    };
    let asked = |sent: &Answer| {
        let uri = reqwest::Url::parse(&sent.text("authorizationUri")).unwrap();
        let scope = uri.query_pairs().find(|(name, _)| name == "scope").unwrap().1.into_owned();
        scope.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let usual = asked(&leave(Value::Null).await.expect(201));
    assert!(usual.contains(&"openid".to_owned()), "{usual:?}");
    let more = asked(&leave(json!("openid  calendar.read https://x.test/a&b=c")).await.expect(201));
    let wanted = [usual.clone(), vec!["calendar.read".to_owned(), "https://x.test/a&b=c".to_owned()]].concat();
    assert_eq!(more, wanted, "the connector's own scopes stay, and nothing gets out of the parameter");
    assert_eq!(asked(&leave(json!("")).await.expect(201)), usual);
    for bad in [json!("a\"b"), json!("a\nb"), json!("ä"), json!("a\\b"), json!(["a"]), json!("a".repeat(513))] {
        leave(bad).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(an_account_elsewhere_is_linked_and_replaced, async |home: Arc<Home>| {
    let server = start(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let casey = casey(&server, ALL).await;
    upstream.person(json!({ "sub": "ada", "name": "Ada" }));
    let record = casey.visit(&server, &upstream, &id).await;
    let refused =
        casey.send("nothing", Method::POST, "/identities", json!({ "newIdentifierVerificationRecordId": record }));
    refused.await.expect_api_error(401, "verification_record.permission_denied");
    casey.link(Method::POST, &record).await.expect(204);
    assert_eq!(casey.shown().await["identities"]["work"]["userId"], "ada");
    casey.link(Method::POST, &record).await.expect_api_error(400, "verification_record.not_found");
    // A second one takes the place of the first only where that is asked for.
    upstream.person(json!({ "sub": "grace" }));
    let record = casey.visit(&server, &upstream, &id).await;
    casey.link(Method::POST, &record).await.expect_api_error(422, "user.identity_already_in_use");
    casey.link(Method::PUT, &record).await.expect(204);
    assert_eq!(casey.shown().await["identities"]["work"]["userId"], "grace");
    // One of somebody else is theirs.
    let body = json!({ "username": "bare" });
    let other = server.management().await.post("/api/users", body).await.expect(200).text("id");
    let other = signed_in(&server, &other.as_str().into(), ALL).await;
    let record = other.visit(&server, &upstream, &id).await;
    let body = json!({ "newIdentifierVerificationRecordId": record });
    for method in [Method::POST, Method::PUT] {
        let refused = other.send("nothing", method, "/identities", body.clone()).await;
        refused.expect_api_error(422, "user.identity_already_in_use");
    }
    // Whoever has nothing to prove themselves with links their first account.
    upstream.person(json!({ "sub": "bare" }));
    let record = other.visit(&server, &upstream, &id).await;
    let body = json!({ "newIdentifierVerificationRecordId": record });
    other.send("nothing", Method::POST, "/identities", body).await.expect(204);
});

both!(an_answer_counts_once_and_for_whoever_left, async |home: Arc<Home>| {
    let server = start(&home).await;
    let upstream = Upstream::start(true).await;
    let id = connector(&server, &upstream, "work").await;
    let casey = casey(&server, ALL).await;
    let other = server.demo().engineer_user_id.clone();
    let other = with(&server, &other, ALL).await;
    let sent = casey.leave(&id, &server.base(&id)).await.expect(201);
    let (record, code) = (sent.text("verificationRecordId"), upstream.let_in(&sent.text("authorizationUri")));
    let data = json!({ "state": STATE, "code": code, "iss": upstream.issuer });
    other.bring(&record, data.clone()).await.expect_api_error(400, "verification_record.not_found");
    let mut spoiled = data.clone();
    spoiled["state"] = json!("another");
    casey.bring(&record, spoiled).await.expect_api_error(400, "session.csrf_token_mismatch");
    let asked = upstream.requests().len();
    casey.bring(&record, data.clone()).await.expect(200);
    assert!(upstream.requests().len() > asked);
    casey.bring(&record, data).await.expect_api_error(400, "verification_record.not_found");
    // Whoever said no has to begin anew.
    let sent = casey.leave(&id, &server.base(&id)).await.expect(201);
    let record = sent.text("verificationRecordId");
    let denied = json!({ "state": STATE, "error": "access_denied", "iss": upstream.issuer });
    casey.bring(&record, denied).await.expect_api_error(401, "connector.authorization_failed");
    let code = upstream.let_in(&sent.text("authorizationUri"));
    let late = json!({ "state": STATE, "code": code, "iss": upstream.issuer });
    let refused = casey.bring(&record, late).await;
    refused.expect_api_error(400, "session.connector_validation_session_not_found");
});

both!(answers_come_back_to_this_server_or_the_application, async |home: Arc<Home>| {
    let server = start(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let casey = casey(&server, ALL).await;
    let client = server.demo().web_client_id.clone();
    let path = format!("/api/applications/{client}");
    let own = format!("https://app.example.com/linked/{id}");
    let metadata = json!({ "redirectUris": [own, "https://app.example.com/linked"], "postLogoutRedirectUris": [] });
    server.management().await.patch(&path, json!({ "oidcClientMetadata": metadata })).await.expect(200);
    casey.leave(&id, &own).await.expect(201);
    for elsewhere in ["https://app.example.com/linked", "https://evil.example.com/linked", "", "x"] {
        let refused = casey.leave(&id, elsewhere).await;
        assert_eq!(refused.status, 400, "{elsewhere}: {:#}", refused.body);
    }
    // What the settings do not take cannot be linked.
    sign_in_settings(&server, json!({ "socialSignInConnectorTargets": [] })).await;
    casey.leave(&id, &own).await.expect_api_error(422, "user.sign_in_method_not_enabled");
});
