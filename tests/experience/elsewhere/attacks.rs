//! What must not come of an answer: one story for each attack.

use super::{ADA, STATE, ask_nothing, bring, connector, leave, register, server, visit};
use crate::browser::Browser;
use claimsmith_test_support::{Home, Spoil, TestServer, Upstream, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// A server with one connector to an upstream, and a browser that has begun to sign in.
async fn begin(home: &Arc<Home>) -> (TestServer, Upstream, String, Browser) {
    let server = server(home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    (server, upstream, id, browser)
}

both!(a_swapped_state_is_refused, async |home: Arc<Home>| {
    let (server, upstream, id, mut browser) = begin(&home).await;
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    let code = upstream.let_in(&sent.text("authorizationUri"));
    let verification = &sent["verificationId"];
    for state in [json!("another state"), json!(""), Value::Null] {
        let data = json!({ "state": state, "code": code });
        bring(&mut browser, "social", &id, verification, data)
            .await
            .expect_api_error(400, "session.csrf_token_mismatch");
    }
    assert!(!upstream.requests().contains(&"/token".to_owned()), "the code went nowhere");
    // The attempt itself is not harmed.
    bring(&mut browser, "social", &id, verification, json!({ "state": STATE, "code": code })).await.expect(200);
});

both!(the_state_of_another_interaction_is_refused, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let (mut attacker, mut victim) = (Browser::new(&server).await, Browser::new(&server).await);
    attacker.start("SignIn").await.expect(204);
    victim.start("SignIn").await.expect(204);
    let sent = leave(&mut attacker, &server, "social", &id).await.expect(200);
    let data = json!({ "state": STATE, "code": upstream.let_in(&sent.text("authorizationUri")) });
    // The victim would be signed in as the attacker.
    bring(&mut victim, "social", &id, &sent["verificationId"], data.clone())
        .await
        .expect_api_error(404, "session.verification_session_not_found");
    // Not even where the victim has an attempt of their own, of the same state.
    let own = leave(&mut victim, &server, "social", &id).await.expect(200);
    bring(&mut victim, "social", &id, &own["verificationId"], data)
        .await
        .expect_api_error(401, "connector.social_auth_code_invalid");
});

both!(a_callback_counts_once, async |home: Arc<Home>| {
    let (server, upstream, id, mut browser) = begin(&home).await;
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    let data = json!({ "state": STATE, "code": upstream.let_in(&sent.text("authorizationUri")) });
    let verification = sent["verificationId"].clone();
    bring(&mut browser, "social", &id, &verification, data.clone()).await.expect(200);
    bring(&mut browser, "social", &id, &verification, data)
        .await
        .expect_api_error(400, "session.connector_validation_session_not_found");
    // A refused one, too.
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    let code = upstream.let_in(&sent.text("authorizationUri"));
    let denied = json!({ "state": STATE, "error": "access_denied", "error_description": "<script>" });
    let refused = bring(&mut browser, "social", &id, &sent["verificationId"], denied).await;
    refused.expect_api_error(401, "connector.authorization_failed");
    assert!(!refused.body.to_string().contains("script"), "{}", refused.body);
    bring(&mut browser, "social", &id, &sent["verificationId"], json!({ "state": STATE, "code": code }))
        .await
        .expect_api_error(400, "session.connector_validation_session_not_found");
});

both!(an_attempt_is_over_after_ten_minutes, async |home: Arc<Home>| {
    let (server, upstream, id, mut browser) = begin(&home).await;
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    let data = json!({ "state": STATE, "code": upstream.let_in(&sent.text("authorizationUri")) });
    server.clock.advance(std::time::Duration::from_secs(600));
    bring(&mut browser, "social", &id, &sent["verificationId"], data)
        .await
        .expect_api_error(400, "session.connector_validation_session_not_found");
});

both!(an_answer_of_another_issuer_is_refused, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (honest, evil) = (Upstream::start(true).await, Upstream::start(false).await);
    let honest_id = connector(&server, &honest, "honest").await;
    let evil_id = connector(&server, &evil, "evil").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    // Somebody chose the evil one, which sends them on to the honest one: its code must not reach the evil one.
    let to_evil = leave(&mut browser, &server, "social", &evil_id).await.expect(200);
    let mut other = Browser::new(&server).await;
    other.start("SignIn").await.expect(204);
    let to_honest = leave(&mut other, &server, "social", &honest_id).await.expect(200);
    let code = honest.let_in(&to_honest.text("authorizationUri"));
    let data = json!({ "state": STATE, "code": code, "iss": honest.issuer });
    bring(&mut browser, "social", &evil_id, &to_evil["verificationId"], data.clone())
        .await
        .expect_api_error(401, "connector.authorization_failed");
    assert!(!evil.requests().contains(&"/token".to_owned()), "the code went nowhere");
    // The state belongs to one connector.
    let to_evil = leave(&mut browser, &server, "social", &evil_id).await.expect(200);
    bring(&mut browser, "social", &honest_id, &to_evil["verificationId"], data)
        .await
        .expect_api_error(404, "session.verification_session_not_found");
    // Who says that its answers name it has to.
    let sent = leave(&mut browser, &server, "social", &honest_id).await.expect(200);
    let code = honest.let_in(&sent.text("authorizationUri"));
    bring(&mut browser, "social", &honest_id, &sent["verificationId"], json!({ "state": STATE, "code": code }))
        .await
        .expect_api_error(401, "connector.authorization_failed");
});

