//! Reads the rest of a request body that a handler has not read: most refusals come before the body. Many clients read
//! the response only after they have sent the body, and HTTP/1.1 otherwise closes the connection under them, so that
//! they report a broken connection in place of the refusal.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Version;
use futures_util::StreamExt as _;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::timeout;

/// The most bytes that are read and discarded; then the connection is closed.
const MAX_BYTES: usize = 64 << 20;
/// The same for the time, so that a slow client gains nothing by a request that is refused.
const MAX_TIME: Duration = Duration::from_secs(5);

/// The rest of a body, once its handler has answered.
pub(super) struct UnreadBody(Option<Arc<Mutex<Body>>>);

/// The body for the handler, and its rest. HTTP/2 has no need of it: a stream ends without its connection.
pub(super) fn watch(body: Body, version: Version) -> (Body, UnreadBody) {
    if version >= Version::HTTP_2 {
        return (body, UnreadBody(None));
    }
    let shared = Arc::new(Mutex::new(body));
    (Body::new(Watched(Arc::clone(&shared))), UnreadBody(Some(shared)))
}

impl UnreadBody {
    /// Reads and discards what is left, unless the response still reads it. Returns at once: a client that waits for the
    /// response before it sends more gets it. A connection has at most one such body.
    pub(super) fn discard(self) {
        let Some(body) = self.0.and_then(Arc::into_inner) else { return };
        let body = body.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !body.is_end_stream() {
            tokio::spawn(timeout(MAX_TIME, read(body)));
        }
    }
}

async fn read(body: Body) {
    let (mut pieces, mut size) = (body.into_data_stream(), 0_usize);
    while let Some(Ok(piece)) = pieces.next().await {
        size = size.saturating_add(piece.len());
        if size > MAX_BYTES {
            break;
        }
    }
}

struct Watched(Arc<Mutex<Body>>);

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}
