//! The headers of pages, which win over those of other answers.

use crate::{browse, html, values};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(pages_load_own_files_alone, async |server: TestServer| {
    for path in ["/", "/signed-out", "/nothing"] {
        let answer = browse(&server, path).await;
        let policy = answer.header("content-security-policy").unwrap();
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(directives.contains(&directive), "{path}: {directive}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("content-language", "en"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        assert!(answer.header("permissions-policy").unwrap().contains("publickey-credentials-get=(self)"));
        assert_eq!(answer.header("cross-origin-opener-policy"), None);
    }
    // Other answers are as they were.
    let other = browse(&server, "/api/nothing").await;
    assert_eq!(other.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'"));
    assert_eq!(other.header("referrer-policy"), Some("no-referrer"));
});

both!(pages_of_errors_are_not_framed_either, async |server: TestServer| {
    // A request of nobody, and a page of a sign-in that is not under way.
    for path in ["/oidc/auth?client_id=nobody", "/sign-in", "/consent", "/oidc/auth/made-up"] {
        let answer = browse(&server, path).await.expect(400);
        assert!(html(&answer).contains("<title>"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.split("; ").any(|directive| directive == "frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
    }
});

both!(pages_show_the_pictures_of_the_settings_and_no_others, async |server: TestServer| {
    let management = server.management().await;
    let branding = json!({ "branding": {
        "logoUrl": "https://cdn.test/logo.png?a=1&b=\"2", "darkLogoUrl": "https://dark.test/logo.png",
        "favicon": "https://icons.test:8443/x.ico"
    } });
    management.patch("/api/sign-in-exp", branding).await.expect(200);
    let answer = browse(&server, "/").await.expect(200);
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.contains("; img-src 'self' data: https://cdn.test/logo.png https://icons.test:8443/x.ico;"),
        "{policy}"
    );
    let page = html(&answer);
    assert_eq!(values(page, "src"), ["https://cdn.test/logo.png?a=1&#38;b=%222"]);
    assert!(page.contains("href=\"https://icons.test:8443/x.ico\""), "{page}");
    // The dark one is for pages that may be dark.
    assert!(!page.contains("dark.test"), "{page}");
    management.patch("/api/sign-in-exp", json!({ "color": { "isDarkModeEnabled": true } })).await.expect(200);
    let answer = browse(&server, "/").await.expect(200);
    assert!(html(&answer).contains("srcset=\"https://dark.test/logo.png\""));
    assert!(answer.header("content-security-policy").unwrap().contains(" https://dark.test"));
});
