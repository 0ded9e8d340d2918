//! What every request goes through, from the outside in: its id and client address, its span, metrics, security headers,
//! the check of its host, the limit of its client, and what answers for a handler that panics.
//!
//! All of it is one layer. On a router, each layer is a service of its own on every route, and a request clones and boxes
//! each of them once for every layer around it.

use super::host::Hosts;
use super::metrics::Measurement;
use super::{host, in_flight_limit, request_info, security_headers, timeouts};
use crate::concurrency_limit::ConcurrencyLimit;
use crate::config::Network;
use crate::domain::origin::RequestOrigin;
use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::stream::{self, StreamExt as _};
use std::sync::Arc;
use std::time::Instant;
use tracing::{Instrument as _, Span};

/// What the checks of every request compare with.
#[derive(Debug)]
pub(super) struct Checks {
    pub trusted_proxies: Vec<Network>,
    pub hosts: Hosts,
    pub in_flight: Arc<ConcurrencyLimit>,
}

/// Answers a request, whatever it asks for.
pub(super) async fn answer(State(checks): State<Arc<Checks>>, mut request: Request, next: Next) -> Response {
    let id = request_info::assign(&mut request, &checks.trusted_proxies);
    let (span, measurement) = (span_of(&request), Measurement::begin(&request));
    let mut response = checked(&checks, request, next).instrument(span.clone()).await;
    security_headers::harden(&mut response);
    measurement.end(response.status());
    trace(&span, &response, measurement.started());
    if let Some(id) = id {
        response.headers_mut().insert(request_info::HEADER, id);
    }
    in_span(response, span)
}

async fn checked(checks: &Checks, request: Request, next: Next) -> Response {
    if let Some(refusal) = host::refusal(&checks.hosts, &request) {
        return refusal;
    }
    match in_flight_limit::take(&checks.in_flight, &request) {
        Ok(permit) => in_flight_limit::hold(timeouts::survive(request, next).await, permit),
        Err(family) => family.crowded(),
    }
}

fn span_of(request: &Request) -> Span {
    let origin = request.extensions().get::<RequestOrigin>();
    tracing::info_span!(
        "http.request",
        method = %request.method(),
        // Without the query, which may contain secrets.
        path = request.uri().path(),
        request_id = origin.and_then(|origin| origin.request_id.as_deref()),
    )
}

fn trace(span: &Span, response: &Response, started: Instant) {
    let (status, latency) = (response.status(), started.elapsed());
    span.in_scope(|| {
        if status.is_server_error() {
            tracing::error!(status = status.as_u16(), ?latency, "response failed");
        } else {
            tracing::debug!(status = status.as_u16(), ?latency, "response");
        }
    });
}

/// A body that is made while it is sent, as an export is, is made in the span of its request.
fn in_span(response: Response, span: Span) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| {
        let mut pieces = body.into_data_stream();
        Body::from_stream(stream::poll_fn(move |context| span.in_scope(|| pieces.poll_next_unpin(context))))
    })
}
