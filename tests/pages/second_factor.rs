//! Second factors in a browser without JavaScript: setting up, proving, backup codes, putting it off.

use crate::sign_in::{PASSWORD, application, begin, fill_in, give_password};
use claimsmith_test_support::{Answer, Browser, TestServer, both, one_time_password, page_of, told};
use serde_json::json;
use std::time::Duration;

async fn policy(server: &TestServer, policy: &str) {
    let change = json!({ "mfa": { "policy": policy, "factors": ["Totp", "BackupCode"] } });
    server.management().await.patch("/api/sign-in-exp", change).await.expect(200);
}

fn html(page: &Answer) -> &str {
    page.body.as_str().unwrap()
}

/// What stands between two texts of a page.
fn between<'h>(html: &'h str, start: &str, end: &str) -> &'h str {
    html.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn verification_id(page: &Answer) -> &str {
    between(html(page), "name=\"verification_id\" value=\"", "\"")
}

/// The secret of a page, as people type it.
fn secret(page: &Answer) -> String {
    between(html(page), "<p class=\"big-code secret\" dir=\"ltr\">", "<").replace(' ', "")
}

fn codes(page: &Answer) -> Vec<String> {
    between(html(page), "<pre class=\"big-code secret\" dir=\"ltr\">", "<").lines().map(str::to_owned).collect()
}

/// Enters the password.
async fn sign_in(browser: &Browser, client: &str) -> Answer {
    let page = begin(browser, client, &[]).await.expect(200);
    fill_in(browser, &page, "/sign-in", &[("identifier", "customer"), ("password", PASSWORD)]).await
}

