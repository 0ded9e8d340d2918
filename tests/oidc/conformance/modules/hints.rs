//! Parameters that only help, and those that must be obeyed or refused.

use crate::conformance::relying_party::RelyingParty;
use crate::page::html;
use claimsmith_test_support::Browser;

pub(crate) async fn oidcc_display_page(rp: &RelyingParty) {
    does_no_harm(rp, ("display", "page")).await;
}

pub(crate) async fn oidcc_display_popup(rp: &RelyingParty) {
    does_no_harm(rp, ("display", "popup")).await;
}

pub(crate) async fn oidcc_ensure_request_with_unknown_parameter_succeeds(rp: &RelyingParty) {
    does_no_harm(rp, ("extra", "foobar")).await;
}

pub(crate) async fn oidcc_claims_locales(rp: &RelyingParty) {
    does_no_harm(rp, ("claims_locales", "se")).await;
}

pub(crate) async fn oidcc_ensure_request_with_acr_values_succeeds(rp: &RelyingParty) {
    // A wish that cannot be met is no error, and is not answered.
    let signed_in = rp.sign_in(&Browser::new(&rp.server), &[("acr_values", "1 2")]).await;
    assert_eq!(signed_in.id_token.claims.get("acr"), None);
    // Of those that discovery names, a password meets the first one.
    let supported = rp.metadata["acr_values_supported"].as_array().unwrap();
    for wish in [
        format!("1 {}", supported[0].as_str().unwrap()),
        supported.iter().rev().map(|class| class.as_str().unwrap()).collect::<Vec<_>>().join(" "),
    ] {
        let signed_in = rp.sign_in(&Browser::new(&rp.server), &[("acr_values", &wish)]).await;
        assert_eq!(signed_in.id_token.claims["acr"], supported[0]);
    }
}

pub(crate) async fn oidcc_login_hint(rp: &RelyingParty) {
    does_no_harm(rp, ("login_hint", "buffy@client.example.com")).await;
    let page = rp.ask(&Browser::new(&rp.server), &[("login_hint", "customer")]).await.page();
    assert!(html(&page).unwrap().contains(r#"value="customer""#));
}

pub(crate) async fn oidcc_ui_locales(rp: &RelyingParty) {
    does_no_harm(rp, ("ui_locales", "se")).await;
    let page = rp.ask(&Browser::new(&rp.server), &[("ui_locales", "xx fr en")]).await.page();
    assert!(html(&page).unwrap().contains(r#"<html lang="fr""#), "the first that there is");
}

/// A request that somebody else keeps is refused, never fetched.
pub(crate) async fn oidcc_request_uri_unsigned_supported_correctly_or_rejected_as_unsupported(rp: &RelyingParty) {
    let more = [("request_uri", "https://client.example.com/request.jwt")];
    rp.ask(&Browser::new(&rp.server), &more).await.expect_error(&["request_uri_not_supported"]);
}

pub(crate) async fn oidcc_unsigned_request_object_supported_correctly_or_rejected_as_unsupported(rp: &RelyingParty) {
    let more = [("request", "eyJhbGciOiJub25lIn0.eyJzY29wZSI6Im9wZW5pZCJ9.")];
    rp.ask(&Browser::new(&rp.server), &more).await.expect_error(&["request_not_supported"]);
}

/// The object names another redirect URI: it is refused, and leads nowhere else.
pub(crate) async fn oidcc_ensure_request_object_with_redirect_uri(rp: &RelyingParty) {
    let object = data_encoding::BASE64URL_NOPAD.encode(br#"{"redirect_uri":"https://evil.example.com/callback"}"#);
    let request = format!("eyJhbGciOiJub25lIn0.{object}.");
    let browser = Browser::new(&rp.server);
    rp.ask(&browser, &[("request", &request)]).await.expect_error(&["request_not_supported"]);
    let more = [("request", request.as_str()), ("redirect_uri", "https://evil.example.com/callback")];
    rp.ask(&browser, &more).await.expect_error_page();
}

async fn does_no_harm(rp: &RelyingParty, parameter: (&str, &str)) {
    rp.sign_in(&Browser::new(&rp.server), &[parameter]).await;
}
