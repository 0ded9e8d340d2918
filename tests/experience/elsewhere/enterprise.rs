//! Enterprise connectors: chosen by the domain of an address, with memberships that come with it.

use super::linking::let_administer;
use super::{STATE, ask_nothing, bring, connector, leave, register, server, user_of, visit};
use crate::browser::{Browser, PASSWORD, credentials, settings, take_codes, user, user_with_email};
use crate::factors::{MULTI_FACTOR, amr};
use claimsmith_domain::upstream::config;
use claimsmith_services::federation::{self, FederatedAttempt};
use claimsmith_test_support::{Home, Mailed, Receiver, Spoil, TestServer, Upstream, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// An address of the company.
const ADA: &str = "ada@acme.example";

/// The connector of a company with this domain; answers its id.
async fn company(server: &TestServer, upstream: &Upstream, more: Value) -> String {
    let mut body = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["ACME.example"],
    });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    let id = server.management().await.post("/api/sso-connectors", body).await.expect(200).text("id");
    settings(server, json!({ "singleSignOnEnabled": true })).await;
    id
}

fn ada() -> Value {
    json!({ "sub": "ada-7", "email": ADA, "email_verified": true, "name": "Ada" })
}

both!(the_people_of_a_company_sign_in_there, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    let id = company(&server, &upstream, json!({})).await;
    let management = server.management().await;
    let organization = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    let role = management.post("/api/organization-roles", json!({ "name": "member" })).await.expect(201).text("id");
    let jit = format!("/api/organizations/{organization}/jit");
    management.post(&format!("{jit}/email-domains"), json!({ "emailDomain": "acme.example" })).await.expect(201);
    management.post(&format!("{jit}/roles"), json!({ "organizationRoleIds": [role] })).await.expect(201);
    let receiver = Receiver::start().await;
    let events = ["User.Created", "Organization.Membership.Updated", "PostRegister"];
    let hook = json!({ "events": events, "config": { "url": receiver.url() } });
    management.post("/api/hooks", hook).await.expect(201);

    let mut browser = Browser::new(&server).await;
    for (email, expected) in
        [(ADA, json!([id])), ("Ada@ACME.Example", json!([id])), ("ada@other.example", json!([])), ("ada", json!([]))]
    {
        let path = format!("/sso-connectors?email={email}");
        let found = browser.send(reqwest::Method::GET, &path, Value::Null).await.expect(200);
        assert_eq!(found["connectorIds"], expected, "{email}");
    }
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
    browser.switch("Register").await.expect(204);
    // A company says itself what its people must have.
    browser.identify(&verified).await.expect(201);
    let user_id = browser.state().await["userId"].as_str().unwrap().to_owned();
    browser.submit().await.expect(200);
    let user = user_of(&server, &user_id).await;
    assert_eq!((&user["primaryEmail"], &user["name"]), (&json!(ADA), &json!("Ada")));
    let identity = &user["ssoIdentities"][0];
    assert_eq!((&identity["ssoConnectorId"], &identity["identityId"]), (&json!(id), &json!("ada-7")));
    assert_eq!(identity["issuer"], upstream.issuer);
    let told: Vec<Value> = receiver.wait(3).await.iter().map(claimsmith_test_support::Received::json).collect();
    let joined = told.iter().find(|event| event["event"] == "Organization.Membership.Updated").unwrap();
    assert_eq!((&joined["organizationId"], &joined["addedUserIds"]), (&json!(organization), &json!([user_id])));
    let roles = management.get(&format!("/api/organizations/{organization}/users/{user_id}/roles")).await.expect(200);
    assert_eq!(roles.body[0]["id"], role.as_str());

    let mut again = Browser::new(&server).await;
    again.start("SignIn").await.expect(204);
    let verified = visit(&mut again, &server, &upstream, "sso", &id).await.expect(200);
    again.identify(&verified).await.expect(204);
    again.submit().await.expect(200);
    let shown = server.get("/api/.well-known/sign-in-exp").await.expect(200);
    assert_eq!(shown["ssoConnectors"], json!([{ "id": id, "connectorName": "Acme", "logo": "" }]));
});

