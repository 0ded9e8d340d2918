//! Something pending of every kind that depends on the encryption key.

use crate::browser::{Browser, take_codes, user};
use crate::elsewhere::{STATE, bring, connector, leave, redirect_uri};
use crate::factors::{STEP, factors, give, policy};
use claimsmith_domain::documents::application::{ApplicationType, OidcClientMetadata};
use claimsmith_domain::id::ApplicationId;
use claimsmith_identity::population_runs;
use claimsmith_services::encryption::Purpose;
use claimsmith_storage::Json;
use claimsmith_storage::plugins::rollouts::{self, Rollout, RolloutSample};
use claimsmith_test_support::{
    Actor, Answer, Browser as Pages, Form, Inbox, Receiver, Reply, TOKEN_EXCHANGE, TestServer, Upstream,
    one_time_password, seed, told, until,
};
use data_encoding::BASE64URL_NOPAD;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const LEE: &str = "lee@example.com";
const KIM: &str = "kim@example.com";
const CALLBACK: &str = "https://shop.example.com/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const PHONE: &str = "4915112345678";

/// What is pending, of every kind.
pub(super) struct Pending {
    upstream: Upstream,
    social: String,
    enterprise: String,
    hook: Value,
    /// Lee's, as this version sends it, and Kim's, as earlier versions did.
    invitations: [String; 2],
    /// Somebody who went to an upstream, with where it sends them and the verification.
    away: (Browser, Answer),
    /// The same of somebody who links an account.
    linking: Answer,
    /// Ada, who sets up second factors.
    setting_up: (Browser, String, String),
    /// Bob's authenticator and backup codes, the first of which was used.
    bob: (String, Vec<String>),
    /// An application, and a refresh token of the demo's customer that was rotated once.
    refreshed: (ApplicationId, String),
    /// Somebody who waits for a text message, which the service does not take yet.
    waiting: (Browser, Answer),
    texts: Receiver,
    takes_texts: Arc<AtomicBool>,
}

async fn invite(server: &TestServer, inbox: &Inbox, organization: &str, invitee: &str) -> (String, String) {
    let expires_at = server.clock.now_ms() + 90 * 86_400_000;
    let body = json!({ "invitee": invitee, "organizationId": organization, "messagePayload": {},
        "expiresAt": expires_at });
    let id = server.management().await.post("/api/organization-invitations", body).await.expect(201).text("id");
    let link = inbox.message(invitee, 1).await["payload"]["link"].as_str().unwrap().to_owned();
    (id, link)
}

async fn casey(server: &TestServer) -> Actor {
    let demo = server.demo();
    server.bearer(&server.mint(&demo.customer_user_id, &demo.web_client_id, "openid identities").await)
}

/// Sends a request to the token endpoint, and answers the refresh token that it gives.
async fn refresh_token(form: Form, application: &ApplicationId) -> String {
    form.with("client_id", application).send().await.expect(200).text("refresh_token")
}

async fn refresh(server: &TestServer, (application, token): &(ApplicationId, String)) -> String {
    let form = server.form("/oidc/token").with("grant_type", "refresh_token").with("refresh_token", token);
    refresh_token(form, application).await
}

async fn sign_in_and_refresh(server: &TestServer) -> (ApplicationId, String) {
    let mut application = seed::new_application(ApplicationType::Native);
    application.oidc_client_metadata =
        Json(OidcClientMetadata { redirect_uris: vec![CALLBACK.to_owned()], ..OidcClientMetadata::default() });
    let (id, _) = server.add(application).await;
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(VERIFIER));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("client_id", id.as_str()), ("redirect_uri", CALLBACK), ("response_type", "code")])
        .extend_pairs([("scope", "openid offline_access"), ("code_challenge_method", "S256")])
        .append_pair("code_challenge", &challenge)
        .finish();
    let code = told(&browser.open(&format!("/oidc/auth?{query}")).await.expect(303)).remove("code").unwrap();
    let form = server.form("/oidc/token").with("grant_type", "authorization_code").with("code", &code);
    let first = refresh_token(form.with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER), &id).await;
    let second = refresh(server, &(id.clone(), first)).await;
    (id, second)
}

