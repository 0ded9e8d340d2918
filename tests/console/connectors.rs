//! Connectors at the console: the redirect URI is known before the connector exists and is the one that the provider
//! gets; steps and a link lead to the provider; a switch at the connector puts it on the sign-in page.

use crate::impersonation_setup::plain;
use claimsmith_domain::console::ConsoleRole::{Admin, Developer, Support};
use claimsmith_test_support::{Answer, Browser, Home, TestServer, UPSTREAM_CLIENT, UPSTREAM_SECRET, Upstream, both};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// A base URL with a path and another port than the server listens at.
const BASE: &str = "http://localhost:4405/auth";

/// What the sign-in page shows.
async fn shown(server: &TestServer) -> Value {
    server.management().await.get("/api/sign-in-exp").await.expect(200)["socialSignInConnectorTargets"].clone()
}

/// A page of the console as an administrator opens it.
async fn open(browser: &Browser, path: &str) -> Answer {
    browser.visit(path).await.expect(200)
}

/// The values that a page offers to copy.
fn copied(page: &Answer) -> Vec<String> {
    let parts = page.html().split("<span class=\"copyable\"><code>").skip(1);
    parts.filter_map(|part| Some(part.split_once("</code>")?.0.to_owned())).collect()
}

/// Where the browser is sent that presses the connector's button on the sign-in page.
async fn leave(server: &TestServer, browser: &Browser, id: &str) -> Url {
    let client = &server.demo().spa_client_id;
    let application = server.management().await.get(&format!("/api/applications/{client}")).await.expect(200);
    let redirect_uri = application["oidcClientMetadata"]["redirectUris"][0].as_str().unwrap().to_owned();
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("client_id", client.as_str()),
            ("redirect_uri", &redirect_uri),
            ("response_type", "code"),
            ("scope", "openid"),
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("code_challenge_method", "S256"),
        ])
        .finish();
    let page = browser.follow(browser.visit(&format!("/oidc/auth?{query}")).await).await.expect(200);
    assert!(page.html().contains(&format!("/sign-in/social/{id}")), "{}", page.body);
    let away = browser.fill_in(&page, &format!("/sign-in/social/{id}"), &[]).await.expect(303);
    Url::parse(away.header("location").unwrap()).unwrap()
}

both!(google_is_connected_up_to_its_own_page, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_BASE_URL", BASE), ("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    // First there is what Google asks for, and where to enter it.
    let page = open(&browser, "/console/connectors/new/google").await;
    let uris = [format!("{BASE}/callback/google"), format!("{BASE}/account/callback/social/google")];
    assert_eq!(copied(&page), uris);
    let html = page.html();
    assert!(html.contains("href=\"https://console.cloud.google.com/auth/clients\""), "{html}");
    assert!(html.find("copyable").unwrap() < html.find("name=\"clientId\"").unwrap(), "the redirect URI comes first");
    assert!(html.matches("<li>").count() >= 5 && html.contains("Authorized redirect URIs"), "{html}");
    assert!(html.contains("name=\"shown\" value=\"true\" checked"), "{html}");
    // What is refused keeps the redirect URI.
    let id = page.hidden("id");
    let refused = [("id", &*id), ("clientId", ""), ("shown", "true")];
    let refused = browser.fill_in(&page, "/console/connectors/new/google", &refused).await.expect(422);
    assert_eq!((copied(&refused), shown(&server).await), (uris.to_vec(), json!([])));
    let fields = [("id", &*id), ("clientId", UPSTREAM_CLIENT), ("clientSecret", UPSTREAM_SECRET), ("shown", "true")];
    let made = browser.fill_in(&refused, "/console/connectors/new/google", &fields).await.expect(303);
    assert_eq!(made.header("location"), Some("/auth/console/connectors/google?done=created"));
    let page = open(&browser, "/console/connectors/google?done=created").await;
    assert_eq!(copied(&page), uris);
    assert!(page.html().contains("Created.") && page.html().contains("Authorized redirect URIs"), "{}", page.body);
    assert_eq!(shown(&server).await, json!(["google"]));
    // Google stands in for itself at another address: people are sent there, to come back at the URI that was copied.
    let upstream = Upstream::start(true).await;
    let config = json!({ "config": upstream.config() });
    server.management().await.patch("/api/connectors/google", config).await.expect(200);
    let away = leave(&server, &Browser::new(&server), "google").await;
    assert!(away.as_str().starts_with(&upstream.issuer), "{away}");
    let redirect_uri = away.query_pairs().find(|(name, _)| name == "redirect_uri").unwrap().1.into_owned();
    assert_eq!(redirect_uri, uris[0]);
    // There is one Google: the gallery leads to it, and a second one is no dead end.
    let list = open(&browser, "/console/connectors").await;
    assert!(list.html().contains("added") && !list.html().contains("/new/google"), "{}", list.body);
    let again = open(&browser, "/console/connectors/new/google").await;
    assert!(again.html().contains("is connected already"), "{}", again.body);
    browser.fill_in(&again, "/console/connectors/new/google", &fields).await.expect(422);
});

