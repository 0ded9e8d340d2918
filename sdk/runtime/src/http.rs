//! HTTP requests of guests to other servers: checked against what the plugin was granted, counted, and handed to the
//! [`HttpSender`] that the host was created with. Nothing here opens a connection.

use crate::{
    FilledHeader, HttpCapability, SecretHeaders,
    manifest::{not_granted, shown},
};
use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use url::Url;

/// One request that was granted.
pub struct HttpRequest {
    /// The method, in capitals.
    pub method: String,
    /// An http or https URL without a user.
    pub url: String,
    /// As the guest gave them.
    pub headers: Vec<(String, String)>,
    /// Those that are sent beside them, with secrets. A sender that stores a request stores only their references.
    pub filled: Vec<FilledHeader>,
    /// Masks their secrets in the answer ([`SecretHeaders::mask`]) before it is used; none without such a header.
    pub secrets: Option<Arc<SecretHeaders>>,
    /// As the guest gave it.
    pub body: Option<Vec<u8>>,
    /// How long the answer may take, from now to its last byte.
    pub time: Duration,
    /// How many bytes the headers and the body of the answer may have.
    pub response_bytes: usize,
}

/// What another server answered, whatever its status.
#[derive(Clone)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpFailure {
    /// For the plugin's author; without headers and query.
    pub message: String,
    /// Bytes of an answer that was given up.
    pub received: usize,
}

/// The future of an answer.
pub type HttpFuture<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpFailure>> + Send + 'a>>;

/// Sends the requests that guests were granted. It keeps to the request's time and size, and follows no redirect. A
/// call that ends at its deadline drops the future.
pub trait HttpSender: fmt::Debug + Send + Sync {
    /// Sends one request.
    fn send(&self, request: HttpRequest) -> HttpFuture<'_>;
}

/// What one call of a plugin may send: its effective capability, the sender, and the shared budget.
#[derive(Clone, Debug)]
pub struct HttpAccess {
    /// What was declared by the plugin and granted by its operator.
    pub capability: Arc<HttpCapability>,
    /// Sends the requests.
    pub sender: Arc<dyn HttpSender>,
    /// The headers that are filled in with secrets.
    pub headers: Option<Arc<SecretHeaders>>,
    /// What all plugins of one token share.
    pub shared: Arc<HttpBudget>,
}

/// Requests, and bytes of requests and answers, that several calls share.
#[derive(Debug)]
pub struct HttpBudget(Mutex<Left>);

/// How many requests of one call were answered, refused and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct HttpCounts {
    /// Another server answered, whatever its status.
    pub answered: u32,
    /// Not granted, or beyond a budget: nothing left the machine.
    pub refused: u32,
    /// There was no answer in time, or none that was accepted.
    pub failed: u32,
}

#[derive(Clone, Copy, Debug)]
struct Left {
    calls: u32,
    bytes: usize,
}

/// One call's requests, while it runs.
#[derive(Default)]
pub(crate) struct HttpCall {
    granted: Option<(HttpAccess, Left)>,
    pub(crate) counts: HttpCounts,
}

impl HttpBudget {
    /// A budget of its own.
    #[must_use]
    pub fn new(calls: u32, bytes: usize) -> Self {
        Self(Mutex::new(Left { calls, bytes }))
    }

    fn with<T>(&self, change: impl FnOnce(&mut Left) -> T) -> T {
        // A panic elsewhere leaves the two numbers consistent.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Default for HttpBudget {
    /// 16 requests and 1 MiB.
    fn default() -> Self {
        Self::new(16, 1 << 20)
    }
}

impl Left {
    /// Reserves one request of `size` bytes and all bytes that are left for its answer; returns the latter.
    fn reserve(own: &mut Self, shared: &mut Self, size: usize) -> Result<usize, String> {
        if own.calls == 0 {
            return Err("this call has already sent as many requests as it may (capabilities.http.calls)".to_owned());
        }
        if shared.calls == 0 {
            return Err("the plugins of this token have already sent as many requests as they may together".to_owned());
        }
        let bytes = own.bytes.min(shared.bytes);
        let Some(room) = bytes.checked_sub(size).filter(|room| *room > 0) else {
            return Err(format!(
                "a request of {size} bytes and its answer do not fit in the {bytes} bytes that are left"
            ));
        };
        for left in [own, shared] {
            left.calls -= 1;
            left.bytes -= bytes;
        }
        Ok(room)
    }
}

impl HttpCall {
    pub(crate) fn new(access: HttpAccess) -> Self {
        let left = Left { calls: access.capability.calls, bytes: access.capability.bytes() };
        Self { granted: Some((access, left)), counts: HttpCounts::default() }
    }

    /// Sends a request, or says why not: to the guest, and in the plugin's log.
    pub(crate) async fn send(
        &mut self,
        method: String,
        url: &str,
        mut headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
    ) -> Result<HttpResponse, String> {
        // Counted as refused, and below as failed, in advance: a call that ends at its deadline never comes back here.
        self.counts.refused = self.counts.refused.saturating_add(1);
        let url = Url::parse(url).map_err(|error| format!("the URL cannot be read: {error}"))?;
        let Some((access, own)) = &mut self.granted else { return Err(not_granted(&method, &url)) };
        if let Some(refusal) = access.capability.refusal(&method, &url) {
            return Err(refusal);
        }
        let (shared, what) = (&access.shared, shown(&method, &url));
        let filled = match &access.headers {
            Some(secret) => secret.fill(&url, &headers).map_err(|why| format!("{what}: {why}"))?,
            None => Vec::new(),
        };
        let masks = access.headers.as_ref().filter(|_| !filled.is_empty());
        if masks.is_some() {
            // What is compressed cannot be searched.
            headers.retain(|(name, _)| !name.eq_ignore_ascii_case("accept-encoding"));
            headers.push(("accept-encoding".to_owned(), "identity".to_owned()));
        }
        let size_of_filled: usize = filled.iter().map(|header| header.name.len() + header.value().len()).sum();
        let size = size_of(&headers) + size_of_filled + url.as_str().len() + body.as_ref().map_or(0, Vec::len);
        let room = shared.with(|shared| Left::reserve(own, shared, size)).map_err(|why| format!("{what}: {why}"))?;
        self.counts.refused -= 1;
        self.counts.failed += 1;
        let time = Duration::from_millis(access.capability.ms.into());
        let (url, secrets) = (url.into(), masks.cloned());
        let request = HttpRequest { method, url, headers, filled, secrets, body, time, response_bytes: room };
        let answer = access.sender.send(request).await;
        let received = match &answer {
            Ok(response) => size_of(&response.headers) + response.body.len(),
            Err(failure) => failure.received,
        };
        let unused = room.saturating_sub(received);
        own.bytes += unused;
        shared.with(|shared| shared.bytes += unused);
        let response = answer.map_err(|failure| format!("{what}: {}", failure.message))?;
        // A sender has masked it already, unless it is a test's.
        let response = match masks {
            Some(masks) => masks.mask(response).map_err(|why| format!("{what}: {why}"))?,
            None => response,
        };
        self.counts.failed -= 1;
        self.counts.answered += 1;
        Ok(response)
    }
}

impl HttpAccess {
    /// Bytes that one request may have.
    pub(crate) fn request_bytes(&self) -> usize {
        self.capability.bytes()
    }
}

/// Bytes of the headers.
fn size_of(headers: &[(String, String)]) -> usize {
    headers.iter().map(|(name, value)| name.len() + value.len()).sum()
}