/// A recording of a plugin that goes on, with a sample.
async fn record(server: &TestServer, management: &Actor) {
    let path = "/api/plugins/keyed/recordings";
    let id = management.post(path, json!({ "count": 1000 })).await.expect(201).text("id");
    server.exchange(&server.customer_token().await).send().await.expect(200);
    until("a sample", async || {
        let recording = management.get(&format!("{path}/{id}")).await.expect(200);
        (recording["recorded"] == 1).then_some(())
    })
    .await;
}

/// A run of a plugin over all users that has ended, with its table and differences; its key as while it went on.
async fn run_over_all_users(server: &TestServer, management: &Actor) {
    let path = "/api/plugins/keyed/population-runs";
    let demo = server.demo();
    let body = json!({
        "version": "1", "against": "nothing", "application": demo.spa_client_id, "grantType": TOKEN_EXCHANGE,
        "resource": demo.resource
    });
    let id = management.post(path, body).await.expect(201).text("id");
    until("the end of the run", async || {
        let run = management.get(&format!("{path}/{id}")).await.expect(200);
        (run["state"] == "complete").then(|| assert!(run["differences"].as_i64() > Some(0), "{}", run.body))
    })
    .await;
    let key = population_runs::new_key(&server.app, &id).unwrap().unwrap();
    let mut tx = server.begin().await;
    let update = "UPDATE plugin_population_runs SET sealed_key = $1 WHERE id = $2";
    assert_eq!(tx.sql(update).bind(&key).bind(&id).execute().await.unwrap(), 1);
    tx.commit().await.unwrap();
}

