//! Plugins that change continuously while a server issues tokens: no request fails, nobody sees an older version after
//! a newer one, and the server's memory does not grow.

use crate::{Answer, Home, Process};
use data_encoding::BASE64URL_NOPAD;
use reqwest::{Method, header::CONTENT_TYPE};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// The plugins: two files of the folder, and one that is uploaded.
const PLUGINS: [&str; 3] = ["component", "script", "uploaded"];
/// How long a change may take to serve; far more than it needs.
const TIMEOUT: Duration = Duration::from_mins(2);

/// How much is changed.
#[derive(Clone, Copy)]
pub struct HotSwap {
    /// Files that are changed: components and scripts in turn, in pairs.
    pub reloads: u32,
    /// Versions that are uploaded, spread evenly among the reloads.
    pub uploads: u32,
    /// Reloads after which the memory is what it is then compared with.
    pub warm_up: u32,
    /// Exchanges under way at any time.
    pub load: usize,
}

/// What came of it.
pub struct Swapped {
    /// Tokens that were issued meanwhile.
    pub exchanges: usize,
    /// Whatever was not a token with claims that only move on.
    pub failures: Vec<String>,
    /// Bytes of the server's memory after the warm-up.
    pub memory_before: u64,
    /// Bytes at the end.
    pub memory_after: u64,
    /// Time from the first change to the last.
    pub elapsed: Duration,
}

impl Swapped {
    /// Memory at the end, as a multiple of what it was after the warm-up.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 bytes")]
    pub fn growth(&self) -> f64 {
        self.memory_after as f64 / self.memory_before as f64
    }
}

impl HotSwap {
    /// Does it to a server whose plugin folder is that of `home`.
    pub async fn run(self, server: &Arc<Process>, home: &Home) -> Swapped {
        self.change(server, home, 0).await;
        upload(server, 0).await;
        let stop = Arc::new(AtomicBool::new(false));
        let mut asking = JoinSet::new();
        for _ in 0..self.load {
            asking.spawn(ask_until(server.clone(), stop.clone()));
        }
        let began = Instant::now();
        let mut memory_before = 0;
        let pairs = self.reloads / 2;
        let mut uploaded = 0;
        for pair in 1..=pairs {
            self.change(server, home, pair).await;
            while uploaded * pairs < pair * self.uploads {
                uploaded += 1;
                upload(server, uploaded).await;
            }
            if pair == self.warm_up / 2 {
                memory_before = server.resident_memory();
            }
        }
        let mut swapped = Swapped {
            exchanges: 0,
            failures: Vec::new(),
            memory_before,
            memory_after: server.resident_memory(),
            elapsed: began.elapsed(),
        };
        stop.store(true, Ordering::Relaxed);
        for (exchanges, failure) in asking.join_all().await {
            swapped.exchanges += exchanges;
            swapped.failures.extend(failure);
        }
        swapped
    }

    /// Writes both files anew, and waits until both serve.
    async fn change(self, server: &Process, home: &Home, number: u32) {
        std::fs::write(home.plugins_dir().join("component.wasm"), component(number)).unwrap();
        std::fs::write(home.plugins_dir().join("script.js"), script("script", number)).unwrap();
        let done = tokio::time::timeout(TIMEOUT, async {
            loop {
                let claims = claims(server).await.unwrap();
                if claims.get("component") == Some(&number.into()) && claims.get("script") == Some(&number.into()) {
                    return;
                }
            }
        });
        assert!(done.await.is_ok(), "change {number} never served:\n{}", server.stderr.text());
    }
}

async fn upload(server: &Process, number: u32) {
    let management = server.management().await;
    let request = management.request(Method::PUT, "/api/plugins/uploaded").header(CONTENT_TYPE, "text/javascript");
    Answer::of(request.body(script("uploaded", number))).await.expect(201);
}

/// Exchanges one token after the other; stops at the first failure.
async fn ask_until(server: Arc<Process>, stop: Arc<AtomicBool>) -> (usize, Option<String>) {
    let mut seen = [0; PLUGINS.len()];
    let mut exchanges = 0;
    while !stop.load(Ordering::Relaxed) {
        let claims = match claims(&server).await {
            Ok(claims) => claims,
            Err(refusal) => return (exchanges, Some(refusal)),
        };
        for (name, seen) in PLUGINS.into_iter().zip(&mut seen) {
            match claims.get(name).and_then(Value::as_u64) {
                Some(number) if number >= *seen => *seen = number,
                other => return (exchanges, Some(format!("{name} answered {other:?} after {seen}"))),
            }
        }
        exchanges += 1;
    }
    (exchanges, None)
}

/// The claims of a new token; the error is the answer that was none.
async fn claims(server: &Process) -> Result<Map<String, Value>, String> {
    let answer = server.exchange(&server.customer_token().await).send().await;
    if answer.status != 200 {
        return Err(format!("{}: {}", answer.status, answer.body));
    }
    let token = answer.text("access_token");
    let payload = token.split('.').nth(1).and_then(|part| BASE64URL_NOPAD.decode(part.as_bytes()).ok());
    payload.and_then(|payload| serde_json::from_slice(&payload).ok()).ok_or(token)
}

fn script(name: &str, number: u32) -> String {
    format!("export const getCustomJwtClaims = async () => ({{ {name}: {number} }});")
}

/// The smallest component of its world. Its answer has 16 bytes, of which 0x10 is the length; here it has 24.
fn component(number: u32) -> Vec<u8> {
    let guest = include_str!("../../../sdk/runtime/tests/guests/claims.wat");
    let answer = format!("{:24}", format!(r#"{{"component":{number}}}"#)).replace('"', r#"\""#);
    let longer = guest.replace(r"\00\04\00\00\10\00", r"\00\04\00\00\18\00");
    wat::parse_str(longer.replace(r#"{\"answer\": 42.5}"#, &answer)).unwrap()
}
