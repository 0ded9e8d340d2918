//! Setting an application up for impersonation at the console: its endpoint with what is refused said at the field, the
//! code of the endpoint, and a test that says in words what came back.

use claimsmith_domain::console::ConsoleRole::{Admin, Developer, Read, Support};
use claimsmith_domain::id::ApplicationId;
use claimsmith_test_support::{Answer, Browser, Form, TestServer, both, until};
use serde_json::{Value, json};
use std::process::Command;
use std::time::Duration;

const ENDPOINT: &str = "https://desk.example.com/impersonate";
const CALLBACK: &str = "https://desk.example.com/impersonate/callback";

/// An application that is not set up for it; answers its id.
async fn desk(server: &TestServer) -> ApplicationId {
    let oidc = json!({ "redirectUris": ["https://desk.example.com/callback"], "postLogoutRedirectUris": [] });
    let body = json!({ "name": "Desk", "type": "SPA", "oidcClientMetadata": oidc });
    server.management().await.post("/api/applications", body).await.expect(200).text("id").into()
}

fn page_of(id: &str) -> String {
    format!("/console/applications/{id}/impersonation")
}

async fn metadata(server: &TestServer, id: &str) -> (Value, Value) {
    let application = server.management().await.get(&format!("/api/applications/{id}")).await.expect(200).body;
    (application["customClientMetadata"].clone(), application["oidcClientMetadata"]["redirectUris"].clone())
}

/// What stands at the field of the URI.
fn at_field(page: &Answer) -> String {
    let (_, rest) = page.html().split_once("id=\"impersonationUri-problem\"").unwrap();
    let (_, text) = rest.split_once('>').unwrap();
    text.split_once('<').unwrap().0.to_owned()
}

/// What is said of any other URI.
const EXPECTED: &str = "Expected an https URL, or http on a loopback address, without user and fragment.";

both!(a_developer_sets_an_application_up, async |server: TestServer| {
    server.operator("dave", &[Developer]).await;
    let id = desk(&server).await;
    let browser = server.at_console("dave").await;
    let path = page_of(&id);
    let page = browser.visit(&path).await.expect(200);
    let html = page.html();
    assert!(html.contains("Enter the URL of the endpoint.") && !html.contains("Test it"), "{html}");
    assert!(html.contains("name=\"allowTokenExchange\" value=\"true\" checked"), "{html}");
    let before = metadata(&server, &id).await;
    let long = format!("https://desk.example.com/{}", "x".repeat(2048));
    for (uri, word) in [
        ("desk.example.com/impersonate", EXPECTED),
        ("http://desk.example.com/impersonate", EXPECTED),
        ("https://desk.example.com/impersonate#now", EXPECTED),
        ("https://me:secret@desk.example.com/", EXPECTED),
        ("javascript:alert(1)", EXPECTED),
        ("\"><script>alert(1)</script>", EXPECTED),
        (&long, "long"),
    ] {
        let fields = [("impersonationUri", uri), ("allowTokenExchange", "true"), ("callback", "true")];
        let refused = browser.fill_in(&page, &path, &fields).await.expect(422);
        assert!(at_field(&refused).contains(word), "{uri}: {}", at_field(&refused));
        assert!(refused.html().contains("aria-invalid=\"true\"") && !refused.html().contains("<script>alert"), "{uri}");
        assert_eq!(metadata(&server, &id).await, before, "{uri}");
    }
    let fields = [("impersonationUri", ENDPOINT), ("allowTokenExchange", "true"), ("callback", "true")];
    let saved = browser.follow(browser.fill_in(&page, &path, &fields).await.expect(303)).await.expect(200);
    assert!(saved.html().contains("Saved.") && saved.html().contains("Ready."), "{}", saved.body);
    let custom = json!({ "allowTokenExchange": true, "impersonationUri": ENDPOINT });
    let uris = json!(["https://desk.example.com/callback", CALLBACK]);
    assert_eq!(metadata(&server, &id).await, (custom.clone(), uris.clone()));
    // Saving it again changes nothing, and the settings of the application keep it.
    browser.fill_in(&saved, &path, &fields).await.expect(303);
    assert_eq!(metadata(&server, &id).await, (custom, uris));
    // On this machine http will do. The redirect URI follows; an empty field turns it off.
    let local =
        [("impersonationUri", "http://localhost:3000/in"), ("allowTokenExchange", "true"), ("callback", "true")];
    browser.fill_in(&saved, &path, &local).await.expect(303);
    let moved = json!(["https://desk.example.com/callback", "http://localhost:3000/in/callback"]);
    assert_eq!(metadata(&server, &id).await.1, moved);
    browser.fill_in(&saved, &path, &[("impersonationUri", ""), ("callback", "true")]).await.expect(303);
    assert_eq!(metadata(&server, &id).await, (json!({ "allowTokenExchange": true }), before.1));
    // Without an endpoint, nothing is allowed.
    let other = desk(&server).await;
    let ticked = [("impersonationUri", ""), ("allowTokenExchange", "true"), ("callback", "true")];
    browser.fill_in(&saved, &page_of(&other), &ticked).await.expect(303);
    assert_eq!(metadata(&server, &other).await.0, json!({}));
});

