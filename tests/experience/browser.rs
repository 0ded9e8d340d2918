//! A browser in the middle of a sign-in: it keeps cookies, and makes steps.

use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::interaction::Progress;
use claimsmith_domain::random;
use claimsmith_services::tokens;
use claimsmith_storage::Json;
use claimsmith_storage::sessions::interactions::{self, Interaction};
use claimsmith_test_support::seed::new_authorization_request;
use claimsmith_test_support::{Answer, Api, Inbox, TestServer};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use serde_json::{Value, json};

/// A password that the default policy accepts.
pub(crate) const PASSWORD: &str = "correct horse battery staple";
/// The name of the cookie of the interaction, over http.
const INTERACTION: &str = "claimsmith-interaction";
/// The name of the cookie of the sessions, over http.
const SESSION: &str = "claimsmith-session";
/// The name of the cookie of a browser in which somebody has signed in, over http.
const KNOWN: &str = "claimsmith-known";

/// The name of the cookie of a browser that somebody trusts, over http.
const TRUSTED: &str = "claimsmith-trusted";

/// A browser.
#[derive(Clone)]
pub(crate) struct Browser {
    api: Api,
    interaction: Option<String>,
    /// The value of its session cookie.
    pub session: Option<String>,
    /// The value of the cookie by which it is known.
    pub known: Option<String>,
    /// The value of the cookie by which it is trusted.
    pub trusted: Option<String>,
    /// The id of its interaction.
    pub interaction_id: String,
    /// The address that it comes from, as a proxy tells.
    pub from: Option<String>,
    /// The country that it comes from, as a proxy tells.
    pub country: Option<String>,
    client_id: ApplicationId,
}

impl Browser {
    /// A new browser that the demo's single-page application sent to sign in.
    pub(crate) async fn new(server: &TestServer) -> Self {
        Self::of(server, &server.demo().spa_client_id).await
    }

    /// The same of another application.
    pub(crate) async fn of(server: &TestServer, client_id: &ApplicationId) -> Self {
        let mut browser = Self {
            api: (**server).clone(),
            interaction: None,
            session: None,
            known: None,
            trusted: None,
            interaction_id: String::new(),
            from: None,
            country: None,
            client_id: client_id.clone(),
        };
        browser.authorize(server).await;
        browser
    }

    /// Begins another interaction, as the authorization endpoint does.
    pub(crate) async fn authorize(&mut self, server: &TestServer) {
        self.authorize_with_classes(server, &[]).await;
    }

    /// The same for an application that wants one of these classes of authentication.
    pub(crate) async fn authorize_with_classes(&mut self, server: &TestServer, acr_values: &[&str]) {
        let cookie = random::secret(43).unwrap();
        let now = server.clock.now_ms();
        let scope = vec!["openid".to_owned()];
        let acr_values = acr_values.iter().map(ToString::to_string).collect();
        let request = AuthorizationRequest { scope, acr_values, ..new_authorization_request(&self.client_id) };
        let interaction = Interaction {
            id: random::id(21).unwrap().into(),
            hash: tokens::hash(&cookie),
            request: Json(Some(request)),
            state: Json(Some(Progress::default())),
            revision: 1,
            created_at: now,
            expires_at: now + 3_600_000,
        };
        let mut tx = server.begin().await;
        interactions::insert(&mut tx, &interaction).await.unwrap();
        tx.commit().await.unwrap();
        (self.interaction, self.interaction_id) = (Some(cookie), interaction.id.into());
    }

    /// The secret of its interaction.
    pub(crate) fn interaction_secret(&self) -> &str {
        self.interaction.as_deref().unwrap()
    }

    /// Asks another node from now on.
    pub(crate) fn go_to(&mut self, server: &TestServer) {
        self.api = (**server).clone();
    }

    /// The same browser without its interaction.
    pub(crate) fn without_interaction(&self) -> Self {
        Self { interaction: None, ..self.clone() }
    }