both!(a_person_sets_up_a_second_factor_and_uses_it, async |server: TestServer| {
    give_password(&server).await;
    policy(&server, "Mandatory").await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = sign_in(&browser, &client).await.expect(200);
    assert!(html(&page).contains("page-set-up-factor") && !html(&page).contains("value=\"skip\""), "{}", page.body);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("img-src 'self' data:") && html(&page).contains("src=\"data:image/svg+xml;base64,"));
    let key = secret(&page);
    // Whoever loads it again gets the same.
    assert_eq!(secret(&browser.open("/second-factor/set-up").await.expect(200)), key);
    let id = verification_id(&page);
    for (code, field) in [("", "code-error"), ("12345", "code-error")] {
        let fields = [("verification_id", id), ("code", code)];
        let refused = fill_in(&browser, &page, "/second-factor/set-up", &fields).await.expect(422);
        assert!(html(&refused).contains(field) && secret(&refused) == key, "{}", refused.body);
    }
    // Nobody gets on without.
    let skipped = fill_in(&browser, &page, "/second-factor/set-up", &[("decision", "skip")]).await;
    assert_eq!(skipped.status, 422);
    let fields = [("verification_id", id), ("code", &one_time_password(&server, &key))];
    let kept = fill_in(&browser, &page, "/second-factor/set-up", &fields).await.expect(200);
    assert!(html(&kept).contains("page-backup-codes"), "{}", kept.body);
    let first = codes(&kept);
    // Loaded again, others are shown, and the first ones are void.
    let again = browser.open("/second-factor/backup-codes").await.expect(200);
    let fields = [("verification_id", verification_id(&kept))];
    let void = fill_in(&browser, &kept, "/second-factor/backup-codes", &fields).await.expect(200);
    let own = codes(&void);
    assert!(own.len() == 10 && own != first && own != codes(&again));
    let fields = [("verification_id", verification_id(&void))];
    let answer = fill_in(&browser, &void, "/second-factor/backup-codes", &fields).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");

    // In another browser, by a one-time password.
    server.clock.advance(Duration::from_secs(30));
    let other = Browser::new(&server);
    let page = sign_in(&other, &client).await.expect(200);
    assert!(
        html(&page).contains("page-second-factor")
            && html(&page).contains("href=\"/second-factor/backup-code?interaction=")
    );
    assert!(html(&page).contains("autocomplete=\"one-time-code\" inputmode=\"numeric\""), "{}", page.body);
    for code in ["", "000", first[0].as_str()] {
        let refused = fill_in(&other, &page, "/second-factor", &[("code", code)]).await.expect(422);
        assert!(html(&refused).contains("id=\"code-error\""), "{}", refused.body);
    }
    let code = one_time_password(&server, &key);
    let answer = fill_in(&other, &page, "/second-factor", &[("code", &code)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");

    // And by a backup code.
    let third = Browser::new(&server);
    let page = sign_in(&third, &client).await.expect(200);
    let replayed = fill_in(&third, &page, "/second-factor", &[("code", &code)]).await.expect(422);
    assert!(html(&replayed).contains("id=\"code-error\""));
    let page = third.open("/second-factor/backup-code").await.expect(200);
    assert!(html(&page).contains("href=\"/second-factor?interaction="), "{}", page.body);
    let refused = fill_in(&third, &page, "/second-factor/backup-code", &[("code", &first[0])]).await.expect(422);
    assert!(html(&refused).contains("id=\"code-error\""));
    let answer = fill_in(&third, &page, "/second-factor/backup-code", &[("code", &own[0])]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(a_person_puts_it_off, async |server: TestServer| {
    give_password(&server).await;
    policy(&server, "UserControlled").await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = sign_in(&browser, &client).await.expect(200);
    assert!(html(&page).contains("value=\"skip\""), "{}", page.body);
    let answer = fill_in(&browser, &page, "/second-factor/set-up", &[("decision", "skip")]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let answer = sign_in(&Browser::new(&server), &client).await.expect(303);
    assert!(told(&answer).contains_key("code"), "it is remembered");
});

both!(pages_out_of_order_lead_to_the_one_that_is_next, async |server: TestServer| {
    give_password(&server).await;
    policy(&server, "Mandatory").await;
    let client = application(&server, true).await;
    let browser = Browser::new(&server);
    let paths = ["/second-factor", "/second-factor/backup-code", "/second-factor/backup-codes"];
    begin(&browser, &client, &[]).await.expect(200);
    for path in paths.iter().chain(&["/second-factor/set-up"]) {
        assert_eq!(browser.open(path).await.status, 404, "{path}");
        Browser::new(&server).open(path).await.expect(400);
    }
    let page = sign_in(&browser, &client).await.expect(200);
    for path in paths {
        let answer = browser.open(path).await.expect(303);
        assert_eq!(page_of(&answer), "/second-factor/set-up", "{path}");
    }
    // A form of another site, or without the token.
    let form = [("code".to_owned(), "123456".to_owned())];
    for path in ["/second-factor", "/second-factor/backup-code", "/second-factor/set-up"] {
        browser.post(path, &form).await.expect(403);
    }
    // The question for consent comes after it.
    let fields = [("verification_id", verification_id(&page)), ("code", &one_time_password(&server, &secret(&page)))];
    let kept = fill_in(&browser, &page, "/second-factor/set-up", &fields).await.expect(200);
    let fields = [("verification_id", verification_id(&kept))];
    let consent = fill_in(&browser, &kept, "/second-factor/backup-codes", &fields).await.expect(200);
    assert!(html(&consent).contains("page-consent"), "{}", consent.body);
});

both!(every_language_has_the_pages, async |server: TestServer| {
    give_password(&server).await;
    policy(&server, "UserControlled").await;
    let client = application(&server, false).await;
    let mut titles = Vec::new();
    for language in ["en", "de", "fr", "es", "ja", "zh"] {
        let browser = Browser::new(&server);
        let page = begin(&browser, &client, &[("ui_locales", language)]).await.expect(200);
        let fields = [("identifier", "customer"), ("password", PASSWORD)];
        let page = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
        assert_eq!(page.header("content-language"), Some(language));
        titles.push(between(html(&page), "<title>", "<").to_owned());
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 6, "{titles:?}");
});
