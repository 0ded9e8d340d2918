//! Which address answers with what: pages for browsers, JSON for programs.

use crate::{BROWSER, browse, html, values};
use claimsmith_test_support::{Answer, Browser, TestServer, both};
use reqwest::Method;

both!(the_start_page_says_what_is_here, async |server: TestServer| {
    let answer = browse(&server, "/").await.expect(200);
    let page = html(&answer);
    assert!(page.contains("This is an identity service") && page.contains("Ready"), "{page}");
    for href in values(page, "href") {
        assert!(href.starts_with('/'), "it leads elsewhere: {href}");
        // Whoever is not signed in is sent to sign in for their account and for the console.
        server.get(href).await.expect(if matches!(href, "/account" | "/console") { 303 } else { 200 });
    }
    assert!(page.contains("href=\"/oidc/.well-known/openid-configuration\"") && page.contains("href=\"/api/docs/\""));
    // Who asks for nothing in particular gets it, too.
    html(&server.get("/").await.expect(200));
    let posted = Answer::of(server.http.post(server.url("/"))).await;
    posted.expect_api_error(405, "request.method_not_allowed");
    assert_eq!(posted.header("allow"), Some("GET,HEAD"));
});

both!(password_managers_find_where_a_password_is_changed, async |server: TestServer| {
    let path = "/.well-known/change-password";
    let (casey, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    for browser in [Browser::new(&server), casey.clone()] {
        let answer = browser.visit(path).await.expect(303);
        assert_eq!(answer.header("location"), Some(&*format!("{}/account#password", server.report.base_url)));
    }
    assert!(html(&casey.visit("/account").await.expect(200)).contains("id=\"password\""));
    // Nothing else is answered there, which browsers find out first.
    let other = server.get("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200").await;
    assert_eq!(other.status, 404);
});

both!(whoever_signed_out_is_told, async |server: TestServer| {
    let answer = browse(&server, "/signed-out").await.expect(200);
    assert!(html(&answer).contains("You are signed out"));
});

both!(head_is_get_without_a_body, async |server: TestServer| {
    for path in ["/", "/signed-out", "/nothing"] {
        let whole = browse(&server, path).await;
        let request = server.http.request(Method::HEAD, server.url(path)).header("accept", BROWSER);
        let head = Answer::of(request).await.expect(whole.status);
        assert!(head.body.is_null(), "{path}");
        for name in ["content-type", "content-security-policy", "content-language"] {
            assert!(head.header(name).is_some() && head.header(name) == whole.header(name), "{path} {name}");
        }
    }
});

both!(nothing_is_a_page_for_browsers_and_json_for_programs, async |server: TestServer| {
    for path in ["/nothing", "/apis", "/assets", "/assets/", "/%3Cscript%3E", "/sign-in/x"] {
        let answer = browse(&server, path).await.expect(404);
        let page = html(&answer);
        assert!(page.contains("Page not found") && page.contains("href=\"/\"") && !page.contains("script>"), "{page}");
        assert!(answer.header("vary").is_some_and(|vary| vary.contains("accept")), "{path}");
        server.get(path).await.expect_api_error(404, "request.unknown_route");
    }
    // The families of JSON stay as they are, whoever asks.
    browse(&server, "/api/nothing").await.expect_api_error(404, "request.unknown_route");
    browse(&server, "/oidc/nothing").await.expect_oauth_error(404, "invalid_request");
    let request = server.http.delete(server.url("/nothing")).header("accept", "application/json");
    Answer::of(request).await.expect_api_error(404, "request.unknown_route");
});
