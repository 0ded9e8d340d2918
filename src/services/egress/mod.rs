//! The HTTP client of all outgoing requests, with limits on time and size. Addresses are checked where the connection
//! is made (SSRF guard).
//!
//! Redirects are not followed, proxies of the environment are not used, and cookies are not stored. Callers decide
//! which requests are allowed; this module does not know them.

mod address;
mod client;
mod connection;
mod error;
mod guard;
mod stream;
mod tls;

pub use error::EgressError;
pub use guard::RefusedAddress;
pub use stream::BoundedStream;
pub(crate) use tls::{TlsStream, encrypt};

use bytes::Bytes;
use claimsmith_config as config;
use claimsmith_domain::header::is_of_connection;
use client::{CONNECT_TIMEOUT, ClientError, HttpClient};
use guard::Guard;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use hyper::{Method, Request, Uri};
use std::error::Error;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::timeout;
use url::{Host, Url};

/// The `User-Agent` of requests that do not set one.
const OWN_NAME: HeaderValue = HeaderValue::from_static(concat!("claimsmith/", env!("CARGO_PKG_VERSION")));

/// Sends requests to other servers. There is one per server; its connections are shared.
#[derive(Debug)]
pub struct Egress {
    guard: Guard,
    /// Created for the first request, which reads the trusted certificates.
    client: Arc<OnceLock<HttpClient>>,
}

/// One request.
pub struct OutgoingRequest {
    /// Its method.
    pub method: String,
    /// An http or https URL without a user.
    pub url: String,
    /// Headers of the connection are left out.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Option<Bytes>,
}

/// The limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Time until the last byte of the answer.
    pub time: Duration,
    /// Bytes of the answer: headers and body.
    pub response_bytes: usize,
    /// What happens to a longer response.
    pub excess: Excess,
}

/// What happens to a response that is longer than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// The request fails.
    Refused,
    /// The rest of its body is not read.
    CutOff,
}

/// A response of any status.
pub struct Incoming {
    /// The status.
    pub status: u16,
    /// Names in lowercase.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
}

impl Egress {
    /// With the configured allowed networks.
    #[must_use]
    pub fn new(config: &config::EgressConfig) -> Self {
        Self { guard: Guard::new(&config.allowed_networks), client: Arc::default() }
    }

    /// Without the SSRF guard.
    #[must_use]
    pub fn unguarded() -> Self {
        Self { guard: Guard::open(), client: Arc::default() }
    }

    /// Whether it reaches every IP address.
    #[must_use]
    pub fn is_unguarded(&self) -> bool {
        self.guard.is_open()
    }

    /// Sends a request and waits for the complete response.
    pub async fn send(&self, request: OutgoingRequest, budget: &Budget) -> Result<Incoming, EgressError> {
        let client = self.client().await?;
        let exchange = self.exchange(&client, request, budget);
        timeout(budget.time, exchange).await.unwrap_or(Err(EgressError::TimedOut(budget.time)))
    }

    async fn exchange(
        &self,
        client: &HttpClient,
        request: OutgoingRequest,
        budget: &Budget,
    ) -> Result<Incoming, EgressError> {
        let most = budget.response_bytes;
        let url = Url::parse(&request.url).map_err(|error| bad(format!("the URL cannot be read: {error}")))?;
        let host = self.check(&url)?;
        let mut outgoing = Request::new(Full::new(request.body.unwrap_or_default()));
        *outgoing.method_mut() =
            Method::from_bytes(request.method.as_bytes()).map_err(|_| bad("this is not an HTTP method".to_owned()))?;
        *outgoing.uri_mut() =
            url.as_str().parse::<Uri>().map_err(|error| bad(format!("the URL cannot be requested: {error}")))?;
        *outgoing.headers_mut() = headers(&request.headers)?;
        let failed = |error: &(dyn Error + 'static), was_connected| EgressError::of(&host, error, was_connected);
        let mut answer = client::send(client, outgoing).await.map_err(|error| match &error {
            ClientError::Library(library) => failed(library, !library.is_connect()),
            ClientError::Interim => failed(&error, true),
        })?;
        let headers: Vec<_> = answer.headers().iter().map(header_texts).collect();
        let size = headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        let mut left = most.checked_sub(size).ok_or(EgressError::TooLarge(most))?;
        let mut body = Vec::new();
        while let Some(frame) = answer.frame().await {
            let Ok(chunk) = frame.map_err(|error| failed(&error, true))?.into_data() else { continue };
            let kept = chunk.len().min(left);
            body.extend_from_slice(&chunk[..kept]);
            if kept < chunk.len() {
                match budget.excess {
                    Excess::Refused => return Err(EgressError::TooLarge(most)),
                    Excess::CutOff => break,
                }
            }
            left -= kept;
        }
        Ok(Incoming { status: answer.status().as_u16(), headers, body })
    }

    /// The host, if requests to the URL are allowed. An IP address in the URL is not resolved, so it is checked here.
    fn check(&self, url: &Url) -> Result<String, EgressError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("only http and https URLs can be requested".to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("the URL contains a user name or a password".to_owned()));
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        match url.host() {
            Some(Host::Ipv4(address)) => self.guard.check(&host, IpAddr::V4(address))?,
            Some(Host::Ipv6(address)) => self.guard.check(&host, IpAddr::V6(address))?,
            Some(Host::Domain(_)) => {}
            None => return Err(bad("the URL names no host".to_owned())),
        }
        Ok(host)
    }

    /// The client is created on a blocking thread, since that reads files, and is kept even if the caller has given up
    /// by then.
    async fn client(&self) -> Result<HttpClient, EgressError> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let (guard, kept) = (self.guard.clone(), Arc::clone(&self.client));
        let make = move || client::client(guard).map(|client| kept.get_or_init(|| client).clone());
        let built = tokio::task::spawn_blocking(make).await;
        let failed = |error: String| bad(format!("this server cannot send requests: {error}"));
        built.map_err(|error| failed(error.to_string()))?.map_err(failed)
    }
}

fn bad(message: String) -> EgressError {
    EgressError::BadRequest(message)
}

fn headers(pairs: &[(String, String)]) -> Result<HeaderMap, EgressError> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("a header name is not valid".to_owned()))?;
        let value =
            HeaderValue::from_str(value).map_err(|_| bad(format!("the value of the header {name} cannot be sent")))?;
        if !is_of_connection(name.as_str()) {
            headers.append(name, value);
        }
    }
    headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
    headers.entry(USER_AGENT).or_insert(OWN_NAME);
    Ok(headers)
}

fn header_texts((name, value): (&HeaderName, &HeaderValue)) -> (String, String) {
    (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
}
