//! The sign-in settings at the console: an administrator gets in after each of them, and a change that locks users out
//! says whom before it is saved; the same for connectors.

use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_identity::bootstrap::console_link::setup_link;
use claimsmith_storage::Json;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::identities;
use claimsmith_storage::users::sso_identities::{self, SsoIdentity};
use claimsmith_test_support::{Answer, Browser, CONSOLE_PASSWORD, TestServer, both};
use serde_json::{Value, json};

const METHODS: &str = "/console/sign-in-experience/methods";
const SECURITY: &str = "/console/sign-in-experience/security";

/// The fields of a page's form as a browser would send them, without the token.
fn fields(page: &Answer) -> Vec<(String, String)> {
    let form = page.html().split_once("data-guard").unwrap().1.split_once("</form>").unwrap().0;
    let plain =
        |text: &str| text.replace("&#34;", "\"").replace("&#39;", "'").replace("&amp;", "&").replace("&#38;", "&");
    let attribute = |tag: &str, name: &str| {
        let found = tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        found.map(|(value, _)| plain(value))
    };
    let mut fields = Vec::new();
    for part in form.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let Some(name) = attribute(tag, "name").filter(|name| name != "csrf") else { continue };
        let is_box = tag.contains("type=\"checkbox\"") || tag.contains("type=\"radio\"");
        if tag.starts_with("input") && (!is_box || tag.contains(" checked")) {
            fields.push((name, attribute(tag, "value").unwrap_or_else(|| "on".to_owned())));
        } else if tag.starts_with("textarea") {
            fields.push((name, plain(text.strip_prefix('\n').unwrap_or(text))));
        } else if tag.starts_with("select") {
            let chosen = form.split_once(part).unwrap().1.split_once("</select>").unwrap().0;
            let option = chosen.split("<option").find(|option| option.contains(" selected")).unwrap_or_default();
            fields.push((name, attribute(option, "value").unwrap_or_default()));
        }
    }
    fields
}

/// Saves a page with other values in some fields; `None` sends none.
async fn save(browser: &Browser, path: &str, changes: &[(&str, Option<&str>)]) -> Answer {
    let page = browser.visit(path).await.expect(200);
    let mut sent = fields(&page);
    for (name, value) in changes {
        sent.retain(|(known, _)| known != name);
        sent.extend(value.map(|value| ((*name).to_owned(), value.to_owned())));
    }
    let sent: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.fill_in(&page, path, &sent).await
}

async fn stored(server: &TestServer) -> Value {
    serde_json::to_value(EXPERIENCE.find(&mut server.begin().await).await.unwrap()).unwrap()
}

fn method(identifier: &str, password: bool, code: bool) -> Value {
    json!({ "identifier": identifier, "password": password, "verificationCode": code, "isPasswordPrimary": password })
}

both!(an_administrator_made_by_an_address_signs_out_and_in, async |server: TestServer| {
    let link = setup_link(&server.app.db, &server.app.config, server.clock.now_ms()).await.unwrap().unwrap();
    let browser = Browser::new(&server);
    let page = browser.visit(&link).await.expect(200);
    let code = page.hidden("code");
    let account = [("code", &*code), ("identifier", "ada@example.com"), ("password", CONSOLE_PASSWORD)];
    browser.submit("/console/setup", &account).await.expect(303);
    let home = browser.visit("/console").await.expect(200);
    browser.follow(browser.fill_in(&home, "/console/sign-out", &[]).await).await.expect(200);
    // At the console, whatever the notation, and at any application.
    for name in ["ada@example.com", "Ada@Example.COM"] {
        let browser = Browser::new(&server);
        let home = browser.sign_in_at("/console", name, CONSOLE_PASSWORD).await.expect(200);
        assert!(home.html().contains("<small>Administrator</small>"), "{}", home.body);
    }
    let settings = stored(&server).await;
    assert_eq!(settings["signIn"]["methods"], json!([method("username", true, false), method("email", true, false)]));
});

