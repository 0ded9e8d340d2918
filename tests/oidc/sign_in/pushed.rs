//! Pushed authorization requests (RFC 9126).

use super::{authorize, client, customer};
use claimsmith::domain::application::ApplicationType;
use claimsmith_test_support::{Form, TestServer, both, told};
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
