//! A server as its clients see it: over HTTP, with the credentials of the bootstrap report.

use crate::{ACCESS_TOKEN, Actor, Answer, Form, Jwt, TOKEN_EXCHANGE};
use claimsmith_identity::bootstrap::{BootstrapReport, DemoReport, ManagementReport};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};

/// The HTTP side of a server.
#[derive(Clone)]
pub struct Api {
    /// `http://ADDRESS` of its listener.
    pub origin: String,
    /// What was made at its first start.
    pub report: BootstrapReport,
    /// For requests that have no helper here.
    pub http: reqwest::Client,
}

impl Api {
    /// The server that listens there.
    #[must_use]
    pub fn new(listen: SocketAddr, report: BootstrapReport) -> Self {
        // Nothing on the way: not the machine's proxy, no redirect.
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        // Who listens everywhere is reached at home.
        let ip = if listen.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { listen.ip() };
        Self { origin: format!("http://{}", SocketAddr::new(ip, listen.port())), report, http }
    }

    /// The demo data.
    #[must_use]
    pub fn demo(&self) -> &DemoReport {
        self.report.demo.as_ref().unwrap()
    }

    /// The application that manages the server.
    #[must_use]
    pub fn machine(&self) -> &ManagementReport {
        self.report.management_api.as_ref().unwrap()
    }

    /// The `iss` of its tokens.
    #[must_use]
    pub fn issuer(&self) -> String {
        format!("{}/oidc", self.report.base_url)
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Reads a path without any proof of who asks.
    pub async fn get(&self, path: &str) -> Answer {
        self.anonymous().get(path).await
    }

    /// Somebody without a token.
    #[must_use]
    pub fn anonymous(&self) -> Actor {
        Actor::new(self.clone(), None)
    }

    /// Whoever holds this token.
    #[must_use]
    pub fn bearer(&self, token: &str) -> Actor {
        Actor::new(self.clone(), Some(token.to_owned()))
    }

    /// The bootstrap's machine-to-machine application, with a token from the token endpoint.
    pub async fn management(&self) -> Actor {
        self.bearer(&self.management_token().await)
    }

    /// Its token.
    pub async fn management_token(&self) -> String {
        self.client_credentials().send().await.expect(200).text("access_token")
    }

    /// A form for one of the OIDC endpoints, empty.
    #[must_use]
    pub fn form(&self, path: &str) -> Form {
        Form::new(self.clone(), path)
    }

    /// The `client_credentials` grant of the bootstrap's machine-to-machine application for the Management API.
    #[must_use]
    pub fn client_credentials(&self) -> Form {
        self.form("/oidc/token")
            .with("grant_type", "client_credentials")
            .with("resource", &self.machine().resource)
            .with("scope", "all")
            .as_machine()
    }

    /// A subject token for a user.
    pub async fn subject_token(&self, user_id: &str, context: Value) -> String {
        let body = json!({ "userId": user_id, "context": context });
        self.management().await.post("/api/subject-tokens", body).await.expect(201).text("subjectToken")
    }

    /// A subject token for the demo's customer, with a ticket, a reason and an engineer as its context.
    pub async fn customer_token(&self) -> String {
        let context = json!({
            "ticketId": "TECH-1234", "reason": "a stuck order", "supportEngineerId": self.demo().engineer_user_id,
        });
        self.subject_token(&self.demo().customer_user_id, context).await
    }

    /// The exchange of a subject token by the demo's single-page application, for `resource:read` of the demo's API.
    #[must_use]
    pub fn exchange(&self, subject_token: &str) -> Form {
        self.form("/oidc/token")
            .with("grant_type", TOKEN_EXCHANGE)
            .with("client_id", &self.demo().spa_client_id)
            .with("subject_token", subject_token)
            .with("subject_token_type", ACCESS_TOKEN)
            .with("scope", "resource:read")
            .with("resource", &self.demo().resource)
    }

    /// What the introspection endpoint tells the demo's web application.
    pub async fn introspect_as_web(&self, token: &str) -> Value {
        self.form("/oidc/token/introspection").with("token", token).as_web().send().await.expect(200).body
    }

    /// Verifies a JWT as a resource server does: by the key set alone. Panics when it does not hold.
    pub async fn verify(&self, token: &str, audience: &str) -> Jwt {
        self.try_verify(token, audience).await.unwrap()
    }

    /// The same; the error says what does not hold.
    pub async fn try_verify(&self, token: &str, audience: &str) -> Result<Jwt, String> {
        let keys = self.get("/oidc/jwks").await.expect(200).body;
        Jwt::verify(token, keys, &self.issuer(), audience)
    }
}
