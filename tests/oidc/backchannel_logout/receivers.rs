//! Where logouts are told: over egress, at the address and with the algorithm that the application has now.

use super::{BYE, Queued, SignedInUser, audited, claims, client_told_at, expect_told, queue, server, until_queued};
use crate::sign_in::{CALLBACK, Client};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{Home, Receiver, Reply, TestServer, both, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

both!(private_addresses_are_refused, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "false")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let receiver = Receiver::start().await;
    let port = receiver.url().rsplit(':').next().unwrap().to_owned();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        let client = client_told_at(&server, &format!("http://{host}:{port}")).await;
        let person = SignedInUser::new(&server).await;
        let id_token = person.use_application(&server, &client).await.text("id_token");
        person.sign_out(&id_token).await;
        assert!(!person.is_signed_in(&client).await);
    }
    until("the refusals", async || {
        let refused = |one: &Queued| one.note.as_ref().is_some_and(|note| note.contains("allow_private_targets"));
        let ended = |one: &Queued| one.state == "dead" || (one.attempts == 1 && refused(one));
        let queue = queue(&server).await;
        (queue.len() == 3 && queue.iter().all(ended)).then_some(())
    })
    .await;
    assert_eq!(receiver.count(), 0);
});

both!(redirects_are_not_followed, async |home: Arc<Home>| {
    let server = server(&home).await;
    let elsewhere = Receiver::start().await;
    let url = elsewhere.url();
    let receiver = Receiver::answering(move |number, _| match number {
        0 => Reply::Status(307, Some(("location", url.clone())), String::new()),
        _ => Reply::from(204),
    })
    .await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    until_queued(&server, |one| one.attempts == 1).await;
    server.clock.advance(Duration::from_secs(5));
    receiver.wait(2).await;
    assert_eq!(elsewhere.count(), 0);
});

/// Replaces the addresses of an application.
async fn move_to(server: &TestServer, client: &Client, uri: Option<&str>) {
    let metadata = json!({ "redirectUris": [CALLBACK], "postLogoutRedirectUris": [BYE], "backchannelLogoutUri": uri });
    let path = format!("/api/applications/{}", client.id);
    server.management().await.patch(&path, json!({ "oidcClientMetadata": metadata })).await.expect(200);
}

both!(an_application_that_moved_is_told_where_it_is_now, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (before, after) = (Receiver::answering(|_, _| Reply::from(500)).await, Receiver::start().await);
    let client = client_told_at(&server, &before.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    until_queued(&server, |one| one.attempts == 1).await;
    move_to(&server, &client, Some(&after.url())).await;
    server.clock.advance(Duration::from_secs(5));
    expect_told(&server, &client, &person, &after.wait(1).await[0]).await;
    assert_eq!(before.count(), 1);
});

both!(an_application_that_wants_to_hear_no_more_is_left_alone, async |home: Arc<Home>| {
    let server = server(&home).await;
    let receiver = Receiver::answering(|_, _| Reply::from(500)).await;
    let client = client_told_at(&server, &receiver.url()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    until_queued(&server, |one| one.attempts == 1).await;
    move_to(&server, &client, None).await;
    server.clock.advance(Duration::from_secs(5));
    let dead = until_queued(&server, |one| one.state == "dead").await;
    assert_eq!(dead.note.as_deref(), Some("the application has no backchannelLogoutUri any more"));
    assert_eq!((receiver.count(), audited(&server).await.len()), (1, 1));
});

// Rows of an older version may hold any address.
both!(plain_http_to_others_is_not_used, async |home: Arc<Home>| {
    let server = server(&home).await;
    let client = client_told_at(&server, "http://shop.example.com/logout").await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    person.sign_out(&id_token).await;
    let dead = until_queued(&server, |one| one.state == "dead").await;
    assert_eq!(dead.note.as_deref(), Some("the backchannelLogoutUri is neither https nor on this machine"));
});

both!(logout_tokens_are_signed_as_the_id_tokens_of_the_application, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    for (index, algorithm) in ["RS256", "ES256", "ES384", "EdDSA"].into_iter().enumerate() {
        let mut body = json!({
            "name": "Shop", "type": "Native",
            "oidcClientMetadata": {
                "redirectUris": [CALLBACK], "postLogoutRedirectUris": [BYE], "backchannelLogoutUri": receiver.url(),
                "backchannelLogoutSessionRequired": true,
            },
            "customClientMetadata": { "idTokenSignedResponseAlg": algorithm },
        });
        if algorithm == "RS256" {
            body["customClientMetadata"] = json!({});
        }
        let id = management.post("/api/applications", body).await.expect(200).text("id");
        let client = Client { id: id.as_str().into(), secret: String::new(), kind: ApplicationType::Native };
        let person = SignedInUser::new(&server).await;
        let id_token = person.use_application(&server, &client).await.text("id_token");
        person.sign_out(&id_token).await;
        let received = receiver.wait(index + 1).await.remove(index);
        let told = claims(&server, &id, &received).await;
        let id_token = server.verify(&id_token, &id).await;
        assert_eq!(id_token.algorithm, algorithm);
        for claim in ["iss", "aud", "sub", "sid"] {
            assert_eq!(told[claim], id_token.claims[claim], "{claim}");
        }
        let form: Vec<(String, String)> = form_urlencoded::parse(&received.body).into_owned().collect();
        let logout_token = &form[0].1;
        assert_eq!(server.verify(logout_token, &id).await.algorithm, algorithm);
        // It is neither an access token nor a hint, which would have to be verified before a redirect.
        server.bearer(logout_token).get("/oidc/me").await.expect(401);
        let elsewhere = "post_logout_redirect_uri=https%3A%2F%2Fapp.test%2Fbye";
        let end = format!("/oidc/session/end?id_token_hint={logout_token}&{elsewhere}");
        let ended = person.browser.open(&end).await.expect(303);
        assert!(ended.header("location").unwrap().ends_with("/signed-out"), "{ended:?}");
        let introspected: Value = server.introspect_as_web(logout_token).await;
        assert_eq!(introspected, json!({ "active": false }));
    }
});
