//! The demo application: the whole story of a newcomer in a browser, what it refuses, and where it is not.

use crate::sign_in::{csrf, fill_in, follow};
use crate::{browse, html, values};
use claimsmith_storage::applications;
use claimsmith_test_support::{Answer, Browser, Home, Receiver, TestServer, both, told, until};
use serde_json::json;
use std::sync::Arc;

const PASSWORD: &str = "violet-kettle-42";
const COOKIE: &str = "claimsmith-demo";

/// A server with the plugins that come with it.
async fn with_plugins(home: &Arc<Home>) -> TestServer {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/plugins");
    for name in ["impersonation.js", "impersonation.toml"] {
        std::fs::copy(format!("{folder}/{name}"), home.plugins_dir().join(name)).unwrap();
    }
    TestServer::start(home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap()
}

/// Opens the demo, and begins to sign in or to register; answers the page of the server.
async fn begin(browser: &Browser, screen: &str) -> Answer {
    let page = browser.open("/demo").await.expect(200);
    fill_in(browser, &page, "/demo/sign-in", &[("screen", screen)]).await.expect(200)
}

/// Registers somebody, and answers the demo's page.
async fn register(browser: &Browser, username: &str) -> Answer {
    let page = begin(browser, "register").await;
    let fields = [("username", username), ("password", PASSWORD)];
    fill_in(browser, &page, "/register", &fields).await.expect(200)
}

/// Signs somebody of the demo data in.
async fn sign_in(browser: &Browser, username: &str, password: &str) -> Answer {
    let page = begin(browser, "sign-in").await;
    fill_in(browser, &page, "/sign-in", &[("identifier", username), ("password", password)]).await.expect(200)
}

/// The claims that the page shows, as name, mark and value.
fn claims(page: &str) -> Vec<(String, bool, String)> {
    let part = |text: &str, start: &str, end: &str| {
        text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map(|(part, _)| part.to_owned()).unwrap()
    };
    let claim = |text: &str| {
        let name = part(text, "<dt>", "</dt>");
        let name = name.split('<').next().unwrap().trim().to_owned();
        (name, text.starts_with(" marked"), part(text, "<dd>", "</dd>").replace("&#34;", "\""))
    };
    page.split("<div class=\"claim").skip(1).map(claim).collect()
}

fn has(page: &str, name: &str, is_marked: bool, value: &str) -> bool {
    claims(page).contains(&(name.to_owned(), is_marked, value.to_owned()))
}

both!(a_newcomer_registers_acts_as_casey_and_finds_it_all, async |home: Arc<Home>| {
    let server = with_plugins(&home).await;
    let browser = Browser::new(&server);
    let start = browse(&server, "/").await;
    assert!(values(html(&start), "href").contains(&"/demo"), "{}", start.body);

    // The hook is made when somebody begins to sign in; here the server is at another address than it says.
    let page = begin(&browser, "register").await;
    let management = server.management().await;
    let hooks = management.get("/api/hooks").await.expect(200);
    let path = format!("/api/hooks/{}", hooks.body[0]["id"].as_str().unwrap());
    assert_eq!(hooks.body[0]["config"]["url"], "http://localhost:3001/demo/webhook");
    let config = json!({ "config": { "url": format!("{}/demo/webhook", server.origin) } });
    management.patch(&path, config).await.expect(200);

    let fields = [("username", "newcomer"), ("password", PASSWORD)];
    let page = fill_in(&browser, &page, "/register", &fields).await.expect(200);
    let shown = html(&page);
    let users = management.get("/api/users?search=newcomer").await.expect(200);
    let id = users.body[0]["id"].as_str().unwrap().to_owned();
    let demo = server.demo().clone();
    assert!(shown.contains("<strong>newcomer</strong>"), "{shown}");
    assert!(has(shown, "aud", false, &demo.spa_client_id) && has(shown, "aud", false, &demo.resource), "{shown}");
    assert_eq!(claims(shown).iter().filter(|(name, ..)| name == "sub").count(), 2, "of both tokens");

    // Not without a reason and a ticket.
    for (fields, wrong) in [
        (vec![("ticket", "T-1")], "reason"),
        (vec![("reason", "  "), ("ticket", "T-1")], "reason"),
        (vec![("reason", "Invoice")], "ticket"),
        (vec![("reason", "Invoice"), ("ticket", &*"x".repeat(201))], "ticket"),
    ] {
        let refused = fill_in(&browser, &page, "/demo/act", &fields).await.expect(422);
        assert!(html(&refused).contains(&format!("id=\"{wrong}-error\"")), "{fields:?} {}", refused.body);
    }
    assert!(!html(&browser.open("/demo").await).contains("id=\"acted\""));

    let fields = [("reason", "Invoice does not load"), ("ticket", "TICKET-4711")];
    let acted = fill_in(&browser, &page, "/demo/act", &fields).await.expect(200);
    let shown = html(&acted);
    assert!(has(shown, "sub", false, &demo.customer_user_id), "{shown}");
    assert!(has(shown, "act", true, &format!("{{\"sub\":\"{id}\"}}")), "{shown}");
    for (name, value) in
        [("ticket_id", "TICKET-4711"), ("reason", "Invoice does not load"), ("support_engineer_id", &id)]
    {
        assert!(has(shown, name, true, value), "{name}: {shown}");
    }
    assert!(has(shown, "scope", false, "resource:read resource:write"), "what Casey may do: {shown}");

    // The audit log has it, for the operator and on the page.
    for (key, member) in [("ExchangeTokenBy.TokenExchange", "actorId"), ("Management.SubjectToken.Create", "context")] {
        let logs = management.get(&format!("/api/logs?logKey={key}")).await.expect(200);
        let entry = &logs.body[0]["payload"];
        assert!(entry[member].to_string().contains(&id), "{entry}");
        assert!(shown.contains(key), "{shown}");
    }
    // And the webhook, when it came.
    let page = until("the webhooks", async || {
        let page = browser.open("/demo").await.expect(200);
        let all = ["User.Created", "PostRegister"].iter().all(|event| html(&page).contains(event));
        all.then_some(page)
    })
    .await;

    // New tokens, and who it is.
    let jti = |page: &Answer| claims(html(page)).into_iter().rfind(|(name, ..)| name == "jti").unwrap().2;
    let renewed = fill_in(&browser, &page, "/demo/refresh", &[]).await.expect(200);
    assert_ne!(jti(&renewed), jti(&page));
    let asked = fill_in(&browser, &renewed, "/demo/userinfo", &[]).await.expect(200);
    assert!(html(&asked).contains("userinfo endpoint says") && has(html(&asked), "username", false, "newcomer"));

    // Out of the application and of the server, and nothing is left.
    let out = fill_in(&browser, &asked, "/demo/sign-out", &[]).await.expect(200);
    assert!(html(&out).contains("Create an account") && !html(&out).contains(&id), "{}", out.body);
    let sessions = management.get(&format!("/api/users/{id}/sessions")).await.expect(200);
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(0), "{}", sessions.body);
    let late = browser.post("/demo/refresh", &[("csrf".to_owned(), csrf(&out))]).await.expect(303);
    assert_eq!(late.header("location"), Some("http://localhost:3001/demo"));
});

