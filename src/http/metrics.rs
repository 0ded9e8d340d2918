//! Metrics of requests: counts and durations by method, route and status.

use crate::telemetry::{HTTP_REQUEST_SECONDS, HTTP_REQUESTS};
use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Measures one request. The route's pattern is the label, never the path: ids would make the series endless.
pub async fn measure(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route =
        request.extensions().get::<MatchedPath>().map_or("unmatched".to_owned(), |path| path.as_str().to_owned());
    let method = known(request.method()).to_owned();
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    let labels = [("method", method), ("route", route), ("status", status)];
    metrics::counter!(HTTP_REQUESTS, &labels).increment(1);
    metrics::histogram!(HTTP_REQUEST_SECONDS, &labels[..2]).record(started.elapsed());
    response
}

/// An unknown method is no label, since clients could send any number of them.
fn known(method: &Method) -> &'static str {
    const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    METHODS.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}
