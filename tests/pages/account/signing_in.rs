//! Who comes without a session signs in and comes back; another account, and signing in again.

use super::{casey, html, post, settings};
use crate::sign_in::{PASSWORD, csrf, fill_in, follow, give_password};
use claimsmith_storage::audit;
use claimsmith_test_support::{Browser, TestServer, both, page_of};
use serde_json::json;

both!(a_person_signs_in_and_sees_their_account, async |server: TestServer| {
    give_password(&server).await;
    let browser = Browser::new(&server);
    let begun = browser.visit("/account").await.expect(303);
    assert_eq!(page_of(&begun), "/sign-in");
    let page = follow(&browser, begun).await.expect(200);
    assert!(html(&page).contains("page-sign-in"), "{}", page.body);
    let wrong = [("identifier", "customer"), ("password", "wrong")];
    fill_in(&browser, &page, "/sign-in", &wrong).await.expect(422);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let account = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    assert!(html(&account).contains("page-account") && html(&account).contains("Casey"), "{}", account.body);
    assert_eq!(browser.cookie("claimsmith-interaction"), None, "it is over");
    // The next time they are known.
    let account = browser.visit("/account").await.expect(200);
    for section in ["profile", "password", "addresses", "factors", "sessions", "applications", "acted", "data"] {
        assert!(html(&account).contains(&format!("<section class=\"panel\" id=\"{section}\"")), "{section}");
    }
    let policy = account.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"), "{policy}");
    assert_eq!(account.header("cache-control"), Some("no-store"));
    let ended = audit::list_by_key(&mut server.begin().await, "Interaction.End", 10).await.unwrap();
    assert_eq!(ended[0].payload["userId"], json!(server.demo().customer_user_id));
});

both!(a_new_person_registers_for_it, async |server: TestServer| {
    let browser = Browser::new(&server);
    let begun = browser.visit("/account").await.expect(303);
    follow(&browser, begun).await.expect(200);
    let page = browser.visit("/register").await.expect(200);
    let fields = [("username", "newcomer"), ("password", "a-long-enough-kettle")];
    let account = fill_in(&browser, &page, "/register", &fields).await.expect(200);
    assert!(html(&account).contains("page-account") && html(&account).contains("newcomer"), "{}", account.body);
});

both!(nobody_comes_in_by_the_way_back, async |server: TestServer| {
    give_password(&server).await;
    let browser = Browser::new(&server);
    // Without an interaction.
    let back = browser.visit("/account/signed-in/nothing").await.expect(303);
    assert!(back.header("location").unwrap().ends_with("/account"), "{back:?}");
    let begun = browser.visit("/account").await.expect(303);
    follow(&browser, begun).await.expect(200);
    // Of another interaction than the browser's own, and before anybody has signed in.
    let back = browser.visit("/account/signed-in/other").await.expect(303);
    assert!(back.header("location").unwrap().ends_with("/account"), "{back:?}");
    let id = {
        let sql = "SELECT id FROM interactions ORDER BY created_at DESC LIMIT 1";
        let row: (String,) = server.begin().await.sql(sql).one().await.unwrap();
        row.0
    };
    let back = browser.visit(&format!("/account/signed-in/{id}")).await.expect(303);
    assert_eq!(page_of(&back), "/sign-in");
    // Nor does it lead to an application.
    let resumed = browser.visit(&format!("/oidc/auth/{id}")).await;
    assert_ne!(resumed.status, 303, "{resumed:?}");
});

both!(another_account_is_chosen_and_forms_of_the_first_are_void, async |server: TestServer| {
    give_password(&server).await;
    let demo = server.demo();
    let (browser, sessions) = server.signed_in(&[&demo.customer_user_id, &demo.engineer_user_id]).await;
    let erin = browser.visit("/account").await.expect(200);
    assert!(html(&erin).contains("value=\"engineer\""), "the one that was used last: {}", erin.body);
    server.clock.advance(std::time::Duration::from_secs(10));
    let choose = post(&browser, &erin, "/account/sign-in", &[("account", "another")]).await.expect(303);
    let page = follow(&browser, choose).await.expect(200);
    assert!(html(&page).contains("page-choose-account"), "{}", page.body);
    let casey = fill_in(&browser, &page, "/switch-account", &[("account", &sessions[0])]).await.expect(200);
    assert!(html(&casey).contains("value=\"customer\""), "{}", casey.body);
    assert_ne!(csrf(&erin), csrf(&casey));
    let late = post(&browser, &erin, "/account/profile", &[("name", "Mallory")]).await.expect(403);
    assert!(html(&late).contains("csrf_token_mismatch"), "{}", late.body);
});

both!(who_has_no_password_proves_themselves_by_signing_in_again, async |server: TestServer| {
    let id = server.add_user().await;
    let (browser, _) = server.signed_in(&[&id]).await;
    let page = browser.visit("/account").await.expect(200);
    // They have just signed in.
    post(&browser, &page, "/account/export", &[]).await.expect(200);
    server.clock.advance(std::time::Duration::from_secs(601));
    let new = "violet-kettle-43";
    let asked = post(&browser, &page, "/account/password", &[("new_password", new)]).await.expect(200);
    assert!(html(&asked).contains("page-account-proof") && !html(&asked).contains(new), "{}", asked.body);
    let asked = post(&browser, &page, "/account/export", &[]).await.expect(200);
    assert!(html(&asked).contains("value=\"again\"") && !html(&asked).contains("type=\"password\""), "{}", asked.body);
    let begun = post(&browser, &asked, "/account/sign-in", &[("account", "again")]).await.expect(303);
    let page = follow(&browser, begun).await.expect(200);
    assert!(html(&page).contains("page-sign-in"), "being signed in is not enough: {}", page.body);
});

both!(the_page_is_there_where_the_settings_have_it, async |server: TestServer| {
    let (browser, ..) = casey(&server).await;
    assert!(html(&browser.visit("/").await.expect(200)).contains("href=\"/account\""));
    settings(&server, json!({ "pageEnabled": false })).await;
    let gone = browser.visit("/account").await.expect(404);
    assert!(html(&gone).contains("Page not found"), "{}", gone.body);
    assert!(!html(&browser.visit("/").await.expect(200)).contains("href=\"/account\""));
    Browser::new(&server).visit("/account").await.expect(404);
});

both!(every_language_has_the_page, async |server: TestServer| {
    let (browser, ..) = casey(&server).await;
    let mut titles = Vec::new();
    for language in ["en", "de", "fr", "es", "ja", "zh"] {
        let request = server.http.get(server.url("/account")).header("accept-language", language);
        let page = browser.send(request).await.expect(200);
        assert_eq!(page.header("content-language"), Some(language));
        titles.push(html(&page).split_once("<title>").unwrap().1.split_once('<').unwrap().0.to_owned());
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 6, "{titles:?}");
});
