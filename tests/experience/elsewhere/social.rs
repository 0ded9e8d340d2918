//! Social connectors: registering, signing in, profiles that follow, and linking by whoever is signed in.

use super::{
    ADA, STATE, ask_nothing, asked, bring, connector, connector_with, leave, redirect_uri, register, server, user_of,
    visit,
};
use crate::browser::{Browser, settings, user};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Home, Receiver, Upstream, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

both!(somebody_registers_and_signs_in_with_an_account_elsewhere, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(true).await;
    let picture = "https://pictures.example.com/ada.png";
    upstream.person(json!({
        "sub": "ada-at-work", "email": ADA, "email_verified": true, "name": "Ada", "picture": picture, "team": "engines",
    }));
    let id = connector(&server, &upstream, "work").await;
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["User.Created", "PostRegister", "PostSignIn"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);

    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    let parameters = asked(&sent);
    assert_eq!((parameters["state"].as_str(), &parameters["redirect_uri"]), (STATE, &redirect_uri(&server, &id)));
    let waiting = &browser.state().await["verificationRecords"][0];
    assert_eq!((&waiting["type"], &waiting["connectorId"]), (&json!("Social"), &json!(id)));
    assert_eq!(waiting.get("socialUserInfo"), None);
    let data =
        json!({ "state": STATE, "code": upstream.let_in(&sent.text("authorizationUri")), "iss": upstream.issuer });
    let verified = bring(&mut browser, "social", &id, &sent["verificationId"], data).await.expect(200);
    assert_eq!(verified["verificationId"], sent["verificationId"]);
    let info = browser.state().await["verificationRecords"][0]["socialUserInfo"].clone();
    assert_eq!((&info["id"], &info["email"]), (&json!("ada-at-work"), &json!(ADA)));
    assert_eq!(info["rawData"]["team"], "engines");

    // Nobody here has the account, so somebody new does.
    browser.identify(&verified).await.expect_api_error(404, "user.identity_not_exist");
    browser.switch("Register").await.expect(204);
    browser.identify(&verified).await.expect(201);
    browser.submit().await.expect(200);
    let events: Vec<Value> = receiver.wait(2).await.iter().map(claimsmith_test_support::Received::json).collect();
    let created = events.iter().find(|event| event["event"] == "User.Created").unwrap();
    let user_id = created["data"]["id"].as_str().unwrap();
    assert_eq!(created["data"]["identities"]["work"]["userId"], "ada-at-work");
    let user = user_of(&server, user_id).await;
    assert_eq!((&user["primaryEmail"], &user["name"], &user["avatar"]), (&json!(ADA), &json!("Ada"), &json!(picture)));
    assert_eq!((&user["hasPassword"], &user["identities"]["work"]["details"]["email"]), (&json!(false), &json!(ADA)));

    // The next time they are known.
    let mut again = Browser::new(&server).await;
    again.start("SignIn").await.expect(204);
    let verified = {
        let sent = leave(&mut again, &server, "social", &id).await.expect(200);
        let code = upstream.let_in(&sent.text("authorizationUri"));
        let data = json!({ "state": STATE, "code": code, "iss": upstream.issuer });
        bring(&mut again, "social", &id, &sent["verificationId"], data).await.expect(200)
    };
    again.identify(&verified).await.expect(204);
    assert_eq!(again.state().await["userId"], user_id);
    again.submit().await.expect(200);
    receiver.wait(3).await;
    // And nobody registers with it again.
    let mut other = Browser::new(&server).await;
    other.start("Register").await.expect(204);
    let sent = leave(&mut other, &server, "social", &id).await.expect(200);
    let code = upstream.let_in(&sent.text("authorizationUri"));
    let data = json!({ "state": STATE, "code": code, "iss": upstream.issuer });
    let verified = bring(&mut other, "social", &id, &sent["verificationId"], data).await.expect(200);
    other.identify(&verified).await.expect_api_error(422, "user.identity_already_in_use");
});

both!(a_profile_follows_where_the_operator_says_so, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "name": "Ada" }));
    let (still, following) = (Upstream::start(false).await, upstream);
    still.person(json!({ "sub": "ada", "name": "Ada" }));
    let follows = connector_with(&server, "follows", following.config(), json!({ "syncProfile": true })).await;
    let stays = connector(&server, &still, "stays").await;
    for (upstream, connector_id, expected) in [(&following, &follows, "Countess"), (&still, &stays, "Ada")] {
        let (_, id) = register(&server, upstream, "social", connector_id).await;
        upstream.person(json!({ "sub": "ada", "name": "Countess" }));
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let verified = visit(&mut browser, &server, upstream, "social", connector_id).await.expect(200);
        browser.identify(&verified).await.expect(204);
        browser.submit().await.expect(200);
        assert_eq!(user_of(&server, &id).await["name"], expected);
    }
});

both!(what_everybody_must_have_is_asked_for, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    let missing = browser.identify(&verified).await;
    missing.expect_api_error(422, "user.missing_profile");
    // An account elsewhere takes the place of a password.
    assert_eq!(missing["data"]["missingProfile"], json!(["username"]));
    assert_eq!(browser.state().await["profile"]["socialIdentity"]["target"], "work");
    browser.post("/profile", json!({ "type": "username", "value": "ada" })).await.expect(204);
    browser.post("/identification", json!({})).await.expect(201);
    browser.submit().await.expect(200);

    settings(&server, json!({ "socialSignIn": { "skipRequiredIdentifiers": true } })).await;
    upstream.person(json!({ "sub": "grace" }));
    let (_, id) = register(&server, &upstream, "social", &id).await;
    assert_eq!(user_of(&server, &id).await["username"], Value::Null);
});

