//! Userinfo, and the claims of each scope.

use crate::conformance::relying_party::{RelyingParty, SignedIn};
use claimsmith_test_support::{Answer, Browser};
use serde_json::{Value, json};

const OF_PROFILE: [&str; 6] = ["name", "family_name", "given_name", "locale", "zoneinfo", "birthdate"];

pub(crate) async fn oidcc_userinfo_get(rp: &RelyingParty) {
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    let answer = rp.userinfo(&signed_in.tokens.text("access_token")).await.expect(200);
    assert_eq!(answer.body, json!({ "sub": signed_in.id_token.claims["sub"] }));
}

pub(crate) async fn oidcc_userinfo_post_header(rp: &RelyingParty) {
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    let url = rp.server.url(&rp.endpoint("userinfo_endpoint"));
    let request = rp.server.http.post(url).bearer_auth(signed_in.tokens.text("access_token"));
    assert_eq!(Answer::of(request).await.expect(200)["sub"], signed_in.id_token.claims["sub"]);
}

pub(crate) async fn oidcc_userinfo_post_body(rp: &RelyingParty) {
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[]).await;
    let form = rp.server.form(&rp.endpoint("userinfo_endpoint"));
    let answer = form.with("access_token", &signed_in.tokens.text("access_token")).send().await.expect(200);
    assert_eq!(answer["sub"], signed_in.id_token.claims["sub"]);
}

pub(crate) async fn oidcc_scope_profile(rp: &RelyingParty) {
    let signed_in = scoped(rp, "openid profile").await;
    has_profile(&signed_in.userinfo);
    assert_eq!(signed_in.userinfo["email"], Value::Null);
}

pub(crate) async fn oidcc_scope_email(rp: &RelyingParty) {
    let signed_in = scoped(rp, "openid email").await;
    has_email(&signed_in.userinfo);
    assert_eq!(signed_in.userinfo["name"], Value::Null);
}

pub(crate) async fn oidcc_scope_address(rp: &RelyingParty) {
    let signed_in = scoped(rp, "openid address").await;
    has_address(&signed_in.userinfo);
    assert_eq!(signed_in.userinfo["phone_number"], Value::Null);
}

pub(crate) async fn oidcc_scope_phone(rp: &RelyingParty) {
    let signed_in = scoped(rp, "openid phone").await;
    has_phone(&signed_in.userinfo);
    assert_eq!(signed_in.userinfo["address"], Value::Null);
}

pub(crate) async fn oidcc_scope_all(rp: &RelyingParty) {
    let signed_in = scoped(rp, "openid profile email address phone").await;
    has_profile(&signed_in.userinfo);
    has_email(&signed_in.userinfo);
    has_address(&signed_in.userinfo);
    has_phone(&signed_in.userinfo);
}

/// The parameter is ignored, as discovery says; it does no harm.
pub(crate) async fn oidcc_claims_essential(rp: &RelyingParty) {
    assert_eq!(rp.metadata["claims_parameter_supported"], false);
    let claims = r#"{"userinfo":{"name":{"essential":true}}}"#;
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[("claims", claims)]).await;
    assert_eq!(signed_in.userinfo["name"], Value::Null);
}

/// A sign-in of somebody of whom everything is known.
async fn scoped(rp: &RelyingParty, scope: &str) -> SignedIn {
    let supported = rp.metadata["scopes_supported"].as_array().unwrap();
    assert!(scope.split(' ').all(|word| supported.contains(&word.into())), "{scope}");
    let (management, user) = (rp.server.management().await, &rp.server.demo().customer_user_id);
    let phone = json!({ "primaryPhone": "15550100200" });
    management.patch(&format!("/api/users/{user}"), phone).await.expect(200);
    let profile = json!({ "profile": {
        "familyName": "Customer", "givenName": "Casey", "locale": "en-GB", "zoneinfo": "Europe/London",
        "birthdate": "1990-02-03", "address": { "formatted": "1 High Street", "locality": "York", "country": "GB" },
    } });
    management.patch(&format!("/api/users/{user}/profile"), profile).await.expect(200);
    rp.sign_in(&Browser::new(&rp.server), &[("scope", scope)]).await
}

fn has_profile(userinfo: &Answer) {
    for name in OF_PROFILE {
        assert!(userinfo[name].is_string(), "{name}: {}", userinfo.body);
    }
    let updated_at = userinfo["updated_at"].as_i64().unwrap_or_else(|| panic!("{}", userinfo.body));
    assert!(updated_at > 1_000_000_000, "a time: {updated_at}");
}

fn has_email(userinfo: &Answer) {
    assert!(userinfo["email"].is_string() && userinfo["email_verified"].is_boolean(), "{}", userinfo.body);
}

fn has_phone(userinfo: &Answer) {
    assert!(
        userinfo["phone_number"].is_string() && userinfo["phone_number_verified"].is_boolean(),
        "{}",
        userinfo.body
    );
}

fn has_address(userinfo: &Answer) {
    for name in ["formatted", "locality", "country"] {
        assert!(userinfo["address"][name].is_string(), "{name}: {}", userinfo.body);
    }
}
