//! A limit on the requests in flight of each client behind a trusted proxy, where connections cannot be limited by
//! client.

use super::family::Family;
use crate::concurrency_limit::ConcurrencyLimit;
use crate::domain::origin::Origin;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt as _;
use std::net::SocketAddr;
use std::sync::Arc;

/// Refuses a request if its client, as forwarded by a trusted proxy, has too many requests in progress.
pub async fn count(State(limit): State<Arc<ConcurrencyLimit>>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let client = request.extensions().get::<Origin>().and_then(|origin| origin.ip);
    let Some(client) = client.filter(|client| Some(*client) != peer) else {
        // The client's own connection, which is counted.
        return next.run(request).await;
    };
    let Some(permit) = limit.take(client) else { return Family::of(request.uri().path(), request.headers()).crowded() };
    // The request is in progress until the body of its response is sent.
    let held = move |error| {
        let _permit = &permit;
        error
    };
    next.run(request).await.map(|body| Body::new(body.map_err(held)))
}
