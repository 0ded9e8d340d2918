//! The files of pages: kept for good, typed, small; the operator's colours and rules.

use crate::sign_in::{PASSWORD, application, begin, csrf, fill_in, give_password};
use crate::{browse, html, style_sheets, values};
use claimsmith_test_support::{Browser, TestServer, both, told};
use serde_json::json;

/// The most bytes of a page with its style sheets, as they are sent.
const MAX_PAGE_BYTES: usize = 30 * 1024;
/// The most bytes of the style sheet, as it is written.
const MAX_STYLE_SHEET_BYTES: usize = 14 * 1024;
/// What is smaller is sent as it is, such as the colours of the operator.
const MIN_COMPRESSED_BYTES: usize = 256;

both!(files_are_kept_for_good, async |server: TestServer| {
    let answer = browse(&server, "/").await.expect(200);
    let files: Vec<&str> =
        values(html(&answer), "href").into_iter().filter(|path| path.starts_with("/assets/")).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    for path in files {
        let file = server.get(path).await.expect(200);
        let (start, extension) = (path.split_once('.').unwrap().0, path.rsplit_once('.').unwrap().1);
        let kind = if extension == "css" { "text/css; charset=utf-8" } else { "image/svg+xml" };
        assert_eq!(file.header("content-type"), Some(kind), "{path}");
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"), "{path}");
        // The name that another version gives it, while nodes are updated one after the other.
        let other = server.get(&format!("{start}.000000000000.{extension}")).await.expect(200);
        assert_eq!(other.header("cache-control"), Some("no-cache"), "{path}");
        assert_eq!(other.body, file.body, "{path}");
    }
    for path in
        ["pages.css", "x.0.css", "pages.0.js", "brand-4f46e.0.css", "brand-.0.css", "a.b.c.d", "..%2fpages.0.css"]
    {
        server.get(&format!("/assets/{path}")).await.expect(404);
    }
});

