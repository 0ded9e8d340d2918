//! The middleware of every request, from the outside in: request id and client address, span, metrics, security
//! headers, host check, limits per client, copies of public documents, and the response if a handler panics.
//!
//! All of it is one layer. On a router, each layer is a service of its own on every route, and a request clones and
//! boxes each of them once for every layer around it.

use super::family::Family;
use super::host::Hosts;
use super::in_flight_limit::InFlightLimit;
use super::metrics::Measurement;
use super::public_documents::{self, PublicDocument, PublicDocuments};
use super::{host, probe, timeouts};
use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use claimsmith_config::Network;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::token_bucket::Rate;
use claimsmith_services::address_rate_limit::AddressRateLimit;
use claimsmith_services::app::App;
use claimsmith_web::error::RETRY_AFTER_SECONDS;
use claimsmith_web::{cors, request_info, security_headers};
use futures_util::stream::{self, StreamExt as _};
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;
use tracing::{Instrument as _, Span};

/// Rate limit of public pages per address: the users of an office may share one address.
const PAGES: Rate = Rate::new(50, 1000);

/// The data that the checks of every request need.
pub(super) struct Checks {
    app: App,
    trusted_proxies: Vec<Network>,
    country_header: Option<HeaderName>,
    hosts: Hosts,
    in_flight: InFlightLimit,
    documents: PublicDocuments,
    pages: AddressRateLimit,
}

impl Checks {
    /// The checks of a server that answers for these hosts.
    pub(super) fn new(app: &App, hosts: Hosts) -> Self {
        Self {
            trusted_proxies: app.config.server.trusted_proxies.clone(),
            country_header: app.config.server.country_header.as_ref().and_then(|name| name.as_str().parse().ok()),
            hosts,
            in_flight: InFlightLimit::of(&app.config),
            documents: PublicDocuments::new(app.clone()),
            pages: AddressRateLimit::new(PAGES),
            app: app.clone(),
        }
    }

    /// How this server sees a request of `claimsmith doctor`.
    fn seen(&self, request: &Request) -> Option<HeaderValue> {
        probe::answer(request, &self.app.cipher, &self.trusted_proxies, self.app.clock.now_ms())
    }

    /// Whether the address of a request exceeds the rate limit of public pages.
    fn is_too_often(&self, request: &Request) -> bool {
        let address = || request.extensions().get::<RequestOrigin>().and_then(|origin| origin.ip);
        public_documents::is_limited(request) && !self.pages.admits(address(), self.app.clock.now_ms())
    }
}

/// Answers every request.
pub(super) async fn answer(State(checks): State<Arc<Checks>>, mut request: Request, next: Next) -> Response {
    let id = request_info::assign(&mut request, &checks.trusted_proxies, checks.country_header.as_ref());
    let method = request.method().clone();
    cors::bound_preflight(&method, request.headers_mut());
    let (span, measurement) = (span_of(&request), Measurement::begin(&request));
    let seen = checks.seen(&request);
    let mut response = checked(&checks, request, next).instrument(span.clone()).await;
    security_headers::harden(&mut response);
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        // For every kind of overload.
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(HeaderValue::from(RETRY_AFTER_SECONDS));
    }
    measurement.end(response.status());
    trace(&span, &response, measurement.started());
    if let Some(seen) = seen {
        response.headers_mut().insert(probe::RESPONSE, seen);
    }
    if let Some(id) = id {
        response.headers_mut().insert(request_info::REFERENCE_HEADER, id.clone());
        response.headers_mut().insert(request_info::HEADER, id);
    }
    in_span(response, span)
}

async fn checked(checks: &Checks, request: Request, next: Next) -> Response {
    if let Some(refusal) = host::refusal(&checks.hosts, &request) {
        return refusal;
    }
    if checks.is_too_often(&request) {
        return Family::of(request.uri().path(), request.headers()).too_often();
    }
    let (request, in_flight) = match checks.in_flight.admit(request) {
        Ok(admitted) => admitted,
        Err(family) => return family.crowded(),
    };
    let response = match PublicDocument::of(&request) {
        Some(document) => {
            // The timeout also applies to requests that wait for a copy that another request generates.
            let (limit, family) = (checks.app.config.server.request_timeout, in_flight.family());
            let answer = checks.documents.answer(document, request, next);
            timeout(limit, answer).await.unwrap_or_else(|_| family.timed_out())
        }
        None => timeouts::survive(request, next).await,
    };
    checks.in_flight.hold(in_flight, response)
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
        // Clients cause 503 by exceeding limits, and must not be able to fill the log with it.
        if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
            tracing::error!(status = status.as_u16(), ?latency, "response failed");
        } else {
            tracing::debug!(status = status.as_u16(), ?latency, "response");
        }
    });
}

/// Keeps the request's span for a body that is generated while it is sent, such as an export.
fn in_span(response: Response, span: Span) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| {
        let mut pieces = body.into_data_stream();
        Body::from_stream(stream::poll_fn(move |context| span.in_scope(|| pieces.poll_next_unpin(context))))
    })
}