both!(an_address_of_a_company_signs_in_nowhere_else, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    let id = company(&server, &upstream, json!({ "branding": { "displayName": "Acme Inc." } })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let proof = browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    let refused = browser.identify(&proof).await;
    refused.expect_api_error(422, "session.sso_enabled");
    assert_eq!(refused["data"]["ssoConnectors"], json!([{ "id": id, "connectorName": "Acme Inc.", "logo": "" }]));
    settings(&server, json!({ "singleSignOnEnabled": false })).await;
    browser.identify(&proof).await.expect(204);
    leave(&mut browser, &server, "sso", &id).await.expect_api_error(422, "user.sign_in_method_not_enabled");
});

both!(a_connector_without_its_settings_keeps_nobody_out, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    let id = company(&server, &upstream, json!({ "config": {} })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let path = format!("/sso-connectors?email={ADA}");
    let found = browser.send(reqwest::Method::GET, &path, Value::Null).await.expect(200);
    assert_eq!(found["connectorIds"], json!([]));
    let public = async || server.get("/api/.well-known/sign-in-exp").await.expect(200)["ssoConnectors"].clone();
    assert_eq!(public().await, json!([]));
    let proof = browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    browser.identify(&proof).await.expect(204);
    // With them its domain is its own.
    let config = json!({ "config": upstream.config() });
    server.management().await.patch(&format!("/api/sso-connectors/{id}"), config).await.expect(200);
    assert_eq!(public().await[0]["id"], json!(id));
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let proof = browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    browser.identify(&proof).await.expect_api_error(422, "session.sso_enabled");
    // No address leads to one without domains.
    let path = format!("/api/sso-connectors/{id}");
    server.management().await.patch(&path, json!({ "domains": [] })).await.expect(200);
    assert_eq!(public().await, json!([]));
});

both!(a_company_finds_its_people_by_their_address, async |home: Arc<Home>| {
    let server = server(&home).await;
    let user_id = user_with_email(&server, ADA).await;
    let other = user_with_email(&server, "ada@other.example").await;
    let upstream = Upstream::start(false).await;
    let id = company(&server, &upstream, json!({})).await;
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["User.Data.Updated"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    // Not by an address that the company does not own, nor by one that is not verified.
    for person in [
        json!({ "sub": "ada-7", "email": "ada@other.example", "email_verified": true }),
        json!({ "sub": "ada-7", "email": ADA, "email_verified": false }),
        json!({ "sub": "ada-7", "email": ADA }),
    ] {
        upstream.person(person);
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
        browser.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
    }
    upstream.person(ada());
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    assert_eq!(browser.state().await["profile"]["enterpriseSsoIdentity"]["identityId"], "ada-7");
    browser.submit().await.expect(200);
    receiver.wait(1).await;
    assert_eq!(user_of(&server, &user_id).await["ssoIdentities"][0]["identityId"], "ada-7");
    assert_eq!(user_of(&server, &other).await["ssoIdentities"], json!([]));
    // Somebody else of the company who was given the address is somebody else.
    upstream.person(json!({ "sub": "successor", "email": ADA, "email_verified": true }));
    let mut successor = Browser::new(&server).await;
    successor.start("SignIn").await.expect(204);
    let verified = visit(&mut successor, &server, &upstream, "sso", &id).await.expect(200);
    successor.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
});

both!(an_operator_may_trust_the_addresses_of_a_company, async |home: Arc<Home>| {
    let server = server(&home).await;
    let user_id = user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada-7", "email": ADA }));
    let mut config = upstream.config();
    config["trustUnverifiedEmail"] = json!(true);
    let id = company(&server, &upstream, json!({ "config": config })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    assert_eq!(browser.state().await["userId"], user_id.as_str());
});

both!(what_a_company_did_not_ask_for_is_refused, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    let id = company(&server, &upstream, json!({})).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    // The provider begins by itself.
    let data = json!({ "state": STATE, "code": "a code" });
    bring(&mut browser, "sso", &id, &json!("nobody's"), data.clone())
        .await
        .expect_api_error(404, "session.verification_session_not_found");
    // The door of a company is no social one.
    let sent = leave(&mut browser, &server, "sso", &id).await.expect(200);
    bring(&mut browser, "social", &id, &sent["verificationId"], data)
        .await
        .expect_api_error(404, "session.verification_session_not_found");
    leave(&mut browser, &server, "sso", "nobody").await.expect_api_error(404, "entity.not_exists_with_id");
    upstream.spoil(Spoil::Audience);
    let refused = visit(&mut browser, &server, &upstream, "sso", &id).await;
    refused.expect_api_error(401, "connector.social_invalid_id_token");
});

both!(with_another_issuer_people_are_others, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (former, latter) = (Upstream::start(false).await, Upstream::start(false).await);
    former.person(ada());
    latter.person(json!({ "sub": "ada-7", "email": "eve@acme.example", "email_verified": true }));
    let id = company(&server, &former, json!({})).await;
    let (_, user_id) = register(&server, &former, "sso", &id).await;
    let path = format!("/api/sso-connectors/{id}");
    server.management().await.patch(&path, json!({ "config": latter.config() })).await.expect(200);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &latter, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
    assert_eq!(user_of(&server, &user_id).await["ssoIdentities"].as_array().unwrap().len(), 1);
});

