//! An application that knows the discovery document alone, and the person who signs in to it at the pages.

use super::checks;
use crate::page::{PageForm, html};
use claimsmith_test_support::{Answer, Browser, Form, Jwt, TestServer};
use reqwest::header::ACCEPT;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use url::Url;

/// Where the application gets its answers; its own query must survive.
pub(super) const CALLBACK: &str = "https://client.example.com/callback?tenant=1";
/// Where it takes people back who signed out.
pub(super) const AFTER_LOGOUT: &str = "https://client.example.com/bye";
/// The customer's password.
pub(super) const PASSWORD: &str = "violet-kettle-42";
/// As browsers say.
const OF_BROWSERS: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// An application.
pub(super) struct RelyingParty {
    pub server: TestServer,
    pub metadata: Value,
    pub client_id: String,
    /// What a confidential one has.
    pub secret: Option<String>,
    /// `query`, `fragment` or `form_post`.
    pub mode: &'static str,
}

/// Where an authorization request led.
pub(super) enum Reached {
    /// Back to the application, with these members.
    Back(BTreeMap<String, String>),
    /// To a page.
    Page(Answer),
}

/// A sign-in that passed all checks.
pub(super) struct SignedIn {
    pub code: String,
    pub tokens: Answer,
    pub id_token: Jwt,
    pub userinfo: Answer,
}

impl RelyingParty {
    /// A web application with a secret; the demo's customer gets a password.
    pub(super) async fn register(server: TestServer, mode: &'static str) -> Self {
        let path = format!("/api/users/{}/password", server.demo().customer_user_id);
        server.management().await.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
        let metadata = checks::discovery(&server).await;
        let (client_id, secret) = add_client(&server, "Traditional").await;
        Self { server, metadata, client_id, secret: Some(secret), mode }
    }

    /// The same with an application of this type that keeps no secret.
    pub(super) async fn register_public(server: TestServer, kind: &str) -> Self {
        let (client_id, _) = add_client(&server, kind).await;
        Self { client_id, secret: None, ..Self::register(server, "query").await }
    }

    /// The path of an endpoint that discovery names.
    pub(super) fn endpoint(&self, name: &str) -> String {
        let url = self.metadata[name].as_str().unwrap();
        url.strip_prefix(self.server.report.base_url.as_str()).unwrap().to_owned()
    }