both!(an_administrator_signs_in_after_each_setting, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let email = json!({ "primaryEmail": "ada@example.com" });
    let management = server.management().await;
    let users = management.get("/api/users?search.username=ada&mode=exact").await.expect(200);
    let ada = users.body[0]["id"].as_str().unwrap().to_owned();
    management.patch(&format!("/api/users/{ada}"), email).await.expect(200);
    let browser = server.at_console("ada").await;
    let names_only = json!([method("username", true, false)]).to_string();
    let addresses_only = json!([method("email", true, false)]).to_string();
    let phones_only = json!([method("phone", true, false)]).to_string();
    let accept = ("locks-users-out", Some("true"));
    for (path, changes) in [
        (METHODS, vec![("signInMode", Some("Register")), accept]),
        (METHODS, vec![("signIn.methods", Some(&*names_only)), accept]),
        (METHODS, vec![("signIn.methods", Some(&*addresses_only)), accept]),
        (METHODS, vec![("signIn.methods", Some(&*phones_only)), accept]),
        (METHODS, vec![("signIn.methods", Some("[]")), accept]),
        (METHODS, vec![("singleSignOnEnabled", Some("true")), accept]),
        (SECURITY, vec![("mfa.factors", Some("Totp")), ("mfa.policy", Some("Mandatory")), accept]),
        (SECURITY, vec![("mfa.factors", None), ("mfa.policy", Some("NoPrompt")), accept]),
        (SECURITY, vec![("sentinelPolicy.maxAttempts", Some("5")), accept]),
    ] {
        let before = stored(&server).await;
        let saved = save(&browser, path, &changes).await;
        assert_eq!(saved.status, 303, "{changes:?} {}", saved.body);
        assert_ne!(stored(&server).await, before, "{changes:?}");
        for name in ["ada", "ada@example.com"] {
            let home = Browser::new(&server).sign_in_at("/console", name, CONSOLE_PASSWORD).await;
            assert_eq!(home.status, 200, "{changes:?} {name} {}", home.body);
        }
    }
});

both!(a_change_that_locks_users_out_says_whom_and_asks, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let management = server.management().await;
    let user = async |body: Value| management.post("/api/users", body).await.expect(200).text("id");
    for (number, name) in ["Grace", "<b>Linus</b>"].iter().enumerate() {
        let email = format!("user{number}@example.com");
        user(json!({ "primaryEmail": email, "name": name, "password": CONSOLE_PASSWORD })).await;
    }
    // Who has no way in now, and who is suspended, loses nothing.
    user(json!({ "username": "emptyhanded" })).await;
    let idle = user(json!({ "primaryEmail": "idle@example.com", "password": CONSOLE_PASSWORD })).await;
    let suspend = format!("/api/users/{idle}/is-suspended");
    management.patch(&suspend, json!({ "isSuspended": true })).await.expect(200);

    let browser = server.at_console("ada").await;
    let before = stored(&server).await;
    let names_only = json!([method("username", true, false)]).to_string();
    let change = ("signIn.methods", Some(&*names_only));
    let asked = save(&browser, METHODS, &[change]).await.expect(422);
    let html = asked.html();
    assert!(html.contains("2 users could no longer sign in") && html.contains("Grace"), "{html}");
    assert!(html.contains("&#60;b&#62;Linus") || html.contains("&lt;b&gt;Linus"), "{html}");
    assert!(!html.contains("emptyhanded") && !html.contains("idle@example.com"), "{html}");
    assert_eq!(stored(&server).await, before);
    // The page keeps what was entered, and the box accepts it.
    let kept = fields(&asked);
    assert!(kept.iter().any(|(name, value)| name == "signIn.methods" && !value.contains("email")), "{kept:?}");
    save(&browser, METHODS, &[change, ("locks-users-out", Some("true"))]).await.expect(303);
    assert_eq!(stored(&server).await["signIn"]["methods"], json!([method("username", true, false)]));
    // What takes nothing away is not asked about.
    save(&browser, SECURITY, &[("sentinelPolicy.maxAttempts", Some("7"))]).await.expect(303);
    let all = json!([method("username", true, false), method("email", true, false)]).to_string();
    save(&browser, METHODS, &[("signIn.methods", Some(&*all))]).await.expect(303);
    let asked = save(&browser, METHODS, &[("signInMode", Some("Register"))]).await.expect(422);
    assert!(asked.html().contains("could no longer sign in"), "{}", asked.body);
});

