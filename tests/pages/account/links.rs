//! Linking an account elsewhere at the page.

use super::{casey, html, post, post_proved, saved, user};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Answer, Home, TestServer, Upstream, both, parameters};
use serde_json::{Value, json};
use std::sync::Arc;

/// A server with a connector of this upstream; answers its id.
async fn start(home: &Arc<Home>, upstream: &Upstream) -> (TestServer, String) {
    let server = TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap();
    let metadata = json!({ "target": "work", "name": { "en": "The <Works>" } });
    let body = json!({ "connectorId": "oidc", "metadata": metadata, "config": upstream.config() });
    let management = server.management().await;
    let id = management.post("/api/connectors", body).await.expect(200).text("id");
    let change = json!({ "socialSignInConnectorTargets": ["work"] });
    management.patch("/api/sign-in-exp", change).await.expect(200);
    (server, id)
}

/// The address at which somebody comes back who signed in at the upstream.
pub(super) fn way_back(upstream: &Upstream, sent: &Answer) -> String {
    assert_eq!(sent.status, 303, "{:#}", sent.body);
    let away = sent.header("location").unwrap();
    let asked = parameters(away);
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("code", &upstream.let_in(away))
        .append_pair("state", &asked["state"])
        .append_pair("iss", &upstream.issuer)
        .finish();
    format!("{}?{query}", asked["redirect_uri"])
}

both!(an_account_elsewhere_is_linked_at_the_page, async |home: Arc<Home>| {
    let upstream = Upstream::start(true).await;
    upstream.person(json!({ "sub": "ada" }));
    let (server, connector) = start(&home, &upstream).await;
    let (browser, id, _) = casey(&server).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("Link The &#60;Works&#62;"), "{}", page.body);
    let policy = page.header("content-security-policy").unwrap();
    assert!(!policy.contains("form-action"), "browsers would not follow the form: {policy}");
    let path = "/account/identity/link";
    let sent = post_proved(&browser, path, &[("connector", &connector)]).await;
    let back = way_back(&upstream, &sent);
    assert!(back.starts_with(&format!("{}/account/callback/social/{connector}?", server.report.base_url)), "{back}");
    // Nobody else comes in by it, and an answer of another attempt is refused.
    let (other, _) = server.signed_in(&[&server.demo().engineer_user_id.clone()]).await;
    other.visit(&back).await.expect(400);
    let spoiled = back.replace("state=", "state=x");
    browser.visit(&spoiled).await.expect(400);
    assert_eq!(user(&server, &id).await["identities"], json!({}));
    saved(&browser.visit(&back).await);
    assert_eq!(user(&server, &id).await["identities"]["work"]["userId"], "ada");
    // It counts once.
    browser.visit(&back).await.expect(400);
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains("Link The") && html(&page).contains("name=\"target\" value=\"work\""));
});

both!(whoever_changes_their_mind_is_told, async |home: Arc<Home>| {
    let upstream = Upstream::start(false).await;
    let (server, connector) = start(&home, &upstream).await;
    let (browser, id, _) = casey(&server).await;
    let path = "/account/identity/link";
    let sent = post_proved(&browser, path, &[("connector", &connector)]).await;
    let state = parameters(sent.header("location").unwrap())["state"].clone();
    let denied = format!("/account/callback/social/{connector}?error=access_denied&state={state}");
    let page = browser.visit(&denied).await.expect(422);
    assert!(html(&page).contains("form-error"), "{}", page.body);
    // An answer in a form, which comes without the cookies, is sent here again.
    let form = [("code".to_owned(), "c".to_owned()), ("state".to_owned(), "s".to_owned())];
    let forwarded = browser.post(&format!("/account/callback/social/{connector}"), &form).await.expect(303);
    assert!(forwarded.header("location").unwrap().ends_with("?code=c&state=s"), "{forwarded:?}");
    let page = browser.visit("/account").await.expect(200);
    for unknown in ["nothing", "", "../x"] {
        let refused = post(&browser, &page, path, &[("connector", unknown)]).await;
        assert!(refused.status >= 400 && refused.status < 500, "{unknown}: {}", refused.body);
    }
    let after = user(&server, &id).await;
    assert_eq!(after["identities"], Value::Object(serde_json::Map::new()));
});

both!(whoever_administers_links_no_account, async |home: Arc<Home>| {
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada" }));
    let (server, connector) = start(&home, &upstream).await;
    let (browser, id, _) = casey(&server).await;
    let role = json!({ "roleIds": [ConsoleRole::Read.role_id()] });
    server.management().await.post(&format!("/api/users/{id}/roles"), role).await.expect(201);
    let sent = post_proved(&browser, "/account/identity/link", &[("connector", &connector)]).await;
    let refused = browser.visit(&way_back(&upstream, &sent)).await.expect(403);
    assert!(html(&refused).contains("auth.forbidden"), "{}", refused.body);
    assert_eq!(user(&server, &id).await["identities"], json!({}));
});