both!(the_sign_in_page_has_connectors_in_their_order, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    for (factory, is_shown) in [("github", true), ("discord", false), ("google", true)] {
        let path = format!("/console/connectors/new/{factory}");
        let page = open(&browser, &path).await;
        let id = page.hidden("id");
        let fields = [("id", &*id), ("clientId", "c"), ("clientSecret", "s"), ("shown", "true")];
        let made = browser.fill_in(&page, &path, &fields[..if is_shown { 4 } else { 3 }]).await;
        assert_eq!(made.expect(303).header("location"), Some(&*format!("/console/connectors/{factory}?done=created")));
    }
    assert_eq!(shown(&server).await, json!(["github", "google"]));
    assert!(open(&browser, "/console/connectors").await.html().contains("not on the sign-in page"));
    let place = "/console/connectors/discord/sign-in-page";
    let page = open(&browser, "/console/connectors/discord").await;
    assert!(page.html().contains("2, after github"), "{}", page.body);
    for (fields, expected) in [
        (&[("shown", "true"), ("place", "2")][..], json!(["github", "discord", "google"])),
        // Twice is once.
        (&[("shown", "true"), ("place", "2")], json!(["github", "discord", "google"])),
        (&[("shown", "true"), ("place", "1")], json!(["discord", "github", "google"])),
        (&[("shown", "true"), ("place", "99999999999999999999999")], json!(["github", "google", "discord"])),
        (&[("shown", "true"), ("place", "-1")], json!(["github", "google", "discord"])),
        (&[("shown", "true")], json!(["github", "google", "discord"])),
        (&[("place", "1")], json!(["github", "google"])),
        (&[("shown", ""), ("place", "1")], json!(["github", "google"])),
    ] {
        browser.fill_in(&page, place, fields).await.expect(303);
        assert_eq!(shown(&server).await, expected, "{fields:?}");
    }
    // The others keep what else they have: only the list changes.
    let settings = server.management().await.get("/api/sign-in-exp").await.expect(200).body;
    browser.fill_in(&page, place, &[("shown", "true")]).await.expect(303);
    browser.fill_in(&page, place, &[]).await.expect(303);
    assert_eq!(server.management().await.get("/api/sign-in-exp").await.expect(200).body, settings);
    browser.fill_in(&page, "/console/connectors/nothing/sign-in-page", &[("shown", "true")]).await.expect(404);
    // A sender of messages is on no page.
    let smtp = json!({ "connectorId": "smtp", "config": { "host": "127.0.0.1", "port": 1, "fromEmail": "a@b.test" } });
    let id = server.management().await.post("/api/connectors", smtp).await.expect(200).text("id");
    let path = format!("/console/connectors/{id}/sign-in-page");
    browser.fill_in(&page, &path, &[("shown", "true")]).await.expect(404);
    assert_eq!(shown(&server).await, json!(["github", "google"]));
});

both!(only_administrators_who_just_signed_in_change_the_sign_in_page, async |server: TestServer| {
    let connector = json!({ "connectorId": "github", "id": "github", "config": { "clientId": "c" } });
    server.management().await.post("/api/connectors", connector).await.expect(200);
    let path = "/console/connectors/github/sign-in-page";
    for (name, role) in [("sue", Support), ("dave", Developer)] {
        server.operator(name, &[role]).await;
        let browser = server.at_console(name).await;
        browser.visit("/console/connectors/new/google").await.expect(403);
        let page = open(&browser, "/console").await;
        browser.fill_in(&page, path, &[("shown", "true")]).await.expect(403);
    }
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let page = open(&browser, "/console/connectors/github").await;
    browser.submit(path, &[("shown", "true")]).await.expect(403);
    server.clock.advance(Duration::from_mins(11));
    let fields = [("id", "google"), ("clientId", "c"), ("shown", "true")];
    browser.fill_in(&page, path, &[("shown", "true")]).await.expect(403);
    browser.fill_in(&page, "/console/connectors/new/google", &fields).await.expect(403);
    assert_eq!(shown(&server).await, json!([]));
});

