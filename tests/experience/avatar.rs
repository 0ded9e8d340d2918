//! Pictures of people who register.

use crate::browser::{Browser, user};
use claimsmith_identity::retention;
use claimsmith_test_support::{Answer, TestServer, both, multipart, png};
use reqwest::Method;
use std::time::Duration;

/// Uploads a picture from a page of this server.
pub(crate) async fn upload(browser: &Browser, file: &[u8]) -> Answer {
    let request = browser.request(Method::POST, "/user-assets/avatar").header("sec-fetch-site", "same-origin");
    Answer::of(multipart(request, &[("file", file)])).await
}

/// The status of what is at an address.
pub(crate) async fn look(server: &TestServer, url: &str) -> u16 {
    let path = url.strip_prefix(server.report.base_url.as_str()).unwrap();
    server.http.get(server.url(path)).send().await.unwrap().status().as_u16()
}

both!(whoever_registers_uploads_a_picture, async |server: TestServer| {
    let mut browser = Browser::new(&server).await;
    upload(&browser, &png(9, 9)).await.expect_api_error(404, "session.interaction_not_found");
    browser.start("Register").await.expect(204);
    let first = upload(&browser, &png(9, 9)).await.expect(200).text("url");
    assert_eq!(look(&server, &first).await, 200);
    let second = upload(&browser, &png(9, 9)).await.expect(200).text("url");
    assert_eq!((look(&server, &first).await, look(&server, &second).await), (404, 200), "one for an interaction");
    upload(&browser, b"<svg/>").await.expect_api_error(400, "guard.mime_type_not_allowed");
    upload(&browser, &vec![0; 600_000]).await.expect_api_error(400, "guard.file_size_exceeded");
    let mut other = Browser::new(&server).await;
    other.start("Register").await.expect(204);
    let others = upload(&other, &png(9, 9)).await.expect(200).text("url");
    assert_eq!(look(&server, &second).await, 200);
    server.clock.advance(Duration::from_hours(24));
    assert_eq!((look(&server, &second).await, look(&server, &others).await), (404, 404));
    server.clock.advance(Duration::from_hours(2));
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(look(&server, &others).await, 404);
});

both!(nobody_else_uploads_one, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    upload(&browser, &png(9, 9)).await.expect_api_error(400, "session.invalid_interaction_type");
    let lost = browser.without_interaction();
    upload(&lost, &png(9, 9)).await.expect_api_error(400, "session.not_found");
    let mut browser = Browser::new(&server).await;
    browser.register("grace").await;
    upload(&browser, &png(9, 9)).await.expect_api_error(400, "session.invalid_interaction_type");
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    for (header, value) in [("origin", "https://evil.example.com"), ("sec-fetch-site", "cross-site")] {
        let request = browser.request(Method::POST, "/user-assets/avatar").header(header, value);
        let answer = Answer::of(multipart(request, &[("file", &png(9, 9))])).await;
        answer.expect_api_error(403, "auth.forbidden");
    }
});
