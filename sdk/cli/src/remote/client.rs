//! The HTTP client of the Management API: gets an access token, then sends requests. Every answer that is not a success
//! becomes a [`ServerRefusal`].

use super::connection::{Credentials, ServerArgs, ServerConnection, resolve};
use super::logins::Store;
use super::oauth;
use super::refusal::{ServerRefusal, Unreachable};
use super::{Usage, http};
use crate::local_server::FindLocal;
use crate::secret::SecretString;
use anyhow::Context as _;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use serde_json::Value;
use std::time::Duration;

/// What is encoded in a segment of a path: all but the unreserved characters (RFC 3986 section 2.3). Routes are compared as
/// they come.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// How long a request may take: an upload may be large, and its compilation may have to wait in a queue.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(5);
/// The grant of a machine that acts for itself (RFC 6749 section 4.4).
const CLIENT_CREDENTIALS: &str = "client_credentials";

/// A connection to a server, with an access token.
pub(crate) struct Remote {
    http: Client,
    target: ServerConnection,
    token: SecretString,
    /// The scopes of the token, where the server said so.
    scope: Option<String>,
    /// Whether the server's JSON is printed as it is.
    pub(crate) json: bool,
}

/// A success, read whole.
pub(crate) struct SuccessResponse {
    pub(crate) status: StatusCode,
    pub(crate) etag: Option<String>,
    pub(crate) text: String,
}

impl SuccessResponse {
    /// The body, which must be JSON.
    pub(crate) fn json(&self) -> anyhow::Result<Value> {
        serde_json::from_str(&self.text).context("the answer is not JSON: is this the URL of a Claimsmith server?")
    }
}

/// Finds the server, and gets a token for it unless one was given.
pub(crate) async fn connect(args: &ServerArgs, local: FindLocal<'_>) -> anyhow::Result<Remote> {
    let environment = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let target = resolve(args, environment, local(), Store::open().ok().as_ref())?;
    let http = http::client()?;
    let mut remote = Remote { http, target, token: SecretString::new(String::new()), scope: None, json: args.json };
    remote.renew().await?;
    Ok(remote)
}

impl Remote {
    /// Gets a new token; returns whether the credentials allow that.
    pub(super) async fn renew(&mut self) -> anyhow::Result<bool> {
        let (id, secret) = match &mut self.target.credentials {
            Credentials::Login(person) => {
                (self.token, self.scope) = oauth::renew(&self.http, person).await?;
                return Ok(true);
            }
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
        let request =
            request.basic_auth(encode(id), Some(encode(secret.expose()))).form(&form).timeout(REQUEST_TIMEOUT);
        let response = self.send(request).await?;
        if !response.status().is_success() {
            return Err(ServerRefusal::of_token(response, &self.target.resource).await.into());
        }
        let answer: Value = response.json().await.context("the token endpoint's answer is not JSON")?;
        let token = answer
            .get("access_token")
            .and_then(Value::as_str)
            .context("the token endpoint's answer contains no access token")?;
        self.token = SecretString::new(token.to_owned());
        // A server that granted nothing says nothing of scopes.
        self.scope = Some(answer.get("scope").and_then(Value::as_str).unwrap_or_default().to_owned());
        Ok(true)
    }

    /// A request to `/api/plugins` and the parts that follow.
    pub(crate) fn request(&self, method: Method, parts: &[&str]) -> anyhow::Result<RequestBuilder> {
        let mut url = format!("{}/api/plugins", self.target.server);
        for part in parts {
            // Even percent-encoded, `.` and `..` would be resolved as path segments.
            if matches!(*part, "" | "." | "..") {
                return Err(Usage::new(format!("{part:?} is not a valid name")).into());
            }
            url.push('/');
            url.extend(utf8_percent_encode(part, SEGMENT));
        }
        Ok(self.http.request(method, url).bearer_auth(self.token.expose()))
    }

    /// Sends a request that needs `scope`, and reads the answer.
    pub(crate) async fn ask(&self, scope: &'static str, request: RequestBuilder) -> anyhow::Result<SuccessResponse> {
        let response = self.open(scope, request.timeout(REQUEST_TIMEOUT)).await?;
        let status = response.status();
        let etag = response.headers().get(header::ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let text = response.text().await.context("the connection broke before the answer was complete")?;
        Ok(SuccessResponse { status, etag, text })
    }

    /// The same for a streamed answer.
    pub(super) async fn open(&self, scope: &'static str, request: RequestBuilder) -> anyhow::Result<Response> {
        let response = self.send(request).await?;
        if !response.status().is_success() {
            return Err(ServerRefusal::of(response, scope, self.scope.as_deref()).await.into());
        }
        Ok(response)
    }

    /// Reads.
    pub(crate) async fn get(&self, parts: &[&str]) -> anyhow::Result<SuccessResponse> {
        self.ask(super::READ, self.request(Method::GET, parts)?).await
    }

    async fn send(&self, request: RequestBuilder) -> anyhow::Result<Response> {
        let sent = request.send().await;
        // Without its URL: the server is named, and a path says nothing more.
        sent.map_err(|error| Unreachable::new(&self.target.server, error.without_url()).into())
    }
}
