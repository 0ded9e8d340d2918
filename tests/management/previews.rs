//! `POST /api/sign-in-exp/preview`: pages of sign-in with settings that are not kept.

use crate::fixtures::narrow;
use claimsmith_test_support::{Answer, TestServer, both};
use serde_json::{Value, json};

const PATH: &str = "/api/sign-in-exp/preview";

fn html(answer: &Answer) -> &str {
    answer.body.as_str().unwrap()
}

both!(a_draft_is_seen_and_not_kept, async |server: TestServer| {
    let management = server.management().await;
    let before = management.get("/api/sign-in-exp").await.expect(200).body;
    let settings = json!({
        "color": { "primaryColor": "#0055aa", "isDarkModeEnabled": true, "darkPrimaryColor": "#66aaff" },
        "branding": { "logoUrl": "https://cdn.test/logo.png" }, "customCss": ".card { border: 9px solid }",
    });
    let body = json!({ "page": "sign-in", "settings": settings, "language": "de", "theme": "dark" });

    let shown = management.post(PATH, body).await.expect(200);

    assert_eq!(shown.header("content-type"), Some("text/html; charset=utf-8"));
    let page = html(&shown);
    assert!(page.contains("<html lang=\"de\"") && page.contains("<body inert "), "{page}");
    assert!(page.contains("<style>.card { border: 9px solid }</style>"), "{page}");
    assert!(page.contains("src=\"https://cdn.test/logo.png\"") && page.contains("color-scheme:dark"), "{page}");
    assert!(!page.contains("/assets/custom."), "nobody else can load the draft");
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("'sha256-") && policy.contains("https://cdn.test"), "{policy}");
    assert!(policy.contains("frame-ancestors 'self'") && policy.contains("form-action 'none'"), "{policy}");
    assert!(!policy.contains("script-src") && !policy.contains("unsafe-inline"), "{policy}");
    assert_eq!(
        (shown.header("x-frame-options"), shown.header("cache-control")),
        (Some("SAMEORIGIN"), Some("no-store"))
    );
    // The other style sheets are where the page says.
    let sheets = page.split("<link rel=\"stylesheet\" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut found = 0;
    for sheet in sheets {
        let sheet = server.get(sheet).await.expect(200);
        found += 1;
        assert!(sheet.header("content-type").unwrap().starts_with("text/css"));
    }
    assert_eq!(found, 2);
    assert_eq!(management.get("/api/sign-in-exp").await.expect(200).body, before);
    let real = server.get("/assets/custom.000000000000.css").await.expect(200);
    assert_eq!(real.body, Value::Null);
});

both!(every_page_is_shown_for_an_application, async |server: TestServer| {
    let management = server.management().await;
    let id = &server.demo().spa_client_id;
    let look = json!({ "displayName": "The Shop", "color": { "primaryColor": "#123456" } });
    let kept = management.put(&format!("/api/applications/{id}/sign-in-experience"), look).await;
    assert!(matches!(kept.status, 200 | 201), "{:#}", kept.body);
    for page in ["sign-in", "sign-in-code", "register", "consent", "verification-code", "reset-password", "error"] {
        let shown = management.post(PATH, json!({ "page": page, "applicationId": id })).await.expect(200);
        assert!(html(&shown).contains("<body inert "), "{page}");
        assert_eq!(
            html(&shown).contains("The Shop"),
            !matches!(page, "verification-code" | "reset-password" | "error"),
            "{page}"
        );
    }
    let shown = management.post(PATH, json!({ "page": "consent", "applicationId": "nobody" })).await.expect(200);
    assert!(html(&shown).contains("<body inert "));
});

both!(settings_that_could_not_be_kept_are_refused, async |server: TestServer| {
    let management = server.management().await;
    for body in [
        json!({ "page": "nowhere" }),
        json!({ "theme": "blue" }),
        json!({ "settings": { "signInMode": "Never" } }),
        json!({ "settings": { "customCss": "x".repeat(65_537) } }),
        json!({ "settings": [] }),
    ] {
        management.post(PATH, body).await.expect_api_error(400, "guard.invalid_input");
    }
    let unfit = json!({ "settings": { "languageInfo": { "autoDetect": true, "fallbackLanguage": "tlh" } } });
    let refused = management.post(PATH, unfit).await;
    assert!((400..500).contains(&refused.status), "{:#}", refused.body);
    let reader = narrow(&server, &management, &["configs:read"]).await;
    reader.post(PATH, json!({})).await.expect(200);
    let other = narrow(&server, &management, &["users:read"]).await;
    other.post(PATH, json!({})).await.expect_api_error(403, "auth.forbidden");
});
