//! The HTTP answers that a real call got, from which the shadow's requests are answered. Nothing is sent for a shadow.

use claimsmith_runtime::{
    HttpAccess, HttpBudget, HttpCapability, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender,
    SecretHeaders,
};
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most answers of one call.
const MAX_EXCHANGES: usize = 16;

/// The requests of a real call, with their answers or failures.
#[derive(Default)]
pub(in crate::plugins) struct Tape(Mutex<Vec<Exchange>>);

/// A status, headers and a body.
type Answered = (u16, Vec<(String, String)>, Vec<u8>);

struct Exchange {
    method: String,
    url: String,
    body: Option<Vec<u8>>,
    answer: Result<Answered, HttpFailure>,
}

/// Sends the requests of a real call, and keeps the answers.
struct Recording {
    sender: Arc<dyn HttpSender>,
    tape: Arc<Tape>,
}

/// Answers the requests of a shadow.
pub(super) struct Playback {
    tape: Arc<Tape>,
    refused: AtomicI64,
}

impl Tape {
    fn exchanges(&self) -> MutexGuard<'_, Vec<Exchange>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The access of the real call, whose answers are kept here.
    pub(in crate::plugins) fn over(self: &Arc<Self>, access: HttpAccess) -> HttpAccess {
        let recording = Recording { sender: access.sender, tape: Arc::clone(self) };
        HttpAccess { sender: Arc::new(recording), ..access }
    }

    /// Of all requests and answers.
    pub(super) fn bytes(&self) -> usize {
        self.exchanges().iter().map(Exchange::bytes).sum()
    }

    fn keep(&self, exchange: Exchange) {
        let mut exchanges = self.exchanges();
        if exchanges.len() < MAX_EXCHANGES {
            exchanges.push(exchange);
        }
    }

    /// The answer to the same request.
    fn answer(&self, request: &HttpRequest) -> Option<Result<HttpResponse, HttpFailure>> {
        let exchanges = self.exchanges();
        let is_it = |exchange: &&Exchange| {
            exchange.method == request.method && exchange.url == request.url && exchange.body == request.body
        };
        exchanges.iter().find(is_it).map(|exchange| match &exchange.answer {
            Ok((status, headers, body)) => {
                Ok(HttpResponse { status: *status, headers: headers.clone(), body: body.clone() })
            }
            Err(failure) => Err(failure.clone()),
        })
    }
}

impl Exchange {
    fn bytes(&self) -> usize {
        let answer = match &self.answer {
            Ok((_, headers, body)) => {
                body.len() + headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
            }
            Err(failure) => failure.message.len(),
        };
        self.method.len() + self.url.len() + self.body.as_ref().map_or(0, Vec::len) + answer
    }
}

impl Playback {
    pub(super) fn of(tape: &Arc<Tape>) -> Arc<Self> {
        Arc::new(Self { tape: Arc::clone(tape), refused: AtomicI64::new(0) })
    }

    /// The access of a shadow with this capability. The headers are filled in as for the real call, so that a version which
    /// sets one itself is refused; no sender sees them.
    pub(super) fn access(
        self: &Arc<Self>,
        capability: Option<&Arc<HttpCapability>>,
        headers: Option<&Arc<SecretHeaders>>,
    ) -> Option<HttpAccess> {
        let capability = Arc::clone(capability?);
        let sender: Arc<dyn HttpSender> = Arc::<Self>::clone(self);
        Some(HttpAccess { capability, sender, headers: headers.cloned(), shared: Arc::new(HttpBudget::default()) })
    }

    /// The requests that the real call had not sent.
    pub(super) fn refused(&self) -> i64 {
        self.refused.load(Ordering::Relaxed)
    }
}

impl HttpSender for Recording {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let (method, url, body) = (request.method.clone(), request.url.clone(), request.body.clone());
        Box::pin(async move {
            let answer = self.sender.send(request).await;
            let kept = match &answer {
                Ok(response) => Ok((response.status, response.headers.clone(), response.body.clone())),
                Err(failure) => Err(failure.clone()),
            };
            self.tape.keep(Exchange { method, url, body, answer: kept });
            answer
        })
    }
}

impl HttpSender for Playback {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let answer = self.tape.answer(&request).unwrap_or_else(|| {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let message = "a shadow sends no requests, and the active version did not send this one".to_owned();
            Err(HttpFailure { message, received: 0 })
        });
        Box::pin(async move { answer })
    }
}

// Without requests and answers, which are personal data.
impl fmt::Debug for Recording {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recording").finish_non_exhaustive()
    }
}

impl fmt::Debug for Playback {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Playback").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[derive(Debug)]
    struct Server;

    impl HttpSender for Server {
        fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
            Box::pin(async move { Ok(HttpResponse { status: 200, headers: Vec::new(), body: request.url.into() }) })
        }
    }

    fn request(url: &str) -> HttpRequest {
        HttpRequest {
            method: "GET".to_owned(),
            url: url.to_owned(),
            headers: Vec::new(),
            filled: Vec::new(),
            secrets: None,
            body: None,
            time: Duration::from_secs(1),
            response_bytes: 100,
        }
    }

    #[tokio::test]
    async fn a_shadow_is_answered_from_what_the_real_call_got_and_sends_nothing() -> Result<(), serde_json::Error> {
        let tape = Arc::new(Tape::default());
        let capability: Arc<HttpCapability> = Arc::new(serde_json::from_str(r#"{"hosts":["a.test"]}"#)?);
        let real = HttpAccess { capability, sender: Arc::new(Server), headers: None, shared: Arc::default() };
        let recorded = tape.over(real.clone());
        assert!(recorded.sender.send(request("https://a.test/1")).await.is_ok());
        assert_eq!(tape.bytes(), "GET".len() + 2 * "https://a.test/1".len(), "they count for the queue of shadows");
        let playback = Playback::of(&tape);
        let Some(shadow) = playback.access(Some(&real.capability), None) else { unreachable!("it has a capability") };
        let known = shadow.sender.send(request("https://a.test/1")).await;
        assert_eq!(known.ok().map(|response| response.body), Some(b"https://a.test/1".to_vec()));
        assert!(shadow.sender.send(request("https://a.test/2")).await.is_err());
        assert_eq!(playback.refused(), 1);
        assert!(playback.access(None, None).is_none());
        Ok(())
    }
}
