//! A server whose base URL has a path, behind a proxy that strips it: every link, redirect, cookie and document leads
//! below the path (`docs/operating.md`). The browser of these tests takes the base URL off, as such a proxy does.

use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Answer, Browser, CONSOLE_PASSWORD, Home, TestServer, both};
use reqwest::Method;
use reqwest::header::{ACCEPT, SET_COOKIE};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use url::Url;

const BASE: &str = "http://localhost:4405/auth";
/// The attributes of pages that have a URL.
const ATTRIBUTES: [&str; 9] =
    ["href", "src", "srcset", "action", "formaction", "data-live", "data-live-link", "data-options", "data-captcha"];
/// The most pages that are looked at.
const MAX_PAGES: usize = 500;

async fn server(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_BASE_URL", BASE)]).await.unwrap()
}

/// The path of this server that a URL on a page leads to, without the base; none for other servers. A URL of this host
/// that is not below the base is an error.
fn own_path(page: &Url, url: &str) -> Option<String> {
    let url = url.replace("&#38;", "&").replace("&amp;", "&");
    let target = page.join(&url).unwrap();
    if target.origin() != page.origin() {
        return None;
    }
    let rest = target.as_str().strip_prefix(BASE);
    let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
    Some(rest.unwrap_or_else(|| panic!("{page} leads to {url}, which is not below {BASE}")).to_owned())
}

/// All URLs on a page.
fn urls(html: &str) -> Vec<(&'static str, &str)> {
    let of = |name: &'static str| {
        let parts = html.split(name).skip(1).filter_map(|rest| rest.strip_prefix("=\"")?.split_once('"'));
        parts.map(move |(value, _)| (name, value)).filter(|(_, value)| !value.is_empty() && !value.starts_with("data:"))
    };
    ATTRIBUTES.into_iter().flat_map(of).collect()
}

fn check_cookies(answer: &Answer) {
    for set in answer.headers.get_all(SET_COOKIE) {
        let text = set.to_str().unwrap();
        let path = text.split(';').find_map(|part| part.trim().strip_prefix("Path=")).unwrap();
        assert!(path == "/" || path.starts_with("/auth/"), "{text}");
    }
}

/// Looks at all pages that can be reached from these; answers their paths.
async fn crawl(browser: &Browser, starts: &[&str]) -> BTreeSet<String> {
    let mut waiting: VecDeque<String> = starts.iter().map(|path| (*path).to_owned()).collect();
    let mut seen = BTreeSet::new();
    while let Some(path) = waiting.pop_front() {
        let path = path.split('#').next().unwrap().to_owned();
        let plain = path.split('?').next().unwrap();
        let is_long = plain.contains("/tail") || plain.ends_with("/events") || plain.ends_with("/export");
        if seen.len() == MAX_PAGES || is_long || !seen.insert(path.clone()) {
            continue;
        }
        let answer = browser.visit(&path).await;
        assert!(answer.status < 500, "{path}: {} {:#}", answer.status, answer.body);
        check_cookies(&answer);
        let page = Url::parse(&format!("{BASE}{path}")).unwrap();
        if let Some(location) = answer.header("location") {
            waiting.extend(own_path(&page, location));
            continue;
        }
        if !answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            continue;
        }
        let html = answer.body.as_str().unwrap_or_default().to_owned();
        for (name, url) in urls(&html) {
            let Some(target) = own_path(&page, url.split(' ').next().unwrap()) else { continue };
            // Forms are only looked at.
            if matches!(name, "href" | "src") {
                waiting.push_back(target);
            }
        }
    }
    seen
}

both!(every_link_of_every_page_leads_below_the_path, async |home: Arc<Home>| {
    let server = server(&home).await;
    let browser = Browser::new(&server);
    let welcome = browser.visit("/").await.expect(200);
    let links = urls(welcome.body.as_str().unwrap());
    assert!(links.iter().any(|(_, url)| url.starts_with("/auth/")), "{links:?}");
    let reached = crawl(&browser, &["/", "/account", "/console", "/demo", "/device", "/signed-out", "/nothing"]).await;
    let has = |seen: &BTreeSet<String>, start: &str| seen.iter().any(|path| path.starts_with(start));
    for start in ["/sign-in?", "/assets/", "/oidc/auth", "/demo", "/device"] {
        assert!(has(&reached, start), "{start}: {reached:?}");
    }

    server.operator("olga", &[ConsoleRole::Admin]).await;
    let browser = server.at_console("olga").await;
    let reached = crawl(&browser, &["/console", "/account"]).await;
    for start in [
        "/console/users/",
        "/console/applications/",
        "/console/plugins/",
        "/console/webhooks/new",
        "/console/sign-in-experience/preview",
        "/console/assets/",
        "/api/docs",
    ] {
        assert!(has(&reached, start), "{start}: {reached:?}");
    }
    // What scripts fetch.
    let found = browser.request(Method::GET, "/console/search?q=plug").header(ACCEPT, "application/json");
    let found = browser.send(found).await.expect(200).body;
    let paths: Vec<&str> = found.as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert!(!paths.is_empty() && paths.iter().all(|path| path.starts_with("/auth/console")), "{paths:?}");
});

both!(forms_and_documents_lead_below_the_path, async |home: Arc<Home>| {
    let server = server(&home).await;
    server.operator("olga", &[ConsoleRole::Admin]).await;
    // Through the sign-in, back to the page that was asked for.
    let browser = Browser::new(&server);
    let page = browser.sign_in_at("/console/organizations/create", "olga", CONSOLE_PASSWORD).await.expect(200);
    let created = browser.fill_in(&page, "/console/organizations/create", &[("name", "Zoo")]).await.expect(303);
    let location = created.header("location").unwrap();
    assert!(location.starts_with("/auth/console/organizations/"), "{location}");
    browser.visit(&format!("http://localhost:4405{location}")).await.expect(200);

    let management = server.management().await;
    let receiver = management.post("/api/hook-receivers", json!({})).await.expect(201).text("url");
    assert!(receiver.starts_with(&format!("{BASE}/hook-receivers/")), "{receiver}");
    let page = management.get("/api/users?page_size=1").await.expect(200);
    assert!(page.header("link").unwrap().contains(&format!("<{BASE}/api/users?")), "{:?}", page.header("link"));
    for path in ["/oidc/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/oidc"] {
        let metadata = server.get(path).await.expect(200).body;
        assert_eq!(metadata["issuer"], format!("{BASE}/oidc"));
        let members = metadata.as_object().unwrap();
        let urls = members.iter().filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri");
        let urls: Vec<&Value> = urls.map(|(_, url)| url).collect();
        assert!(urls.len() > 6 && urls.iter().all(|url| url.as_str().unwrap().starts_with(BASE)), "{urls:?}");
    }
});
