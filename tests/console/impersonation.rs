//! Acting as somebody: the console makes a subject token and has the browser post it to the application; and the demo
//! application, which takes it over once, from the console alone.

use claimsmith_domain::console::ConsoleRole::{Admin, Developer, Read, Support};
use claimsmith_storage::audit;
use claimsmith_test_support::{Answer, Browser, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// What the application registered.
const ADDRESS: &str = "https://desk.example.com/impersonate";
/// Where the demo application takes people over.
const DEMO: &str = "/demo/impersonate";
/// The part of the demo's page that shows as whom one acts.
const ACTED: &str = "id=\"acted\"";

/// An application that takes people over; answers its id.
async fn desk(server: &TestServer) -> String {
    let metadata = json!({ "allowTokenExchange": true, "impersonationUri": ADDRESS });
    let body = json!({ "name": "Desk", "type": "SPA", "customClientMetadata": metadata });
    server.management().await.post("/api/applications", body).await.expect(200).text("id")
}

/// The page that begins it for the demo's customer.
fn page_of_customer(server: &TestServer) -> String {
    format!("/console/users/{}/impersonate", server.demo().customer_user_id)
}

/// How many subject tokens were made.
async fn made(server: &TestServer) -> usize {
    let mut tx = server.begin().await;
    audit::list_by_key(&mut tx, "Management.SubjectToken.Create", 10).await.unwrap().len()
}

/// Whoever acts as the customer, by the Management API.
async fn impersonations(server: &TestServer) -> Vec<Value> {
    let path = format!("/api/impersonations?userId={}", server.demo().customer_user_id);
    server.management().await.get(&path).await.expect(200).body.as_array().unwrap().clone()
}

/// The addresses of forms of a page that lead away from the console.
fn forms_that_lead_away(page: &Answer) -> Vec<&str> {
    let actions = page.html().split("<form").skip(1).map(|form| form.split('>').next().unwrap());
    actions.filter(|form| !form.contains("action=\"/console")).collect()
}

both!(the_browser_posts_the_token_and_no_url_has_it, async |server: TestServer| {
    let id = server.operator("sue", &[Support]).await;
    let application = desk(&server).await;
    let browser = server.at_console("sue").await;
    let path = page_of_customer(&server);
    let page = browser.visit(&path).await.expect(200);
    assert!(page.html().contains(&application), "it can be chosen: {}", page.body);
    let fields = [("reason", "The invoice does not load"), ("ticket", "T-1"), ("application", &*application)];
    let handed = browser.fill_in(&page, &path, &fields).await.expect(200);

    let token = handed.hidden("subject_token");
    assert!(token.starts_with("sub_"), "{}", handed.body);
    assert_eq!(handed.html().matches(&token).count(), 1, "in its field alone");
    assert_eq!(handed.header("location"), None);
    let forms = forms_that_lead_away(&handed);
    assert_eq!(forms.len(), 1, "{}", handed.body);
    assert!(forms[0].contains("method=\"post\"") && forms[0].contains(&format!("action=\"{ADDRESS}\"")), "{forms:?}");
    for (name, value) in [
        ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("user_id", &*server.demo().customer_user_id),
        ("reason", "The invoice does not load"),
        ("ticket_id", "T-1"),
    ] {
        assert_eq!(handed.hidden(name), value, "{name}");
    }
    // The form leads to the application and nowhere else; the page is not kept, and its address is not told.
    let policy = handed.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self' https://desk.example.com") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(handed.header("cache-control"), Some("no-store"));
    assert_eq!(handed.header("referrer-policy"), Some("strict-origin"));

    // The application exchanges it, once.
    let exchange = server.exchange(&token).with("client_id", &application);
    exchange.send().await.expect(200);
    exchange.send().await.expect_oauth_error(400, "invalid_request");
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Management.SubjectToken.Create", 5).await.unwrap();
    drop(tx);
    let context = json!({ "ticketId": "T-1", "reason": "The invoice does not load", "supportEngineerId": id });
    assert_eq!((logs.len(), &logs[0].payload["context"]), (1, &context));
    assert!(!logs[0].payload.to_string().contains(&token), "no secret is in the audit log");
});

both!(what_is_not_complete_makes_no_token, async |server: TestServer| {
    server.operator("sue", &[Support]).await;
    let application = desk(&server).await;
    let without = json!({ "name": "Without", "type": "SPA", "customClientMetadata": { "allowTokenExchange": true } });
    let without = server.management().await.post("/api/applications", without).await.expect(200).text("id");
    let browser = server.at_console("sue").await;
    let path = page_of_customer(&server);
    let page = browser.visit(&path).await.expect(200);
    assert!(!page.html().contains(&without), "it has no address: {}", page.body);
    let long = "x".repeat(201);
    for (reason, ticket, chosen) in [
        ("", "T-1", &*application),
        ("  ", "T-1", &application),
        ("A stuck order", "", &application),
        (&long, "T-1", &application),
        ("A stuck order", "T-1", ""),
        ("A stuck order", "T-1", "nothing"),
        ("A stuck order", "T-1", &without),
    ] {
        let fields = [("reason", reason), ("ticket", ticket), ("application", chosen)];
        let refused = browser.fill_in(&page, &path, &fields).await.expect(422);
        assert!(refused.html().contains("role=\"alert\"") && refused.hidden("subject_token").is_empty(), "{fields:?}");
    }
    assert_eq!(made(&server).await, 0);
    // Nor with the token of another session, nor a sign-in of some time ago.
    let fields = [("reason", "A stuck order"), ("ticket", "T-1"), ("application", &*application)];
    browser.submit(&path, &fields).await.expect(403);
    server.clock.advance(Duration::from_mins(11));
    browser.fill_in(&page, &path, &fields).await.expect(403);
    assert_eq!(made(&server).await, 0);
});

both!(only_support_and_administrators_begin_it, async |server: TestServer| {
    let application = desk(&server).await;
    let path = page_of_customer(&server);
    for (name, role, status) in
        [("rita", Read, 403), ("dave", Developer, 403), ("sue", Support, 200), ("ada", Admin, 200)]
    {
        server.operator(name, &[role]).await;
        let browser = server.at_console(name).await;
        let page = browser.visit(&path).await.expect(status);
        assert_eq!(page.html().contains("id=\"impersonate\""), status == 200, "{name}: {}", page.body);
        // Somebody without the form sends it all the same.
        let token = browser.visit("/console").await.expect(200).hidden("csrf");
        let fields = [("reason", "A stuck order"), ("ticket", "T-1"), ("application", &*application), ("csrf", &token)];
        let answer = browser.submit(&path, &fields).await.expect(status);
        assert_eq!(answer.hidden("subject_token").is_empty(), status != 200, "{name}: {}", answer.body);
    }
    assert_eq!(made(&server).await, 2);
});

both!(the_demo_takes_it_over_once, async |server: TestServer| {
    let id = server.operator("sue", &[Support]).await;
    let browser = server.at_console("sue").await;
    let path = page_of_customer(&server);
    let page = browser.visit(&path).await.expect(200);
    let application = server.demo().spa_client_id.clone();
    let fields = [("reason", "The invoice does not load"), ("ticket", "T-1"), ("application", application.as_str())];
    let handed = browser.fill_in(&page, &path, &fields).await.expect(200);
    let address = format!("action=\"{}{DEMO}\"", server.report.base_url);
    assert!(forms_that_lead_away(&handed)[0].contains(&address), "{}", handed.body);
    let token = handed.hidden("subject_token");

    // Sue is signed in at the server, and is asked for nothing more.
    let mut answer = browser.submit(DEMO, &[("subject_token", &token)]).await.expect(303);
    while let Some(location) = answer.header("location").map(str::to_owned) {
        assert!(!location.contains(&token), "{location}");
        answer = browser.visit(&location).await;
    }
    let acted = answer.expect(200);
    assert!(acted.html().contains(ACTED) && acted.html().contains(id.as_str()), "{}", acted.body);
    let live = impersonations(&server).await;
    assert_eq!((live.len(), &live[0]["actorId"], &live[0]["isActive"]), (1, &json!(id), &json!(true)));
    assert_eq!(live[0]["context"]["ticketId"], "T-1");

    let again = browser.submit(DEMO, &[("subject_token", &token)]).await.expect(422);
    assert!(again.html().contains("role=\"alert\""), "{}", again.body);
    assert_eq!(impersonations(&server).await, live);
});

both!(the_demo_refuses_what_is_no_token_of_the_console, async |server: TestServer| {
    server.operator("sue", &[Support]).await;
    let browser = server.at_console("sue").await;
    // Whether somebody is signed in there or not: the second round follows a sign-in.
    for _ in 0..2 {
        browser.submit(DEMO, &[]).await.expect(400);
        browser.submit(DEMO, &[("user_id", &server.demo().customer_user_id)]).await.expect(400);
        browser.submit(DEMO, &[("subject_token", "")]).await.expect(400);
        for wrong in ["sub_x", "<script>alert(1)</script>"] {
            let mut answer = browser.submit(DEMO, &[("subject_token", wrong)]).await;
            while let Some(location) = answer.header("location").map(str::to_owned) {
                answer = browser.visit(&location).await;
            }
            let refused = answer.expect(422);
            let shown = refused.html();
            assert!(shown.contains("role=\"alert\"") && !shown.contains(ACTED), "{wrong}: {shown}");
            assert!(!shown.contains("<script>alert"), "{shown}");
        }
    }
    // A token of one's own is no subject token either, and there is nothing to read.
    let own = server.management_token().await;
    browser.submit(DEMO, &[("subject_token", &own)]).await.expect(422);
    browser.visit(DEMO).await.expect(405);
    assert_eq!(impersonations(&server).await, Vec::<Value>::new());
});

both!(the_demo_takes_nobody_over_for_another_site, async |server: TestServer| {
    server.operator("sue", &[Support]).await;
    let browser = server.at_console("sue").await;
    let token = server.customer_token().await;
    let own = server.report.base_url.clone();
    let form = [("subject_token", token.as_str())];
    for headers in [
        &[][..],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site"), ("origin", &*own)],
        &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")],
    ] {
        let request = browser.form(DEMO, &form);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let refused = browser.send(request).await.expect(403);
        assert!(!refused.html().contains(ACTED), "{headers:?}: {}", refused.body);
    }
    let request = browser.request(Method::POST, DEMO).header("sec-fetch-site", "same-origin");
    let text = request.header("content-type", "text/plain").body(format!("subject_token={token}"));
    browser.send(text).await.expect(400);
    assert_eq!(impersonations(&server).await, Vec::<Value>::new());
    // None of it used the token up. A browser that does not know `Sec-Fetch-Site` says its origin.
    let sent = browser.send(browser.form(DEMO, &form).header("origin", &own)).await.expect(303);
    let page = browser.follow(sent).await.expect(200);
    assert!(page.html().contains(ACTED), "{}", page.body);
    // Whoever is not signed in is asked to.
    let stranger = Browser::new(&server);
    let token = server.customer_token().await;
    let asked = stranger.follow(stranger.submit(DEMO, &[("subject_token", &token)]).await).await.expect(200);
    assert!(asked.html().contains("name=\"password\""), "{}", asked.body);
    assert_eq!(impersonations(&server).await.len(), 1);
});
