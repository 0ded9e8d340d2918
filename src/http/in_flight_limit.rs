//! Limits what each client has in progress: requests, and the bytes of bodies being read and of unread responses. They
//! apply to every client, regardless of the connections and streams that the requests use.

use super::family::Family;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::{Extensions, header};
use axum::middleware::Next;
use axum::response::Response;
use claimsmith_config::telemetry::REQUESTS_REFUSED;
use claimsmith_config::{Config, Network};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::byte_budget::{ByteBudget, ByteCharge, ConnectionBytes, HeldByResponse, SharedBytes};
use claimsmith_services::concurrency_limit::{ConcurrencyLimit, Permit};
use hyper::body::{Frame, SizeHint};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a body or a response that are always allowed, whatever else the client has in memory. Their number is
/// limited by the number of requests, and a client that fills the memory cannot keep others from getting tokens.
const SMALL_BYTES: usize = 64 << 10;
/// Memory of a response that is generated or compressed while it is sent: the state of the encoder, and a piece.
const STREAMED_BYTES: usize = 256 << 10;
/// Maximum bytes of most bodies; also of what an upload has beside the plugin's source.
const MAX_BODY_BYTES: usize = 1 << 20;

/// The limits of a server.
#[derive(Debug)]
pub(super) struct InFlightLimit {
    per_address: Arc<ConcurrencyLimit>,
    all: Arc<Semaphore>,
    trusted: Vec<Network>,
    budget: Arc<ByteBudget>,
    /// Maximum bytes of a body that a handler reads into memory.
    max_body_bytes: usize,
}

/// A request that is in progress.
pub(super) struct InFlight {
    family: Family,
    permits: (Option<Permit>, OwnedSemaphorePermit),
    charge: Arc<ByteCharge>,
    address: Option<IpAddr>,
    connection: Option<ConnectionBytes>,
    is_over: Arc<AtomicBool>,
}

impl InFlight {
    /// The family of its path.
    pub(super) fn family(&self) -> Family {
        self.family
    }
}

impl InFlightLimit {
    /// The limits of this configuration.
    pub(super) fn of(config: &Config) -> Self {
        let settings = &config.server;
        Self {
            per_address: ConcurrencyLimit::new(settings.max_connections_per_address),
            all: Arc::new(Semaphore::new(settings.max_connections.min(Semaphore::MAX_PERMITS))),
            trusted: settings.trusted_proxies.clone(),
            budget: ByteBudget::new(settings.max_bytes_in_flight),
            max_body_bytes: config.plugins.max_source.saturating_mul(2).saturating_add(MAX_BODY_BYTES),
        }
    }

    /// Admits a request, or returns the family for the refusal: its client, or all clients together, have too many in
    /// progress. The bytes of its body are counted as they arrive.
    pub(super) fn admit(&self, request: Request) -> Result<(Request, InFlight), Family> {
        let family = Family::of(request.uri().path(), request.headers());
        let refused = |reason| {
            metrics::counter!(REQUESTS_REFUSED, "reason" => reason).increment(1);
            family
        };
        let address = self.client_of(request.extensions());
        let of_address = match address {
            Some(address) => Some(self.per_address.take(address).ok_or_else(|| refused("address"))?),
            None => None,
        };
        let of_all = Arc::clone(&self.all).try_acquire_owned().map_err(|_| refused("all"))?;
        let connection = request.extensions().get::<ConnectionBytes>().cloned();
        let charge = Arc::new(self.budget.charge(address, connection.clone()));
        let is_over = Arc::new(AtomicBool::new(false));
        let request = if request.body().is_end_stream() {
            request
        } else {
            let (charge, is_over, max) = (Arc::clone(&charge), Arc::clone(&is_over), self.max_body_bytes);
            request.map(|body| Body::new(CountedBody { body, charge, is_over, counted: 0, max }))
        };
        Ok((request, InFlight { family, permits: (of_address, of_all), charge, address, connection, is_over }))
    }

    /// The client that a request counts for. `None` for a request of a trusted proxy itself, such as a health check.
    fn client_of(&self, extensions: &Extensions) -> Option<IpAddr> {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let client = extensions.get::<RequestOrigin>().and_then(|origin| origin.ip);
        let is_proxy = client == peer && peer.is_some_and(|peer| self.trusted.iter().any(|net| net.contains(peer)));
        client.filter(|_| !is_proxy)
    }

    /// Passes a response on, which keeps the permits until its last byte is sent: until then it is in progress.
    pub(super) fn hold(&self, in_flight: InFlight, mut response: Response) -> Response {
        let InFlight { family, permits, charge, address, connection, is_over } = in_flight;
        if is_over.load(Ordering::Relaxed) {
            return refuse(family);
        }
        // The body has been parsed. One that is still being read remains counted.
        drop(charge);
        let charge = self.budget.charge(address, connection);
        match memory_of(&response) {
            Some(bytes) if bytes <= SMALL_BYTES => charge.add_always(bytes),
            bytes if !charge.add(bytes.unwrap_or(STREAMED_BYTES)) => return refuse(family),
            _ => {}
        }
        response.extensions_mut().insert(HeldByResponse::new((permits, charge)));
        response
    }
}

fn refuse(family: Family) -> Response {
    metrics::counter!(REQUESTS_REFUSED, "reason" => "bytes").increment(1);
    family.crowded()
}

/// Bytes of a response in memory; `None` if it is generated while it is sent.
fn memory_of(response: &Response) -> Option<usize> {
    if response.extensions().get::<SharedBytes>().is_some() {
        return Some(0);
    }
    let exact = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
    let is_encoded = exact.is_none() && response.headers().contains_key(header::CONTENT_ENCODING);
    match response.extensions().get::<PlainBytes>() {
        Some(PlainBytes(plain)) if is_encoded => Some(plain.saturating_add(STREAMED_BYTES)),
        _ => exact,
    }
}

/// The size of a response before it is compressed.
#[derive(Clone, Copy)]
struct PlainBytes(usize);

/// Remembers the size of a response that an outer layer compresses while it is sent.
pub(super) async fn weigh(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(plain) = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok()) {
        response.extensions_mut().insert(PlainBytes(plain));
    }
    response
}

/// A request body whose bytes are counted. Beyond the limit it ends with an error.
struct CountedBody {
    body: Body,
    charge: Arc<ByteCharge>,
    is_over: Arc<AtomicBool>,
    counted: usize,
    /// Maximum to count: a handler that reads more processes or discards it piece by piece.
    max: usize,
}

impl CountedBody {
    /// Counts received bytes, if there is memory for them.
    fn count(&mut self, bytes: usize) -> bool {
        let bytes = bytes.min(self.max - self.counted);
        self.counted += bytes;
        if self.counted <= SMALL_BYTES {
            self.charge.add_always(bytes);
        }
        bytes == 0 || self.counted <= SMALL_BYTES || self.charge.add(bytes)
    }
}

/// There was no memory for the body.
#[derive(Debug, thiserror::Error)]
#[error("too many bytes are being read")]
struct TooManyBytes;

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(read))) = &frame
            && let Some(data) = read.data_ref()
        {
            let bytes = data.len();
            if !self.count(bytes) {
                self.is_over.store(true, Ordering::Relaxed);
                return Poll::Ready(Some(Err(axum::Error::new(TooManyBytes))));
            }
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
