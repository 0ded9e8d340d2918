//! What other servers answered during a real call: kept for its recording, and for its shadow, whose requests are answered
//! from it. Nothing is sent for a shadow.

use claimsmith_harness::{AnsweredRequest, RecordedServers};
use claimsmith_runtime::{HttpAccess, HttpFuture, HttpRequest, HttpSender};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most requests of one call.
const MAX_REQUESTS: usize = 16;
/// What the guest reads of a request that the real call had not sent.
const NOT_SENT: &str = "a shadow sends no requests, and the active version did not send this one";

/// The requests of a real call, with their answers or failures.
#[derive(Default)]
pub(super) struct Tape(Mutex<Vec<Arc<AnsweredRequest>>>);

/// Sends the requests of a real call, and keeps the answers.
struct Listener {
    sender: Arc<dyn HttpSender>,
    tape: Arc<Tape>,
}

impl Tape {
    /// The access of the real call, whose answers are kept here.
    pub(super) fn over(self: &Arc<Self>, access: HttpAccess) -> HttpAccess {
        let listener = Listener { sender: access.sender, tape: Arc::clone(self) };
        HttpAccess { sender: Arc::new(listener), ..access }
    }

    /// All that was sent until now.
    pub(super) fn requests(&self) -> Vec<Arc<AnsweredRequest>> {
        self.kept().clone()
    }

    /// The other servers of one run of the shadow.
    pub(super) fn servers(&self) -> Arc<RecordedServers> {
        RecordedServers::new(self.requests(), NOT_SENT)
    }

    /// Of all requests and answers.
    pub(super) fn bytes(&self) -> usize {
        self.kept().iter().map(|request| bytes_of(request)).sum()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<AnsweredRequest>>> {
        // No code panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes_of(request: &AnsweredRequest) -> usize {
    let answer = match &request.answer {
        Ok(answer) => {
            answer.body.len() + answer.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
        }
        Err(failure) => failure.message.len(),
    };
    request.method.len() + request.url.len() + request.body.as_ref().map_or(0, String::len) + answer
}

impl HttpSender for Listener {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let (method, url) = (request.method.clone(), request.url.clone());
        let body = request.body.as_ref().map(|body| String::from_utf8_lossy(body).into_owned());
        Box::pin(async move {
            let answer = self.sender.send(request).await;
            let mut kept = self.tape.kept();
            if kept.len() < MAX_REQUESTS {
                kept.push(Arc::new(AnsweredRequest { method, url, body, answer: answer.clone() }));
            }
            drop(kept);
            answer
        })
    }
}

/// Without requests and answers, which are personal data.
impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Listener").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_runtime::{HttpCapability, HttpResponse};
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
        const URL: &str = "https://a.test/1";
        let tape = Arc::new(Tape::default());
        let capability: Arc<HttpCapability> = Arc::new(serde_json::from_str(r#"{"hosts":["a.test"]}"#)?);
        let sender = Arc::new(Server);
        let real = HttpAccess { capability: Arc::clone(&capability), sender, headers: None, shared: Arc::default() };
        assert!(tape.over(real).sender.send(request(URL)).await.is_ok());
        assert_eq!(tape.bytes(), "GET".len() + 2 * URL.len(), "they count for the queue of shadows");
        // Each run of the shadow gets each answer once.
        for _ in 0..2 {
            let servers = tape.servers();
            let shadow = servers.access(Arc::clone(&capability), None).sender;
            let known = shadow.send(request(URL)).await;
            assert_eq!(known.ok().map(|response| response.body), Some(URL.as_bytes().to_vec()));
            for unknown in [URL, "https://a.test/2"] {
                let refused = shadow.send(request(unknown)).await.err();
                assert!(refused.is_some_and(|failure| failure.message == NOT_SENT), "{unknown}");
            }
            assert_eq!(servers.missing(), ["GET https://a.test/1", "GET https://a.test/2"]);
        }
        let servers = tape.servers();
        let small = HttpRequest { response_bytes: URL.len() - 1, ..request(URL) };
        assert!(servers.send(small).await.is_err() && servers.missing().is_empty(), "it may not read so much");
        Ok(())
    }

    #[tokio::test]
    async fn a_tape_has_an_end() -> Result<(), serde_json::Error> {
        let tape = Arc::new(Tape::default());
        let capability: Arc<HttpCapability> = Arc::new(serde_json::from_str(r#"{"hosts":["a.test"]}"#)?);
        let real = HttpAccess { capability, sender: Arc::new(Server), headers: None, shared: Arc::default() };
        let listened = tape.over(real).sender;
        for number in 0..2 * MAX_REQUESTS {
            assert!(listened.send(request(&format!("https://a.test/{number}"))).await.is_ok());
        }
        assert_eq!(tape.requests().len(), MAX_REQUESTS);
        Ok(())
    }
}