both!(every_provider_says_what_to_do_there, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    for (factory, page) in [
        ("google", "https://console.cloud.google.com/"),
        ("github", "https://github.com/settings/"),
        ("azuread", "https://entra.microsoft.com/"),
        ("apple", "https://developer.apple.com/"),
        ("gitlab", "https://gitlab.com/"),
        ("discord", "https://discord.com/developers/"),
        ("facebook", "https://developers.facebook.com/"),
        ("linkedin", "https://www.linkedin.com/developers/"),
        ("oidc", ""),
        ("oauth2", ""),
    ] {
        let shown = open(&browser, &format!("/console/connectors/new/{factory}")).await;
        assert!(shown.html().contains("<ol class=\"numbered\">"), "{factory}: {}", shown.body);
        assert!(page.is_empty() || shown.html().contains(&format!("href=\"{page}")), "{factory}: {}", shown.body);
        assert!(copied(&shown)[0].ends_with(&format!("/callback/{}", shown.hidden("id"))), "{factory}");
    }
    // Where there may be several, the id is a random one, which reloading the page keeps.
    let ids =
        [open(&browser, "/console/connectors/new/oidc").await, open(&browser, "/console/connectors/new/oidc").await];
    assert_ne!(ids[0].hidden("id"), ids[1].hidden("id"));
    let asked = open(&browser, "/console/connectors/new/oidc?id=partner-1").await;
    assert_eq!(asked.hidden("id"), "partner-1");
    for hostile in ["%22%3E%3Cscript%3E", "..%2F..", "a b", "%00"] {
        let page = open(&browser, &format!("/console/connectors/new/oidc?id={hostile}")).await;
        assert_eq!(page.hidden("id").len(), 21, "{hostile}");
        let fields =
            [("id", "\"><script>"), ("name", "X"), ("target", "x"), ("issuer", "https://a.test"), ("clientId", "c")];
        let refused = browser.fill_in(&page, "/console/connectors/new/oidc", &fields).await;
        assert!(matches!(refused.status, 400 | 422) && !refused.html().contains("\"><script>"), "{}", refused.body);
    }
    assert_eq!(server.management().await.get("/api/connectors?target=x").await.expect(200).body, json!([]));
});

both!(mail_services_fill_in_the_form, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let list = open(&browser, "/console/connectors").await;
    for (preset, host, user, link) in [
        ("ses", "email-smtp.us-east-1.amazonaws.com", "", "https://console.aws.amazon.com/ses/"),
        ("sendgrid", "smtp.sendgrid.net", "apikey", "https://app.sendgrid.com/"),
        ("mailgun", "smtp.mailgun.org", "postmaster@YOUR_DOMAIN", "https://app.mailgun.com/"),
        ("postmark", "smtp.postmarkapp.com", "", "https://account.postmarkapp.com/"),
    ] {
        let path = format!("/console/connectors/new/smtp?preset={preset}");
        assert!(list.html().contains(&path), "{preset}: {}", list.body);
        let page = open(&browser, &path).await;
        let html = page.html();
        assert!(html.contains(&format!("name=\"host\" type=\"text\" value=\"{host}\"")), "{preset}: {html}");
        assert!(html.contains("name=\"port\" type=\"number\" value=\"587\""), "{preset}: {html}");
        assert!(html.contains(&format!("name=\"auth.user\" type=\"text\" value=\"{user}\"")), "{preset}: {html}");
        assert!(html.contains(&format!("href=\"{link}")) && html.contains("class=\"numbered\""), "{preset}: {html}");
        let fields = [
            ("preset", preset),
            ("host", host),
            ("port", "587"),
            ("auth.user", "someone"),
            ("auth.pass", "a secret"),
            ("fromEmail", "Shop <no-reply@example.com>"),
        ];
        // What is refused keeps the steps.
        let refused = browser.fill_in(&page, "/console/connectors/new/smtp", &fields[..5]).await.expect(422);
        assert!(refused.html().contains(&format!("href=\"{link}")), "{preset}: {}", refused.body);
        let made = browser.fill_in(&page, "/console/connectors/new/smtp", &fields).await.expect(303);
        let made = browser.follow(made).await.expect(200);
        assert!(made.html().contains(&format!("href=\"{link}")), "{preset}: {}", made.body);
        assert!(!made.html().contains("a secret"), "{preset}");
    }
    // There is one sender of e-mails: it is said that the next one replaces it.
    assert!(open(&browser, "/console/connectors/new/smtp").await.html().contains("This one replaces the"));
    assert!(open(&browser, "/console/connectors/new/smtp?preset=%22x").await.html().contains("Choose a service"));
});

