//! A webhook receiver: a real HTTP server that records requests and responds as the test says.

use crate::until;
use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// One request.
#[derive(Clone, Debug)]
pub struct Received {
    /// Path and query.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its bytes.
    pub body: Bytes,
    /// When it had come whole.
    pub at: Instant,
}

/// How a request is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    /// With this status, this header if any, and this body.
    Status(u16, Option<(&'static str, String)>, String),
    /// With this status, when the test gives leave: one permit for each.
    When(Arc<Semaphore>, u16),
    /// The same, with 200 and this body.
    BodyWhen(Arc<Semaphore>, String),
    /// Not at all.
    Hang,
}

/// The receiver. It stops when this value is dropped.
pub struct Receiver {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

impl Received {
    /// The value of a header, or nothing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body, read.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl From<u16> for Reply {
    fn from(status: u16) -> Self {
        Self::Status(status, None, String::new())
    }
}

impl Receiver {
    /// One that takes everything.
    pub async fn start() -> Self {
        Self::answering(|_, _| Reply::from(204)).await
    }

    /// One that answers as `script` says: it is asked with the number of the request, from 0, and the request.
    pub async fn answering(script: impl Fn(usize, &Received) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (kept, script) = (Arc::clone(&received), Arc::new(script));
        let router = Router::new().fallback(async move |request: Request| {
            let (parts, body) = request.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            let path = parts.uri.to_string();
            let one = Received { path, headers: parts.headers, body, at: Instant::now() };
            let reply = {
                let mut kept = kept.lock().unwrap();
                kept.push(one.clone());
                script(kept.len() - 1, &one)
            };
            answer(reply).await
        });
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, received, task }
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// What has come until now.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// How many requests have come until now.
    #[must_use]
    pub fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// Waits until so many requests have come.
    pub async fn wait(&self, count: usize) -> Vec<Received> {
        until(&format!("{count} requests"), async || (self.count() >= count).then(|| self.received())).await
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(reply: Reply) -> Response {
    match reply {
        Reply::Status(status, header, body) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            if let Some((name, value)) = header {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Reply::When(leave, status) => {
            leave.acquire().await.unwrap().forget();
            StatusCode::from_u16(status).unwrap().into_response()
        }
        Reply::BodyWhen(leave, body) => {
            leave.acquire().await.unwrap().forget();
            body.into_response()
        }
        Reply::Hang => std::future::pending().await,
    }
}
