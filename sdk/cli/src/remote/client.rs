//! Asks the server: a token first, then one request after the other. Nothing stands between (no proxy, no redirect),
//! and every answer that is not a success becomes a [`Refusal`].

use super::Usage;
use super::connection::{Credentials, ServerArgs, Target, resolve};
use super::refusal::{Refusal, Unreachable};
use crate::local::FindLocal;
use crate::secret::Secret;
use anyhow::Context as _;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use serde_json::Value;
use std::time::Duration;

/// A server that does not accept a connection within this time is not there.
const CONNECT: Duration = Duration::from_secs(10);
/// An upload may be large, and its compilation may have to wait for its turn.
const PATIENCE: Duration = Duration::from_mins(5);
/// The grant of a machine that acts for itself (RFC 6749 section 4.4).
const CLIENT_CREDENTIALS: &str = "client_credentials";

/// A server that let us in.
pub(crate) struct Remote {
    http: Client,
    target: Target,
    token: Secret,
    /// The scopes of the token, where the server said so.
    scope: Option<String>,
    /// Whether the server's JSON is printed as it is.
    pub(super) json: bool,
}

/// A success, read whole.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) etag: Option<String>,
    pub(super) text: String,
}

impl Answer {
    /// The body, which must be JSON.
    pub(super) fn json(&self) -> anyhow::Result<Value> {
        serde_json::from_str(&self.text).context("the answer is not JSON: is a Claimsmith server there?")
    }
}

/// Finds the server, and gets a token for it unless one was given.
pub(crate) async fn connect(args: &ServerArgs, local: FindLocal<'_>) -> anyhow::Result<Remote> {
    let environment = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let target = resolve(args, environment, local())?;
    let http = Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .user_agent(concat!("claimsmith/", env!("CARGO_PKG_VERSION")))
        .build()?;
    let mut remote = Remote { http, target, token: Secret::new(String::new()), scope: None, json: args.json };
    remote.renew().await?;
    Ok(remote)
}

impl Remote {
    /// Gets a new token; answers whether there is a way to.
    pub(super) async fn renew(&mut self) -> anyhow::Result<bool> {
        let (id, secret) = match &self.target.credentials {
            Credentials::Token(token) => {
                self.token = token.clone();
                return Ok(false);
            }
            Credentials::Client { id, secret } => (id, secret),
        };
        let form = [
            ("grant_type", CLIENT_CREDENTIALS),
            ("resource", self.target.resource.as_str()),
            ("scope", self.target.scope.as_str()),
        ];
        let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let request = self.http.post(format!("{}/oidc/token", self.target.server));
        // RFC 6749 section 2.3.1: both are encoded before they are put together.
        let request = request.basic_auth(encode(id), Some(encode(secret.expose()))).form(&form).timeout(PATIENCE);
        let response = self.send(request).await?;
        if !response.status().is_success() {
            return Err(Refusal::of_token(response, &self.target.resource).await.into());
        }
        let answer: Value = response.json().await.context("the token endpoint's answer is not JSON")?;
        let token = answer.get("access_token").and_then(Value::as_str).context("the answer holds no access token")?;
        self.token = Secret::new(token.to_owned());
        self.scope = answer.get("scope").and_then(Value::as_str).map(str::to_owned);
        Ok(true)
    }

    /// A request to `/api/plugins` and the parts that follow.
    pub(super) fn request(&self, method: Method, parts: &[&str]) -> anyhow::Result<RequestBuilder> {
        let mut url = format!("{}/api/plugins", self.target.server);
        for part in parts {
            // Also in encoded form, these two would be taken for steps of the path.
            if matches!(*part, "" | "." | "..") {
                return Err(Usage::new(format!("{part:?} is no name")).into());
            }
            url.push('/');
            url.extend(utf8_percent_encode(part, NON_ALPHANUMERIC));
        }
        Ok(self.http.request(method, url).bearer_auth(self.token.expose()))
    }

    /// Sends a request that needs `scope`, and reads the answer.
    pub(super) async fn ask(&self, scope: &'static str, request: RequestBuilder) -> anyhow::Result<Answer> {
        let response = self.open(scope, request.timeout(PATIENCE)).await?;
        let status = response.status();
        let etag = response.headers().get(header::ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let text = response.text().await.context("the answer broke off")?;
        Ok(Answer { status, etag, text })
    }

    /// The same for answers that go on.
    pub(super) async fn open(&self, scope: &'static str, request: RequestBuilder) -> anyhow::Result<Response> {
        let response = self.send(request).await?;
        if !response.status().is_success() {
            return Err(Refusal::of(response, scope, self.scope.as_deref()).await.into());
        }
        Ok(response)
    }

    /// Reads.
    pub(super) async fn get(&self, parts: &[&str]) -> anyhow::Result<Answer> {
        self.ask(super::READ, self.request(Method::GET, parts)?).await
    }

    async fn send(&self, request: RequestBuilder) -> anyhow::Result<Response> {
        let sent = request.send().await;
        // Without its URL: the server is named, and a path says nothing more.
        sent.map_err(|error| Unreachable::new(&self.target.server, error.without_url()).into())
    }
}
