//! The cookies of a server that is reached over https: no other host can have set them, and no script reads them.

use crate::sign_in::{PASSWORD, csrf, give_password};
use claimsmith_test_support::{Answer, Browser, Home, TestServer, both};
use reqwest::header::SET_COOKIE;
use std::sync::Arc;

const PREFIX: &str = "__Host-claimsmith-";

/// The cookies that an answer sets.
fn set(answer: &Answer) -> Vec<&str> {
    answer.headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap()).collect()
}

both!(over_https_no_other_host_can_have_set_a_cookie, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_BASE_URL", "https://id.example.com")]).await.unwrap();
    give_password(&server).await;
    let browser = Browser::new(&server);
    let begun = browser.visit("/account").await.expect(303);
    let page = browser.open(begun.header("location").unwrap()).await.expect(200);
    let form = [("csrf", csrf(&page).as_str()), ("identifier", "customer"), ("password", PASSWORD)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let signed_in = browser.post("/sign-in", &form).await.expect(303);
    let device = browser.open("/device").await.expect(200);
    for (answer, expected) in
        [(&begun, &["interaction"][..]), (&signed_in, &["known", "session"]), (&device, &["device"])]
    {
        let mut names = Vec::new();
        for cookie in set(answer) {
            let name = cookie.split('=').next().unwrap();
            assert!(name.starts_with(PREFIX), "{cookie}");
            // That of an interaction has its id behind it.
            names.push(name[PREFIX.len()..].split('-').next().unwrap());
            let attributes: Vec<&str> = cookie.split("; ").skip(1).collect();
            for attribute in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
                assert!(attributes.contains(&attribute), "{attribute}: {cookie}");
            }
            // Such a name is for a cookie of this host alone.
            assert!(!attributes.iter().any(|attribute| attribute.starts_with("Domain")), "{cookie}");
        }
        names.sort_unstable();
        assert_eq!(names, expected);
    }
    // What another host may have set opens nothing.
    let session = browser.cookie(&format!("{PREFIX}session")).unwrap();
    let stranger = Browser::new(&server);
    stranger.set_cookie("claimsmith-session", &session);
    stranger.visit("/account").await.expect(303);
    stranger.set_cookie(&format!("{PREFIX}session"), &session);
    stranger.visit("/account").await.expect(200);
});
