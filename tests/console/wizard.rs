//! The wizard for applications over HTTP: each framework leads to a complete program, choosers offer only APIs that an
//! application can get tokens for, and the code for protected APIs.

use claimsmith_domain::console::ConsoleRole::{Admin, Read};
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{Answer, Browser, Home, TestServer, both};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const NEW: &str = "/console/applications/new";
const ORDERS: &str = "https://orders.example.com";

/// The text of HTML.
fn text(html: &str) -> String {
    let mut text = html.to_owned();
    for (reference, letter) in [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")] {
        text = text.replace(reference, letter);
    }
    text
}

/// The contents of what a pattern with one group finds on a page.
fn all(page: &Answer, pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(page.html()).map(|found| text(&found[1])).collect()
}

/// The files of the program on a page.
fn files(page: &Answer) -> BTreeMap<String, String> {
    let pattern = Regex::new(r#"(?s)data-file="([^"]*)"><code>(.*?)</code>"#).unwrap();
    pattern.captures_iter(page.html()).map(|found| (text(&found[1]), text(&found[2]))).collect()
}

/// The values of the choices of a select field.
fn options(page: &Answer, name: &str) -> Vec<String> {
    let pattern = Regex::new(&format!(r#"(?s)<select[^>]* name="{}".*?</select>"#, regex::escape(name))).unwrap();
    let field = pattern.find(page.html()).map_or("", |found| found.as_str());
    let value = Regex::new(r#"<option value="([^"]*)""#).unwrap();
    value.captures_iter(field).map(|found| text(&found[1])).collect()
}

fn field(page: &Answer, name: &str) -> String {
    let pattern = format!(r#"(?s)<textarea[^>]* name="{name}"[^>]*>\s*(.*?)</textarea>"#);
    all(page, &pattern).pop().unwrap_or_default()
}

/// The last segment but one of the links to the quickstart: the id of the application.
fn application_of(page: &Answer) -> String {
    all(page, "/console/applications/([^/\"]+)/guide").pop().unwrap()
}

/// An administrator's browser, and the server's API with the scopes `orders:read` and `orders:write`.
async fn with_orders(server: &TestServer) -> Browser {
    server.add_resource(new_resource(ORDERS), &["orders:read", "orders:write"]).await;
    server.operator("ada", &[Admin]).await;
    server.at_console("ada").await
}

both!(each_framework_leads_to_a_program_with_its_values_in_one_file, async |server: TestServer| {
    let browser = with_orders(&server).await;
    let first = browser.visit(NEW).await.expect(200);
    let offered = all(&first, r#"name="with" value="([^"]+)""#);
    assert!(offered.len() > 15, "{offered:?}");
    for with in offered {
        let details = browser.visit(&format!("{NEW}?with={with}")).await.expect(200);
        let kind = details.hidden("type");
        let (redirects, after) = (field(&details, "redirectUris"), field(&details, "postLogoutRedirectUris"));
        // At another port than the suggested one.
        let [redirects, after] = [redirects, after]
            .map(|uris| uris.replace(":3000/", ":8123/").replace(":5173/", ":8123/").replace(":4200/", ":8123/"));
        let name = format!("{with} <b>&'\"");
        let is_ticked = |name: &str| details.html().contains(&format!("name=\"{name}\" value=\"true\" checked"));
        let (ticked, takes_es256) = (is_ticked("nameInIdTokens"), is_ticked("es256IdTokens"));
        let [named, es256] = [ticked, takes_es256].map(|ticked| if ticked { "true" } else { "" });
        let fields = [
            ("type", &*kind),
            ("with", &*details.hidden("with")),
            ("name", &*name),
            ("redirectUris", &*redirects),
            ("postLogoutRedirectUris", &*after),
            ("nameInIdTokens", named),
            ("es256IdTokens", es256),
            ("resource", ORDERS),
        ];
        let made = browser.fill_in(&details, NEW, &fields).await.expect(200);
        assert!(!made.html().contains("<b>&'"), "{with}");
        let id = application_of(&made);
        let files = files(&made);
        let environment_file = if files.contains_key(".env") { ".env" } else { "src/environment.json" };
        let environment = &files[environment_file];
        let values = [&*id, &format!("{}/oidc", server.report.base_url), ORDERS, "orders:read", "orders:write"];
        for value in values {
            assert!(environment.contains(value), "{with}: {value} {environment}");
        }
        assert!(!environment.contains("{{"), "{with}: {environment}");
        let secret = all(&made, r#"(?s)aria-labelledby="secret".*?<code>([^<]+)</code>"#).pop();
        let is_confidential = kind == "Traditional" || kind == "MachineToMachine";
        assert_eq!(secret.is_some(), is_confidential, "{with}");
        for (path, code) in &files {
            let has_secret = secret.as_ref().is_some_and(|secret| code.contains(secret.as_str()));
            assert_eq!(has_secret, is_confidential && path == environment_file, "{with}: {path}");
            assert!(path == environment_file || !code.contains(&id), "{with}: {path}");
        }
        let application = server.management().await.get(&format!("/api/applications/{id}")).await.expect(200);
        let metadata = &application["oidcClientMetadata"];
        let custom = &application["customClientMetadata"];
        assert_eq!(application["type"], kind, "{with}");
        assert_eq!(metadata["redirectUris"], json!(redirects.lines().collect::<Vec<_>>()), "{with}");
        assert_eq!(metadata["postLogoutRedirectUris"], json!(after.lines().collect::<Vec<_>>()), "{with}");
        if !redirects.is_empty() {
            // A command line chooses its port when it starts.
            assert!(with == "python-cli" || environment.contains(redirects.trim()), "{with}: {environment}");
            let expected = if ticked { json!(["email", "profile"]) } else { Value::Null };
            let mut claims = custom["idTokenClaims"].clone();
            if let Some(claims) = claims.as_array_mut() {
                claims.sort_by_key(Value::to_string);
            }
            assert_eq!(claims, expected, "{with}");
        }
        let algorithm = if takes_es256 { json!("ES256") } else { Value::Null };
        assert_eq!(custom["idTokenSignedResponseAlg"], algorithm, "{with}");
        assert_eq!(takes_es256, ticked && !["spring", "rust"].contains(&&*with), "{with}");
        assert_eq!(custom["isDeviceFlow"] == true, with == "device");
        // Later, the same page has no secret, and another API can be chosen.
        let later = browser.visit(&format!("/console/applications/{id}/guide?with={with}")).await.expect(200);
        assert!(secret.is_none_or(|secret| !later.html().contains(&secret)), "{with}");
        assert!(options(&later, "resource").contains(&ORDERS.to_owned()), "{with}");
        assert_eq!(later.html().contains("aria-label=\"Missing\""), named.is_empty() && kind != "MachineToMachine");
    }
});

/// Looks at every chooser of an API, where the Management API has this indicator.
async fn look_at_choosers(server: &TestServer, management_api: &str) {
    let browser = with_orders(server).await;
    let base = &server.report.base_url;
    let own = [format!("{base}/console"), management_api.to_owned()];
    let management = server.management().await;
    let create = async |kind: &str| {
        let body = json!({ "name": kind, "type": kind });
        management.post("/api/applications", body).await.expect(200).text("id")
    };
    let (web, machine) = (create("Traditional").await, create("MachineToMachine").await);
    let callback = json!([format!("{base}/console/applications/{web}/try/callback")]);
    let change = json!({ "oidcClientMetadata": { "redirectUris": callback, "postLogoutRedirectUris": [] } });
    management.patch(&format!("/api/applications/{web}"), change).await.expect(200);
    for path in [
        format!("{NEW}?with=express"),
        format!("/console/applications/{web}/guide"),
        format!("/console/applications/{web}/try"),
        format!("/console/applications/{web}/token-preview"),
        "/console/plugins/new".to_owned(),
    ] {
        let page = browser.visit(&path).await.expect(200);
        let name = if path.contains("plugins") { "try.resource" } else { "resource" };
        let choices = options(&page, name);
        assert!(choices.contains(&ORDERS.to_owned()), "{path}: {choices:?}");
        assert!(!choices.iter().any(|choice| own.contains(choice)), "{path}: {choices:?}");
    }
    // Machines get tokens for the Management API as well, but it is not the first choice.
    for page in ["guide", "try", "token-preview"] {
        let path = format!("/console/applications/{machine}/{page}");
        let choices = options(&browser.visit(&path).await.expect(200), "resource");
        assert_eq!(choices.last().map(String::as_str), Some(management_api), "{path}: {choices:?}");
        assert!(choices.len() > 1 && !choices.contains(&own[0]), "{path}: {choices:?}");
    }
}

both!(no_chooser_offers_an_api_that_an_application_does_not_get, async |server: TestServer| {
    look_at_choosers(&server, &format!("{}/api", server.report.base_url)).await;
});

both!(the_management_api_may_have_another_indicator, async |home: Arc<Home>| {
    let indicator = "urn:example:management";
    let server = TestServer::start(&home, &[("CLAIMSMITH_MANAGEMENT_RESOURCE", indicator)]).await.unwrap();
    look_at_choosers(&server, indicator).await;
    server.stop().await;
});

both!(what_is_wrong_is_said_and_what_was_typed_stays, async |server: TestServer| {
    let browser = with_orders(&server).await;
    let details = browser.visit(&format!("{NEW}?with=express")).await.expect(200);
    let count = async || {
        let listed = server.management().await.get("/api/applications").await.expect(200);
        listed.body.as_array().unwrap().len()
    };
    let before = count().await;
    let hostile = "\"><script>alert(1)</script>";
    let long = "x".repeat(300);
    for (name, uri) in [
        ("", "http://localhost:3000/callback"),
        (&*long, "http://localhost:3000/callback"),
        (hostile, "https://shop.example.com/#fragment"),
        ("Shop", "https://*.example.com/"),
        ("Shop", hostile),
    ] {
        let fields =
            [("type", "Traditional"), ("with", "express"), ("name", name), ("redirectUris", uri), ("resource", ORDERS)];
        let refused = browser.fill_in(&details, NEW, &fields).await.expect(422);
        assert!(refused.html().contains("role=\"alert\""), "{name} {uri}");
        assert!(!refused.html().contains("<script>alert"), "{name} {uri}");
        assert_eq!(field(&refused, "redirectUris"), uri);
        assert_eq!(refused.hidden("with"), "express");
        assert!(refused.html().contains(&format!("value=\"{ORDERS}\" selected")), "{name} {uri}");
    }
    assert_eq!(count().await, before);
    // Unknown choices lead to the first step, and one of another type is ignored.
    for unknown in ["?with=cobol", "?with=%3Cscript%3E", "?type=", "?type=Unknown"] {
        let page = browser.visit(&format!("{NEW}{unknown}")).await.expect(200);
        assert!(page.html().contains("name=\"with\" value=\"express\""), "{unknown}");
    }
    let other = [("type", "SPA"), ("with", "curl"), ("name", "Shop"), ("resource", "https://nowhere.example.com")];
    let made = browser.fill_in(&details, NEW, &other).await.expect(200);
    let environment = &files(&made)[".env"];
    assert!(environment.contains("VITE_CLIENT_ID") && !environment.contains("nowhere"), "{environment}");
    let id = application_of(&made);
    let guide = browser.visit(&format!("/console/applications/{id}/guide?with=curl&resource=x")).await.expect(200);
    // Its redirect URI is not registered: the page says so.
    assert!(guide.html().contains("aria-label=\"Missing\""), "{}", guide.body);
});

both!(without_an_api_the_quickstart_says_how_to_get_one, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_DEMO", "false")]).await.unwrap();
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let details = browser.visit(&format!("{NEW}?with=flask")).await.expect(200);
    assert!(options(&details, "resource").is_empty(), "{}", details.body);
    let fields = [("type", "Traditional"), ("with", "flask"), ("name", "Shop")];
    let made = browser.fill_in(&details, NEW, &fields).await.expect(200);
    assert!(files(&made)[".env"].contains("RESOURCE=''\nAPI_URL=''"), "{}", made.body);
    assert!(made.html().contains("/console/resources/create"), "{}", made.body);
    server.stop().await;
});

both!(an_api_has_code_in_each_language, async |server: TestServer| {
    let browser = with_orders(&server).await;
    server.operator("reed", &[Read]).await;
    let reader = server.at_console("reed").await;
    let management = server.management().await;
    let resources = management.get("/api/resources").await.expect(200);
    let id_of = |indicator: &str| {
        let listed = resources.body.as_array().unwrap();
        listed.iter().find(|one| one["indicator"] == indicator).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let path = format!("/console/resources/{}/protect", id_of(ORDERS));
    let page = browser.visit(&path).await.expect(200);
    let languages = all(&page, r#"/protect\?with=([a-z]+)""#);
    assert_eq!(languages, ["node", "python", "go", "java", "rust"]);
    for language in &languages {
        let page = reader.visit(&format!("{path}?with={language}")).await.expect(200);
        let files = files(&page);
        let environment = &files[".env"];
        for value in [&*format!("{}/oidc/jwks", server.report.base_url), ORDERS, "orders:", "4000"] {
            assert!(environment.contains(value), "{language}: {value} {environment}");
        }
        assert!(files.len() > 1 && !environment.contains("{{"), "{language}: {environment}");
    }
    // Another language than these is the first one.
    let unknown = browser.visit(&format!("{path}?with=%22%3E")).await.expect(200);
    assert_eq!(files(&unknown), files(&page));
    let settings = browser.visit(path.trim_end_matches("/protect")).await.expect(200);
    assert!(settings.html().contains(&path), "{}", settings.body);
    // The server's own APIs protect themselves.
    for own in ["api", "console"] {
        let id = id_of(&format!("{}/{own}", server.report.base_url));
        browser.visit(&format!("/console/resources/{id}/protect")).await.expect(404);
        let page = browser.visit(&format!("/console/resources/{id}")).await.expect(200);
        assert!(!page.html().contains("/protect"), "{own}");
    }
    browser.visit("/console/resources/nothing/protect").await.expect(404);
});