both!(of_an_issuer_of_everybody_the_people_of_the_company_come_alone, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let mut google = config::openid(upstream.config().as_object().unwrap().clone()).unwrap();
    google.companies = Some(vec!["acme.example".to_owned()]);
    let (nonce, verifier) = ("n".repeat(43), "v".repeat(64));
    let redirect_uri = format!("{}/callback/google", server.report.base_url);
    let attempt = FederatedAttempt { state: STATE, nonce: &nonce, verifier: &verifier, redirect_uri: &redirect_uri };
    let federation = &server.app.federation;
    for (company, is_taken) in [(json!("acme.example"), true), (json!("evil.example"), false), (Value::Null, false)] {
        let mut person = ada();
        if !company.is_null() {
            person["hd"] = company.clone();
        }
        upstream.person(person);
        let code = upstream.let_in(&federation.address(("google", &google), &attempt, None).await.unwrap());
        let answer = federation::CallbackParameters { code: &code, issuer: None };
        assert_eq!(federation.account(("google", &google), &attempt, &answer).await.is_ok(), is_taken, "{company}");
    }
});

both!(what_let_a_company_find_somebody_must_still_hold, async |home: Arc<Home>| {
    let server = server(&home).await;
    let user_id = user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    let id = company(&server, &upstream, json!({})).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let management = server.management().await;
    let (user, connector) = (format!("/api/users/{user_id}"), format!("/api/sso-connectors/{id}"));
    for (path, change, back) in [
        (&user, json!({ "primaryEmail": "countess@acme.example" }), json!({ "primaryEmail": ADA })),
        (&connector, json!({ "domains": ["b.example"] }), json!({ "domains": ["acme.example"] })),
    ] {
        management.patch(path, change).await.expect(200);
        browser.submit().await.expect_api_error(400, "session.verification_failed");
        assert_eq!(user_of(&server, &user_id).await["ssoIdentities"], json!([]));
        management.patch(path, back).await.expect(200);
    }
    browser.submit().await.expect(200);
});

both!(no_company_finds_whoever_administers, async |home: Arc<Home>| {
    let server = server(&home).await;
    let user_id = user_with_email(&server, ADA).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    let id = company(&server, &upstream, json!({})).await;
    let management = server.management().await;
    let roles = format!("/api/users/{user_id}/roles");
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    let_administer(&server, &user_id).await;
    browser.identify(&verified).await.expect_api_error(404, "user.sso_identity_not_exist");
    // Nor is somebody linked who administers by the time that the sign-in ends.
    management.put(&roles, json!({ "roleIds": [] })).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let_administer(&server, &user_id).await;
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    assert_eq!(user_of(&server, &user_id).await["ssoIdentities"], json!([]));
    management.put(&roles, json!({ "roleIds": [] })).await.expect(200);
    browser.submit().await.expect(200);
});

