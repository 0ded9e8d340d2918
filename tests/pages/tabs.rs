//! Several tabs of one browser that sign in at the same time, pages that are left open or come back by a button of the
//! browser, and requests that arrive from another site.

use crate::sign_in::{PASSWORD, application, begin, csrf, fill_in, follow, give_password, request};
use claimsmith_test_support::{Answer, Browser, TestServer, both, page_of, told};
use serde_json::json;
use tokio::task::JoinSet;

const FIELDS: [(&str, &str); 2] = [("identifier", "customer"), ("password", PASSWORD)];

/// The state that an application is told.
fn state(answer: &Answer) -> String {
    let mut told = told(answer);
    assert!(told.contains_key("code"), "{answer:?}");
    told.remove("state").unwrap()
}

/// The target of the first link of a page that begins like this.
fn link(page: &Answer, path: &str) -> String {
    let html = page.body.as_str().unwrap();
    let at = html.split_once(&format!("href=\"{path}")).unwrap_or_else(|| panic!("no {path} in {html}")).1;
    format!("{path}{}", at.split_once('"').unwrap().0)
}

/// The address of the page of an interaction that begins.
async fn address(browser: &Browser, client: &str, state: &str) -> String {
    let begun = browser.open(&request(client, &[("state", state)])).await.expect(303);
    begun.header("location").unwrap().to_owned()
}

both!(each_tab_leads_to_its_own_application, async |server: TestServer| {
    give_password(&server).await;
    let (one, two) = (application(&server, false).await, application(&server, false).await);
    for order in [[0, 1], [1, 0]] {
        let browser = Browser::new(&server);
        let tabs = [
            begin(&browser, &one, &[("state", "one")]).await.expect(200),
            begin(&browser, &two, &[("state", "two")]).await.expect(200),
        ];
        for tab in order {
            let answer = fill_in(&browser, &tabs[tab], "/sign-in", &FIELDS).await.expect(303);
            assert_eq!(state(&answer), ["one", "two"][tab]);
        }
    }
});

both!(the_links_of_a_tab_stay_in_it, async |server: TestServer| {
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let first = begin(&browser, &client, &[("state", "first")]).await.expect(200);
    begin(&browser, &client, &[("state", "second")]).await.expect(200);
    let register = browser.open(&link(&first, "/register")).await.expect(200);
    let fields = [("username", "newcomer"), ("password", PASSWORD)];
    assert_eq!(state(&fill_in(&browser, &register, "/register", &fields).await.expect(303)), "first");
});

both!(tabs_that_begin_at_once_all_go_on, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    // As when a browser opens the tabs of yesterday: none of these requests has a cookie.
    let mut opening = JoinSet::new();
    for tab in 0..8 {
        let (browser, client) = (browser.clone(), client.clone());
        opening.spawn(async move { (tab, address(&browser, &client, &tab.to_string()).await) });
    }
    for (tab, address) in opening.join_all().await {
        let page = browser.open(&address).await.expect(200);
        let answer = fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(303);
        assert_eq!(state(&answer), tab.to_string());
    }
});

both!(a_browser_keeps_eight_interactions, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let oldest = begin(&browser, &client, &[("state", "0")]).await.expect(200);
    let mut kept = Vec::new();
    for tab in 1..=8 {
        server.clock.advance(std::time::Duration::from_secs(1));
        kept.push((tab, address(&browser, &client, &tab.to_string()).await));
    }
    let names = browser.cookie_names();
    assert_eq!(names.iter().filter(|name| name.starts_with("claimsmith-interaction-")).count(), 8, "{names:?}");
    // The ninth took the place of the oldest, whose form is refused, with a way on.
    let refused = fill_in(&browser, &oldest, "/sign-in", &FIELDS).await.expect(403);
    assert_eq!(link(&refused, "/sign-in"), "/sign-in");
    for (tab, address) in kept {
        let page = browser.open(&address).await.expect(200);
        assert_eq!(state(&fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(303)), tab.to_string());
    }
    // Those that are over are the first to go.
    let begun = browser.open(&request(&client, &[("prompt", "login"), ("state", "live")])).await.expect(303);
    let live = begun.header("location").unwrap().to_owned();
    for _ in 0..6 {
        let page = begin(&browser, &client, &[("prompt", "login")]).await.expect(200);
        fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(303);
        server.clock.advance(std::time::Duration::from_secs(1));
    }
    begin(&browser, &client, &[("prompt", "login")]).await.expect(200);
    let page = browser.open(&live).await.expect(200);
    assert_eq!(state(&fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(303)), "live");
});

