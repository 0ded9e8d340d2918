//! Pushed authorization requests (RFC 9126).

use super::{authorize, client, customer, with};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::pushed_requests;
use claimsmith_test_support::{Answer, Browser, Form, TestServer, both, told};
use serde_json::json;
use std::time::Duration;

fn push(server: &TestServer, client: &super::Client) -> Form {
    let mut form = server.form("/oidc/request");
    for (name, value) in client.request("openid") {
        form = form.with(&name, &value);
    }
    form
}

both!(a_pushed_request_is_used_once_by_its_client, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let other = client(&server, ApplicationType::Traditional).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let answer = push(&server, &web).basic(&web.id, &web.secret).send().await.expect(201);
    assert_eq!(answer["expires_in"], 60);
    let reference = answer.text("request_uri");
    let request =
        |id: &str| vec![("client_id".to_owned(), id.to_owned()), ("request_uri".to_owned(), reference.clone())];
    assert_eq!(authorize(&browser, &request(&other.id)).await.status, 400);
    let answer = authorize(&browser, &request(&web.id)).await.expect(303);
    let code = told(&answer).remove("code").unwrap();
    web.exchange(&server, &code).send().await.expect(200);
    authorize(&browser, &request(&web.id)).await.expect_oauth_error(400, "invalid_request_uri");
});

both!(a_pushed_request_lives_a_minute, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let reference = push(&server, &web).basic(&web.id, &web.secret).send().await.expect(201).text("request_uri");
    server.clock.advance(Duration::from_millis(60_000));
    let request = [("client_id".to_owned(), web.id.to_string()), ("request_uri".to_owned(), reference)];
    authorize(&browser, &request).await.expect_oauth_error(400, "invalid_request_uri");
});

both!(what_would_be_refused_is_refused_when_it_is_pushed, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let good = push(&server, &web).basic(&web.id, &web.secret);
    push(&server, &web).send().await.expect_oauth_error(401, "invalid_client");
    for (refused, error) in [
        (good.clone().with("redirect_uri", "https://evil.example.com/"), "invalid_redirect_uri"),
        (good.clone().with("response_type", "token"), "unsupported_response_type"),
        (good.clone().with("code_challenge_method", "plain"), "invalid_request"),
        (good.clone().with("request_uri", "urn:ietf:params:oauth:request_uri:x"), "invalid_request"),
        (good.clone().with("client_id", "somebody-else"), "invalid_request"),
    ] {
        refused.send().await.expect_oauth_error(400, error);
    }
});

both!(the_token_of_a_link_is_kept_as_a_hash, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let body = json!({ "email": "ada@example.com", "context": { "interactionEvent": "SignIn" } });
    let token = server.management().await.post("/api/one-time-tokens", body).await.expect(201).text("token");
    let leads_to_link = |answer: &Answer| answer.header("location").unwrap().contains("/one-time-token");
    let pushed = async |name: &str, value: &str| {
        let form = push(&server, &web).with("login_hint", "ada@example.com").with(name, value);
        form.basic(&web.id, &web.secret).send().await.expect(201).text("request_uri")
    };
    let reference = pushed("one_time_token", &token).await;
    let hash = tokens::hash(reference.strip_prefix("urn:ietf:params:oauth:request_uri:").unwrap());
    let mut tx = server.begin().await;
    let stored = pushed_requests::find_live(&mut tx, &hash, server.clock.now_ms()).await.unwrap().unwrap();
    drop(tx);
    let stored = stored.parameters.0.to_string();
    assert!(!stored.contains(&token) && stored.contains(&tokens::hash(&token)), "{stored}");
    let by_reference =
        |uri: String| vec![("client_id".to_owned(), web.id.to_string()), ("request_uri".to_owned(), uri)];
    let answer = authorize(&Browser::new(&server), &by_reference(reference)).await.expect(303);
    assert!(leads_to_link(&answer), "{answer:?}");
    // A hash opens nothing, however it comes.
    let reference = pushed("one_time_token_hash", &tokens::hash(&token)).await;
    let answer = authorize(&Browser::new(&server), &by_reference(reference)).await.expect(303);
    assert!(!leads_to_link(&answer), "{answer:?}");
    let request = with(web.request("openid"), &[("one_time_token_hash", &tokens::hash(&token))]);
    let answer = authorize(&Browser::new(&server), &request).await.expect(303);
    assert!(!leads_to_link(&answer), "{answer:?}");
});