both!(a_token_that_proves_nothing_is_refused, async |home: Arc<Home>| {
    let (server, upstream, id, mut browser) = begin(&home).await;
    for (spoil, code) in [
        (Spoil::Issuer, "connector.social_invalid_id_token"),
        (Spoil::Audience, "connector.social_invalid_id_token"),
        (Spoil::SecondAudience, "connector.social_invalid_id_token"),
        (Spoil::Party, "connector.social_invalid_id_token"),
        (Spoil::Nonce, "connector.social_invalid_id_token"),
        (Spoil::NoNonce, "connector.social_invalid_id_token"),
        (Spoil::Expired, "connector.social_invalid_id_token"),
        (Spoil::Symmetric, "connector.social_invalid_id_token"),
        (Spoil::ForeignKey, "connector.social_invalid_id_token"),
        (Spoil::UnknownKey, "connector.social_invalid_id_token"),
        (Spoil::Unsigned, "connector.social_invalid_id_token"),
        (Spoil::AccessTokenHash, "connector.social_invalid_id_token"),
        (Spoil::NoIdToken, "connector.social_invalid_id_token"),
        (Spoil::Deep, "connector.social_invalid_id_token"),
        (Spoil::OtherSubject, "connector.authorization_failed"),
    ] {
        upstream.spoil(spoil);
        let refused = visit(&mut browser, &server, &upstream, "social", &id).await;
        assert_eq!((refused.status, &refused["code"]), (401, &json!(code)), "{spoil:?} {:#}", refused.body);
        let state = browser.state().await;
        assert_eq!(state["verificationRecords"][0].get("socialUserInfo"), None, "{spoil:?}");
    }
    // Whether a library calls it no token or one without a signature: it is refused.
    upstream.spoil(Spoil::AlgorithmNone);
    let refused = visit(&mut browser, &server, &upstream, "social", &id).await;
    assert!(matches!(refused.status, 401 | 502), "{:#}", refused.body);
    upstream.spoil(None);
    visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
});

both!(an_upstream_costs_no_more_than_it_may, async |home: Arc<Home>| {
    let (server, upstream, id, mut browser) = begin(&home).await;
    for (spoil, code) in [
        (Spoil::Endless, "connector.general"),
        (Spoil::Silent, "connector.general"),
        (Spoil::Redirect, "connector.general"),
        (Spoil::Page, "connector.invalid_response"),
        (Spoil::AccessToken, "connector.invalid_response"),
    ] {
        upstream.spoil(spoil);
        let refused = visit(&mut browser, &server, &upstream, "social", &id).await;
        assert_eq!((refused.status, &refused["code"]), (502, &json!(code)), "{spoil:?} {:#}", refused.body);
    }
});

