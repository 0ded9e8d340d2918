//! Config OP (`oidcc-config-certification-test-plan`): what discovery says.

use super::checks;
use claimsmith_test_support::{Answer, Home, TestServer, both};
use serde_json::Value;
use std::sync::Arc;

/// What OpenID Connect Discovery demands, beside the token and userinfo endpoints.
const REQUIRED: [&str; 6] = [
    "issuer",
    "authorization_endpoint",
    "jwks_uri",
    "response_types_supported",
    "subject_types_supported",
    "id_token_signing_alg_values_supported",
];

both!(oidcc_discovery_endpoint_verification, async |server: TestServer| {
    let metadata = checks::discovery(&server).await;
    complete(&metadata);
    // Plain http is for this machine's own address alone.
    checks::schemes(&metadata, "http");
    assert!(
        server.report.base_url.starts_with("http://127.0.0.1")
            || server.report.base_url.starts_with("http://localhost")
    );
});

both!(oidcc_discovery_endpoint_verification_over_https, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_BASE_URL", "https://id.example.com")]).await.unwrap();
    // The proxy that speaks TLS passes the requests on.
    let request = server.http.get(server.url("/oidc/.well-known/openid-configuration"));
    let metadata = Answer::of(request.header("host", "id.example.com")).await.expect(200).body;
    complete(&metadata);
    checks::schemes(&metadata, "https");
});

fn complete(metadata: &Value) {
    for name in REQUIRED.into_iter().chain(["token_endpoint", "userinfo_endpoint"]) {
        assert!(!metadata[name].is_null(), "{name}");
    }
    let list = |name: &str| -> Vec<&str> {
        let values = metadata[name].as_array().unwrap_or_else(|| panic!("{name} is no array"));
        values.iter().map(|value| value.as_str().unwrap()).collect()
    };
    assert_eq!(list("response_types_supported"), ["code"]);
    assert_eq!(list("subject_types_supported"), ["public"]);
    assert!(list("id_token_signing_alg_values_supported").contains(&"RS256"));
    assert!(list("scopes_supported").contains(&"openid"));
    assert!(list("claims_supported").contains(&"sub"));
    assert!(list("grant_types_supported").contains(&"authorization_code"));
    assert_eq!(list("code_challenge_methods_supported"), ["S256"]);
    assert!(list("token_endpoint_auth_methods_supported").contains(&"client_secret_basic"));
    for locale in list("ui_locales_supported") {
        let mut parts = locale.split('-');
        let language = parts.next().unwrap();
        assert!(
            (2..=3).contains(&language.len()) && language.chars().all(|sign| sign.is_ascii_lowercase()),
            "{locale}"
        );
        assert!(
            parts.all(|part| (2..=8).contains(&part.len()) && part.chars().all(|sign| sign.is_ascii_alphanumeric()))
        );
    }
}