both!(an_enterprise_connector_has_its_redirect_uri_first, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    for (number, (provider, link)) in [
        ("OIDC", ""),
        ("AzureAdOidc", "https://entra.microsoft.com/"),
        ("GoogleWorkspace", "https://console.cloud.google.com/"),
        ("Okta", "https://login.okta.com/"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = format!("/console/connectors/enterprise/new/{provider}");
        let page = open(&browser, &path).await;
        let (id, html) = (page.hidden("id"), page.html());
        assert_eq!(copied(&page), [format!("{}/callback/{id}", server.report.base_url)], "{provider}");
        assert!(html.contains("class=\"numbered\""), "{provider}: {html}");
        assert!(link.is_empty() || html.contains(&format!("href=\"{link}")), "{provider}: {html}");
        let name = format!("Company {number}");
        let made = browser.fill_in(&page, &path, &[("id", &*id), ("connectorName", &name)]).await.expect(303);
        let made = browser.follow(made).await.expect(200);
        assert_eq!(copied(&made), copied(&page), "{provider}");
    }
});

both!(no_two_connectors_have_one_redirect_uri, async |server: TestServer| {
    let management = server.management().await;
    let company = |id: Value, name: &str| json!({ "providerName": "Okta", "connectorName": name, "id": id });
    let social = |id: &str| json!({ "connectorId": "github", "id": id, "config": { "clientId": "c" } });
    let made = management.post("/api/sso-connectors", company(json!("acme"), "Acme")).await.expect(200);
    assert_eq!(made["id"], "acme");
    let code = "entity.unique_integrity_violation";
    management.post("/api/sso-connectors", company(json!("acme"), "Globex")).await.expect_api_error(422, code);
    management.post("/api/connectors", social("acme")).await.expect_api_error(422, code);
    management.post("/api/connectors", social("git")).await.expect(200);
    management.post("/api/sso-connectors", company(json!("git"), "Globex")).await.expect_api_error(422, code);
    for id in [json!(""), json!("a/b"), json!("a b"), json!("x".repeat(129)), json!(1), Value::Null] {
        let refused = management.post("/api/sso-connectors", company(id.clone(), "Globex")).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.body.to_string().contains("id"), "{id}: {:#}", refused.body);
    }
    assert_eq!(management.get("/api/sso-connectors").await.expect(200).body.as_array().unwrap().len(), 1);
    // Of two that are created at once with one id, one is there.
    let (one, other) = tokio::join!(
        management.post("/api/sso-connectors", company(json!("twin"), "One")),
        management.post("/api/sso-connectors", company(json!("twin"), "Other")),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
});

both!(the_script_makes_apples_client_secret, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let page = open(&browser, "/console/connectors/new/apple").await;
    let (_, script) = page.html().split_once("class=\"copyable source\" tabindex=\"0\"><code>").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("apple-secret.mjs"), plain(script)).unwrap();
    let key = rcgen::KeyPair::generate().unwrap();
    std::fs::write(folder.path().join("key.p8"), key.serialize_pem()).unwrap();
    let mut node = Command::new("node");
    node.current_dir(folder.path()).args(["apple-secret.mjs", "TEAM", "KEY", "com.example.web", "key.p8"]);
    let made = node.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let secret = String::from_utf8(made.stdout).unwrap();
    let parts: Vec<_> = secret.trim().split('.').map(|part| BASE64URL_NOPAD.decode(part.as_bytes()).unwrap()).collect();
    let header: Value = serde_json::from_slice(&parts[0]).unwrap();
    assert_eq!(header, json!({ "alg": "ES256", "kid": "KEY" }));
    let claims: Value = serde_json::from_slice(&parts[1]).unwrap();
    assert_eq!((&claims["iss"], &claims["sub"]), (&json!("TEAM"), &json!("com.example.web")));
    assert_eq!(claims["aud"], "https://appleid.apple.com");
    // Apple accepts 15777000 seconds at most.
    let lifetime = claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap();
    assert!((1..=15_777_000).contains(&lifetime), "{lifetime}");
    assert_eq!(parts[2].len(), 64, "the signature of a JWT has both numbers as they are");
});
