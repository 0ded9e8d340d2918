//! Codes that are used twice, and refresh tokens.

use crate::conformance::checks::{entropy, expect_refusal, token_answer};
use crate::conformance::relying_party::{RelyingParty, add_client};
use claimsmith_test_support::Browser;
use std::time::Duration;

pub(crate) async fn oidcc_codereuse(rp: &RelyingParty) {
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    expect_refusal(&rp.redeem(&signed_in.code).send().await, 400, "invalid_grant");
}

pub(crate) async fn oidcc_codereuse_30seconds(rp: &RelyingParty) {
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    let access = signed_in.tokens.text("access_token");
    rp.server.clock.advance(Duration::from_secs(30));
    rp.userinfo(&access).await.expect(200);
    expect_refusal(&rp.redeem(&signed_in.code).send().await, 400, "invalid_grant");
    rp.userinfo(&access).await.expect(401);
}

pub(crate) async fn oidcc_refresh_token(rp: &RelyingParty) {
    let scope = "openid email offline_access";
    let more = [("scope", scope), ("prompt", "consent")];
    let first = rp.sign_in(&Browser::new(&rp.server), &more).await;
    let token = first.tokens.text("refresh_token");
    assert!(entropy(&token) >= 96.0);
    rp.server.clock.advance(Duration::from_secs(1));
    let second = rp.refresh(&token).with("scope", scope).send().await.expect(200);
    token_answer(&second);
    assert_ne!(second.text("access_token"), first.tokens.text("access_token"));
    let claims = rp.server.verify(&second.text("id_token"), &rp.client_id).await.claims;
    for name in ["iss", "sub", "aud", "auth_time", "sid"] {
        assert_eq!(claims[name], first.id_token.claims[name], "{name}");
    }
    assert_eq!(claims["iat"], rp.server.clock.now_ms() / 1000);
    rp.userinfo(&second.text("access_token")).await.expect(200);
    // Another application cannot use it, with its own credentials or without any.
    let (id, secret) = add_client(&rp.server, "Traditional").await;
    let token = second.text("refresh_token");
    expect_refusal(&rp.refresh(&token).basic(&id, &secret).send().await, 400, "invalid_grant");
    let anonymous = rp.server.form(&rp.endpoint("token_endpoint")).with("grant_type", "refresh_token");
    let anonymous = anonymous.with("refresh_token", &token).with("client_id", &rp.client_id);
    expect_refusal(&anonymous.send().await, 401, "invalid_client");
    rp.refresh(&token).send().await.expect(200);
}