both!(only_those_who_change_applications_set_it_up, async |server: TestServer| {
    let id = desk(&server).await;
    let path = page_of(&id);
    let test = format!("{path}/test");
    let fields = [("impersonationUri", ENDPOINT), ("allowTokenExchange", "true")];
    for (name, role) in [("rita", Read), ("sue", Support)] {
        server.operator(name, &[role]).await;
        let browser = server.at_console(name).await;
        let page = browser.visit(&path).await.expect(200);
        assert!(!page.html().contains("Save</button>"), "{name}: {}", page.body);
        browser.fill_in(&page, &path, &fields).await.expect(403);
        browser.fill_in(&page, &test, &[]).await.expect(403);
    }
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit(&path).await.expect(200);
    browser.submit(&path, &fields).await.expect(403);
    browser.fill_in(&page, &test, &[]).await.expect(422);
    server.clock.advance(Duration::from_mins(11));
    browser.fill_in(&page, &path, &fields).await.expect(403);
    assert_eq!(metadata(&server, &id).await.0, json!({}));
    // Applications of others, machines and the server's own take nobody over.
    let management = server.management().await;
    let third = json!({ "name": "Theirs", "type": "SPA", "isThirdParty": true });
    let machine = json!({ "name": "Job", "type": "MachineToMachine" });
    let mut others = vec!["claimsmith-console".to_owned()];
    for body in [third, machine] {
        others.push(management.post("/api/applications", body).await.expect(200).text("id"));
    }
    for id in others {
        let page = browser.visit(&page_of(&id)).await.expect(200);
        assert!(page.html().contains("Not with this application"), "{id}: {}", page.body);
    }
});

both!(where_nothing_is_set_up_it_is_said_how, async |server: TestServer| {
    let management = server.management().await;
    let demo = format!("/api/applications/{}", server.demo().spa_client_id);
    let none = json!({ "customClientMetadata": { "impersonationUri": null } });
    management.patch(&demo, none).await.expect(200);
    let id = desk(&server).await;
    let begin = format!("/console/users/{}/impersonate", server.demo().customer_user_id);
    for (name, role) in [("sue", Support), ("ada", Admin)] {
        server.operator(name, &[role]).await;
        let page = server.at_console(name).await.visit(&begin).await.expect(200);
        assert!(page.html().contains(&format!("href=\"{}\"", page_of(&id))), "{name}: {}", page.body);
        let is_told = page.html().contains("Developers and administrators can change apps.");
        assert_eq!(is_told, name == "sue", "{name}: {}", page.body);
    }
});

/// The exchange that the application attempts with what the console handed it.
fn attempt(server: &TestServer, handed: &Answer, id: &ApplicationId) -> Form {
    let form = server.exchange(&handed.hidden("subject_token")).with("client_id", id);
    form.with("subject_token_type", &handed.hidden("subject_token_type"))
}

/// What the page says of the test, once it says something else than that nothing arrived.
async fn outcome(browser: &Browser, path: &str) -> String {
    until("the refusal is in the audit log", async || {
        let page = browser.visit(path).await.expect(200);
        let (_, rest) = page.html().split_once("id=\"outcome\"").unwrap();
        let text = rest.split_once("class=\"actions\"").unwrap().0.to_owned();
        (!text.contains("Nothing arrived")).then_some(text)
    })
    .await
}