both!(a_social_connector_that_users_need_is_deleted_only_after_asking, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let management = server.management().await;
    let config = json!({ "clientId": "id", "clientSecret": "secret" });
    let made = management.post("/api/connectors", json!({ "connectorId": "github", "config": config })).await;
    let id = made.expect(200).text("id");
    let targets = json!({ "socialSignInConnectorTargets": ["github"] });
    management.patch("/api/sign-in-exp", targets.clone()).await.expect(200);
    let grace =
        management.post("/api/users", json!({ "username": "grace", "name": "Grace" })).await.expect(200).text("id");
    let mut tx = server.begin().await;
    assert!(identities::link(&mut tx, &grace.as_str().into(), "github", "7").await.unwrap());
    tx.commit().await.unwrap();

    let browser = server.at_console("ada").await;
    // The switch at the connector asks as well.
    let page = browser.visit(&format!("/console/connectors/{id}")).await.expect(200);
    let place = format!("/console/connectors/{id}/sign-in-page");
    let asked = browser.fill_in(&page, &place, &[("place", "1")]).await.expect(422);
    assert!(
        asked.html().contains("1 user could no longer sign in") && asked.html().contains("Grace"),
        "{}",
        asked.body
    );
    browser.fill_in(&asked, &place, &[("place", "1"), ("locks-users-out", "true")]).await.expect(303);
    management.patch("/api/sign-in-exp", targets).await.expect(200);

    let path = format!("/console/connectors/{id}/delete");
    let page = browser.visit(&path).await.expect(200);
    let asked = browser.fill_in(&page, &path, &[("name", "github")]).await.expect(422);
    assert!(
        asked.html().contains("1 user could no longer sign in") && asked.html().contains("Grace"),
        "{}",
        asked.body
    );
    assert!(!asked.html().contains("aria-invalid"), "{}", asked.body);
    management.get(&format!("/api/connectors/{id}")).await.expect(200);
    // The API refuses on request alone.
    let asking = management.delete(&format!("/api/connectors/{id}?refuseLockout=true")).await;
    asking.expect_api_error(422, "sign_in_experiences.users_locked_out");
    browser.fill_in(&asked, &path, &[("name", "github"), ("locks-users-out", "true")]).await.expect(303);
    management.get(&format!("/api/connectors/{id}")).await.expect(404);
});

both!(an_enterprise_connector_that_administrators_need_changes_only_after_asking, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let management = server.management().await;
    let body = json!({
        "providerName": "OIDC", "connectorName": "Acme", "domains": ["acme.example"], "signsInAdministrators": true,
    });
    let id = management.post("/api/sso-connectors", body).await.expect(200).text("id");
    let grace = json!({ "name": "Grace", "primaryEmail": "grace@acme.example" });
    let grace = management.post("/api/users", grace).await.expect(200).text("id");
    server.hold(&grace.as_str().into(), &[Admin]).await;
    let identity = SsoIdentity {
        id: "account".to_owned(),
        user_id: grace.as_str().into(),
        sso_connector_id: id.as_str().into(),
        issuer: "https://id.test".to_owned(),
        identity_id: "7".to_owned(),
        detail: Json(json!({})),
        linked_by_owner: true,
        created_at: 1,
        updated_at: 1,
    };
    let mut tx = server.begin().await;
    assert!(sso_identities::link(&mut tx, &identity).await.unwrap());
    tx.commit().await.unwrap();

    let browser = server.at_console("ada").await;
    let path = format!("/console/connectors/enterprise/{id}");
    let shown = async || management.get(&format!("/api/sso-connectors/{id}")).await.expect(200);
    for change in [("domains", Some("other.example")), ("domains", Some("")), ("signsInAdministrators", None)] {
        let asked = save(&browser, &path, &[change]).await.expect(422);
        let html = asked.html();
        assert!(html.contains("1 user could no longer sign in") && html.contains("Grace"), "{change:?} {html}");
        assert_eq!(shown().await["domains"], json!(["acme.example"]));
    }
    // What takes nothing away is saved at once.
    save(&browser, &path, &[("domains", Some("acme.example\nother.example"))]).await.expect(303);
    let delete = format!("{path}/delete");
    let page = browser.visit(&delete).await.expect(200);
    let asked = browser.fill_in(&page, &delete, &[("name", "Acme")]).await.expect(422);
    assert!(asked.html().contains("Grace"), "{}", asked.body);
    save(&browser, &path, &[("signsInAdministrators", None), ("locks-users-out", Some("true"))]).await.expect(303);
    // With a password, nobody is locked out.
    let password = json!({ "password": CONSOLE_PASSWORD });
    management.patch(&format!("/api/users/{grace}/password"), password).await.expect(200);
    let page = browser.visit(&delete).await.expect(200);
    browser.fill_in(&page, &delete, &[("name", "Acme")]).await.expect(303);
});
