//! The discovery documents.

use claimsmith_test_support::{Answer, Home, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;

const OPENID: &str = "/oidc/.well-known/openid-configuration";
/// RFC 8414 section 3.1 puts the well-known name between host and path; many clients append it.
const OAUTH: [&str; 2] =
    ["/.well-known/oauth-authorization-server/oidc", "/oidc/.well-known/oauth-authorization-server"];

both!(every_document_says_the_same, async |server: TestServer| {
    let document = server.get(OPENID).await.expect(200).body;
    for path in OAUTH {
        assert_eq!(server.get(path).await.expect(200).body, document, "{path}");
    }
});

both!(the_document_is_complete, async |server: TestServer| {
    let answer = server.get(OPENID).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let issuer = server.issuer();
    assert_eq!(answer["issuer"], issuer);
    for (name, path) in [
        ("authorization_endpoint", "/auth"),
        ("pushed_authorization_request_endpoint", "/request"),
        ("end_session_endpoint", "/session/end"),
        ("token_endpoint", "/token"),
        ("device_authorization_endpoint", "/device/auth"),
        ("jwks_uri", "/jwks"),
        ("userinfo_endpoint", "/me"),
        ("introspection_endpoint", "/token/introspection"),
        ("revocation_endpoint", "/token/revocation"),
    ] {
        assert_eq!(answer[name], format!("{issuer}{path}"), "{name}");
    }
    let has = |name: &str, value: &str| answer[name].as_array().unwrap().contains(&value.into());
    let device_code = "urn:ietf:params:oauth:grant-type:device_code";
    for grant in ["authorization_code", "refresh_token", "client_credentials", device_code] {
        assert!(has("grant_types_supported", grant), "{grant}");
    }
    for mode in ["query", "fragment", "form_post"] {
        assert!(has("response_modes_supported", mode), "{mode}");
    }
    for (name, value) in [
        ("code_challenge_methods_supported", json!(["S256"])),
        ("response_types_supported", json!(["code"])),
        ("authorization_response_iss_parameter_supported", json!(true)),
        ("request_parameter_supported", json!(false)),
        ("request_uri_parameter_supported", json!(false)),
        ("claims_parameter_supported", json!(false)),
        (
            "acr_values_supported",
            json!([
                "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
                "http://schemas.openid.net/pape/policies/2007/06/multi-factor"
            ]),
        ),
    ] {
        assert_eq!(answer[name], value, "{name}");
    }
    assert!(has("grant_types_supported", claimsmith_test_support::TOKEN_EXCHANGE));
    // RS256 is what an application has that chose none.
    assert_eq!(answer["id_token_signing_alg_values_supported"], json!(["RS256", "ES256", "ES384", "EdDSA"]));
    let scopes = json!([
        "openid",
        "offline_access",
        "profile",
        "email",
        "phone",
        "address",
        "custom_data",
        "identities",
        "roles",
        "urn:logto:scope:organizations",
        "urn:logto:scope:organization_roles",
        "urn:logto:scope:sessions",
        "urn:logto:scope:trusted_devices",
        "groups",
    ]);
    assert_eq!(answer["scopes_supported"], scopes);
    for claim in ["sub", "auth_time", "nonce", "sid", "at_hash", "email_verified", "custom_data", "groups"] {
        assert!(has("claims_supported", claim), "{claim}");
    }
    assert!(has("subject_types_supported", "public"));
    for endpoint in ["token", "introspection", "revocation"] {
        let name = format!("{endpoint}_endpoint_auth_methods_supported");
        for method in ["client_secret_basic", "client_secret_post", "private_key_jwt"] {
            assert!(has(&name, method), "{name} {method}");
        }
        assert_eq!(has(&name, "none"), endpoint != "introspection", "{name}");
        let name = format!("{endpoint}_endpoint_auth_signing_alg_values_supported");
        let algorithms = answer[&*name].as_array().unwrap();
        assert!(has(&name, "ES256") && has(&name, "PS256"), "{name}");
        // Symmetric ones, and none, prove nothing here.
        let names: Vec<&str> = algorithms.iter().map(|algorithm| algorithm.as_str().unwrap()).collect();
        assert!(!names.iter().any(|name| name.starts_with("HS") || *name == "none"), "{names:?}");
    }
    assert!(has("claims_supported", "act"));
});

both!(every_endpoint_that_it_names_is_there, async |server: TestServer| {
    let document = server.get(OPENID).await.expect(200);
    let here = |url: &Value| url.as_str().unwrap().replace(&server.report.base_url, &server.origin);
    Answer::of(server.http.get(here(&document["jwks_uri"]))).await.expect(200);
    Answer::of(server.http.get(here(&document["userinfo_endpoint"]))).await.expect(401);
    for name in ["token_endpoint", "device_authorization_endpoint", "introspection_endpoint", "revocation_endpoint"] {
        let request = server.http.post(here(&document[name])).form(&[("token", "x")]);
        Answer::of(request).await.expect_oauth_error(401, "invalid_client");
    }
});

both!(the_issuer_follows_the_base_url_and_not_the_request, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_BASE_URL", "https://id.example.com/tenant"), ("CLAIMSMITH_DEMO", "false")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let request = server.http.get(server.url(OPENID)).header("host", "evil.example.com");
    let request = request.header("x-forwarded-host", "evil.example.com").header("x-forwarded-proto", "ftp");
    let answer = Answer::of(request).await.expect(200);
    assert_eq!(answer["issuer"], "https://id.example.com/tenant/oidc");
    assert!(!answer.body.to_string().contains("evil"));
    let token = server.management_token().await;
    let jwt = server.verify(&token, "https://id.example.com/tenant/api").await;
    assert_eq!(jwt.claims["iss"], "https://id.example.com/tenant/oidc");
});

both!(the_key_set_holds_public_keys_alone, async |server: TestServer| {
    let answer = server.get("/oidc/jwks").await.expect(200);
    let keys = answer["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 2, "one for access tokens, and one for id tokens");
    for (key, algorithm, kind, expected) in [
        (&keys[0], "ES256", "EC", &["alg", "crv", "kid", "kty", "use", "x", "y"][..]),
        (&keys[1], "RS256", "RSA", &["alg", "e", "kid", "kty", "n", "use"]),
    ] {
        let mut members: Vec<&String> = key.as_object().unwrap().keys().collect();
        members.sort();
        assert_eq!(members, expected);
        assert_eq!((&key["alg"], &key["use"], &key["kty"]), (&json!(algorithm), &json!("sig"), &json!(kind)));
    }
    // The next key is announced five minutes ahead.
    assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
});
