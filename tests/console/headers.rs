//! The headers of every answer of the console.

use claimsmith_domain::console::ConsoleRole::Read;
use claimsmith_test_support::{Browser, TestServer, both};

both!(every_page_has_them, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    let (browser, stranger) = (server.at_console("ada").await, Browser::new(&server));
    for (answer, has_policy) in [
        (browser.visit("/console").await.expect(200), true),
        (browser.visit("/console/nothing").await.expect(404), true),
        (stranger.visit("/console").await.expect(303), true),
        (stranger.visit("/console/setup?code=x").await.expect(410), false),
        (stranger.submit("/console/users", &[]).await.expect(401), false),
    ] {
        let policy = answer.header("content-security-policy").unwrap();
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.split("; ").any(|part| part == directive), "{directive}: {policy}");
        }
        assert!(!policy.contains("unsafe") && (!has_policy || policy.contains("frame-src 'self'")), "{policy}");
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{:?}", answer.headers);
        }
    }
});

both!(files_are_for_everybody_and_kept, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    let page = server.at_console("ada").await.visit("/console").await.expect(200);
    let style = page.html().split("href=\"").map(|rest| rest.split('"').next().unwrap());
    let style = style.filter(|path| path.starts_with("/console/assets/")).collect::<Vec<_>>();
    let file = Browser::new(&server).visit(style[0]).await.expect(200);
    assert!(file.header("cache-control").unwrap().contains("immutable"), "{:?}", file.headers);
});
