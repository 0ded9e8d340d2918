//! Requests of other sites have no part in a sign-in.

use crate::browser::{Browser, user};
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::json;

both!(other_sites_are_refused, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
        ("origin", "https://evil.example.com"),
        ("origin", "null"),
        ("origin", "http://localhost:3002"),
    ] {
        for (method, path) in [(Method::POST, "/submit"), (Method::GET, "/interaction")] {
            let answer = Answer::of(browser.request(method, path).header(name, value)).await;
            answer.expect_api_error(403, "auth.forbidden");
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    let base_url = server.report.base_url.clone();
    let own = browser.request(Method::POST, "/submit").header("origin", base_url);
    Answer::of(own.header("sec-fetch-site", "same-origin")).await.expect(200);
});

both!(no_other_origin_may_read_or_write, async |server: TestServer| {
    let browser = Browser::new(&server).await;
    let preflight = browser.request(Method::OPTIONS, "").header("origin", "http://localhost:9999");
    let answer = Answer::of(preflight.header("access-control-request-method", "PUT")).await;
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert_eq!(answer.status, 405);
});

both!(bodies_are_json_and_say_so, async |server: TestServer| {
    let browser = Browser::new(&server).await;
    for path in ["/identification", "/profile", "/verification/password", "/verification/new-password-identity"] {
        let answer = Answer::of(browser.form(path)).await;
        answer.expect_api_error(415, "request.unsupported_media_type");
    }
    let text = browser.request(Method::PUT, "").header("content-type", "text/plain");
    let answer = Answer::of(text.body(r#"{"interactionEvent":"SignIn"}"#)).await;
    answer.expect_api_error(415, "request.unsupported_media_type");
    let utf8 = browser.request(Method::PUT, "").header("content-type", "Application/JSON; charset=utf-8");
    Answer::of(utf8.body(r#"{"interactionEvent":"SignIn"}"#)).await.expect(204);
    let broken = browser.request(Method::PUT, "").header("content-type", "application/json");
    Answer::of(broken.body("{")).await.expect_api_error(400, "request.invalid_json");
    let unknown = browser.request(Method::PUT, "").json(&json!({ "interactionEvent": "Consent" }));
    Answer::of(unknown).await.expect_api_error(400, "guard.invalid_input");
    let nowhere = browser.request(Method::POST, "/verification/nothing").json(&json!({}));
    Answer::of(nowhere).await.expect_api_error(404, "request.unknown_route");
});
