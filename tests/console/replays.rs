//! The workbench over recorded calls: it records the next ones, and compares a draft with the active version over them,
//! whole pages and the parts that a script asks for while somebody writes.

use claimsmith_domain::console::ConsoleRole::{Developer, Read};
use claimsmith_test_support::{Actor, Answer, Browser, TestServer, both, until};
use reqwest::Method;
use serde_json::json;

const PAGE: &str = "/console/plugins/plan";
const RECORDINGS: &str = "/api/plugins/plan/recordings";
const SOURCE: &str =
    "export const getCustomJwtClaims = ({ context }) => ({ plan: 'free', who: typeof context.user?.id });";

async fn upload(management: &Actor) {
    let request = management.request(Method::PUT, "/api/plugins/plan").header("content-type", "text/javascript");
    Answer::of(request.body(SOURCE)).await.expect(201);
}

/// Presses a button of the workbench with a draft.
async fn press(browser: &Browser, page: &Answer, act: &str, source: &str) -> Answer {
    let etag = page.hidden("etag").replace("&#34;", "\"");
    let fields = [("etag", &*etag), ("version", "1"), ("language", "javascript"), ("source", source), ("act", act)];
    browser.fill_in(page, PAGE, &fields).await.expect(200)
}

both!(a_draft_is_replayed_over_the_next_calls, async |server: TestServer| {
    let management = server.management().await;
    upload(&management).await;
    server.operator("ada", &[Developer]).await;
    server.operator("bob", &[Read]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit(PAGE).await.expect(200);
    assert!(page.html().contains("Record the next 50</button>"), "{}", page.html());
    let empty = press(&browser, &page, "replay", SOURCE).await;
    assert!(empty.html().contains("No call has been recorded yet."), "{}", empty.html());

    let started = press(&browser, &page, "replay-record", SOURCE).await;
    assert!(started.html().contains("The next 50 calls are recorded."), "{}", started.html());
    let recordings = management.get(RECORDINGS).await.expect(200).body;
    assert_eq!((&recordings[0]["count"], &recordings[0]["state"]), (&json!(50), &json!("recording")));
    for _ in 0..3 {
        server.exchange(&server.customer_token().await).send().await.expect(200);
    }
    until("three recorded calls", async || {
        let recordings = management.get(RECORDINGS).await.expect(200).body;
        (recordings[0]["recorded"] == 3).then_some(())
    })
    .await;

    let same = press(&browser, &page, "replay", SOURCE).await;
    assert!(same.html().contains("3 of 3 calls have the same answer"), "{}", same.html());
    let changed = SOURCE.replace("'free'", "'basic'");
    let other = press(&browser, &page, "replay", &changed).await;
    let html = other.html();
    assert!(html.contains("0 of 3 calls have the same answer") && html.contains(">different</span>"), "{html}");
    assert!(html.contains("basic") && html.contains("From the active version to the draft"), "{html}");

    // While somebody writes, a script asks for the parts of the page alone.
    let csrf = page.hidden("csrf");
    let fields = [("csrf", &*csrf), ("language", "javascript"), ("source", &*changed), ("act", "replay")];
    let request = browser.form(PAGE, &fields).header("sec-fetch-site", "same-origin").header("x-console-parts", "true");
    let parts = browser.send(request).await.expect(200);
    let html = parts.html();
    assert!(html.contains("id=\"replay\"") && html.contains("0 of 3 calls have the same answer"), "{html}");
    assert!(!html.contains("<h1"), "{html}");

    // A draft that does not compile says so in its check, and nothing of it is stored.
    let wrong = press(&browser, &page, "replay", "export const getCustomJwtClaims = (").await;
    assert!(!wrong.html().contains("have the same answer"), "{}", wrong.html());
    let plugin = management.get("/api/plugins/plan").await.expect(200);
    assert_eq!(plugin["deployment"]["latestVersion"], "1");
    let reader = server.at_console("bob").await;
    assert!(!reader.visit(PAGE).await.expect(200).html().contains("Record the next"));
});