both!(a_test_says_what_came_back, async |server: TestServer| {
    server.operator("dave", &[Developer]).await;
    let id = desk(&server).await;
    let browser = server.at_console("dave").await;
    let path = page_of(&id);
    let page = browser.visit(&path).await.expect(200);
    let fields = [("impersonationUri", ENDPOINT), ("allowTokenExchange", "true")];
    browser.fill_in(&page, &path, &fields).await.expect(303);
    let engineer = &server.demo().engineer_user_id;
    let own = server.mint(engineer, &id, "openid").await;
    let without_openid = server.mint(engineer, &id, "profile").await;
    let foreign = server.mint(engineer, &server.demo().spa_client_id, "openid").await;
    for (change, title) in [
        (&(|form: Form| form) as &dyn Fn(Form) -> Form, "It works without an actor"),
        (&|form: Form| form.actor(&own), "It works"),
        (&|form: Form| form.actor(&without_openid), "lacks openid"),
        (&|form: Form| form.actor(&foreign), "was not accepted"),
        (&|form: Form| form.actor("nothing"), "was not accepted"),
        (&|form: Form| form.actor(&own).with("resource", "https://nothing.test"), "Another API"),
        (&|form: Form| form.actor(&own).without("resource"), "Another API"),
        (&|form: Form| form.actor(&own).with("subject_token", "sub_else"), "Another subject token"),
        (&|form: Form| form.actor(&own).without("subject_token"), "The request was refused"),
        (&|form: Form| form.actor(&own).with("client_id", "nobody"), "The client was not accepted"),
    ] {
        server.clock.advance(Duration::from_secs(1));
        let page = browser.visit(&path).await.expect(200);
        let (_, link) = page.html().split_once("after=").unwrap();
        let link = format!("{path}?after={}", link.split_once('#').unwrap().0);
        assert!(browser.visit(&link).await.expect(200).html().contains("Nothing arrived"), "{title}");
        let handed = browser.fill_in(&page, &format!("{path}/test"), &[]).await.expect(200);
        assert!(handed.html().contains(&format!("action=\"{ENDPOINT}\"")), "{}", handed.body);
        let policy = handed.header("content-security-policy").unwrap();
        assert!(policy.contains("form-action 'self' https://desk.example.com"), "{policy}");
        assert_eq!(handed.header("cache-control"), Some("no-store"));
        // A test ends in a refusal, whatever the request is like.
        let refused = change(attempt(&server, &handed, &id)).send().await;
        assert!(matches!(refused.status, 400 | 401), "{title}: {:#}", refused.body);
        let told = outcome(&browser, &link).await;
        assert!(told.contains(title) && told.contains("/console/logs/"), "{title}: {told}");
    }
    let custom = json!({ "customClientMetadata": { "allowTokenExchange": null } });
    server.management().await.patch(&format!("/api/applications/{id}"), custom).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    let page = browser.visit(&path).await.expect(200);
    assert!(page.html().contains("Allow the application to exchange tokens."), "{}", page.body);
    let (_, link) = page.html().split_once("after=").unwrap();
    let link = format!("{path}?after={}", link.split_once('#').unwrap().0);
    server.exchange("sub_test").with("client_id", &id).send().await.expect_oauth_error(400, "unauthorized_client");
    assert!(outcome(&browser, &link).await.contains("Not allowed"));
    let impersonations = server.management().await.get("/api/impersonations").await.expect(200).body;
    assert_eq!(impersonations, json!([]), "nobody was impersonated");
});

both!(the_code_has_the_values_of_the_application, async |server: TestServer| {
    server.operator("dave", &[Developer]).await;
    let id = desk(&server).await;
    let browser = server.at_console("dave").await;
    let path = page_of(&id);
    let page = browser.visit(&path).await.expect(200);
    browser.fill_in(&page, &path, &[("impersonationUri", ENDPOINT), ("callback", "true")]).await.expect(303);
    let folder = tempfile::tempdir().unwrap();
    for (framework, names) in [
        ("express", &["impersonate.mjs"][..]),
        ("next", &["app/impersonate/route.js", "app/impersonate/callback/route.js"]),
        ("django", &["impersonation.py", "urls.py"]),
        ("spring", &["ImpersonationController.java"]),
    ] {
        let page = browser.visit(&format!("{path}?with={framework}")).await.expect(200);
        let html = page.html();
        let own = [
            format!("value=\"{}/api\"", server.report.base_url),
            format!("value=\"{}/console\"", server.report.base_url),
        ];
        assert!(own.iter().all(|own| !html.contains(own)) && !html.contains("{{"), "{framework}: {html}");
        let files: Vec<String> =
            html.split("<pre class=\"copyable source\" tabindex=\"0\"><code>").skip(1).map(plain).collect();
        assert_eq!(files.len(), names.len(), "{framework}");
        let whole = files.concat();
        let origin = server.report.base_url.clone();
        for value in [&*id, &*origin, CALLBACK, &server.demo().resource, "resource:read"] {
            assert!(whole.contains(value), "{framework}: {value}: {whole}");
        }
        for (name, text) in names.iter().zip(&files) {
            assert!(html.contains(&format!("<h3>{name}</h3>")), "{name}: {html}");
            let file = folder.path().join(name.replace('/', "_").replace(".js", ".mjs"));
            std::fs::write(&file, text).unwrap();
            // What each language can check without packages.
            let command = match name.rsplit_once('.').unwrap().1 {
                "py" => Some(("python3", vec!["-m", "py_compile"])),
                "js" | "mjs" => Some(("node", vec!["--check"])),
                _ => None,
            };
            let Some((program, arguments)) = command else { continue };
            let checked = Command::new(program).args(arguments).arg(&file).output().unwrap();
            assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
        }
    }
});

/// The text of an element, up to its end.
pub(crate) fn plain(html: &str) -> String {
    let text = html.split_once("</code>").unwrap().0;
    ["&#60;<", "&#62;>", "&#34;\"", "&#39;'", "&#38;&"].iter().fold(text.to_owned(), |text, pair| {
        let (name, sign) = pair.split_at(5);
        text.replace(name, sign)
    })
}
