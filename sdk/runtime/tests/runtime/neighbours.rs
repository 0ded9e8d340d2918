//! Fairness between plugins (noisy neighbours): calls of one plugin use no thread of the caller, no more than their
//! share of the concurrency limit, and no part of another plugin's deadline.

use crate::support::{BEHAVIOURS, behave_with, load, options, request, source};
use claimsmith_runtime::{
    ClaimsRequest, Host, HttpAccess, HttpFailure, HttpFuture, HttpRequest, HttpSender, Language, Limits, Plugin,
};
use serde_json::json;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};
use tokio::sync::Notify;

fn deadline(millis: u64) -> Limits {
    Limits { deadline: Duration::from_millis(millis), ..Limits::default() }
}

/// A grant of requests to one host, sent by `sender`.
fn http_access(sender: Arc<dyn HttpSender>) -> HttpAccess {
    let capability = serde_json::from_value(json!({ "hosts": ["api.example.com"] })).unwrap();
    HttpAccess { capability: Arc::new(capability), sender, headers: None, shared: Arc::default() }
}

/// A server that answers nothing and notes on which threads it is asked: a request is sent by the thread that runs the
/// guest.
#[derive(Debug, Default)]
struct AskedOn(Mutex<Vec<ThreadId>>);

impl HttpSender for AskedOn {
    fn send(&self, _: HttpRequest) -> HttpFuture<'_> {
        self.0.lock().unwrap().push(thread::current().id());
        Box::pin(std::future::ready(Err(HttpFailure { message: "nothing is there".to_owned(), received: 0 })))
    }
}

#[tokio::test]
async fn the_callers_thread_runs_no_guest() {
    let plugin = load(Language::JavaScript, BEHAVIOURS).await.unwrap();
    let asked_on = Arc::new(AskedOn::default());
    let variables = [("BEHAVIOUR", "fetchAll"), ("URLS", "https://api.example.com/here")];
    for _ in 0..20 {
        let request = ClaimsRequest { http: Some(http_access(asked_on.clone())), ..request(&variables) };
        plugin.get_custom_jwt_claims(&request, &deadline(60_000)).await;
    }
    let asked_on = asked_on.0.lock().unwrap();
    assert_eq!(asked_on.len(), 20);
    assert!(!asked_on.contains(&thread::current().id()), "a guest ran on the thread of its caller");
}

/// A server that answers when it is told to, and says when it is asked.
#[derive(Debug, Default)]
struct Held {
    asked: Notify,
    released: Notify,
}

impl HttpSender for Held {
    fn send(&self, _: HttpRequest) -> HttpFuture<'_> {
        self.asked.notify_one();
        Box::pin(async {
            self.released.notified().await;
            Err(HttpFailure { message: "nothing is there".to_owned(), received: 0 })
        })
    }
}

#[tokio::test]
async fn a_plugin_that_waits_for_its_turn_has_its_whole_deadline_left() {
    let host = Host::new(claimsmith_runtime::HostOptions { concurrency: 1, ..options() }).unwrap();
    let plugin = host.load(&source(Language::JavaScript, BEHAVIOURS)).await.unwrap();
    let held = Arc::new(Held::default());
    let variables = [("BEHAVIOUR", "fetchAll"), ("URLS", "https://api.example.com/held")];
    let busy = ClaimsRequest { http: Some(http_access(held.clone())), ..request(&variables) };
    let quiet = request(&[("BEHAVIOUR", "echo")]);
    let limits = deadline(60_000);
    let waits = async {
        let call = plugin.get_custom_jwt_claims(&quiet, &limits).await;
        (call, Instant::now())
    };
    let answers_it = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let released = Instant::now();
        held.released.notify_one();
        released
    };
    let after_the_other = async {
        held.asked.notified().await;
        tokio::join!(waits, answers_it)
    };
    let (_, ((call, answered), released)) = tokio::join!(plugin.get_custom_jwt_claims(&busy, &limits), after_the_other);
    assert!(call.result.is_ok(), "{:?}", call.result);
    assert!(call.duration <= answered - released, "what it waited is counted: {:?}", call.duration);
}

/// A server that never answers, and counts who waits for it.
#[derive(Debug, Default)]
struct Silent {
    asked: AtomicUsize,
    more: Notify,
}

impl HttpSender for Silent {
    fn send(&self, _: HttpRequest) -> HttpFuture<'_> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.more.notify_one();
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn calls_that_sleep_leave_half_of_the_slots_to_others() {
    let host = Host::new(options()).unwrap();
    let load = async |name: &str| -> Arc<Plugin> {
        let mut source = source(Language::JavaScript, BEHAVIOURS);
        source.name = name.to_owned();
        host.load(&source).await.unwrap()
    };
    let (sleeper, neighbour) = (load("sleeper").await, load("neighbour").await);
    let silent = Arc::new(Silent::default());
    let http = http_access(silent.clone());
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (sleeper, http) = (Arc::clone(&sleeper), Some(http.clone()));
            tokio::spawn(async move {
                let variables = [("BEHAVIOUR", "fetchAll"), ("URLS", "https://api.example.com/never")];
                let request = ClaimsRequest { http, ..request(&variables) };
                sleeper.get_custom_jwt_claims(&request, &deadline(60_000)).await
            })
        })
        .collect();
    let half = options().concurrency / 2;
    while silent.asked.load(Ordering::SeqCst) < half {
        silent.more.notified().await;
    }
    for _ in 0..20 {
        let call = neighbour.get_custom_jwt_claims(&request(&[("BEHAVIOUR", "echo")]), &deadline(60_000)).await;
        assert!(call.result.is_ok(), "{:?}", call.result);
    }
    assert_eq!(silent.asked.load(Ordering::SeqCst), half, "no more than half of the slots are one plugin's");
    calls.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn cancelled_calls_release_their_permits() {
    let spins = "export const getCustomJwtClaims = () => { for (;;); };";
    let spinner = load(Language::JavaScript, spins).await.unwrap();
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let spinner = Arc::clone(&spinner);
            tokio::spawn(async move { spinner.get_custom_jwt_claims(&request(&[]), &deadline(60_000)).await })
        })
        .collect();
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    calls.iter().for_each(tokio::task::JoinHandle::abort);
    for call in calls {
        assert!(call.await.is_err_and(|error| error.is_cancelled()));
    }
    // What was given up gives its slots and its threads back.
    assert!(behave_with("echo", &[], &deadline(60_000)).await.result.is_ok());
}
