//! The picture, uploaded by a form, and where pages show it.

use super::{casey, html, post, saved, settings, user};
use crate::sign_in::{application, begin, csrf};
use claimsmith_test_support::{Answer, Browser, TestServer, both, multipart, png};
use serde_json::json;

const PATH: &str = "/account/picture";

/// Posts the form with a file, and the token of a page.
async fn upload(server: &TestServer, browser: &Browser, file: &[u8]) -> Answer {
    let token = csrf(&browser.visit("/account").await.expect(200));
    let parts = [("csrf", token.as_bytes()), ("file", file)];
    browser.send(multipart(server.http.post(server.url(PATH)), &parts)).await
}

/// The first picture of a person on a page, by its path.
fn shown(page: &Answer) -> Option<&str> {
    html(page).split_once("<img class=\"avatar\" src=\"").map(|(_, rest)| rest.split_once('"').unwrap().0)
}

both!(a_picture_is_uploaded_and_shown, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(shown(&page).is_none() && html(&page).contains("enctype=\"multipart/form-data\""), "{}", page.body);
    saved(&upload(&server, &browser, &png(40, 90)).await);
    let address = user(&server, &id).await["avatar"].as_str().unwrap().to_owned();
    let page = browser.visit("/account").await.expect(200);
    let path = shown(&page).unwrap().to_owned();
    assert!(path.starts_with("/avatars/") && address.ends_with(&path), "{address} {path}");
    assert!(page.header("content-security-policy").unwrap().contains("img-src 'self'"));
    let picture = server.http.get(server.url(&path)).send().await.unwrap();
    assert_eq!(picture.status(), 200);
    assert_eq!(picture.headers()["content-type"], "image/jpeg");

    // Where somebody lets an application in, and where they choose an account.
    let third_party = application(&server, true).await;
    let consent = begin(&browser, &third_party, &[]).await.expect(200);
    assert!(html(&consent).contains("page-consent"), "{}", consent.body);
    assert_eq!(shown(&consent), Some(path.as_str()));
    let chooser = browser.visit("/switch-account").await.expect(200);
    assert_eq!(shown(&chooser), Some(path.as_str()));

    // Pages load nothing from elsewhere.
    let page = browser.visit("/account").await.expect(200);
    saved(&post(&browser, &page, "/account/profile", &[("avatar", "https://a.test/c.png")]).await);
    assert!(shown(&browser.visit("/account").await.expect(200)).is_none());
    assert_eq!(server.http.get(server.url(&path)).send().await.unwrap().status(), 404);
});

both!(what_is_no_picture_is_told_at_its_field, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let before = user(&server, &id).await;
    for (file, message) in [
        (&b"<svg onload=\"alert(1)\"/>"[..], "not a picture"),
        (&vec![0; 500 * 1024 + 1][..], "too large"),
        (&b""[..], "file-error"),
    ] {
        let refused = upload(&server, &browser, file).await.expect(422);
        assert!(html(&refused).contains("file-error") && html(&refused).contains(message), "{}", refused.body);
    }
    let png = png(9, 9);
    for parts in [vec![("file", &png[..])], vec![("csrf", &b"guessed"[..]), ("file", &png[..])]] {
        let request = multipart(server.http.post(server.url(PATH)), &parts);
        let refused = browser.send(request).await.expect(403);
        assert!(html(&refused).contains("csrf_token_mismatch"), "{}", refused.body);
    }
    settings(&server, json!({ "fields": { "name": "Edit", "avatar": "ReadOnly" } })).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains(PATH), "{}", page.body);
    upload(&server, &browser, &png).await.expect(422);
    assert_eq!(user(&server, &id).await, before);
});