impl Pending {
    pub(super) async fn fill(server: &TestServer, inbox: &Inbox) -> Self {
        let management = server.management().await;
        take_codes(server).await;
        policy(server, "UserControlled", &["Totp", "BackupCode"]).await;
        let upstream = Upstream::start(true).await;
        upstream.person(json!({ "sub": "ada-at-work", "email": "ada@work.example", "email_verified": true }));
        let social = connector(server, &upstream, "work").await;
        let body = json!({ "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config() });
        let enterprise = management.post("/api/sso-connectors", body).await.expect(200).text("id");

        let hook = json!({ "events": ["Role.Created"], "config": { "url": "http://127.0.0.1:9" } });
        let hook = management.post("/api/hooks", hook).await.expect(201).text("id");
        let renewed = management.patch(&format!("/api/hooks/{hook}/signing-key"), Value::Null).await.expect(200);
        let script = "export const getCustomJwtClaims = async ({ environmentVariables }) => \
                      ({ length: environmentVariables.KEY?.length });";
        let upload = management.request(Method::PUT, "/api/plugins/keyed").header(CONTENT_TYPE, "text/javascript");
        Answer::of(upload.body(script)).await.expect(201);
        management.put("/api/plugins/keyed/secrets/KEY", json!({ "value": "hunter2hunter2" })).await.expect(204);
        record(server, &management).await;
        run_over_all_users(server, &management).await;
        sample_of_rollout(server, "keyed").await;
        let captcha = json!({ "config": { "type": "Turnstile", "siteKey": "0x4site", "secretKey": "0x4secret" } });
        management.put("/api/captcha-provider", captcha).await.expect(200);

        let zoo = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
        let (_, link) = invite(server, inbox, &zoo, LEE).await;
        let (earlier, _) = invite(server, inbox, &zoo, KIM).await;
        let mut tx = server.begin().await;
        let forget = "UPDATE organization_invitations SET sealed_token = NULL WHERE id = $1";
        assert_eq!(tx.sql(forget).bind(&earlier).execute().await.unwrap(), 1);
        tx.commit().await.unwrap();
        management.post(&format!("/api/organization-invitations/{earlier}/message"), json!({})).await.expect(204);
        let earlier = inbox.message(KIM, 2).await["payload"]["link"].as_str().unwrap().to_owned();

        let mut away = Browser::new(server).await;
        away.start("SignIn").await.expect(204);
        let sent = leave(&mut away, server, "social", &social).await.expect(200);
        management.patch("/api/account-center", json!({ "enabled": true })).await.expect(200);
        let body = json!({ "connectorId": social, "state": STATE, "redirectUri": redirect_uri(server, &social) });
        let linking = casey(server).await.post("/api/verifications/social", body).await.expect(201);

        let ada = user(server, "ada").await;
        let email = json!({ "primaryEmail": "ada@example.com" });
        management.patch(&format!("/api/users/{ada}"), email).await.expect(200);
        let mut setting_up = Browser::new(server).await;
        setting_up.identified("ada").await;
        let secret = setting_up.set_up(server).await;
        setting_up.keep_codes().await;
        let bob = user(server, "bob").await;
        let email = json!({ "primaryEmail": "bob@example.com" });
        management.patch(&format!("/api/users/{bob}"), email).await.expect(200);
        let bob = give(server, &bob).await;
        let mut used = Browser::new(server).await;
        used.identified("bob").await;
        used.backup_code(&bob.1[0]).await.expect(200);

        let takes_texts = Arc::new(AtomicBool::new(false));
        let takes = Arc::clone(&takes_texts);
        let texts = Receiver::answering(move |_, _| Reply::from(if takes.load(Ordering::SeqCst) { 204 } else { 503 }));
        let texts = texts.await;
        let connectors = management.get("/api/connectors").await.expect(200).body;
        let sms = connectors.as_array().unwrap().iter().find(|one| one["connectorId"] == "http-sms").unwrap();
        let path = format!("/api/connectors/{}", sms["id"].as_str().unwrap());
        management.patch(&path, json!({ "config": { "endpoint": texts.url() } })).await.expect(200);
        let body = json!({ "primaryPhone": PHONE });
        management.post("/api/users", body).await.expect(200);
        let mut waiting = Browser::new(server).await;
        waiting.start("SignIn").await.expect(204);
        let asked = waiting.ask("phone", PHONE, "SignIn").await.expect(200);
        texts.wait(1).await;
        Self {
            upstream,
            social,
            enterprise,
            hook: renewed.body,
            invitations: [link, earlier],
            away: (away, sent),
            linking,
            setting_up: (setting_up, ada, secret),
            bob,
            refreshed: sign_in_and_refresh(server).await,
            waiting: (waiting, asked),
            texts,
            takes_texts,
        }
    }

    /// What needs a previous key: a text message with a code, and a link that an earlier version sent.
    pub(super) async fn check_while_the_old_key_is_kept(&mut self, server: &TestServer) {
        self.takes_texts.store(true, Ordering::SeqCst);
        let before = self.texts.count();
        server.clock.advance(Duration::from_secs(60));
        until("the text message", async || (self.texts.count() > before).then_some(())).await;
        let message = self.texts.received().pop().unwrap().json();
        let code = message["payload"]["code"].as_str().unwrap().to_owned();
        let (browser, asked) = &mut self.waiting;
        browser.go_to(server);
        browser.type_code("phone", PHONE, asked, &code).await.expect(200);
        browser.identify(asked).await.expect(204);
        browser.post("/profile/mfa/mfa-skipped", Value::Null).await.expect(204);
        browser.submit().await.expect(200);
        accept(server, &self.invitations[1]).await;
    }

    /// What the old key is not needed for.
    pub(super) async fn check(&mut self, server: &TestServer) {
        let management = server.management().await;
        accept(server, &self.invitations[0]).await;
        let (browser, sent) = &mut self.away;
        browser.go_to(server);
        let code = self.upstream.let_in(&sent.text("authorizationUri"));
        let data = json!({ "state": STATE, "code": code, "iss": self.upstream.issuer });
        bring(browser, "social", &self.social, &sent["verificationId"], data).await.expect(200);
        let code = self.upstream.let_in(&self.linking.text("authorizationUri"));
        let data = json!({ "state": STATE, "code": code, "iss": self.upstream.issuer });
        let body = json!({ "verificationRecordId": self.linking["verificationRecordId"], "connectorData": data });
        casey(server).await.post("/api/verifications/social/verify", body).await.expect(200);

        let (browser, ada, secret) = &mut self.setting_up;
        browser.go_to(server);
        browser.submit().await.expect(200);
        let mut had: Vec<String> = factors(server, ada).await.into_iter().map(|(kind, _)| kind).collect();
        had.sort();
        assert_eq!(had, ["BackupCode", "Totp"]);
        server.clock.advance(STEP);
        for (name, secret) in [("ada", &*secret), ("bob", &self.bob.0)] {
            let mut browser = Browser::new(server).await;
            browser.identified(name).await;
            browser.totp(&one_time_password(server, secret)).await.expect(200);
            browser.submit().await.expect(200);
        }
        let mut browser = Browser::new(server).await;
        browser.identified("bob").await;
        browser.backup_code(&self.bob.1[0]).await.expect_api_error(400, "session.mfa.invalid_backup_code");
        browser.backup_code(&self.bob.1[1]).await.expect(200);

        let token = refresh(server, &self.refreshed).await;
        assert_eq!(refresh(server, &self.refreshed).await, token, "its successor is the same under the new key");

        let path = format!("/api/hooks/{}", self.hook["id"].as_str().unwrap());
        assert_eq!(management.get(&path).await.expect(200).body, self.hook);
        let token = server.exchange(&server.customer_token().await).access_token().await;
        assert_eq!(server.verify(&token, &server.demo().resource).await.claims["length"], 14);
        assert_eq!(management.get("/api/captcha-provider").await.expect(200)["config"]["siteKey"], "0x4site");
        let path = format!("/api/sso-connectors/{}", self.enterprise);
        assert_eq!(management.get(&path).await.expect(200)["config"]["issuer"], self.upstream.issuer);
        still_records(server, &management).await;
    }
}

/// The recording goes on with its own key: the same user has the same pseudonym before the rotation and after it.
async fn still_records(server: &TestServer, management: &Actor) {
    let path = "/api/plugins/keyed/recordings";
    let recordings = management.get(path).await.expect(200).body;
    let path = format!("{path}/{}/samples", recordings[0]["id"].as_str().unwrap());
    let of_customer = async || {
        let response = management.request(Method::GET, &path).send().await.unwrap();
        let text = response.text().await.unwrap();
        let user = |line| serde_json::from_str::<Value>(line).unwrap()["input"]["context"]["user"]["id"].clone();
        let users: Vec<Value> = text.lines().map(user).collect();
        // The first sample was the customer's.
        users.iter().filter(|user| user.is_string() && **user == users[0]).count()
    };
    let before = of_customer().await;
    assert!(before > 0, "what was recorded under the old key can be read");
    until("a sample under the new key", async || {
        server.exchange(&server.customer_token().await).send().await.expect(200);
        (of_customer().await > before).then_some(())
    })
    .await;
}

/// Accepts an invitation by its link.
async fn accept(server: &TestServer, link: &str) {
    let fields: Vec<(String, String)> =
        form_urlencoded::parse(link.split_once('?').unwrap().1.as_bytes()).into_owned().collect();
    Pages::new(server).post("/invitation", &fields).await.expect(200);
}

/// A sample of a rollout that is over.
async fn sample_of_rollout(server: &TestServer, plugin: &str) {
    let rollout = Rollout {
        plugin_name: plugin.to_owned(),
        id: "r1".to_owned(),
        version: 2,
        active_before: 1,
        mode: "shadow".to_owned(),
        state: "aborted".to_owned(),
        reason: None,
        share: 10,
        audience: "{}".to_owned(),
        rules: None,
        rules_by: None,
        started_by: "somebody".to_owned(),
        started_at: 1,
        running_since: 1,
        expires_at: 2,
        ended_by: None,
        ended_at: Some(2),
    };
    let content = br#"{"input":{},"active":{"outcome":"ok"},"candidate":{"outcome":"denied"}}"#;
    let sample = RolloutSample {
        id: "s1".to_owned(),
        rollout_id: rollout.id.clone(),
        class: "deniedInstead".to_owned(),
        user_id: None,
        sealed: server.app.cipher.encrypt(Purpose::RolloutSample, "s1", content).unwrap(),
        created_at: server.app.clock.now_ms(),
    };
    let mut tx = server.begin().await;
    rollouts::begin(&mut tx, &rollout).await.unwrap();
    assert!(rollouts::add_sample(&mut tx, &sample, 20).await.unwrap());
    tx.commit().await.unwrap();
}