    /// A request with its cookies, to be completed.
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let cookies = [
            (INTERACTION, &self.interaction),
            (SESSION, &self.session),
            (KNOWN, &self.known),
            (TRUSTED, &self.trusted),
        ];
        let cookies = cookies.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?)));
        let cookies = cookies.collect::<Vec<_>>().join("; ");
        let path = format!("/api/experience{path}");
        let request = self.api.anonymous().request(method, &path).header(COOKIE, cookies);
        let told = [("x-forwarded-for", &self.from), ("cf-ipcountry", &self.country)];
        let told = told.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        told.fold(request, |request, (name, value)| request.header(name, value))
    }

    /// Makes a step, and keeps the session that it gets.
    pub(crate) async fn send(&mut self, method: Method, path: &str, body: Value) -> Answer {
        let request = self.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        let answer = Answer::of(request.header("sec-fetch-site", "same-origin")).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        self.session = cookie(&answer, SESSION).or_else(|| self.session.take());
        self.known = cookie(&answer, KNOWN).or_else(|| self.known.take());
        self.trusted = cookie(&answer, TRUSTED).or_else(|| self.trusted.take());
        answer
    }

    /// Posts.
    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    /// Says what it is about.
    pub(crate) async fn start(&mut self, event: &str) -> Answer {
        self.send(Method::PUT, "", json!({ "interactionEvent": event })).await
    }

    /// Goes on as something else.
    pub(crate) async fn switch(&mut self, event: &str) -> Answer {
        self.send(Method::PUT, "/interaction-event", json!({ "interactionEvent": event })).await
    }

    /// What was done so far.
    pub(crate) async fn state(&mut self) -> Value {
        self.send(Method::GET, "/interaction", Value::Null).await.expect(200).body
    }

    /// Verifies the password of a user name.
    pub(crate) async fn verify(&mut self, username: &str, password: &str) -> Answer {
        self.post("/verification/password", credentials("username", username, password)).await
    }

    /// Chooses a user name and a password.
    pub(crate) async fn choose(&mut self, username: &str, password: &str) -> Answer {
        self.post("/verification/new-password-identity", credentials("username", username, password)).await
    }

    /// Asks for a code to an address or a number (`email`, `phone`), for an event.
    pub(crate) async fn ask(&mut self, kind: &str, value: &str, event: &str) -> Answer {
        let body = json!({ "identifier": { "type": kind, "value": value }, "interactionEvent": event });
        self.post("/verification/verification-code", body).await
    }

    /// Types the code of the verification of an answer.
    pub(crate) async fn type_code(&mut self, kind: &str, value: &str, sent: &Answer, code: &str) -> Answer {
        let body = json!({ "identifier": { "type": kind, "value": value },
            "verificationId": sent["verificationId"], "code": code });
        self.post("/verification/verification-code/verify", body).await
    }

    /// Asks for a code to an email address, for an event, and types it: the number of the message to it, from 1.
    pub(crate) async fn prove(&mut self, inbox: &Inbox, email: &str, event: &str, number: usize) -> Answer {
        let sent = self.ask("email", email, event).await.expect(200);
        let code = inbox.code(email, number).await;
        self.type_code("email", email, &sent, &code).await.expect(200)
    }

    /// Identifies by the verification of an answer.
    pub(crate) async fn identify(&mut self, verified: &Answer) -> Answer {
        self.post("/identification", json!({ "verificationId": verified["verificationId"] })).await
    }

    /// Submits.
    pub(crate) async fn submit(&mut self) -> Answer {
        self.post("/submit", Value::Null).await
    }

    /// Signs in up to the submission.
    pub(crate) async fn identified(&mut self, username: &str) {
        self.start("SignIn").await.expect(204);
        let verified = self.verify(username, PASSWORD).await.expect(200);
        self.identify(&verified).await.expect(204);
    }

    /// Signs in with [`PASSWORD`].
    pub(crate) async fn sign_in(&mut self, username: &str) -> Answer {
        self.identified(username).await;
        self.submit().await.expect(200)
    }

    /// Registers with [`PASSWORD`].
    pub(crate) async fn register(&mut self, username: &str) -> Answer {
        self.start("Register").await.expect(204);
        let chosen = self.choose(username, PASSWORD).await.expect(200);
        self.identify(&chosen).await.expect(201);
        self.submit().await.expect(200)
    }

    /// A form that is posted, as other sites can.
    pub(crate) fn form(&self, path: &str) -> reqwest::RequestBuilder {
        self.request(Method::POST, path).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body("{}")
    }
}

/// An identifier and a password.
pub(crate) fn credentials(kind: &str, value: &str, password: &str) -> Value {
    json!({ "identifier": { "type": kind, "value": value }, "password": password })
}

/// A cookie that an answer sets. It is for this server alone, and no script reads it.
fn cookie(answer: &Answer, name: &str) -> Option<String> {
    let mut set = answer.headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap());
    let cookie = set.find_map(|set| set.strip_prefix(&format!("{name}=")))?;
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    Some(cookie.split(';').next().unwrap().to_owned())
}

/// Creates a user with [`PASSWORD`], and answers the id.
pub(crate) async fn user(server: &TestServer, username: &str) -> String {
    let body = json!({ "username": username, "password": PASSWORD });
    server.management().await.post("/api/users", body).await.expect(200).text("id")
}

/// Changes the settings of sign-in.
pub(crate) async fn settings(server: &TestServer, change: Value) {
    server.management().await.patch("/api/sign-in-exp", change).await.expect(200);
}

/// The sessions of a browser.
pub(crate) async fn sessions_of(server: &TestServer, browser: &Browser) -> Vec<String> {
    let Some(cookie) = &browser.session else { return Vec::new() };
    let mut tx = server.begin().await;
    let now = server.clock.now_ms();
    let found = claimsmith_storage::sessions::of_browser(&mut tx, &tokens::hash(cookie), now, 0).await.unwrap();
    found.into_iter().map(|session| session.user_id.into()).collect()
}

/// Lets people sign in with codes by email and text message, and with passwords beside user names.
pub(crate) async fn take_codes(server: &TestServer) {
    let by = |identifier: &str, password: bool, code: bool| json!({ "identifier": identifier, "password": password, "verificationCode": code, "isPasswordPrimary": password });
    let methods = json!([by("username", true, false), by("email", true, true), by("phone", false, true)]);
    let sign_up = json!({ "identifiers": ["email", "phone"], "password": false, "verify": true });
    settings(server, json!({ "signIn": { "methods": methods }, "signUp": sign_up })).await;
}

/// Creates a user with this address and [`PASSWORD`], and answers the id.
pub(crate) async fn user_with_email(server: &TestServer, email: &str) -> String {
    let body = json!({ "primaryEmail": email, "password": PASSWORD });
    server.management().await.post("/api/users", body).await.expect(200).text("id")
}