both!(signing_out_of_the_demo_is_told_through_the_back_channel, async |server: TestServer| {
    let receiver = Receiver::start().await;
    let demo = server.demo().clone();
    let management = server.management().await;
    let path = format!("/api/applications/{}", demo.spa_client_id);
    let mut metadata = management.get(&path).await.expect(200)["oidcClientMetadata"].clone();
    metadata["backchannelLogoutUri"] = json!(receiver.url());
    management.patch(&path, json!({ "oidcClientMetadata": metadata })).await.expect(200);
    let browser = Browser::new(&server);
    let page = sign_in(&browser, "customer", demo.customer_password.as_deref().unwrap()).await;
    fill_in(&browser, &page, "/demo/sign-out", &[]).await.expect(200);
    let told = receiver.wait(1).await;
    let form: Vec<(String, String)> = form_urlencoded::parse(&told[0].body).into_owned().collect();
    let claims = server.verify(&form[0].1, &demo.spa_client_id).await.claims;
    assert_eq!(claims["sub"], demo.customer_user_id.as_str());
});

both!(people_of_the_demo_sign_in_and_casey_cannot_be_casey, async |server: TestServer| {
    let demo = server.demo().clone();
    let (erin, casey) = (Browser::new(&server), Browser::new(&server));
    let page = sign_in(&erin, "engineer", demo.engineer_password.as_deref().unwrap()).await;
    assert!(html(&page).contains("Erin Engineer"), "{}", page.body);
    let page = sign_in(&casey, "customer", demo.customer_password.as_deref().unwrap()).await;
    assert!(html(&page).contains("You are Casey") && !html(&page).contains("name=\"ticket\""), "{}", page.body);
    let fields = [("reason", "Because"), ("ticket", "T-1")];
    let refused = fill_in(&casey, &page, "/demo/act", &fields).await.expect(422);
    assert!(html(&refused).contains("Casey cannot act as Casey"), "{}", refused.body);
    let logs = server.management().await.get("/api/logs?logKey=ExchangeTokenBy.TokenExchange").await;
    assert_eq!(logs.expect(200).body, json!([]));
    // What Erin left behind is not Casey's to see.
    assert!(!html(&casey.open("/demo").await).contains(&*demo.engineer_user_id));
});