both!(a_page_of_before_goes_on_with_the_session, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let address = address(&browser, &client, "s").await;
    let page = browser.open(&address).await.expect(200);
    assert_eq!(state(&fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(303)), "s");
    // The button of the browser that goes back, a form that was left open, and a link of its page.
    assert_eq!(state(&follow(&browser, browser.open(&address).await).await), "s");
    assert_eq!(state(&fill_in(&browser, &page, "/sign-in", &FIELDS).await), "s");
    assert_eq!(state(&follow(&browser, browser.open(&link(&page, "/register")).await).await), "s");
    // Nobody else gets on by it.
    let stranger = Browser::new(&server);
    stranger.open(&address).await.expect(400);
    let again = follow(&browser, browser.open(&address).await).await;
    let id = address.split_once("interaction=").unwrap().1;
    stranger.open(&format!("/oidc/auth/{id}?again=true")).await.expect(400);
    assert!(again.header("location").is_some());
    // Without a session one signs in again, for the same application.
    let session = browser.cookie("claimsmith-session").unwrap();
    browser.set_cookie("claimsmith-session", "none");
    let page = fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(200);
    assert_eq!(state(&fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(303)), "s");
    assert_ne!(browser.cookie("claimsmith-session"), Some(session));
});

both!(a_page_that_took_too_long_begins_again, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("state", "slow")]).await.expect(200);
    server.clock.advance(std::time::Duration::from_hours(1));
    let again = fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(200);
    assert_ne!(csrf(&again), csrf(&page));
    assert_eq!(state(&fill_in(&browser, &again, "/sign-in", &FIELDS).await.expect(303)), "slow");
    // Once it is deleted, there is a page with a way on.
    let page = begin(&browser, &client, &[("prompt", "login")]).await.expect(200);
    server.clock.advance(std::time::Duration::from_hours(3));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    let lost = fill_in(&browser, &page, "/sign-in", &FIELDS).await.expect(400);
    assert_eq!(link(&lost, "/account"), "/account");
});

both!(a_resumed_interaction_that_is_over_has_a_way_on, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("state", "s")]).await.expect(200);
    let form =
        [("csrf", csrf(&page).as_str()), FIELDS[0], FIELDS[1]].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sent = browser.post("/sign-in", &form).await.expect(303);
    let resume = sent.header("location").unwrap().to_owned();
    assert_eq!(state(&browser.open(&resume).await.expect(303)), "s");
    // It gives one code; the page of the second time leads to another request.
    let over = browser.visit(&resume).await.expect(400);
    let html = over.body.as_str().unwrap();
    let again = html.split_once("again=true").unwrap().0.rsplit_once('"').unwrap().1;
    assert_eq!(state(&browser.open(&format!("{again}again=true")).await.expect(303)), "s");
    browser.open(&resume).await.expect(400).expect_oauth_error(400, "invalid_request");
});

both!(a_browser_without_an_interaction_goes_where_the_operator_wants_it, async |server: TestServer| {
    let wanted = json!({ "unknownSessionRedirectUrl": "https://app.example.com/start" });
    server.management().await.patch("/api/sign-in-exp", wanted).await.expect(200);
    let stranger = Browser::new(&server);
    for path in ["/sign-in", "/register", "/consent", "/sign-in?interaction=nobody"] {
        let sent = stranger.open(path).await.expect(303);
        assert_eq!(sent.header("location"), Some("https://app.example.com/start"), "{path}");
    }
    // One that has an interaction stays.
    let client = application(&server, false).await;
    begin(&stranger, &client, &[]).await.expect(200);
    assert_eq!(stranger.open("/sign-in").await.expect(200).header("location"), None);
});

both!(a_request_from_another_site_keeps_the_session, async |server: TestServer| {
    let client = application(&server, false).await;
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let query = request(&client, &[("state", "a b&c=ü")]);
    let form: Vec<(String, String)> =
        form_urlencoded::parse(query.split_once('?').unwrap().1.as_bytes()).into_owned().collect();
    for (name, value) in [("origin", "https://shop.example.com"), ("sec-fetch-site", "cross-site"), ("origin", "null")]
    {
        // A browser sends no cookies with the form, and those of the site with the redirect that follows.
        let sent = server.http.post(server.url("/oidc/auth")).form(&form).header(name, value);
        let sent = Answer::of(sent).await.expect(303);
        assert_eq!((page_of(&sent).as_str(), sent.headers.get("set-cookie")), ("/oidc/auth", None), "{name}");
        let answer = browser.open(sent.header("location").unwrap()).await.expect(303);
        assert_eq!(state(&answer), "a b&c=ü");
    }
    // A program, and a request that is too long for an address, are answered as they are.
    let answer = browser.post("/oidc/auth", &form).await.expect(303);
    assert_eq!(state(&answer), "a b&c=ü");
    let mut long = form.clone();
    long.push(("extra".to_owned(), "x".repeat(20_000)));
    let sent = server.http.post(server.url("/oidc/auth")).form(&long).header("sec-fetch-site", "cross-site");
    assert_eq!(page_of(&Answer::of(sent).await.expect(303)), "/sign-in");
    // What is wrong with it is said by the request that follows.
    let sent = server.http.post(server.url("/oidc/auth")).form(&[("client_id", "nobody")]);
    let sent = Answer::of(sent.header("sec-fetch-site", "cross-site")).await.expect(303);
    browser.open(sent.header("location").unwrap()).await.expect(400);
});
