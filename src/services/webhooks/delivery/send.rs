//! One request to a receiver: its URL, headers and signatures, and the receiver's response.

use super::body::PreparedDelivery;
use crate::delivery_queue::backoff;
use crate::egress::{Budget, Egress, EgressError, Excess, OutgoingRequest};
use crate::plugins;
use crate::webhooks::receivers::Receivers;
use crate::webhooks::signature;
use crate::webhooks::signing_key::HookSigningKey;
use bytes::Bytes;
use claimsmith_domain::documents::hook::HookConfig;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// Bytes of an answer that are read.
const MAX_RESPONSE_BYTES_READ: usize = 64 << 10;
/// Characters of it that are kept.
const MAX_RESPONSE_CHARS_KEPT: usize = 4096;
/// The largest body.
pub const MAX_BODY_BYTES: usize = 256 << 10;

/// A webhook receiver. Without `Debug`: headers contain secrets.
pub struct Receiver {
    /// Where to, and with which headers.
    pub config: HookConfig,
    /// What signs, current key first.
    pub keys: Vec<Arc<HookSigningKey>>,
    /// Time until the last byte of the answer that is read.
    pub timeout: Duration,
}

/// The result of a request.
#[derive(Debug)]
pub struct WebhookResponse {
    /// The status, if there was an answer.
    pub status: Option<u16>,
    /// The beginning of its body.
    pub body: Option<String>,
    /// The error, if it failed.
    pub error: Option<String>,
    /// The receiver's `Retry-After`, milliseconds.
    pub hold: Option<i64>,
    /// Whether the receiver did not answer, or with 5xx: then it may be down.
    pub is_down: bool,
    /// Until the answer was read.
    pub duration: Duration,
}

impl Receiver {
    /// Sends, signed at the time `at` (Unix milliseconds) over the bytes that go out.
    pub async fn tell(
        &self,
        (egress, receivers): (&Egress, &Receivers),
        id: &str,
        prepared: &PreparedDelivery,
        at: i64,
    ) -> WebhookResponse {
        let started = Instant::now();
        let request = match self.request(id, prepared, at) {
            Ok(request) => request,
            Err(error) => return WebhookResponse::failed(error, started.elapsed()),
        };
        if let Some(token) = receivers.token_in(&request.url) {
            let received =
                receivers.receive(token, &request.headers, request.body.as_deref().unwrap_or_default()).await;
            return match received {
                Ok(status) => WebhookResponse::answered(status, started.elapsed()),
                Err(error) => WebhookResponse::failed(error.to_string(), started.elapsed()),
            };
        }
        let budget = Budget { time: self.timeout, response_bytes: MAX_RESPONSE_BYTES_READ, excess: Excess::CutOff };
        let answer = match egress.send(request, &budget).await {
            Ok(answer) => answer,
            Err(error) => {
                // Nothing was sent then.
                let is_down = !matches!(error, EgressError::BadRequest(_));
                return WebhookResponse { is_down, ..WebhookResponse::failed(told(&error), started.elapsed()) };
            }
        };
        let retry_after = answer.headers.iter().find(|(name, _)| name == "retry-after");
        WebhookResponse {
            body: Some(text(&answer.body)),
            hold: retry_after.and_then(|(_, value)| backoff::retry_after(value, at)),
            ..WebhookResponse::answered(answer.status, started.elapsed())
        }
    }

    fn request(&self, id: &str, prepared: &PreparedDelivery, at: i64) -> Result<OutgoingRequest, String> {
        if prepared.body.len() > MAX_BODY_BYTES {
            return Err(format!("the body has {} bytes; at most {MAX_BODY_BYTES} are sent", prepared.body.len()));
        }
        let mut url = Url::parse(self.config.url.as_str())
            .map_err(|error| format!("Failed to parse URL from {}: {error}", self.config.url.as_str()))?;
        if let Some(path) = &prepared.path {
            let below = plugins::below(url.path(), path).ok_or("a transform chose a path outside of the hook's own")?;
            url.set_path(&below);
        }
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let own = self.config.headers.iter().flatten().map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
        let signatures = signature::headers(&self.keys, id, at, prepared.body.as_bytes());
        for (name, value) in own.chain(prepared.headers.iter().cloned()).chain(signatures) {
            headers.retain(|(known, _)| *known != name);
            headers.push((name, value));
        }
        let body = Some(Bytes::from_owner(Arc::<[u8]>::from(Arc::clone(&prepared.body))));
        Ok(OutgoingRequest { method: "POST".to_owned(), url: url.into(), headers, body })
    }
}

impl WebhookResponse {
    /// Whether the receiver accepted it.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }

    fn answered(status: u16, duration: Duration) -> Self {
        let error = (!(200..300).contains(&status)).then(|| format!("the receiver answered {status}"));
        Self { status: Some(status), body: None, error, hold: None, is_down: status >= 500, duration }
    }

    fn failed(error: String, duration: Duration) -> Self {
        Self { status: None, body: None, error: Some(error), hold: None, is_down: false, duration }
    }
}

/// What went wrong; where the address was refused, also the setting that would allow it.
#[must_use]
pub fn told(error: &EgressError) -> String {
    match error {
        EgressError::Refused(_) => {
            format!("{error}; webhooks.allow_private_targets allows private addresses for all receivers")
        }
        _ => error.to_string(),
    }
}

/// The beginning of a body, without characters that a text column cannot store.
fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).chars().filter(|c| *c != '\0').take(MAX_RESPONSE_CHARS_KEPT).collect()
}
