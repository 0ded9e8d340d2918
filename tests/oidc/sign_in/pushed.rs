//! Pushed authorization requests (RFC 9126).

use super::{authorize, client, client_with, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_services::tokens;
use claimsmith_storage::sessions::pushed_requests;
use claimsmith_test_support::{Answer, Browser, Form, TestServer, both, told};
use futures_util::future::join_all;
use reqwest::Method;
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
        (good.clone().with("redirect_uri", "https://evil.example.com/"), "invalid_request"),
        (good.clone().with("redirect_uri", ""), "invalid_request"),
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

/// Pushes a request, with these parameters in place of its own; answers what the browser brings.
async fn pushed(server: &TestServer, client: &super::Client, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let form = with(client.request("openid"), more);
    let form = form.iter().fold(server.form("/oidc/request"), |form, (name, value)| form.with(name, value));
    let reference = client.prove(form).send().await.expect(201).text("request_uri");
    vec![("client_id".to_owned(), client.id.to_string()), ("request_uri".to_owned(), reference)]
}

/// Signs the customer in at the page to which a visit led; answers where the browser arrives after it.
async fn signed_in_at(server: &TestServer, browser: &Browser, visit: &Answer) -> Answer {
    let path = format!("/api/users/{}/password", customer(server));
    server.management().await.patch(&path, json!({ "password": "violet-kettle-42" })).await.expect(200);
    let form = PageForm::of(&browser.open(visit.header("location").unwrap()).await).unwrap();
    let sent = form.filled_in(&[("identifier", "customer"), ("password", "violet-kettle-42")]);
    let back = browser.post(&form.action, &sent).await.expect(303);
    browser.open(back.header("location").unwrap()).await
}

both!(a_pushed_request_may_be_visited_until_its_response, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let request = pushed(&server, &web, &[]).await;
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&request).finish();
    // A link scanner, somebody with a session whose HEAD request arrives, and two visits of people.
    let (known, _) = server.signed_in(&[&customer(&server)]).await;
    for browser in [&Browser::new(&server), &known] {
        let head = browser.send(browser.request(Method::HEAD, &format!("/oidc/auth?{query}"))).await.expect(200);
        assert!(head.header("location").is_none() && head.header("set-cookie").is_none());
    }
    let (first, second) = (Browser::new(&server), Browser::new(&server));
    let visit = authorize(&first, &request).await.expect(303);
    let reloaded = authorize(&first, &request).await.expect(303);
    let other = authorize(&second, &request).await.expect(303);
    assert!(visit.header("location").unwrap().contains("/sign-in"));
    // Its minute is over, but the sign-in that it led to is not.
    server.clock.advance(Duration::from_secs(120));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    authorize(&known, &request).await.expect_oauth_error(400, "invalid_request_uri");
    let answer = signed_in_at(&server, &first, &reloaded).await.expect(303);
    let code = told(&answer).remove("code").unwrap();
    web.exchange(&server, &code).send().await.expect(200);
    // It has its response, so that the other sign-in gets none.
    let answer = signed_in_at(&server, &second, &other).await;
    assert_eq!((answer.status, answer.header("location")), (400, None), "{answer:?}");
});

both!(of_parallel_visits_one_gets_a_code, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let request = pushed(&server, &web, &[]).await;
    let answers = join_all((0..8).map(|_| authorize(&browser, &request))).await;
    let codes = answers.iter().filter(|answer| answer.status == 303 && told(answer).contains_key("code")).count();
    let refused = answers.iter().filter(|answer| answer.status == 400).count();
    assert_eq!((codes, refused), (1, 7), "{answers:?}");
});

both!(an_error_is_a_response_too, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let request = pushed(&server, &web, &[("prompt", "none")]).await;
    let browser = Browser::new(&server);
    assert_eq!(told(&authorize(&browser, &request).await.expect(303))["error"], "login_required");
    authorize(&browser, &request).await.expect_oauth_error(400, "invalid_request_uri");
});

both!(a_sign_in_that_begins_anew_gives_one_response, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let request = pushed(&server, &web, &[]).await;
    let browser = Browser::new(&server);
    let visit = authorize(&browser, &request).await.expect(303);
    // It is over by its age: it can begin anew, and then gets its response.
    let id = visit.header("location").unwrap().split_once("interaction=").unwrap().1.to_owned();
    server.clock.advance(Duration::from_secs(3601));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    let again = browser.open(&format!("/oidc/auth/{id}?again=true")).await.expect(303);
    let answer = signed_in_at(&server, &browser, &again).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let answer = browser.open(&format!("/oidc/auth/{id}?again=true")).await;
    assert_eq!((answer.status, answer.header("location")), (400, None), "{answer:?}");
});

both!(a_client_may_have_to_push_and_to_use_pkce, async |server: TestServer| {
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let metadata = CustomClientMetadata {
        require_pushed_authorization_requests: Some(true),
        require_pkce: Some(true),
        ..CustomClientMetadata::default()
    };
    for kind in [ApplicationType::Traditional, ApplicationType::Spa] {
        let strict = client_with(&server, kind, metadata.clone(), false).await;
        for prompt in ["", "none"] {
            let sent = with(strict.request("openid"), &[("prompt", prompt)]);
            let answer = told(&authorize(&browser, &sent).await.expect(303));
            assert_eq!((answer["error"].as_str(), answer.contains_key("code")), ("invalid_request", false));
        }
        let answer = authorize(&browser, &pushed(&server, &strict, &[]).await).await.expect(303);
        let code = told(&answer).remove("code").unwrap();
        strict.exchange(&server, &code).send().await.expect(200);
        let without = with(strict.request("openid"), &[("code_challenge", ""), ("code_challenge_method", "")]);
        let form = without.iter().fold(server.form("/oidc/request"), |form, (name, value)| form.with(name, value));
        strict.prove(form).send().await.expect_oauth_error(400, "invalid_request");
    }
    // By itself, a confidential client needs neither.
    let without = [("code_challenge", ""), ("code_challenge_method", "")];
    for (metadata, expected) in [
        (CustomClientMetadata::default(), "code"),
        (CustomClientMetadata { require_pkce: Some(false), ..CustomClientMetadata::default() }, "code"),
        (CustomClientMetadata { require_pkce: Some(true), ..CustomClientMetadata::default() }, "error"),
    ] {
        let web = client_with(&server, ApplicationType::Traditional, metadata, false).await;
        let answer = told(&authorize(&browser, &with(web.request("openid"), &without)).await.expect(303));
        assert!(answer.contains_key(expected), "{answer:?}");
    }
});
