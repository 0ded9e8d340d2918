//! A builder of requests to OIDC endpoints.

use crate::{Answer, Api};
use data_encoding::BASE64;
use reqwest::header::AUTHORIZATION;

/// A form that can be sent, changed and sent again.
#[derive(Clone)]
pub struct Form {
    api: Api,
    path: String,
    /// The parameters in the order in which they are sent.
    pub parameters: Vec<(String, String)>,
    authorization: Option<String>,
}

impl Form {
    pub(crate) fn new(api: Api, path: &str) -> Self {
        Self { api, path: path.to_owned(), parameters: Vec::new(), authorization: None }
    }

    /// Sets a parameter, in place of what it was.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> Self {
        self.without(name).and(name, value)
    }

    /// Adds a parameter beside what is there.
    #[must_use]
    pub fn and(mut self, name: &str, value: &str) -> Self {
        self.parameters.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a parameter away.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.parameters.retain(|(known, _)| known != name);
        self
    }

    /// Names the acting user by a token.
    #[must_use]
    pub fn actor(self, token: &str) -> Self {
        self.with("actor_token", token).with("actor_token_type", crate::ACCESS_TOKEN)
    }

    /// An Authorization header as it stands.
    #[must_use]
    pub fn authorization(mut self, value: &str) -> Self {
        self.authorization = Some(value.to_owned());
        self
    }

    /// Credentials in the Basic header, each form-encoded (RFC 6749 section 2.3.1).
    #[must_use]
    pub fn basic(self, client_id: &str, secret: &str) -> Self {
        let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let credentials = BASE64.encode(format!("{}:{}", encode(client_id), encode(secret)).as_bytes());
        self.authorization(&format!("Basic {credentials}"))
    }

    /// The demo's web application, by its Basic header.
    #[must_use]
    pub fn as_web(self) -> Self {
        let demo = self.api.demo().clone();
        self.without("client_id").basic(&demo.web_client_id, &demo.web_client_secret)
    }

    /// The bootstrap's machine-to-machine application, by its Basic header.
    #[must_use]
    pub fn as_machine(self) -> Self {
        let machine = self.api.machine().clone();
        self.without("client_id").basic(&machine.client_id, &machine.client_secret)
    }

    /// The request, to be sent or changed further.
    pub fn request(&self) -> reqwest::RequestBuilder {
        let request = self.api.http.post(self.api.url(&self.path)).form(&self.parameters);
        match &self.authorization {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        }
    }

    /// Sends it.
    pub async fn send(&self) -> Answer {
        Answer::of(self.request()).await
    }

    /// Sends it, and answers the access token of a 200.
    pub async fn access_token(&self) -> String {
        self.send().await.expect(200).text("access_token")
    }
}
