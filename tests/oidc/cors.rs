//! CORS: browsers may call the OIDC endpoints from registered origins, and no others; preflights allow the headers that
//! they ask for.

use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::id::ApplicationId;
use claimsmith_storage::Json;
use claimsmith_test_support::seed::new_application;
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::json;

const ALLOWED: &str = "access-control-allow-origin";

/// Registers `https://app.example.com` and, by a redirect URI, `https://web.example.com:8443`; answers the client.
async fn register(server: &TestServer) -> ApplicationId {
    let mut application = new_application(ApplicationType::Spa);
    application.custom_client_metadata = Json(CustomClientMetadata {
        allow_token_exchange: Some(true),
        cors_allowed_origins: Some(vec!["https://app.example.com".to_owned()]),
        ..CustomClientMetadata::default()
    });
    application.oidc_client_metadata = Json(OidcClientMetadata {
        redirect_uris: vec![
            "https://web.example.com:8443/callback?a=b".to_owned(),
            "com.example.app://back".to_owned(),
        ],
        ..OidcClientMetadata::default()
    });
    server.add(application).await.0
}

both!(a_registered_origin_may_call, async |server: TestServer| {
    let client = register(&server).await;
    for origin in ["https://app.example.com", "https://web.example.com:8443", "com.example.app://back"] {
        let form = server.exchange(&server.customer_token().await).with("client_id", &client);
        let answer = Answer::of(form.request().header("origin", origin)).await.expect(200);
        assert_eq!(answer.header(ALLOWED), Some(origin));
        assert!(answer.header("vary").unwrap().to_lowercase().contains("origin"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        // A refusal must be readable too.
        let answer = Answer::of(form.request().header("origin", origin)).await.expect(400);
        assert_eq!(answer.header(ALLOWED), Some(origin));
        let userinfo = Answer::of(server.http.get(server.url("/oidc/me")).header("origin", origin)).await.expect(401);
        assert_eq!(userinfo.header(ALLOWED), Some(origin));
    }
});

both!(a_preflight_is_answered, async |server: TestServer| {
    register(&server).await;
    let preflight = |origin: &str| {
        server
            .http
            .request(Method::OPTIONS, server.url("/oidc/token"))
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type")
    };
    let answer = Answer::of(preflight("https://app.example.com")).await.expect(200);
    assert_eq!(answer.header(ALLOWED), Some("https://app.example.com"));
    assert!(answer.header("access-control-allow-methods").unwrap().contains("POST"));
    let headers = answer.header("access-control-allow-headers").unwrap().to_lowercase();
    assert!(headers.contains("authorization") && headers.contains("content-type"));
    assert!(answer.header("access-control-max-age").is_some());

    assert_eq!(Answer::of(preflight("https://evil.example.com")).await.header(ALLOWED), None);
});

both!(other_origins_may_not_read, async |server: TestServer| {
    register(&server).await;
    for origin in [
        "https://evil.example.com",
        "http://app.example.com",
        "https://app.example.com:444",
        "https://app.example.com.evil.com",
        "https://web.example.com",
        "null",
        "com.example.other://back",
        "com.example.app://back.evil.com",
        "com.example.app://",
        "file://",
    ] {
        let request = server.http.get(server.url("/oidc/me")).header("origin", origin);
        assert_eq!(Answer::of(request).await.expect(401).header(ALLOWED), None, "{origin}");
        // What everybody may see, every origin may.
        for path in ["/oidc/jwks", "/oidc/.well-known/openid-configuration"] {
            let request = server.http.get(server.url(path)).header("origin", origin);
            assert_eq!(Answer::of(request).await.expect(200).header(ALLOWED), Some("*"), "{path} {origin}");
        }
    }
});

both!(an_origin_goes_with_its_application, async |server: TestServer| {
    let client = register(&server).await;
    let ask = async || {
        let request = server.http.get(server.url("/oidc/me")).header("origin", "https://app.example.com");
        Answer::of(request).await.expect(401).header(ALLOWED).is_some()
    };
    assert!(ask().await);
    server.delete_application(&client).await;
    assert!(!ask().await);
});

both!(the_management_api_is_not_for_browsers, async |server: TestServer| {
    register(&server).await;
    let management = server.management().await;
    let request = management.request(Method::GET, "/api/plugins").header("origin", "https://app.example.com");
    assert_eq!(Answer::of(request).await.expect(200).header(ALLOWED), None);
});

both!(origins_of_other_schemes_are_registered_like_others, async |server: TestServer| {
    let management = server.management().await;
    let body = |origins: &[&str]| json!({ "name": "Extension", "type": "SPA", "customClientMetadata": { "corsAllowedOrigins": origins } });
    let own = [
        "capacitor://localhost",
        "ionic://localhost",
        "tauri://localhost",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
        "moz-extension://0d2b7f5e-1111-4222-8333-444455556666",
    ];
    for origin in own {
        management.post("/api/applications", body(&[origin])).await.expect(200);
        let answer = Answer::of(preflight(&server, "/oidc/token", origin, &["content-type"])).await.expect(200);
        assert_eq!(answer.header(ALLOWED), Some(origin));
        let answer = Answer::of(server.http.get(server.url("/oidc/me")).header("origin", origin)).await.expect(401);
        assert_eq!(answer.header(ALLOWED), Some(origin), "a refusal can be read, too");
    }
    for refused in [
        "null",
        "*",
        "capacitor://*",
        "capacitor://localhost/path",
        "capacitor:",
        "file://",
        "data:,",
        "https://*.a.test",
    ] {
        let answer = management.post("/api/applications", body(&["https://a.test", refused])).await;
        answer.expect_api_error(400, "guard.invalid_input");
        assert!(answer.text("details").contains("customClientMetadata.corsAllowedOrigins[1]"), "{}", answer.body);
    }
    for origin in ["null", "file://", "capacitor://localhost.evil.com"] {
        let answer = Answer::of(preflight(&server, "/oidc/token", origin, &["content-type"])).await;
        assert_eq!(answer.header(ALLOWED), None, "{origin}");
    }
});

/// A preflight for a request with these lists of headers.
fn preflight(server: &TestServer, path: &str, origin: &str, headers: &[&str]) -> reqwest::RequestBuilder {
    let request = server.http.request(Method::OPTIONS, server.url(path)).header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    headers.iter().fold(request, |request, list| request.header("access-control-request-headers", *list))
}

both!(a_preflight_allows_the_headers_that_it_asks_for, async |server: TestServer| {
    register(&server).await;
    let most = vec!["x-header"; 32].join(",");
    let many = vec!["x-header"; 33].join(",");
    let long = "x".repeat(2000);
    for path in ["/oidc/token", "/oidc/me", "/api/my-account", "/oidc/jwks"] {
        let ask = async |headers: &[&str]| {
            let answer = Answer::of(preflight(&server, path, "https://app.example.com", headers)).await.expect(200);
            assert!(answer.header(ALLOWED).is_some() && answer.header("access-control-allow-credentials").is_none());
            let vary = answer.header("vary").unwrap_or_default().to_lowercase();
            assert!(vary.contains("access-control-request-headers"), "{path} {vary}");
            answer.header("access-control-allow-headers").map(str::to_owned)
        };
        for asked in ["traceparent, mcp-protocol-version", "sentry-trace,baggage,authorization", &most] {
            assert_eq!(ask(&[asked]).await.as_deref(), Some(asked), "{path}");
        }
        for refused in [&["x y"][..], &["a,,b"], &["a:b"], &[&many], &[&long], &["traceparent", "baggage"], &[]] {
            assert_eq!(ask(refused).await, None, "{path} {refused:?}");
        }
    }
    // Another origin is not let in by any of it.
    let answer = Answer::of(preflight(&server, "/oidc/token", "https://evil.example.com", &["traceparent"])).await;
    assert_eq!(answer.header(ALLOWED), None);
});
