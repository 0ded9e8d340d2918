//! Timeouts of a request and of its body; and the response when a handler panics.

use super::family::Family;
use super::unread_body;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt as _;
use hyper::body::{Frame, SizeHint};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until, timeout};

/// Timeouts of the body of a request.
#[derive(Clone, Copy, Debug)]
pub struct BodyTimes {
    /// Without receiving any bytes.
    pub idle: Duration,
    /// For the whole body.
    pub whole: Duration,
}

/// Answers 503 to a request that exceeds this timeout.
pub async fn limit_whole(State(whole): State<Duration>, request: Request, next: Next) -> Response {
    let family = Family::of(request.uri().path(), request.headers());
    timeout(whole, next.run(request)).await.unwrap_or_else(|_| family.timed_out())
}

/// Answers 408 to a request whose body exceeds these timeouts. What the handler leaves of it is discarded.
pub async fn limit_body(State(times): State<BodyTimes>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let family = Family::of(request.uri().path(), request.headers());
    let is_late = Arc::new(AtomicBool::new(false));
    let end = Instant::now() + times.whole;
    let limited = |body| Timed { body, idle: times.idle, end, due: None, is_late: Arc::clone(&is_late) };
    let (parts, body) = request.into_parts();
    let (body, rest) = unread_body::watch(Body::new(limited(body)), parts.version);
    let response = next.run(Request::from_parts(parts, body)).await;
    rest.discard();
    if is_late.load(Ordering::Relaxed) { family.body_late() } else { response }
}

/// Catches a panic of a handler: the client gets 500, the panic is logged, and other requests are not affected.
pub async fn survive(request: Request, next: Next) -> Response {
    let family = Family::of(request.uri().path(), request.headers());
    AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!("a handler panicked");
        family.failed()
    })
}

/// A body that ends with an error when its client is too slow. Its idle time begins when the handler reads.
struct Timed {
    body: Body,
    idle: Duration,
    end: Instant,
    due: Option<Pin<Box<Sleep>>>,
    is_late: Arc<AtomicBool>,
}

/// The client was too slow.
#[derive(Debug, thiserror::Error)]
#[error("the request body took too long")]
struct Late;

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.due = None;
            // A client that sends one byte at a time is never idle.
            if Instant::now() < self.end {
                return Poll::Ready(frame);
            }
        } else {
            let due = self.end.min(Instant::now() + self.idle);
            if self.due.get_or_insert_with(|| Box::pin(sleep_until(due))).as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
        }
        self.is_late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(axum::Error::new(Late))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;
    use serde_json::Value;

    async fn defect() {
        let numbers: [u8; 0] = [];
        let _ = numbers[numbers.len()..][0];
    }

    #[tokio::test]
    async fn a_panic_has_the_error_format_of_its_family() -> Result<(), Box<dyn std::error::Error>> {
        let router = TowerToHyperService::new(Router::new().fallback(get(defect)).layer(from_fn(survive)));
        for (path, member, word) in [("/api/users", "code", "server_error"), ("/oidc/token", "error", "server_error")] {
            let response = router.call(Request::get(path).body(Body::empty())?).await?;
            assert_eq!(response.status(), 500, "{path}");
            let body: Value = serde_json::from_slice(&axum::body::to_bytes(response.into_body(), 4096).await?)?;
            assert_eq!(body[member], word, "{path}: {body}");
        }
        for (path, accept) in [("/sign-in", "*/*"), ("/oidc/auth", "text/html"), ("/demo", "text/html")] {
            let request = Request::get(path).header("accept", accept).header("accept-language", "de");
            let response = router.call(request.body(Body::empty())?).await?;
            assert_eq!(response.status(), 500, "{path}");
            assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8", "{path}");
            assert!(response.headers()["content-security-policy"].to_str()?.contains("frame-ancestors 'none'"));
            let body = axum::body::to_bytes(response.into_body(), 65_536).await?;
            assert!(std::str::from_utf8(&body)?.contains("<html lang=\"de\""), "{path}");
        }
        Ok(())
    }
}
