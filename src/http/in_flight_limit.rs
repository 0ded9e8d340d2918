//! A limit on the requests in flight of each client behind a trusted proxy, where connections cannot be limited by
//! client.

use super::family::Family;
use crate::concurrency_limit::{ConcurrencyLimit, Permit};
use crate::domain::origin::RequestOrigin;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use http_body_util::BodyExt as _;
use std::net::SocketAddr;
use std::sync::Arc;

/// Refuses a request if its client, as forwarded by a trusted proxy, has too many requests in progress. No permit for the
/// client's own connection, which is counted. The refusal is [`Family::crowded`].
pub(super) fn take(limit: &Arc<ConcurrencyLimit>, request: &Request) -> Result<Option<Permit>, Family> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let client = request.extensions().get::<RequestOrigin>().and_then(|origin| origin.ip);
    let Some(client) = client.filter(|client| Some(*client) != peer) else { return Ok(None) };
    limit.take(client).map(Some).ok_or_else(|| Family::of(request.uri().path(), request.headers()))
}

/// Holds the permit until the body of the response is sent: so long the request is in progress.
pub(super) fn hold(response: Response, permit: Option<Permit>) -> Response {
    let Some(permit) = permit else { return response };
    let held = move |error| {
        let _permit = &permit;
        error
    };
    response.map(|body| Body::new(body.map_err(held)))
}
