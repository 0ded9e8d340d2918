//! A sign-in whose steps alternate between two nodes, as behind a load balancer that knows no sessions.

use super::start;
use crate::sign_in::{BASE_URL, CALLBACK, Client};
use claimsmith_test_support::{Answer, Browser, Home, Process, Receiver, on_postgres, page_of, told};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

/// A step of the Interaction API, at a node.
async fn step(browser: &Browser, node: &Process, method: Method, path: &str, body: Value) -> Answer {
    let request = node.http.request(method, node.url(path));
    let request = if body.is_null() { request } else { request.json(&body) };
    browser.send(request.header("sec-fetch-site", "same-origin")).await
}

async fn two_nodes(home: &Home) -> (Process, Process) {
    tokio::join!(start(home, "one", &[BASE_URL]), start(home, "two", &[BASE_URL]))
}

on_postgres!(the_steps_of_a_sign_in_alternate_between_two_nodes, async |home: Arc<Home>| {
    let (one, two) = two_nodes(&home).await;
    let receiver = Receiver::start().await;
    let metadata = json!({
        "type": "SPA", "isThirdParty": true, "oidcClientMetadata": { "backchannelLogoutUri": receiver.url() },
    });
    let client = Client::register(&one, metadata).await;
    let browser = Browser::new(&one);

    // Start, identify, submit.
    let asked = client.request(&[("prompt", "consent"), ("nonce", "n-1"), ("state", "s-1")]);
    let page = browser.at(&one).open(&asked).await.expect(303);
    assert_eq!(page_of(&page), "/sign-in");
    let begin = json!({ "interactionEvent": "SignIn" });
    step(&browser, &two, Method::PUT, "/api/experience", begin).await.expect(204);
    let password = one.demo().customer_password.clone().unwrap();
    let proof = json!({ "identifier": { "type": "username", "value": "customer" }, "password": password });
    let verified = step(&browser, &one, Method::POST, "/api/experience/verification/password", proof).await.expect(200);
    step(&browser, &two, Method::POST, "/api/experience/identification", verified.body).await.expect(204);
    let submitted = step(&browser, &one, Method::POST, "/api/experience/submit", Value::Null).await.expect(200);

    // Consent.
    let back = submitted.text("redirectTo");
    let page = browser.at(&two).open(&back).await.expect(303);
    assert_eq!(page_of(&page), "/consent");
    let question = step(&browser, &one, Method::GET, "/api/interaction/consent", Value::Null).await.expect(200);
    assert_eq!(question["application"]["id"], client.id.as_str());
    let allowed = step(&browser, &two, Method::POST, "/api/interaction/consent", json!({})).await.expect(200);
    let answer = browser.at(&one).open(&allowed.text("redirectTo")).await.expect(303);
    assert!(answer.header("location").unwrap().starts_with(CALLBACK), "{answer:?}");
    let code = told(&answer).remove("code").unwrap();
    // The interaction is over for both.
    browser.at(&two).open(&back).await.expect(400);

    // Code exchange, refresh, userinfo.
    let tokens = client.exchange(&two, &code).send().await.expect(200);
    let id_token = one.verify(&tokens.text("id_token"), &client.id).await.claims;
    assert_eq!(
        (id_token["nonce"].as_str(), id_token["sub"].as_str()),
        (Some("n-1"), Some(&*one.demo().customer_user_id))
    );
    let refreshed = client.refresh(&one, &tokens.text("refresh_token")).send().await.expect(200);
    let again = client.refresh(&two, &refreshed.text("refresh_token")).send().await.expect(200);
    for token in [&tokens, &refreshed, &again] {
        for node in [&one, &two] {
            let me = node.bearer(&token.text("access_token")).get("/oidc/me").await.expect(200);
            assert_eq!(me["sub"], id_token["sub"]);
        }
    }
    assert!(client.silent(&browser.at(&two), "code").await.is_some(), "signed in once");

    // Logout: through one, for both.
    let hint = tokens.text("id_token");
    browser.at(&one).open(&format!("/oidc/session/end?id_token_hint={hint}")).await.expect(303);
    for node in [&two, &one] {
        assert_eq!(client.silent(&browser.at(node), "error").await.as_deref(), Some("login_required"));
    }
    let received = receiver.wait(1).await;
    let form: Vec<(String, String)> = form_urlencoded::parse(&received[0].body).into_owned().collect();
    let logout_token = two.verify(&form[0].1, &client.id).await.claims;
    assert_eq!((&logout_token["sid"], &logout_token["sub"]), (&id_token["sid"], &id_token["sub"]));
    // It was asked for with offline_access, so it lives on, until an operator takes the grant back at the other node.
    let offline = client.refresh(&one, &again.text("refresh_token")).send().await.expect(200);
    let path = format!("/api/users/{}/grants", one.demo().customer_user_id);
    let management = two.management().await;
    for grant in management.get(&path).await.expect(200)["grants"].as_array().unwrap() {
        management.delete(&format!("{path}/{}", grant["id"].as_str().unwrap())).await.expect(204);
    }
    client.refresh(&one, &offline.text("refresh_token")).send().await.expect_oauth_error(400, "invalid_grant");
    one.bearer(&offline.text("access_token")).get("/oidc/me").await.expect(401);
    // The session was told of already; the nodes did it once.
    assert_eq!(receiver.count(), 1);
});

on_postgres!(what_is_used_at_two_nodes_at_once_is_used_once_or_answered_alike, async |home: Arc<Home>| {
    let (one, two) = two_nodes(&home).await;
    let client = Client::register(&one, json!({ "type": "Native" })).await;
    let db = home.db().await;
    let browser = crate::sign_in::customer(&one, &db).await;
    for _ in 0..10 {
        let code = client.silent(&browser, "code").await.unwrap();
        let forms = (client.exchange(&one, &code), client.exchange(&two, &code));
        let (first, second) = tokio::join!(forms.0.send(), forms.1.send());
        let (won, lost) = if first.status == 200 { (first, second) } else { (second, first) };
        won.expect(200);
        lost.expect_oauth_error(400, "invalid_grant");
    }
    for _ in 0..10 {
        let code = client.silent(&browser, "code").await.unwrap();
        let token = client.exchange(&one, &code).send().await.expect(200).text("refresh_token");
        let forms = (client.refresh(&one, &token), client.refresh(&two, &token));
        let (first, second) = tokio::join!(forms.0.send(), forms.1.send());
        let successor = first.expect(200).text("refresh_token");
        assert_eq!(second.expect(200).text("refresh_token"), successor, "each node derives the same one");
        let next = client.refresh(&one, &successor).send().await.expect(200).text("refresh_token");
        let again = client.refresh(&two, &token).send().await.expect(200);
        assert_eq!(again.text("refresh_token"), next);
    }
    db.close().await;
});