both!(whoever_signs_in_links_an_account, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let user_id = user(&server, "ada").await;
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["User.Data.Updated"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
    let social = json!({ "type": "social", "verificationId": verified["verificationId"] });
    browser.post("/profile", social.clone()).await.expect_api_error(404, "session.identifier_not_found");
    let proof = browser.verify("ada", crate::browser::PASSWORD).await.expect(200);
    browser.identify(&proof).await.expect(204);
    browser.post("/profile", social.clone()).await.expect(204);
    assert_eq!(user_of(&server, &user_id).await["identities"], json!({}));
    browser.submit().await.expect(200);
    let event = receiver.wait(1).await[0].json();
    assert_eq!(event["data"]["identities"]["work"]["userId"], "ada");
    assert_eq!(user_of(&server, &user_id).await["identities"]["work"]["userId"], "ada");

    // It is nobody else's from now on.
    user(&server, "grace").await;
    let mut other = Browser::new(&server).await;
    other.identified("grace").await;
    let verified = visit(&mut other, &server, &upstream, "social", &id).await.expect(200);
    let social = json!({ "type": "social", "verificationId": verified["verificationId"] });
    other.post("/profile", social).await.expect_api_error(422, "user.identity_already_in_use");
});

both!(an_address_that_is_needed_and_refused_is_named, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "email": ADA, "email_verified": true }));
    let id = connector(&server, &upstream, "work").await;
    let company = json!({ "providerName": "OIDC", "connectorName": "Acme", "domains": ["example.com"],
        "config": upstream.config() });
    for (what, settled, code) in [
        (
            "blocked",
            json!({ "emailBlocklistPolicy": { "customBlocklist": ["*@example.com"] } }),
            "session.email_blocklist.email_not_allowed",
        ),
        (
            "owned",
            json!({ "emailBlocklistPolicy": { "customBlocklist": null }, "singleSignOnEnabled": true }),
            "session.sso_enabled",
        ),
    ] {
        settings(&server, settled).await;
        if what == "owned" {
            server.management().await.post("/api/sso-connectors", company.clone()).await.expect(200);
        }
        let needed = json!({ "identifiers": ["email"], "password": false, "verify": true });
        settings(&server, json!({ "signUp": needed })).await;
        let mut browser = Browser::new(&server).await;
        browser.start("Register").await.expect(204);
        let verified = visit(&mut browser, &server, &upstream, "social", &id).await.expect(200);
        browser.identify(&verified).await.expect_api_error(422, code);
        assert_eq!(browser.state().await["profile"], json!({}), "{what}");
    }
    // Where no address is needed, they register without it.
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    let (_, user_id) = register(&server, &upstream, "social", &id).await;
    assert_eq!(user_of(&server, &user_id).await["primaryEmail"], Value::Null);
});

both!(a_connector_that_is_not_offered_signs_nobody_in, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    leave(&mut browser, &server, "social", "nobody").await.expect_api_error(404, "entity.not_found");
    for body in [
        json!({ "state": "", "redirectUri": redirect_uri(&server, &id) }),
        json!({ "state": STATE, "redirectUri": "" }),
    ] {
        let path = format!("/verification/social/{id}/authorization-uri");
        browser.post(&path, body).await.expect_api_error(400, "session.insufficient_info");
    }
    let sent = leave(&mut browser, &server, "social", &id).await.expect(200);
    settings(&server, json!({ "socialSignInConnectorTargets": [] })).await;
    leave(&mut browser, &server, "social", &id).await.expect_api_error(422, "user.sign_in_method_not_enabled");
    let code = upstream.let_in(&sent.text("authorizationUri"));
    bring(&mut browser, "social", &id, &sent["verificationId"], json!({ "state": STATE, "code": code }))
        .await
        .expect_api_error(422, "user.sign_in_method_not_enabled");
    // Codes go nowhere else than to this server.
    settings(&server, json!({ "socialSignInConnectorTargets": ["work"] })).await;
    for wrong in ["https://evil.example.com/callback", &format!("{}/callback/other", server.report.base_url)] {
        let body = json!({ "state": STATE, "redirectUri": wrong });
        let path = format!("/verification/social/{id}/authorization-uri");
        browser.post(&path, body).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(operators_see_that_a_provider_cannot_be_reached, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let mut config = upstream.config();
    config["issuer"] = json!("http://127.0.0.1:1");
    let id = connector_with(&server, "gone", config, json!({})).await;
    server.operator("ada", &[ConsoleRole::Admin]).await;
    let console = server.at_console("ada").await;
    let connector = format!("/console/connectors/{id}");
    let said = "The provider could not be reached";
    assert!(!console.visit(&connector).await.expect(200).html().contains(said));
    let began = server.clock.now_ms();
    for _ in 0..2 {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        leave(&mut browser, &server, "social", &id).await.expect_api_error(502, "connector.general");
    }
    let health = server.management().await.get("/api/dashboard/health").await.expect(200);
    let outage = &health["providers"][0];
    assert_eq!((&outage["connectorId"], &outage["name"], &outage["failures"]), (&json!(id), &json!("gone"), &json!(2)));
    assert_eq!(outage["failingSince"], json!(began));
    assert!(outage["message"].as_str().unwrap().contains("127.0.0.1"), "{outage}");
    for path in [connector.as_str(), "/console"] {
        let page = console.visit(path).await.expect(200);
        assert!(page.html().contains(said), "{path} {}", page.body);
    }
    server.clock.advance(Duration::from_mins(61));
    let health = server.management().await.get("/api/dashboard/health").await.expect(200);
    assert_eq!(health["providers"], json!([]));
});