both!(the_answer_to_the_sign_in_of_another_browser_is_refused, async |server: TestServer| {
    let (browser, other) = (Browser::new(&server), Browser::new(&server));
    let demo = server.demo().clone();
    let page = begin(&other, "sign-in").await;
    let fields = [("identifier", "engineer"), ("password", demo.engineer_password.as_deref().unwrap())];
    // Up to the callback, whose address somebody else's browser gets.
    let mut form = vec![("csrf".to_owned(), csrf(&page))];
    form.extend(fields.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut answer = other.post("/sign-in", &form).await.expect(303);
    while !answer.header("location").unwrap().contains("/demo/callback") {
        answer = other.open(answer.header("location").unwrap()).await.expect(303);
    }
    let callback = answer.header("location").unwrap().to_owned();
    begin(&browser, "sign-in").await;
    for stranger in [&browser, &Browser::new(&server)] {
        let refused = stranger.open(&callback).await.expect(400);
        assert!(html(&refused).contains("state_mismatch"), "{}", refused.body);
        assert!(html(&stranger.open("/demo").await).contains("Create an account"));
    }
    // Nor does another server answer, or one that says something else.
    let (state, code) = (told(&answer)["state"].clone(), told(&answer)["code"].clone());
    let refused = other.open(&format!("/demo/callback?code={code}&state={state}&iss=https://evil.example")).await;
    assert!(html(&refused.expect(400)).contains("iss_mismatch"));
    let before = other.cookie(COOKIE).unwrap();
    let page = follow(&other, other.open(&callback).await).await.expect(200);
    assert!(html(&page).contains("Erin Engineer"), "{}", page.body);
    // The cookie is another one, and the answer was used up.
    assert_ne!(other.cookie(COOKIE).unwrap(), before);
    other.open(&callback).await.expect(400);
    let thief = Browser::new(&server);
    thief.set_cookie(COOKIE, &before);
    assert!(html(&thief.open("/demo").await).contains("Create an account"));
});

both!(a_refusal_is_told_and_what_others_write_is_escaped, async |server: TestServer| {
    let browser = Browser::new(&server);
    let page = browser.open("/demo").await.expect(200);
    let form = [("csrf".to_owned(), csrf(&page)), ("screen".to_owned(), "sign-in".to_owned())];
    let sent = browser.post("/demo/sign-in", &form).await.expect(303);
    let asked = told(&sent);
    assert_eq!((asked["code_challenge_method"].as_str(), asked["prompt"].as_str()), ("S256", "consent"));
    let hostile = "<script>alert(1)</script>";
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &asked["state"])
        .append_pair("iss", "http://localhost:3001/oidc")
        .append_pair("error", "access_denied")
        .append_pair("error_description", hostile)
        .finish();
    let refused = browser.open(&format!("/demo/callback?{query}")).await.expect(422);
    let shown = html(&refused);
    assert!(shown.contains("access_denied") && !shown.contains("<script>"), "{shown}");

    let page = register(&browser, "hostile").await;
    let fields = [("reason", hostile), ("ticket", "")];
    let refused = fill_in(&browser, &page, "/demo/act", &fields).await.expect(422);
    assert!(html(&refused).contains("value=\"&#60;script&#62;") && !html(&refused).contains("<script>"));
    let fields = [("reason", hostile), ("ticket", hostile)];
    let acted = fill_in(&browser, &page, "/demo/act", &fields).await.expect(200);
    assert!(html(&acted).contains("&#60;script&#62;") && !html(&acted).contains("<script>"), "{}", acted.body);
});

