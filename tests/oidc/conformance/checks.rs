//! What holds of every sign-in: discovery, keys, the answer to the application, tokens, the ID token's claims, userinfo
//! (the suite's `AbstractOIDCCServerTest` and `PerformStandardIdTokenChecks`).

use claimsmith_test_support::{Answer, TestServer};
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// Members that an answer to an application may have.
const OF_ANSWERS: [&str; 5] = ["code", "error", "error_description", "iss", "state"];
/// The claims that an ID token has without being asked.
const OF_ID_TOKENS: [&str; 10] = ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "sid", "amr", "at_hash"];

/// Reads discovery, and the keys that it names.
pub(super) async fn discovery(server: &TestServer) -> Value {
    let answer = server.get("/oidc/.well-known/openid-configuration").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer["issuer"], server.issuer());
    let path = answer.text("jwks_uri").replace(&server.report.base_url, "");
    let jwks = server.get(&path).await.expect(200);
    let keys = jwks["keys"].as_array().unwrap();
    let kids: BTreeSet<&str> = keys.iter().map(|key| key["kid"].as_str().unwrap()).collect();
    assert!(!keys.is_empty() && kids.len() == keys.len(), "{}", jwks.body);
    for (key, secret) in keys.iter().flat_map(|key| ["d", "p", "q", "dp", "dq", "qi", "k"].map(|part| (key, part))) {
        assert!(key.get(secret).is_none(), "{secret} of {}", key["kid"]);
    }
    answer.body
}

/// The members of an answer to the application, which names its issuer.
pub(super) fn members(issuer: &str, members: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let members: Vec<(String, String)> = members.collect();
    let count = members.len();
    let members: BTreeMap<String, String> = members.into_iter().collect();
    assert_eq!(members.len(), count, "each member once: {members:?}");
    assert!(members.keys().all(|name| OF_ANSWERS.contains(&name.as_str())), "{members:?}");
    assert_eq!(members["iss"], issuer);
    assert_ne!(members.contains_key("code"), members.contains_key("error"), "{members:?}");
    if let Some(error) = members.get("error") {
        assert!(is_readable(error) && is_readable(&members["error_description"]), "{members:?}");
    }
    members
}

/// What RFC 6749 allows in `error` and `error_description`.
fn is_readable(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|sign| matches!(sign, ' '..='~') && sign != '"' && sign != '\\')
}

/// Asserts a refusal of the token endpoint.
#[track_caller]
pub(super) fn expect_refusal(answer: &Answer, status: u16, error: &str) {
    answer.expect_oauth_error(status, error);
    assert!(answer.header("content-type").unwrap().starts_with("application/json"));
    assert!(is_readable(&answer.text("error_description")), "{}", answer.body);
}

/// Nobody guesses a code.
pub(super) fn code(code: &str) {
    assert!(entropy(code) >= 96.0 && code.len() * 6 >= 128, "{code}");
}

/// Checks the claims of an ID token that came with an access token now (Unix seconds).
pub(super) fn id_token(
    claims: &Value,
    access_token: &str,
    now: i64,
    (nonce, acr_values): (Option<&str>, Option<&str>),
) {
    let number = |name: &str| claims[name].as_i64().unwrap_or_else(|| panic!("{name}: {claims}"));
    assert!(number("iat") == now && number("exp") > now && number("auth_time") <= now, "{claims}");
    assert_eq!(claims["nonce"].as_str(), nonce);
    let sub = claims["sub"].as_str().unwrap();
    assert!(sub.is_ascii() && (1..=255).contains(&sub.len()), "{sub}");
    assert!(claims.get("azp").is_none_or(|azp| *azp == claims["aud"]), "{claims}");
    let half = &Sha256::digest(access_token)[..16];
    assert_eq!(claims["at_hash"], BASE64URL_NOPAD.encode(half));
    let names = claims.as_object().unwrap().keys();
    // A class of authentication is told where one was asked for, and then it is one of those.
    let acr = claims.get("acr").map(|acr| acr.as_str().unwrap());
    assert!(acr.is_none_or(|acr| acr_values.is_some_and(|asked| asked.split(' ').any(|one| one == acr))), "{claims}");
    let unasked: Vec<&String> = names.filter(|name| *name != "acr" && !OF_ID_TOKENS.contains(&name.as_str())).collect();
    assert!(unasked.is_empty(), "claims of the person stand at userinfo: {unasked:?}");
}

/// Checks an answer of userinfo against the claims of the ID token.
pub(super) fn userinfo(userinfo: &Answer, claims: &Value) {
    assert!(userinfo.header("content-type").unwrap().starts_with("application/json"));
    assert_eq!(userinfo["sub"], claims["sub"]);
}

/// Checks an answer of the token endpoint.
pub(super) fn token_answer(tokens: &Answer) {
    assert!(tokens.header("content-type").unwrap().starts_with("application/json"));
    assert_eq!(tokens.header("cache-control"), Some("no-store"));
    assert!(tokens.text("token_type").eq_ignore_ascii_case("bearer"));
    assert!((1..=86_400).contains(&tokens["expires_in"].as_i64().unwrap()), "{}", tokens.body);
    assert!(entropy(&tokens.text("access_token")) >= 96.0);
}

/// The entropy of a text in bits, by how often its signs occur (Shannon).
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = BTreeMap::new();
    for sign in text.chars() {
        *counts.entry(sign).or_insert(0_u32) += 1;
    }
    let length = f64::from(u32::try_from(text.chars().count()).unwrap());
    let bits = counts.values().map(|count| f64::from(*count) / length).map(|share| -share * share.log2());
    bits.sum::<f64>() * length
}

/// Asserts that every endpoint of a discovery document is reached by this scheme.
pub(super) fn schemes(metadata: &Value, scheme: &str) {
    for (name, value) in metadata.as_object().unwrap() {
        if name == "issuer" || name.ends_with("_endpoint") || name.ends_with("_uri") {
            assert_eq!(Url::parse(value.as_str().unwrap()).unwrap().scheme(), scheme, "{name}");
        }
    }
}
