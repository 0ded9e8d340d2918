//! What a recording keeps of the answers of other servers, and answers again to a call over the redacted input. Its
//! requests are others than those of the real call, so that the order of the answers of a server is what counts.

use super::redaction::{HTTP, Redaction};
use crate::plugins::tape::Tape;
use claimsmith_harness::AnsweredRequest;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_runtime::{HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes of a body that are kept.
const MAX_BODY_BYTES: usize = 64 << 10;
/// Headers of answers that are kept: none holds credentials or cookies.
const KEPT_HEADERS: [&str; 3] = ["cache-control", "content-type", "retry-after"];

/// One answer of another server.
#[derive(Clone)]
pub(crate) struct Exchange {
    method: String,
    host: String,
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// The answers of a call that a recording keeps.
pub(super) fn kept(tape: &Tape) -> Vec<Exchange> {
    tape.requests().iter().filter_map(|request| Exchange::of(request)).collect()
}

/// About as many bytes as they take.
pub(super) fn kept_bytes(tape: &Tape) -> usize {
    let of_headers =
        |headers: &[(String, String)]| headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
    let requests = tape.requests();
    let answers = requests.iter().filter_map(|request| kept_answer(request));
    answers.map(|answer| answer.body.len() + of_headers(&answer.headers)).sum()
}

/// Failures are not kept, and no large bodies: a part of one would be another answer.
fn kept_answer(request: &AnsweredRequest) -> Option<&HttpResponse> {
    request.answer.as_ref().ok().filter(|answer| answer.body.len() <= MAX_BODY_BYTES)
}

/// Other servers as they were during a call, redacted. A call over the redacted input gets their answers in the same order;
/// nothing leaves this machine.
pub(crate) struct ReplayedServers(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<Exchange>,
    /// Each request with its answer, as it is recorded.
    shown: Vec<Value>,
}

impl ReplayedServers {
    /// With these answers, which are redacted first.
    #[must_use]
    pub(crate) fn new(exchanges: &[Exchange], redaction: &Redaction) -> Self {
        let waiting = exchanges.iter().map(|exchange| exchange.redacted(redaction)).collect();
        Self(Mutex::new(State { waiting, shown: Vec::new() }))
    }

    /// What was asked and answered: `method`, `url`, `requestBody`, `status`, `headers` and `body`.
    #[must_use]
    pub(crate) fn shown(&self) -> Vec<Value> {
        self.state().shown.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &HttpRequest) -> Option<HttpResponse> {
        let mut state = self.state();
        let host = host_of(&request.url);
        let is_next = |one: &Exchange| one.method == request.method && one.host == host;
        let place = state.waiting.iter().position(is_next)?;
        if state.waiting.get(place)?.body.len() > request.response_bytes {
            return None;
        }
        let Exchange { status, headers, body, .. } = state.waiting.remove(place)?;
        let asked = request.body.as_ref().map(|body| String::from_utf8_lossy(body).into_owned());
        state.shown.push(json!({
            "method": request.method, "url": request.url, "requestBody": asked, "status": status, "headers": headers,
            "body": BASE64.encode(&body),
        }));
        Some(HttpResponse { status, headers, body })
    }
}

impl HttpSender for ReplayedServers {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let answer = self.answer(&request);
        Box::pin(async move {
            answer.ok_or_else(|| HttpFailure { message: "no answer was recorded".to_owned(), received: 0 })
        })
    }
}

/// Without values.
impl fmt::Debug for ReplayedServers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReplayedServers").finish_non_exhaustive()
    }
}

impl Exchange {
    fn of(request: &AnsweredRequest) -> Option<Self> {
        let answer = kept_answer(request)?;
        let headers = answer.headers.iter().filter(|(name, _)| KEPT_HEADERS.contains(&name.as_str()));
        Some(Self {
            method: request.method.clone(),
            host: host_of(&request.url),
            status: answer.status,
            headers: headers.cloned().collect(),
            body: answer.body.clone(),
        })
    }

    /// JSON member by member, another text as a whole, and nothing of other bodies.
    fn redacted(&self, redaction: &Redaction) -> Self {
        let body = match json::read::<Value>(&self.body, INCOMING) {
            Ok(value) => redaction.value(HTTP, &value).to_string().into_bytes(),
            Err(_) => std::str::from_utf8(&self.body).map(|text| redaction.text(text).into_bytes()).unwrap_or_default(),
        };
        Self { body, ..self.clone() }
    }
}

fn host_of(url: &str) -> String {
    url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_runtime::{HttpAccess, HttpBudget, HttpCapability};
    use std::sync::Arc;
    use std::time::Duration;

    /// Answers with a person and a session.
    #[derive(Debug)]
    struct Directory;

    impl HttpSender for Directory {
        fn send(&self, _: HttpRequest) -> HttpFuture<'_> {
            let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let headers = vec![
                header("content-type", "application/json"),
                header("set-cookie", "session=hunter22"),
                header("authorization", "Bearer hunter22"),
            ];
            let body = br#"{"name":"Lovelace","level":7,"access_token":"hunter22"}"#.to_vec();
            Box::pin(async move { Ok(HttpResponse { status: 200, headers, body }) })
        }
    }

    fn request(url: &str) -> HttpRequest {
        let (time, response_bytes) = (Duration::from_secs(1), 1 << 20);
        HttpRequest {
            method: "GET".to_owned(),
            url: url.to_owned(),
            headers: Vec::new(),
            filled: Vec::new(),
            secrets: None,
            body: None,
            time,
            response_bytes,
        }
    }

    #[tokio::test]
    async fn an_answer_is_kept_without_credentials_and_answered_again() {
        let capability: HttpCapability =
            serde_json::from_value(json!({ "hosts": ["api.example.com"] })).unwrap_or_else(|_| unreachable!());
        let (capability, sender) = (Arc::new(capability), Arc::new(Directory));
        let access = HttpAccess { capability, sender, headers: None, shared: Arc::new(HttpBudget::default()) };
        let tape = Arc::new(Tape::default());
        let answer = tape.over(access).sender.send(request("https://api.example.com/people/lovelace")).await;
        assert!(answer.is_ok_and(|answer| answer.headers.len() == 3), "the plugin gets all of it");

        let redaction = Redaction::new(&[7; 32], &["http.name".to_owned()]);
        let servers = ReplayedServers::new(&kept(&tape), &redaction);
        let again = servers.send(request("https://api.example.com/people/qkdhwsnb")).await;
        let body = again.map(|answer| String::from_utf8_lossy(&answer.body).into_owned()).unwrap_or_default();
        assert!(body.contains(r#""name":"Lovelace""#) && body.contains('7') && !body.contains("hunter22"), "{body}");
        assert!(servers.send(request("https://api.example.com/people/qkdhwsnb")).await.is_err(), "it was asked once");
        assert!(servers.send(request("https://other.example.com/")).await.is_err());
        let shown = Value::from(servers.shown()).to_string();
        assert!(shown.contains("qkdhwsnb") && shown.contains("content-type"), "{shown}");
        assert!(!shown.contains("set-cookie") && !shown.contains("lovelace"), "{shown}");
    }
}
