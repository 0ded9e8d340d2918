//! Other sites and other browsers have no part in letting a device in.

use super::{ask, asks, asks_to_confirm, codes, device, enter, fill_in, poll, text};
use crate::page::PageForm;
use crate::sign_in::customer;
use claimsmith_test_support::{Browser, Home, TestServer, both, page_of};
use std::sync::Arc;

const DEVICE_COOKIE: &str = "claimsmith-device";

both!(forms_of_other_sites_and_browsers_are_refused, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let (other, _) = server.signed_in(&[&customer(&server)]).await;
    let cases = async |browser: &Browser, form: &PageForm, fields: &[(&str, &str)], foreign: &str| {
        let mut sent = form.filled_in(fields);
        for (name, value) in [
            ("origin", "https://evil.example.com"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let request = server.http.post(server.url(&form.action)).form(&sent).header(name, value);
            browser.send(request).await.expect(403);
        }
        sent.retain(|(name, _)| name != "csrf");
        browser.post(&form.action, &sent).await.expect(403);
        for token in ["", foreign] {
            let mut sent = sent.clone();
            sent.push(("csrf".to_owned(), token.to_owned()));
            browser.post(&form.action, &sent).await.expect(403);
        }
    };
    // Entering the code.
    let page = PageForm::of(&browser.open("/device").await.expect(200)).unwrap();
    let theirs = PageForm::of(&other.open("/device").await.expect(200)).unwrap();
    cases(&browser, &page, &[("user_code", &codes.user_code)], &theirs.fields["csrf"]).await;
    // Without a cookie there is nothing that the form could be tied to.
    let nobody = Browser::new(&server);
    let unbound = [
        ("csrf".to_owned(), claimsmith_services::tokens::hash("csrf:")),
        ("user_code".to_owned(), codes.user_code.clone()),
    ];
    nobody.post("/device", &unbound).await.expect(403);
    // Answering.
    let confirm = enter(&browser, &codes.user_code).await.expect(200);
    let elsewhere = enter(&other, &codes.user_code).await.expect(200);
    let (form, theirs) = (PageForm::of(&confirm).unwrap(), PageForm::of(&elsewhere).unwrap());
    cases(&browser, &form, &[("decision", "allow")], &theirs.fields["csrf"]).await;
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");
    fill_in(&browser, &confirm, &[("decision", "allow")]).await.expect(200);
    poll(&server, &client, &codes).send().await.expect(200);
});

both!(a_device_is_let_in_where_its_code_was_entered, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let confirm = enter(&browser, &codes.user_code).await.expect(200);
    let action = PageForm::of(&confirm).unwrap().action;
    // Nobody else has a page to answer at.
    let (stranger, _) = server.signed_in(&[&customer(&server)]).await;
    stranger.open(&action).await.expect(400);
    stranger.post(&action, &[("decision".to_owned(), "allow".to_owned())]).await.expect(400);
    // An interaction of another kind has none, either.
    let spa = crate::sign_in::client(&server, claimsmith_domain::documents::application::ApplicationType::Spa).await;
    let ordinary = Browser::new(&server);
    crate::sign_in::authorize(&ordinary, &spa.request("openid")).await.expect(303);
    let sent_on = ordinary.open("/device/confirm").await.expect(303);
    assert_eq!(page_of(&sent_on), "/device");
    // The code is in the browser alone: its interaction in the database does not show it.
    let (name, cookie) = browser.interaction_cookie();
    let bare = codes.user_code.replace('-', "");
    assert!(cookie.ends_with(&bare) && text(&confirm).contains(&codes.user_code));
    let stored = stored(&server).await;
    for secret in [bare.as_str(), &codes.user_code, &codes.device_code] {
        assert!(!stored.contains(secret), "{secret} in {stored}");
    }
    // With another cookie there is no interaction: the code at its end cannot be exchanged for one's own.
    let forged = format!("{}BCDFGHJKLM", &cookie[..cookie.len() - 10]);
    browser.set_cookie(&name, &forged);
    browser.open(&action).await.expect(400);
});

#[derive(claimsmith_storage::Row)]
struct Stored {
    stored: String,
}

/// All that the database has of devices and interactions.
async fn stored(server: &TestServer) -> String {
    let sql = "SELECT hash || user_code_hash || CAST(request AS TEXT) AS stored FROM device_authorizations \
               UNION ALL SELECT hash || CAST(request AS TEXT) || CAST(state AS TEXT) FROM interactions";
    let rows: Vec<Stored> = server.begin().await.sql(sql).all().await.unwrap();
    assert!(rows.len() > 1);
    rows.into_iter().map(|row| row.stored).collect()
}

both!(the_page_says_when_the_device_is_elsewhere, async |home: Arc<Home>| {
    let proxied = [("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.0/8")];
    let server = TestServer::start(&home, &proxied).await.unwrap();
    let client = device(&server).await;
    for (asked_from, is_elsewhere) in [("203.0.113.7", true), ("198.51.100.9", false)] {
        let form = asks(&server, &client, "openid");
        let asked = form.request().header("x-forwarded-for", asked_from);
        let codes = codes(&claimsmith_test_support::Answer::of(asked).await.expect(200));
        let (browser, _) = server.signed_in(&[&customer(&server)]).await;
        let page = PageForm::of(&browser.open("/device").await.expect(200)).unwrap();
        let sent = page.filled_in(&[("user_code", &codes.user_code)]);
        let here = |request: reqwest::RequestBuilder| request.header("x-forwarded-for", "198.51.100.9");
        let entered = browser.send(here(server.http.post(server.url("/device")).form(&sent))).await.expect(303);
        let resumed = entered.header("location").unwrap().replace(&server.report.base_url, &server.origin);
        browser.send(here(server.http.get(resumed))).await.expect(303);
        let confirm = browser.send(here(server.http.get(server.url("/device/confirm")))).await.expect(200);
        assert!(asks_to_confirm(&confirm));
        let told = text(&confirm);
        assert_eq!(told.contains("another network") && told.contains(asked_from), is_elsewhere, "{asked_from}: {told}");
    }
});

both!(the_cookie_of_the_page_stays, async |server: TestServer| {
    let browser = Browser::new(&server);
    browser.open("/device").await.expect(200);
    let first = browser.cookie(DEVICE_COOKIE).unwrap();
    let again = browser.open("/device").await.expect(200);
    assert!(again.header("set-cookie").is_none());
    assert_eq!(browser.cookie(DEVICE_COOKIE), Some(first));
});