    /// The parameters of an authorization request; an empty one is left out.
    pub(super) fn request(&self, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut request = vec![
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("scope", "openid"),
            ("state", "af0ifjs ldkj&ä"),
            ("nonce", "n-0S6_WzA2Mj"),
        ];
        if self.mode != "query" {
            request.push(("response_mode", self.mode));
        }
        request.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
        request.extend(more.iter().filter(|(_, value)| !value.is_empty()));
        request.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Sends the browser with a request, and follows it within the server.
    pub(super) async fn ask(&self, browser: &Browser, more: &[(&str, &str)]) -> Reached {
        let request = self.request(more);
        let reached = self.ask_as(browser, &request).await;
        if let Reached::Back(members) = &reached {
            let state = request.iter().find(|(name, _)| name == "state").map(|(_, value)| value);
            assert_eq!(members.get("state"), state, "the state comes back as it was");
        }
        reached
    }

    /// The same with parameters as they stand.
    pub(super) async fn ask_as(&self, browser: &Browser, request: &[(String, String)]) -> Reached {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(request).finish();
        let answer = open(&self.server, browser, &format!("{}?{query}", self.endpoint("authorization_endpoint"))).await;
        self.follow(browser, answer).await
    }

    /// Follows redirects until they lead to the application or to a page.
    pub(super) async fn follow(&self, browser: &Browser, mut answer: Answer) -> Reached {
        while let Some(location) = answer.header("location").map(str::to_owned) {
            assert_eq!(answer.status, 303, "a browser must not repeat a POST elsewhere");
            if location.starts_with("https://client.example.com/") {
                return Reached::Back(self.redirected(&location));
            }
            assert!(location.starts_with(&self.server.report.base_url), "{location}");
            answer = open(&self.server, browser, &location).await;
        }
        match PageForm::of(&answer) {
            Some(form) if Url::parse(&form.action).is_ok_and(|url| url.host_str() == Some("client.example.com")) => {
                Reached::Back(self.posted(form))
            }
            _ => Reached::Page(answer),
        }
    }

    /// The members of an answer in the query or the fragment.
    fn redirected(&self, location: &str) -> BTreeMap<String, String> {
        assert_ne!(self.mode, "form_post", "asked for as a form: {location}");
        let separator = if self.mode == "fragment" { '#' } else { '&' };
        let told = location.strip_prefix(&format!("{CALLBACK}{separator}")).expect("the callback");
        checks::members(&self.server.issuer(), form_urlencoded::parse(told.as_bytes()).into_owned())
    }

    /// The members of an answer in a form.
    fn posted(&self, form: PageForm) -> BTreeMap<String, String> {
        assert_eq!((self.mode, form.action.as_str()), ("form_post", CALLBACK), "nothing may be in the query");
        checks::members(&self.server.issuer(), form.fields.into_iter())
    }

    /// Asks, and has the person do what the pages want.
    pub(super) async fn authorize(&self, browser: &Browser, more: &[(&str, &str)]) -> BTreeMap<String, String> {
        match self.ask(browser, more).await {
            Reached::Back(members) => members,
            Reached::Page(page) => self.log_in(browser, &page).await,
        }
    }

    /// Signs the customer in at a page.
    pub(super) async fn log_in(&self, browser: &Browser, page: &Answer) -> BTreeMap<String, String> {
        let form = PageForm::of(page).unwrap_or_else(|| panic!("no form: {page:?}"));
        assert!(form.asks_for("identifier") && form.asks_for("password"), "{page:?}");
        let sent = form.filled_in(&[("identifier", "customer"), ("password", PASSWORD)]);
        let answer = browser.post(&form.action, &sent).await;
        self.follow(browser, answer).await.back()
    }

    /// A whole sign-in, with all its checks.
    pub(super) async fn sign_in(&self, browser: &Browser, more: &[(&str, &str)]) -> SignedIn {
        let members = self.authorize(browser, more).await;
        let code = members.get("code").unwrap_or_else(|| panic!("no code: {members:?}")).clone();
        self.check(code, more).await
    }

    /// The same where nothing may be asked.
    pub(super) async fn sign_in_silently(&self, browser: &Browser, more: &[(&str, &str)]) -> SignedIn {
        let code = self.ask(browser, more).await.back()["code"].clone();
        self.check(code, more).await
    }

    /// Redeems the code that a request gave, and checks all that comes of it.
    async fn check(&self, code: String, more: &[(&str, &str)]) -> SignedIn {
        let request = self.request(more);
        let asked = |wanted: &str| request.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        checks::code(&code);
        let tokens = self.redeem(&code).send().await.expect(200);
        checks::token_answer(&tokens);
        let id_token = self.server.verify(&tokens.text("id_token"), &self.client_id).await;
        let (claims, now) = (&id_token.claims, self.server.clock.now_ms() / 1000);
        let parties = (claims["iss"].as_str(), claims["aud"].as_str());
        assert_eq!(parties, (Some(&*self.server.issuer()), Some(&*self.client_id)));
        let access_token = tokens.text("access_token");
        checks::id_token(claims, &access_token, now, (asked("nonce"), asked("acr_values")));
        let userinfo = self.userinfo(&access_token).await.expect(200);
        checks::userinfo(&userinfo, claims);
        SignedIn { code, tokens, id_token, userinfo }
    }

    /// A form for the token endpoint, with the application's credentials.
    pub(super) fn token_request(&self, grant_type: &str) -> Form {
        let form = self.server.form(&self.endpoint("token_endpoint")).with("grant_type", grant_type);
        match &self.secret {
            Some(secret) => form.basic(&self.client_id, secret),
            None => form.with("client_id", &self.client_id),
        }
    }

    /// The exchange of a code.
    pub(super) fn redeem(&self, code: &str) -> Form {
        self.token_request("authorization_code").with("code", code).with("redirect_uri", CALLBACK)
    }

    /// A refresh.
    pub(super) fn refresh(&self, token: &str) -> Form {
        self.token_request("refresh_token").with("refresh_token", token)
    }

    /// The path with a request for somebody's claims.
    pub(super) async fn userinfo(&self, access_token: &str) -> Answer {
        self.server.bearer(access_token).get(&self.endpoint("userinfo_endpoint")).await
    }
}

impl Reached {
    /// The members of the application's answer; a page is a failure.
    #[track_caller]
    pub(super) fn back(self) -> BTreeMap<String, String> {
        match self {
            Self::Back(members) => members,
            Self::Page(page) => panic!("a page instead of an answer: {page:?}"),
        }
    }

    /// The page; an answer to the application is a failure.
    #[track_caller]
    pub(super) fn page(self) -> Answer {
        match self {
            Self::Page(page) => page,
            Self::Back(members) => panic!("an answer instead of a page: {members:?}"),
        }
    }

    /// Asserts a page that says what is wrong.
    #[track_caller]
    pub(super) fn expect_error_page(self) {
        let page = self.page();
        assert!(page.status == 400 && html(&page).is_some(), "{page:?}");
    }

    /// Asserts that the application is told one of these errors.
    #[track_caller]
    pub(super) fn expect_error(self, errors: &[&str]) {
        let members = self.back();
        assert!(errors.contains(&members["error"].as_str()) && !members.contains_key("code"), "{members:?}");
    }
}

/// Opens a path as a browser does.
pub(super) async fn open(server: &TestServer, browser: &Browser, path: &str) -> Answer {
    let path = path.strip_prefix(server.report.base_url.as_str()).unwrap_or(path);
    browser.send(server.http.get(server.url(path)).header(ACCEPT, OF_BROWSERS)).await
}

/// Registers an application of this type; answers its id and a secret, which is empty for those that keep none.
pub(super) async fn add_client(server: &TestServer, kind: &str) -> (String, String) {
    let management = server.management().await;
    let body = json!({ "name": "Client", "type": kind, "oidcClientMetadata": {
        "redirectUris": [CALLBACK], "postLogoutRedirectUris": [AFTER_LOGOUT],
    } });
    let id = management.post("/api/applications", body).await.expect(200).text("id");
    if kind != "Traditional" {
        return (id, String::new());
    }
    let path = format!("/api/applications/{id}/secrets");
    let secret = management.post(&path, json!({ "name": "conformance" })).await.expect(201).text("value");
    (id, secret)
}