both!(an_address_of_a_company_is_given_by_its_own_connector, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "eve", "email": "eve@acme.example", "email_verified": true }));
    let acme = company(&server, &upstream, json!({})).await;
    let address = "ada@other.example";
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let proved = browser.prove(&inbox, address, "Register", 1).await;
    let email = json!({ "type": "email", "verificationId": proved["verificationId"] });
    browser.post("/profile", email).await.expect(204);
    // From now on the address is another company's.
    let other = json!({
        "providerName": "OIDC", "connectorName": "Other", "config": upstream.config(), "domains": ["other.example"],
    });
    server.management().await.post("/api/sso-connectors", other).await.expect(200);
    let verified = visit(&mut browser, &server, &upstream, "sso", &acme).await.expect(200);
    browser.identify(&verified).await.expect_api_error(422, "session.sso_enabled");

    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let proved = browser.prove(&inbox, address, "SignIn", 2).await;
    let email = json!({ "type": "email", "verificationId": proved["verificationId"] });
    browser.post("/profile", email).await.expect_api_error(422, "session.sso_enabled");
});

both!(an_application_asks_the_people_of_a_company_for_a_second_factor, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    let id = company(&server, &upstream, json!({})).await;
    let (_, user_id) = register(&server, &upstream, "sso", &id).await;
    let factors = format!("/api/users/{user_id}/mfa-verifications");
    let management = server.management().await;
    management.post(&factors, json!({ "type": "Totp" })).await.expect(200);
    let codes = management.post(&factors, json!({ "type": "BackupCode" })).await.expect(200)["codes"].clone();
    settings(&server, json!({ "mfa": { "policy": "UserControlled", "factors": ["Totp", "BackupCode"] } })).await;
    let mut browser = Browser::new(&server).await;
    for (classes, is_asked) in [(vec![], false), (vec![MULTI_FACTOR], true)] {
        browser.authorize_with_classes(&server, &classes).await;
        browser.start("SignIn").await.expect(204);
        let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
        browser.identify(&verified).await.expect(204);
        if is_asked {
            browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
            browser.post("/verification/backup-code/verify", json!({ "code": codes[0] })).await.expect(200);
        }
        browser.submit().await.expect(200);
    }
    assert_eq!(amr(&server, &browser).await, ["otp", "mfa"]);
});

both!(an_account_elsewhere_gives_no_address_of_a_company, async |home: Arc<Home>| {
    let server = server(&home).await;
    ask_nothing(&server).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    company(&server, &upstream, json!({})).await;
    let social = connector(&server, &upstream, "work").await;
    let (_, user_id) = register(&server, &upstream, "social", &social).await;
    let shown = user_of(&server, &user_id).await;
    assert_eq!((&shown["primaryEmail"], &shown["identities"]["work"]["userId"]), (&Value::Null, &json!("ada-7")));
});

both!(a_company_with_another_issuer_meanwhile_gets_no_code, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (former, latter) = (Upstream::start(false).await, Upstream::start(false).await);
    former.person(ada());
    let id = company(&server, &former, json!({})).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let sent = leave(&mut browser, &server, "sso", &id).await.expect(200);
    let data = json!({ "state": STATE, "code": former.let_in(&sent.text("authorizationUri")) });
    let path = format!("/api/sso-connectors/{id}");
    server.management().await.patch(&path, json!({ "config": latter.config() })).await.expect(200);
    let refused = bring(&mut browser, "sso", &id, &sent["verificationId"], data).await;
    refused.expect_api_error(400, "session.connector_session_not_found");
    assert!(!latter.requests().contains(&"/token".to_owned()), "the code went nowhere");
});

both!(nobody_comes_by_a_company_once_enterprise_sign_in_is_off, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    upstream.person(ada());
    let id = company(&server, &upstream, json!({})).await;
    register(&server, &upstream, "sso", &id).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = visit(&mut browser, &server, &upstream, "sso", &id).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let off = "user.sign_in_method_not_enabled";
    settings(&server, json!({ "singleSignOnEnabled": false })).await;
    browser.submit().await.expect_api_error(422, off);
    browser.identify(&verified).await.expect_api_error(422, off);
    settings(&server, json!({ "singleSignOnEnabled": true })).await;
    browser.submit().await.expect(200);
});
