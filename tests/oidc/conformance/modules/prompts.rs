//! When people are asked again, and when nobody may be.

use crate::conformance::relying_party::{RelyingParty, SignedIn};
use claimsmith_test_support::Browser;
use std::time::Duration;

const NOBODY_THERE: [&str; 4] =
    ["login_required", "interaction_required", "account_selection_required", "consent_required"];

pub(crate) async fn oidcc_prompt_login(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let first = rp.sign_in(&browser, &[]).await;
    rp.server.clock.advance(Duration::from_secs(1));
    rp.ask(&browser, &[("prompt", "login")]).await.page();
    let second = rp.sign_in(&browser, &[("prompt", "login")]).await;
    assert_eq!(second.id_token.claims["sub"], first.id_token.claims["sub"]);
    assert!(auth_time(&second) > auth_time(&first));
}

pub(crate) async fn oidcc_prompt_none_not_logged_in(rp: &RelyingParty) {
    let state = "x".repeat(128);
    let reached = rp.ask(&Browser::new(&rp.server), &[("prompt", "none"), ("state", &state)]).await;
    reached.expect_error(&NOBODY_THERE);
}

pub(crate) async fn oidcc_prompt_none_logged_in(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let first = rp.sign_in(&browser, &[]).await;
    rp.server.clock.advance(Duration::from_secs(1));
    is_the_same(&first, &rp.sign_in_silently(&browser, &[("prompt", "none")]).await);
}

pub(crate) async fn oidcc_max_age_1(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let first = rp.sign_in(&browser, &[]).await;
    rp.server.clock.advance(Duration::from_secs(2));
    rp.ask(&browser, &[("max_age", "1"), ("prompt", "none")]).await.expect_error(&NOBODY_THERE);
    let page = rp.ask(&browser, &[("max_age", "1")]).await.page();
    assert!(rp.log_in(&browser, &page).await.contains_key("code"));
    let second = rp.sign_in_silently(&browser, &[("max_age", "1")]).await;
    assert_eq!(auth_time(&second), rp.server.clock.now_ms() / 1000, "recent");
    assert!(auth_time(&second) > auth_time(&first));
}

pub(crate) async fn oidcc_max_age_10000(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let first = rp.sign_in(&browser, &[("max_age", "15000")]).await;
    rp.server.clock.advance(Duration::from_secs(1));
    is_the_same(&first, &rp.sign_in_silently(&browser, &[("max_age", "10000")]).await);
}

pub(crate) async fn oidcc_id_token_hint(rp: &RelyingParty) {
    let browser = Browser::new(&rp.server);
    let first = rp.sign_in(&browser, &[]).await;
    let hint = first.tokens.text("id_token");
    is_the_same(&first, &rp.sign_in_silently(&browser, &[("prompt", "none"), ("id_token_hint", &hint)]).await);
}

fn auth_time(signed_in: &SignedIn) -> i64 {
    signed_in.id_token.claims["auth_time"].as_i64().unwrap()
}

fn is_the_same(first: &SignedIn, second: &SignedIn) {
    for name in ["sub", "auth_time", "sid"] {
        assert_eq!(second.id_token.claims[name], first.id_token.claims[name], "{name}");
    }
}
