//! The flow itself, and requests that are not as they should be.

use crate::conformance::checks::expect_refusal;
use crate::conformance::relying_party::{CALLBACK, RelyingParty};
use crate::sign_in::{VERIFIER, challenge};
use claimsmith_test_support::Browser;

pub(crate) async fn oidcc_server(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let first = rp.sign_in(&browser, &[]).await;
    // Somebody else's browser knows nothing of it, and gets a code of its own.
    let second = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    assert_ne!(first.code, second.code);
    assert_ne!(first.tokens.text("access_token"), second.tokens.text("access_token"));
}

pub(crate) async fn oidcc_response_type_missing(rp: &RelyingParty) {
    let reached = rp.ask(&Browser::new(&rp.server), &[("response_type", "")]).await;
    reached.expect_error(&["invalid_request", "unsupported_response_type"]);
}

pub(crate) async fn oidcc_idtoken_signature(rp: &RelyingParty) {
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    // The library that verified it found its key by its kid.
    assert_eq!(signed_in.id_token.algorithm, "RS256", "where an application chooses nothing");
}

/// Nothing is ever unsigned; the suite skips this module where `none` is not listed.
pub(crate) async fn oidcc_idtoken_unsigned(rp: &RelyingParty) {
    let algorithms = rp.metadata["id_token_signing_alg_values_supported"].as_array().unwrap();
    assert!(!algorithms.contains(&"none".into()));
    let path = format!("/api/applications/{}", rp.client_id);
    let body = serde_json::json!({ "customClientMetadata": { "idTokenSignedResponseAlg": "none" } });
    rp.server.management().await.patch(&path, body).await.expect_api_error(400, "guard.invalid_input");
}

pub(crate) async fn oidcc_ensure_request_without_nonce_succeeds_for_code_flow(rp: &RelyingParty) {
    rp.sign_in(&Browser::new(&rp.server), &[("nonce", "")]).await;
}

pub(crate) async fn oidcc_alternate_happy_flow(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let scope = "email profile openid";
    let mut request = rp.request(&[("scope", scope), ("state", "another state")]);
    request.reverse();
    let page = rp.ask_as(&browser, &request).await.page();
    let members = rp.log_in(&browser, &page).await;
    assert_eq!(members["state"], "another state");
    let signed_in = rp.sign_in_silently(&browser, &[("scope", scope)]).await;
    assert_eq!(signed_in.userinfo["email"], "customer@example.com");
}

pub(crate) async fn oidcc_ensure_post_request_succeeds(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let answer = browser.post(&rp.endpoint("authorization_endpoint"), &rp.request(&[])).await;
    let page = rp.follow(&browser, answer).await.page();
    let members = rp.log_in(&browser, &page).await;
    rp.redeem(&members["code"]).send().await.expect(200);
    // Once more with a session.
    let answer = browser.post(&rp.endpoint("authorization_endpoint"), &rp.request(&[])).await;
    assert!(rp.follow(&browser, answer).await.back().contains_key("code"));
}

pub(crate) async fn oidcc_ensure_request_with_valid_pkce_succeeds(rp: &RelyingParty) {
    let challenge = challenge(VERIFIER);
    let more = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    let members = rp.authorize(&Browser::new(&rp.server), &more).await;
    rp.redeem(&members["code"]).with("code_verifier", VERIFIER).send().await.expect(200);
}

pub(crate) async fn oidcc_ensure_registered_redirect_uri(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    for uri in ["https://client.example.com/elsewhere", "https://evil.example.com/callback?tenant=1"] {
        rp.ask(&browser, &[("redirect_uri", uri)]).await.expect_error_page();
    }
    // Not either for somebody who is signed in.
    rp.sign_in(&browser, &[]).await;
    rp.ask(&browser, &[("redirect_uri", &format!("{CALLBACK}&more=1"))]).await.expect_error_page();
}

/// A web application uses the Basic header; its secret in the body is a refusal. Machines may have it there.
pub(crate) async fn oidcc_server_client_secret_post(rp: &RelyingParty) {
    let members = rp.authorize(&Browser::new(&rp.server), &[]).await;
    let secret = rp.secret.as_deref().unwrap();
    let form = rp.server.form(&rp.endpoint("token_endpoint")).with("grant_type", "authorization_code");
    let form = form.with("code", &members["code"]).with("redirect_uri", CALLBACK);
    let posted = form.with("client_id", &rp.client_id).with("client_secret", secret).send().await;
    expect_refusal(&posted, 401, "invalid_client");
    // That used nothing up.
    rp.redeem(&members["code"]).send().await.expect(200);
    let machine = rp.server.machine();
    let form = rp.server.form(&rp.endpoint("token_endpoint")).with("grant_type", "client_credentials");
    let form = form.with("client_id", &machine.client_id).with("client_secret", &machine.client_secret);
    form.with("resource", &machine.resource).send().await.expect(200);
}
