//! Forms with a puzzle, which the browser solves by a script of its own file, and pages where somebody else asks.

use crate::html;
use crate::sign_in::{PASSWORD, application, begin, fill_in, give_password};
use claimsmith_test_support::{Answer, Browser, TestServer, both, solve_puzzle, told};
use serde_json::{Value, json};

const PUZZLE: &str = "/api/experience/preflight/captcha";

async fn ask_with(server: &TestServer, config: Value) {
    let management = server.management().await;
    management.put("/api/captcha-provider", json!({ "config": config })).await.expect(200);
    management.patch("/api/sign-in-exp", json!({ "captchaPolicy": { "enabled": true } })).await.expect(200);
}

/// What the script of a page does.
async fn solved(server: &TestServer, browser: &Browser, page: &Answer) -> String {
    let (_, rest) = html(page).split_once("name=\"captcha_token\" data-captcha=\"").unwrap();
    let path = rest.split_once('"').unwrap().0;
    // It is a puzzle of the interaction of this page; other tabs have others.
    assert!(path.starts_with(&format!("{PUZZLE}?interaction=")), "{path}");
    let request = server.http.post(server.url(path)).header("sec-fetch-site", "same-origin");
    solve_puzzle(&browser.send(request).await.expect(200))
}

both!(a_form_with_a_puzzle_is_sent_with_its_answer, async |server: TestServer| {
    give_password(&server).await;
    ask_with(&server, json!({ "type": "ProofOfWork", "difficulty": 8 })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    assert!(html(&page).contains("<noscript><p class=\"notice\">To keep programs"), "{}", page.body);
    let script = html(&page).split("src=\"").find(|part| part.starts_with("/assets/captcha.")).unwrap();
    let script = server.get(script.split_once('"').unwrap().0).await.expect(200);
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));

    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let refused = fill_in(&browser, &page, "/sign-in", &fields).await.expect(422);
    assert!(html(&refused).contains("role=\"alert\"") && html(&refused).contains("value=\"customer\""));
    for wrong in ["nonsense", "8.0.1.2.3"] {
        let fields = [("identifier", "customer"), ("password", PASSWORD), ("captcha_token", wrong)];
        let refused = fill_in(&browser, &page, "/sign-in", &fields).await.expect(422);
        assert!(!html(&refused).contains(wrong), "{}", refused.body);
    }
    let answer = solved(&server, &browser, &page).await;
    let fields = [("identifier", "customer"), ("password", "wrong"), ("captcha_token", &*answer)];
    let again = fill_in(&browser, &page, "/sign-in", &fields).await.expect(422);
    // It was used; the next attempt has its own.
    let fields = [("identifier", "customer"), ("password", PASSWORD), ("captcha_token", &*answer)];
    fill_in(&browser, &again, "/sign-in", &fields).await.expect(422);
    let answer = solved(&server, &browser, &again).await;
    let fields = [("identifier", "customer"), ("password", PASSWORD), ("captcha_token", &*answer)];
    let done = fill_in(&browser, &again, "/sign-in", &fields).await.expect(303);
    assert!(told(&done).contains_key("code"), "{done:?}");
});

both!(somebody_registers_with_an_answer_alone, async |server: TestServer| {
    ask_with(&server, json!({ "type": "ProofOfWork", "difficulty": 8 })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "register")]).await.expect(200);
    let fields = [("username", "newcomer"), ("password", PASSWORD)];
    fill_in(&browser, &page, "/register", &fields).await.expect(422);
    let found = server.management().await.get("/api/users?search=newcomer").await.expect(200);
    assert_eq!(found.body, json!([]));
    let answer = solved(&server, &browser, &page).await;
    let fields = [("username", "newcomer"), ("password", PASSWORD), ("captcha_token", &*answer)];
    let done = fill_in(&browser, &page, "/register", &fields).await.expect(303);
    assert!(told(&done).contains_key("code"), "{done:?}");
});

both!(every_language_says_what_is_needed, async |server: TestServer| {
    let client = application(&server, false).await;
    for (config, class) in [
        (json!({ "type": "ProofOfWork", "difficulty": 8 }), "<noscript><p class=\"notice\">"),
        (json!({ "type": "Turnstile", "siteKey": "s", "secretKey": "k" }), "<p class=\"notice\">"),
    ] {
        ask_with(&server, config).await;
        let mut said = Vec::new();
        for language in ["en", "de", "fr", "es", "ja", "zh"] {
            let page = begin(&Browser::new(&server), &client, &[("ui_locales", language)]).await.expect(200);
            let (_, rest) = html(&page).split_once(class).unwrap();
            said.push(rest.split_once("</p>").unwrap().0.to_owned());
        }
        said.sort();
        said.dedup();
        assert_eq!(said.len(), 6, "{said:?}");
    }
});

both!(where_somebody_else_asks_pages_say_that_they_cannot, async |server: TestServer| {
    give_password(&server).await;
    ask_with(&server, json!({ "type": "Turnstile", "siteKey": "site", "secretKey": "secret" })).await;
    let client = application(&server, false).await;
    for screen in ["sign_in", "register"] {
        let browser = Browser::new(&server);
        let page = begin(&browser, &client, &[("first_screen", screen)]).await.expect(200);
        let text = html(&page);
        assert!(text.contains("This page cannot show the question") && !text.contains("captcha_token"), "{text}");
        assert!(!text.contains("cloudflare") && !text.contains("/assets/captcha."), "{text}");
    }
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    fill_in(&browser, &page, "/sign-in", &fields).await.expect(422);
});
