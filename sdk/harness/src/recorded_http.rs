//! Other servers in a call that is repeated: they answer what they answered in the first one, each request once. A request
//! that was not sent then fails, and is reported.

use crate::case::placeholders;
use crate::stub_servers::within;
use claimsmith_runtime::{
    HttpAccess, HttpBudget, HttpCapability, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender, Manifest,
    SecretHeaders,
};
use data_encoding::BASE64;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the guest and its author read of a request that was not recorded.
const NOT_RECORDED: &str = "no answer was recorded";

/// A request and its answer, as a recording has them.
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

/// A request of a call, and what came of it.
pub struct AnsweredRequest {
    /// The method.
    pub method: String,
    /// The URL, normalized.
    pub url: String,
    /// The body of the request, as text; `None` if there was none.
    pub body: Option<String>,
    /// The answer, or why there was none.
    pub answer: Result<HttpResponse, HttpFailure>,
}

/// The other servers of one call. Nothing leaves this machine.
#[derive(Debug)]
pub struct RecordedServers {
    recorded: Mutex<Recorded>,
    /// What the guest reads of a request that was not sent in the first call.
    refusal: &'static str,
}

struct Recorded {
    /// Those that were not asked for yet.
    waiting: VecDeque<Arc<AnsweredRequest>>,
    /// Requests that were not recorded: their methods and URLs.
    missing: Vec<String>,
}

/// Without values.
impl std::fmt::Debug for Recorded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Recorded").field("waiting", &self.waiting.len()).finish_non_exhaustive()
    }
}

impl RecordedServers {
    /// Those that answered these requests. Any other one is refused with this message.
    #[must_use]
    pub fn new(requests: impl IntoIterator<Item = Arc<AnsweredRequest>>, refusal: &'static str) -> Arc<Self> {
        let recorded = Recorded { waiting: requests.into_iter().collect(), missing: Vec::new() };
        Arc::new(Self { recorded: Mutex::new(recorded), refusal })
    }

    /// Those of a sample.
    pub(crate) fn of_sample(exchanges: &[RecordedExchange]) -> Arc<Self> {
        Self::new(exchanges.iter().map(|exchange| Arc::new(exchange.answered())), NOT_RECORDED)
    }

    /// Access to them, of a plugin with this capability. The headers are filled in as in the first call, so that a plugin
    /// which sets one itself is refused; nobody sees them.
    #[must_use]
    pub fn access(
        self: &Arc<Self>,
        capability: Arc<HttpCapability>,
        headers: Option<Arc<SecretHeaders>>,
    ) -> HttpAccess {
        HttpAccess { capability, sender: Arc::<Self>::clone(self), headers, shared: Arc::new(HttpBudget::default()) }
    }

    /// Access to them, of a plugin with this manifest.
    pub(crate) fn access_of(self: &Arc<Self>, manifest: &Manifest) -> Option<HttpAccess> {
        let capability = manifest.capabilities.http.as_ref()?;
        let headers = SecretHeaders::of(capability, &placeholders(manifest)).map(Arc::new);
        Some(self.access(Arc::new(capability.clone()), headers))
    }

    /// The requests that were not sent in the first call: their methods and URLs.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        self.lock().missing.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        // A panic elsewhere leaves both lists consistent.
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next answer to this request: each is there once, as in the first call.
    fn answer(&self, request: &HttpRequest) -> Result<HttpResponse, HttpFailure> {
        let Some(found) = self.lock().take(request) else { return Err(failure(self.refusal)) };
        let answer = found.answer.clone()?;
        within(answer, request.response_bytes).map_err(failure)
    }
}

impl Recorded {
    /// The request, if it is there; otherwise it is missing.
    fn take(&mut self, request: &HttpRequest) -> Option<Arc<AnsweredRequest>> {
        let body = request.body.as_ref().map(|body| String::from_utf8_lossy(body).into_owned());
        let is_it =
            |one: &Arc<AnsweredRequest>| one.method == request.method && one.url == request.url && one.body == body;
        let place = self.waiting.iter().position(is_it);
        let found = place.and_then(|place| self.waiting.remove(place));
        if found.is_none() {
            self.missing.push(format!("{} {}", request.method, request.url));
        }
        found
    }
}

impl HttpSender for RecordedServers {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let answer = self.answer(&request);
        Box::pin(async move { answer })
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

    fn answered(&self) -> AnsweredRequest {
        let Self { method, url, request_body, status, headers, .. } = self.clone();
        let headers = headers.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        let answer = self.bytes().map(|body| HttpResponse { status, headers, body }).map_err(failure);
        AnsweredRequest { method, url, body: request_body, answer }
    }
}

fn failure(message: impl Into<String>) -> HttpFailure {
    HttpFailure { message: message.into(), received: 0 }
}
