//! Second factors at the page.

use super::{casey, factors_on, html, post, post_proved, saved};
use crate::sign_in::{PASSWORD, fill_in, follow};
use claimsmith_test_support::{Answer, Browser, TestServer, both, one_time_password};

fn between<'h>(html: &'h str, start: &str, end: &str) -> &'h str {
    html.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn secret(page: &Answer) -> String {
    between(html(page), "name=\"secret\" value=\"", "\"").to_owned()
}

both!(an_authenticator_is_set_up_and_protects_the_account, async |server: TestServer| {
    let (browser, ..) = casey(&server).await;
    let path = "/account/authenticator";
    assert!(!html(&browser.visit("/account").await.expect(200)).contains(&format!("href=\"{path}\"")));
    factors_on(&server).await;
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains(&format!("href=\"{path}\"")), "{}", overview.body);
    let page = browser.visit(path).await.expect(200);
    let key = secret(&page);
    assert!(html(&page).contains("src=\"data:image/svg+xml;base64,") && key.len() == 32, "{}", page.body);
    for code in ["", "000000"] {
        let fields = [("secret", key.as_str()), ("code", code), ("current_password", PASSWORD)];
        let refused = post(&browser, &page, path, &fields).await.expect(422);
        assert!(html(&refused).contains("code-error") && secret(&refused) == key, "{}", refused.body);
    }
    server.clock.advance(std::time::Duration::from_secs(601));
    let code = one_time_password(&server, &key);
    saved(&post_proved(&browser, path, &[("secret", &key), ("code", &code)]).await);

    // Codes come with it, once; they are listed after what is older.
    server.clock.advance(std::time::Duration::from_secs(1));
    let overview = browser.visit("/account").await.expect(200);
    let made = post(&browser, &overview, "/account/backup-codes", &[]).await.expect(200);
    let codes: Vec<_> = between(html(&made), "<pre class=\"big-code secret\" dir=\"ltr\">", "<").lines().collect();
    assert_eq!(codes.len(), 10, "{}", made.body);
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("10 codes left") && !html(&overview).contains(codes[0]), "{}", overview.body);
    let again = post(&browser, &overview, "/account/backup-codes", &[]).await.expect(200);
    assert!(!html(&again).contains(codes[0]), "new ones take their place");

    let id = between(html(&overview), "name=\"id\" value=\"", "\"").to_owned();
    let named = [("id", id.as_str()), ("name", "Casey's phone")];
    saved(&post(&browser, &overview, "/account/factor-name", &named).await);
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("Casey&#39;s phone"), "{}", overview.body);

    // It is asked for in another browser.
    server.clock.advance(std::time::Duration::from_secs(60));
    let other = Browser::new(&server);
    let begun = other.visit("/account").await.expect(303);
    let page = follow(&other, begun).await.expect(200);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let page = fill_in(&other, &page, "/sign-in", &fields).await.expect(200);
    assert!(html(&page).contains("page-second-factor"), "{}", page.body);
    let account =
        fill_in(&other, &page, "/second-factor", &[("code", &one_time_password(&server, &key))]).await.expect(200);
    assert!(html(&account).contains("page-account"), "{}", account.body);

    // And taken away again, by whoever has just signed in.
    saved(&post(&other, &account, "/account/factor", &[("id", &id)]).await);
    let refused = post(&other, &account, "/account/factor", &[("id", &id)]).await.expect(422);
    assert!(html(&refused).contains("form-error"), "{}", refused.body);
});
