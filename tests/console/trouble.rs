//! Trouble at the console: a plugin that refuses every token, with the ways out; and the first page of support, which
//! leads to why somebody cannot sign in.

use claimsmith_domain::console::ConsoleRole::{Admin, Developer, Read, Support};
use claimsmith_test_support::{Actor, Answer, Browser, TestServer, both};
use reqwest::Method;
use serde_json::json;

const BOOM: &str = "export const getCustomJwtClaims = async ({ context }) => { return { a: context.no.such }; };";
const CALM: &str = "export const getCustomJwtClaims = async () => ({ calm: true });";
const SAID: &str = "boom refused 7 of 7 tokens in the last hour: TypeError";

async fn upload(management: &Actor, name: &str, source: &str) {
    let request = management.request(Method::PUT, &format!("/api/plugins/{name}"));
    Answer::of(request.header("content-type", "text/javascript").body(source.to_owned())).await.expect(201);
}

/// A server at which the second version of a plugin refuses every token.
async fn in_trouble(server: &TestServer) {
    let management = server.management().await;
    upload(&management, "aaa", CALM).await;
    upload(&management, "boom", CALM).await;
    upload(&management, "boom", BOOM).await;
    for _ in 0..7 {
        server.exchange(&server.customer_token().await).send().await.expect(500);
    }
}

both!(a_plugin_in_trouble_is_first_everywhere_and_is_rolled_back, async |server: TestServer| {
    in_trouble(&server).await;
    server.operator("dev", &[Developer]).await;
    let browser = server.at_console("dev").await;
    let overview = browser.visit("/console").await.expect(200);
    let list = browser.visit("/console/plugins").await.expect(200);
    let own = browser.visit("/console/plugins/boom").await.expect(200);
    for page in [&overview, &list, &own] {
        let html = page.html();
        assert!(html.contains(SAID) && html.contains("boom.js:1:"), "{html}");
        assert!(html.contains("Disable boom") && html.contains("Roll back to version 1"), "{html}");
    }
    let place = |name: &str| list.html().find(&format!("<a href=\"/console/plugins/{name}\">")).unwrap();
    assert!(place("boom") < place("aaa"), "those that fail stand first");
    assert!(list.html().contains("1 failing"));

    // The button of the overview.
    browser.fill_in(&overview, "/console/plugins/boom/versions/1", &[]).await.expect(303);
    server.exchange(&server.customer_token().await).send().await.expect(200);
    let overview = browser.visit("/console").await.expect(200);
    assert!(!overview.html().contains("boom refused"), "{}", overview.body);
    browser.fill_in(&overview, "/console/plugins/boom/versions/2", &[]).await.expect(303);
    let overview = browser.visit("/console").await.expect(200);
    assert!(overview.html().contains(SAID));
    browser.fill_in(&overview, "/console/plugins/boom/enabled", &[("enabled", "false")]).await.expect(303);
    server.exchange(&server.customer_token().await).send().await.expect(200);
    assert!(!browser.visit("/console").await.expect(200).html().contains(SAID));
});

both!(a_plugin_that_is_not_called_says_why_and_is_called_again, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "boom", BOOM).await;
    management.patch("/api/plugins/boom", json!({ "breaker": { "failures": 3 } })).await.expect(200);
    for _ in 0..3 {
        server.exchange(&server.customer_token().await).send().await.expect(500);
    }
    server.app.breakers.catch_up().await.unwrap();
    server.operator("dev", &[Developer]).await;
    let browser = server.at_console("dev").await;
    let said = "boom is not called for 1 user, since it kept failing: TypeError";
    for path in ["/console", "/console/plugins", "/console/plugins/boom"] {
        let page = browser.visit(path).await.expect(200);
        assert!(page.html().contains(said), "{path} {}", page.body);
    }
    let list = browser.visit("/console/plugins").await.expect(200);
    assert!(list.html().contains("Call boom again"), "{}", list.body);
    browser.fill_in(&list, "/console/plugins/boom/breaker", &[]).await.expect(303);
    let list = browser.visit("/console/plugins").await.expect(200);
    assert!(!list.html().contains(said) && !list.html().contains("Call boom again"), "{}", list.body);
    // Who may not change plugins sees it without the button.
    for _ in 0..3 {
        server.exchange(&server.customer_token().await).send().await.expect(500);
    }
    server.app.breakers.catch_up().await.unwrap();
    server.operator("rea", &[Read]).await;
    let page = server.at_console("rea").await.visit("/console/plugins").await.expect(200);
    assert!(page.html().contains(said) && !page.html().contains("Call boom again"), "{}", page.body);
});

