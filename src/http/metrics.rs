//! Metrics of requests: counts and durations by method, route and status.

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use claimsmith_config::telemetry::{HTTP_REQUEST_SECONDS, HTTP_REQUESTS};
use std::time::Instant;

/// The measurement of one request, labelled by the route's pattern: ids in paths would make the series unbounded.
pub(super) struct Measurement {
    started: Instant,
    route: Option<MatchedPath>,
    method: &'static str,
}

impl Measurement {
    /// Starts the measurement.
    pub(super) fn begin(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().cloned();
        Self { started: Instant::now(), route, method: known(request.method()) }
    }

    /// The start time.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Records the request with the status of its response.
    pub(super) fn end(&self, status: StatusCode) {
        let route = self.route.as_ref().map_or("unmatched", MatchedPath::as_str).to_owned();
        let labels = [("method", self.method.to_owned()), ("route", route), ("status", status.as_str().to_owned())];
        metrics::counter!(HTTP_REQUESTS, &labels).increment(1);
        metrics::histogram!(HTTP_REQUEST_SECONDS, &labels[..2]).record(self.started.elapsed());
    }
}

/// Unknown methods share one label, since clients could send any number of them.
fn known(method: &Method) -> &'static str {
    const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    METHODS.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}