both!(forms_of_other_sites_and_browsers_are_refused, async |server: TestServer| {
    let (browser, other) = (Browser::new(&server), Browser::new(&server));
    let page = register(&browser, "newcomer").await;
    let foreign = csrf(&other.open("/demo").await);
    let form = |csrf: &str| vec![("csrf".to_owned(), csrf.to_owned())];
    for path in ["/demo/sign-in", "/demo/refresh", "/demo/userinfo", "/demo/act", "/demo/sign-out"] {
        browser.post(path, &[]).await.expect(403);
        browser.post(path, &form(&foreign)).await.expect(403);
        let request = server.http.post(server.url(path)).form(&form(&csrf(&page)));
        browser.send(request.header("origin", "https://evil.example")).await.expect(403);
        // Without the cookie, the token is nothing.
        Answer::of(server.http.post(server.url(path)).form(&form(&csrf(&page)))).await.expect(403);
    }
    assert!(html(&browser.open("/demo").await).contains("<strong>newcomer</strong>"));
});

both!(a_webhook_without_the_right_signature_is_refused, async |server: TestServer| {
    let post = |headers: &[(&str, &str)]| {
        let request = server.http.post(server.url("/demo/webhook")).body("{}");
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
    };
    // There is no hook yet.
    Answer::of(post(&[])).await.expect(410);
    begin(&Browser::new(&server), "sign-in").await;
    let now = (server.clock.now_ms() / 1000).to_string();
    for headers in [
        &[][..],
        &[("webhook-id", "1"), ("webhook-timestamp", &now), ("webhook-signature", "v1,AAAA")],
        &[("webhook-id", "1"), ("webhook-timestamp", &now), ("webhook-signature", "")],
        &[("webhook-id", "1"), ("webhook-timestamp", "9223372036854775807"), ("webhook-signature", "v1,AAAA")],
    ] {
        Answer::of(post(headers)).await.expect(401);
    }
});

both!(it_is_there_with_demo_data_alone, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_DEMO", "false")]).await.unwrap();
    for path in ["/demo", "/demo/callback"] {
        browse(&server, path).await.expect(404);
    }
    Answer::of(server.http.post(server.url("/demo/sign-in"))).await.expect(404);
    Answer::of(server.http.post(server.url("/demo/webhook"))).await.expect(404);
    assert!(!html(&browse(&server, "/").await).contains("/demo"));
});

both!(an_older_database_gets_the_addresses_of_the_demo, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let path = format!("/api/applications/{}", server.demo().spa_client_id);
    let none = json!({ "oidcClientMetadata": { "redirectUris": [], "postLogoutRedirectUris": [] } });
    server.management().await.patch(&path, none).await.expect(200);
    let mut tx = server.begin().await;
    tx.sql("DELETE FROM settings WHERE key LIKE 'demo.%'").execute().await.unwrap();
    tx.commit().await.unwrap();
    browse(&server, "/demo").await.expect(404);
    server.stop().await;

    let server = TestServer::start(&home, &[]).await.unwrap();
    let metadata = server.management().await.get(&path).await.expect(200)["oidcClientMetadata"].clone();
    assert_eq!(metadata["redirectUris"], json!(["http://localhost:3001/demo/callback"]));
    assert_eq!(metadata["postLogoutRedirectUris"], json!(["http://localhost:3001/demo"]));
    register(&Browser::new(&server), "newcomer").await;
    server.stop().await;

    // At another address, it comes back there.
    let server = TestServer::start(&home, &[("CLAIMSMITH_BASE_URL", "http://localhost:4000")]).await.unwrap();
    // The Management API is at another address now, too.
    let application = applications::find(&mut server.begin().await, &server.demo().spa_client_id).await.unwrap();
    let registered = application.unwrap().oidc_client_metadata.0.redirect_uris;
    assert_eq!(registered[1], "http://localhost:4000/demo/callback", "{registered:?}");
});

both!(a_browser_that_came_by_another_name_is_sent_to_the_right_one, async |server: TestServer| {
    let request = server.http.get(server.url("/demo")).header("host", "127.0.0.1:3001");
    let answer = Answer::of(request).await.expect(303);
    assert_eq!(answer.header("location"), Some("http://localhost:3001/demo"));
    let request = server.http.get(server.url("/demo")).header("host", "localhost:3001");
    Answer::of(request).await.expect(200);
});

both!(an_hour_later_it_is_forgotten, async |server: TestServer| {
    let browser = Browser::new(&server);
    let page = register(&browser, "newcomer").await;
    server.clock.advance(std::time::Duration::from_secs(3_601));
    assert!(html(&browser.open("/demo").await).contains("Create an account"));
    browser.post("/demo/refresh", &[("csrf".to_owned(), csrf(&page))]).await.expect(303);
});