both!(who_may_not_change_plugins_sees_the_trouble_without_buttons, async |server: TestServer| {
    in_trouble(&server).await;
    server.operator("rea", &[Read]).await;
    let browser = server.at_console("rea").await;
    for path in ["/console", "/console/plugins", "/console/plugins/boom"] {
        let page = browser.visit(path).await.expect(200);
        assert!(page.html().contains(SAID), "{path} {}", page.body);
        assert!(!page.html().contains("Disable boom") && !page.html().contains("Roll back"), "{path}");
    }
    let page = browser.visit("/console").await.expect(200);
    browser.fill_in(&page, "/console/plugins/boom/versions/1", &[]).await.expect(403);
    // A stale sign-in does not roll back.
    server.operator("dev", &[Developer]).await;
    let developer = server.at_console("dev").await;
    let page = developer.visit("/console").await.expect(200);
    server.clock.advance(std::time::Duration::from_mins(11));
    developer.fill_in(&page, "/console/plugins/boom/versions/1", &[]).await.expect(403);
    assert_eq!(server.management().await.get("/api/plugins/boom").await["deployment"]["activeVersion"], "2");
});

both!(support_finds_out_why_somebody_cannot_sign_in, async |server: TestServer| {
    in_trouble(&server).await;
    server.operator("sue", &[Support]).await;
    let ada = server.operator("ada", &[Admin]).await;
    let casey = server.operator("casey", &[]).await;
    for _ in 0..10 {
        for name in ["ada", "casey"] {
            Browser::new(&server).sign_in_at("/console", name, "wrong").await;
        }
    }
    let browser = server.at_console("sue").await;
    let start = browser.visit("/console").await.expect(200);
    let html = start.html();
    assert!(html.contains("Help people") && html.contains("action=\"/console/users\""), "{html}");
    assert!(html.contains("Plugin boom") && html.contains("boom.js:1:"), "{html}");
    // The refusals of wrong passwords lead to the person, whose page has them as well.
    assert!(html.contains(&format!("<a href=\"/console/users/{casey}\">casey</a>")), "{html}");
    let logs = server.management().await.get(&format!("/api/logs?userId={casey}&result=Error")).await.expect(200).body;
    assert!(logs.to_string().contains("session.invalid_credentials"), "{logs}");
    let activity = browser.visit(&format!("/console/users/{casey}/activity")).await.expect(200);
    assert!(!activity.html().contains("No entries."), "{}", activity.body);
    assert!(browser.visit("/console?view=overview").await.expect(200).html().contains("Health"));

    let person = browser.visit(&format!("/console/users/{casey}")).await.expect(200);
    let html = person.html();
    assert!(html.contains("Cannot sign in") && html.contains("locked until "), "{html}");
    assert!(html.contains(" after 10 wrong passwords or codes for casey") && html.contains("End the lock-out"));
    browser.fill_in(&person, &format!("/console/users/{casey}/unlock"), &[]).await.expect(303);
    let person = browser.visit(&format!("/console/users/{casey}")).await.expect(200);
    assert!(person.html().contains("Can sign in") && !person.html().contains("End the lock-out"), "{}", person.body);

    // Administrators are unlocked by administrators.
    let path = format!("/console/users/{ada}");
    let person = browser.visit(&path).await.expect(200);
    assert!(person.html().contains("locked until ") && !person.html().contains("End the lock-out"), "{}", person.body);
    browser.fill_in(&person, &format!("{path}/unlock"), &[]).await.expect(403);

    let bare =
        server.management().await.post("/api/users", serde_json::json!({ "username": "bare" })).await.expect(200);
    let person = browser.visit(&format!("/console/users/{}", bare.text("id"))).await.expect(200);
    assert!(person.html().contains("no way to sign in: no password"), "{}", person.body);
    let customer = &server.demo().customer_user_id;
    let person = browser.visit(&format!("/console/users/{customer}/sessions")).await.expect(200);
    assert!(person.html().contains("plugin boom version 2 refused their last token at "), "{}", person.body);
});