both!(colours_follow_the_settings, async |server: TestServer| {
    let management = server.management().await;
    let brand = async || {
        let path = style_sheets(html(&browse(&server, "/").await))[1].clone();
        let css = server.get(&path).await.expect(200);
        assert_eq!(css.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
        (path, css.body.as_str().unwrap().to_owned())
    };
    let (path, css) = brand().await;
    assert!(css.contains("--accent:light-dark(#4f46e5,") && css.contains("color-scheme:light;"), "{css}");
    let color = json!({ "color": {
        "primaryColor": "#0055AA", "isDarkModeEnabled": true, "darkPrimaryColor": "#66aaff"
    } });
    management.patch("/api/sign-in-exp", color).await.expect(200);
    let (changed, css) = brand().await;
    assert_ne!(path, changed);
    assert!(css.contains("--accent:light-dark(#0055aa,#66aaff)") && css.contains("color-scheme:light dark;"), "{css}");
    // A page that is still open has the colours that it came with.
    assert!(server.get(&path).await.expect(200).body.as_str().unwrap().contains("#4f46e5"));
});

both!(the_operators_rules_are_a_file_behind_the_others, async |server: TestServer| {
    let management = server.management().await;
    assert_eq!(style_sheets(html(&browse(&server, "/").await)).len(), 2);
    let rules = ".title { color: red } </style><script>";
    management.patch("/api/sign-in-exp", json!({ "customCss": rules })).await.expect(200);
    let answer = browse(&server, "/").await;
    let page = html(&answer);
    assert!(!page.contains("color: red"));
    let path = style_sheets(page)[2].clone();
    let file = server.get(&path).await.expect(200);
    assert_eq!(file.body, rules);
    assert_eq!(file.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(file.header("cache-control").unwrap().contains("immutable"));
    management.patch("/api/sign-in-exp", json!({ "customCss": "a{}" })).await.expect(200);
    let stale = server.get(&path).await.expect(200);
    assert_eq!((stale.body.as_str(), stale.header("cache-control")), (Some("a{}"), Some("no-cache")));
    let organization = json!({ "name": "Zoo", "customCss": "zoo{}" });
    let zoo = management.post("/api/organizations", organization).await.expect(201).text("id");
    assert_eq!(server.get(&format!("{path}?organization={zoo}")).await.expect(200).body, "zoo{}");
});

both!(a_page_with_custom_css_has_its_secrets_where_no_selector_reads_them, async |server: TestServer| {
    give_password(&server).await;
    let management = server.management().await;
    let look = json!({ "customCss": "a{}", "branding": { "logoUrl": "https://evil.test/logo.png?a=1" } });
    management.patch("/api/sign-in-exp", look).await.expect(200);
    let (browser, client) = (Browser::new(&server), application(&server, true).await);
    let page = begin(&browser, &client, &[]).await.expect(200);
    // One picture of that host, and no other.
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("img-src 'self' data: https://evil.test/logo.png;"), "{policy}");
    let secret = csrf(&page);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let consent = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    for page in [&page, &consent] {
        assert_eq!(style_sheets(html(page)).len(), 3);
        assert!(!html(page).contains("name=\"csrf\" value") && !html(page).contains(&format!("\"{secret}\"")));
    }
    assert!(html(&consent).contains("page-consent"), "{}", consent.body);
    let answer = fill_in(&browser, &consent, "/consent", &[("decision", "allow")]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    // An invitation has its token in an attribute, and the style sheets of the server alone.
    let invitation = browser.open("/invitation?id=nobody&token=secret").await;
    assert!(style_sheets(html(&invitation)).len() == 2, "{invitation:?}");
});

both!(a_page_is_small, async |server: TestServer| {
    let sent = async |path: &str| {
        let request = server.http.get(server.url(path)).header("accept-encoding", "gzip").header("accept", "text/html");
        let response = request.send().await.unwrap();
        let is_compressed = response.headers().get("content-encoding").is_some_and(|coding| coding == "gzip");
        let bytes = response.bytes().await.unwrap().len();
        assert!(is_compressed || bytes < MIN_COMPRESSED_BYTES, "{path}: {bytes}");
        bytes
    };
    for page in ["/", "/signed-out", "/nothing"] {
        let answer = browse(&server, page).await;
        let mut bytes = sent(page).await;
        for path in style_sheets(html(&answer)) {
            bytes += sent(&path).await;
        }
        assert!(bytes <= MAX_PAGE_BYTES, "{page}: {bytes}");
    }
    let css = server.get(&style_sheets(html(&browse(&server, "/").await))[0]).await;
    let bytes = css.body.as_str().unwrap().len();
    assert!(bytes <= MAX_STYLE_SHEET_BYTES, "{bytes}");
});

both!(the_pages_of_a_sign_in_for_an_organization_look_like_it, async |server: TestServer| {
    let management = server.management().await;
    let client = application(&server, false).await;
    let look = json!({ "name": "Zoo", "customCss": "zoo{}", "color": {
        "primaryColor": "#aa0055", "isDarkModeEnabled": false, "darkPrimaryColor": "#ff66aa"
    } });
    let zoo = management.post("/api/organizations", look).await.expect(201).text("id");
    let sheets = async |more: &[(&str, &str)]| {
        let page = begin(&Browser::new(&server), &client, more).await.expect(200);
        let mut sheets = String::new();
        for path in style_sheets(html(&page)) {
            sheets += server.get(&path).await.expect(200).body.as_str().unwrap();
        }
        sheets
    };
    let own = sheets(&[("organization_id", &zoo)]).await;
    assert!(own.contains("#aa0055") && own.contains("zoo{}"), "{own}");
    for more in [&[][..], &[("organization_id", "nobody")]] {
        let common = sheets(more).await;
        assert!(!common.contains("#aa0055") && !common.contains("zoo{}"), "{common}");
    }
});
