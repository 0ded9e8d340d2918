//! Other servers in a replay: they answer what they answered when the call was recorded. A request that was not
//! recorded fails, and is reported.

use crate::case::placeholders;
use claimsmith_runtime::{
    HttpAccess, HttpBudget, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender, Manifest, SecretHeaders,
};
use data_encoding::BASE64;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the guest and its author read of a request that was not recorded.
const NOT_RECORDED: &str = "no answer was recorded";

/// A request and its answer.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedExchange {
    /// The method.
    pub method: String,
    /// The URL, as the server normalizes it.
    pub url: String,
    /// The body of the request, as text; none if there was none.
    #[serde(default)]
    pub request_body: Option<String>,
    /// The status of the answer.
    pub status: u16,
    /// The headers of the answer, without those that are never kept.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The body of the answer, in base64.
    #[serde(default)]
    pub body: String,
}

/// The other servers of one call.
#[derive(Debug)]
pub(crate) struct RecordedServers(Mutex<Recorded>);

struct Recorded {
    /// Those that were not asked for yet.
    exchanges: VecDeque<RecordedExchange>,
    /// Requests that were not recorded: their methods and URLs.
    missing: Vec<String>,
}

/// Without values.
impl std::fmt::Debug for Recorded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Recorded").field("exchanges", &self.exchanges.len()).finish_non_exhaustive()
    }
}

impl RecordedServers {
    pub(crate) fn new(exchanges: &[RecordedExchange]) -> Arc<Self> {
        let exchanges = exchanges.iter().cloned().collect();
        Arc::new(Self(Mutex::new(Recorded { exchanges, missing: Vec::new() })))
    }

    /// Access to them, of a plugin with this manifest.
    pub(crate) fn access(self: &Arc<Self>, manifest: &Manifest) -> Option<HttpAccess> {
        let capability = manifest.capabilities.http.as_ref()?;
        Some(HttpAccess {
            capability: Arc::new(capability.clone()),
            sender: Arc::<Self>::clone(self),
            headers: SecretHeaders::of(capability, &placeholders(manifest)).map(Arc::new),
            shared: Arc::new(HttpBudget::default()),
        })
    }

    /// The requests that were not recorded.
    pub(crate) fn missing(&self) -> Vec<String> {
        self.lock().missing.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        // A panic elsewhere leaves both lists consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorded {
    /// The next answer to this request: each is there once, as it was when it was recorded.
    fn answer(&mut self, request: &HttpRequest) -> Result<HttpResponse, String> {
        let body = request.body.as_ref().map(|body| String::from_utf8_lossy(body).into_owned());
        let found = self.exchanges.iter().position(|exchange| {
            exchange.method == request.method && exchange.url == request.url && exchange.request_body == body
        });
        let Some(exchange) = found.and_then(|place| self.exchanges.remove(place)) else {
            self.missing.push(format!("{} {}", request.method, request.url));
            return Err(NOT_RECORDED.to_owned());
        };
        exchange.response(request.response_bytes)
    }
}

impl HttpSender for RecordedServers {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let answer = self.lock().answer(&request);
        Box::pin(async move { answer.map_err(|message| HttpFailure { message, received: 0 }) })
    }
}

impl RecordedExchange {
    /// The body of the answer.
    ///
    /// # Errors
    /// Where it is not base64.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        BASE64.decode(self.body.as_bytes()).map_err(|error| format!("the recorded body is not base64: {error}"))
    }

    fn response(&self, max_bytes: usize) -> Result<HttpResponse, String> {
        let headers: Vec<_> = self.headers.iter().map(|(name, value)| (name.to_lowercase(), value.clone())).collect();
        let body = self.bytes()?;
        let size = body.len() + headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        if size > max_bytes {
            return Err(format!("the answer has more than {max_bytes} bytes"));
        }
        Ok(HttpResponse { status: self.status, headers, body })
    }
}
