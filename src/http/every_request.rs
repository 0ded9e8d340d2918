//! What every request goes through, from the outside in: its id and client address, its span, metrics, security headers,
//! the check of its host, the limits of its client, the copies of public documents, and what answers for a handler that
//! panics.
//!
//! All of it is one layer. On a router, each layer is a service of its own on every route, and a request clones and boxes
//! each of them once for every layer around it.

use super::family::Family;
use super::host::Hosts;
use super::in_flight_limit::InFlightLimit;
use super::metrics::Measurement;
use super::public_documents::{self, PublicDocument, PublicDocuments};
use super::{host, timeouts};
use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use claimsmith_config::Network;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::token_bucket::Rate;
use claimsmith_services::address_rate_limit::AddressRateLimit;
use claimsmith_services::app::App;
use claimsmith_web::error::RETRY_AFTER_SECONDS;
use claimsmith_web::{request_info, security_headers};
use futures_util::stream::{self, StreamExt as _};
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;
use tracing::{Instrument as _, Span};

/// How often an address may have a page made that everybody may see: an office behind one address has many people.
const PAGES: Rate = Rate::new(50, 1000);

/// What the checks of every request compare with.
pub(super) struct Checks {
    app: App,
    trusted_proxies: Vec<Network>,
    hosts: Hosts,
    in_flight: InFlightLimit,
    documents: PublicDocuments,
    pages: AddressRateLimit,
}

impl Checks {
    /// Those of a server, for requests to these hosts.
    pub(super) fn new(app: &App, hosts: Hosts) -> Self {
        Self {
            trusted_proxies: app.config.server.trusted_proxies.clone(),
            hosts,
            in_flight: InFlightLimit::of(&app.config),
            documents: PublicDocuments::new(app.clone()),
            pages: AddressRateLimit::new(PAGES),
            app: app.clone(),
        }
    }

    /// Whether the address of a request has had more pages made than it may.
    fn is_too_often(&self, request: &Request) -> bool {
        let address = || request.extensions().get::<RequestOrigin>().and_then(|origin| origin.ip);
        public_documents::is_limited(request) && !self.pages.admits(address(), self.app.clock.now_ms())
    }
}

/// Answers a request, whatever it asks for.
pub(super) async fn answer(State(checks): State<Arc<Checks>>, mut request: Request, next: Next) -> Response {
    let id = request_info::assign(&mut request, &checks.trusted_proxies);
    let (span, measurement) = (span_of(&request), Measurement::begin(&request));
    let mut response = checked(&checks, request, next).instrument(span.clone()).await;
    security_headers::harden(&mut response);
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        // Whatever it is that is overloaded.
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(HeaderValue::from(RETRY_AFTER_SECONDS));
    }
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
    if checks.is_too_often(&request) {
        return Family::of(request.uri().path(), request.headers()).too_often();
    }
    let (request, in_flight) = match checks.in_flight.admit(request) {
        Ok(admitted) => admitted,
        Err(family) => return family.crowded(),
    };
    let response = match PublicDocument::of(&request) {
        Some(document) => {
            // Also for those who wait while somebody else has it made.
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
        // 503 is what whoever asks too much gets, and can have written as often as they like.
        if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
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