both!(requests_do_not_enter_private_networks, async |home: Arc<Home>| {
    let server = server(&home).await;
    for (spoil, status, code) in [
        (Spoil::OtherDocument, 502, "connector.invalid_response"),
        (Spoil::ClearEndpoint, 502, "connector.invalid_response"),
        (Spoil::PrivateEndpoint, 502, "connector.general"),
    ] {
        let upstream = Upstream::start(false).await;
        upstream.spoil(spoil);
        let id = connector(&server, &upstream, &format!("{spoil:?}")).await;
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let sent = leave(&mut browser, &server, "social", &id).await;
        let refused = if sent.status == 200 {
            let data = json!({ "state": STATE, "code": upstream.let_in(&sent.text("authorizationUri")) });
            bring(&mut browser, "social", &id, &sent["verificationId"], data).await
        } else {
            sent
        };
        refused.expect_api_error(status, code);
        assert!(!refused.body.to_string().contains("10.0.0.1"), "{:#}", refused.body);
    }
    // Where this machine is no place to go to, nothing is asked at all.
    let home = Home::new(home.kind()).await;
    let closed = TestServer::start(&home, &[]).await.unwrap();
    let upstream = Upstream::start(false).await;
    let id = connector(&closed, &upstream, "work").await;
    let mut browser = Browser::new(&closed).await;
    browser.start("SignIn").await.expect(204);
    leave(&mut browser, &closed, "social", &id).await.expect_api_error(502, "connector.general");
    assert_eq!(upstream.requests(), Vec::<String>::new());
});

both!(new_keys_of_an_upstream_are_found, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    register(&server, &upstream, "social", &id).await;
    // At once, though they were fetched just now.
    upstream.rotate("second");
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let fetched = || upstream.requests().iter().filter(|path| *path == "/jwks").count();
    assert_eq!(fetched(), 2);
    // Whoever comes with unknown keys makes the server ask once in a while, and not each time.
    upstream.spoil(Spoil::UnknownKey);
    for _ in 0..3 {
        let refused = visit(&mut browser, &server, &upstream, "social", &id).await;
        refused.expect_api_error(401, "connector.social_invalid_id_token");
    }
    assert_eq!(fetched(), 2);
    server.clock.advance(std::time::Duration::from_secs(11));
    for _ in 0..3 {
        visit(&mut browser, &server, &upstream, "social", &id)
            .await
            .expect_api_error(401, "connector.social_invalid_id_token");
    }
    assert_eq!(fetched(), 3);
});

both!(an_unverified_address_says_nothing, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let victim = crate::browser::user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    for verified in [json!(false), Value::Null] {
        upstream.person(json!({ "sub": "mallory", "email": ADA, "email_verified": verified }));
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let verified = visit(&mut browser, &server, &upstream, "social", &id).await;
        if verified.status != 200 {
            // A claim that is no boolean makes the token unreadable.
            continue;
        }
        let refused = browser.identify(&verified).await;
        refused.expect_api_error(404, "user.identity_not_exist");
        assert_eq!(refused.body.get("data"), None, "{:#}", refused.body);
        let link = json!({ "verificationId": verified["verificationId"], "linkSocialIdentity": true });
        let refused = browser.post("/identification", link).await;
        refused.expect_api_error(404, "user.identity_not_exist");
        assert_eq!(refused.body.get("data"), None, "{:#}", refused.body);
    }
    // Whoever registers gets an account of their own, without the address.
    let (_, id) = register(&server, &upstream, "social", &id).await;
    assert_ne!(id, victim);
    assert_eq!(crate::elsewhere::user_of(&server, &id).await["primaryEmail"], Value::Null);
});
