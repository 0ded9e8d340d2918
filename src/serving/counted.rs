//! A response body whose pieces report when they are sent.
//!
//! HTTP/2 takes a whole body into its queues, whether the client reads or not, and then drops the body. So the bytes
//! themselves own the permits of the request, which are released when the last byte has been written, or the connection
//! has ended.

use super::activity::{UnderWay, UnsentPiece};
use axum::body::{Body, Bytes, HttpBody};
use claimsmith_services::byte_budget::HeldByResponse;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Bytes of a piece: the default frame size of HTTP/2. Pieces show whether the client keeps reading.
const PIECE_BYTES: usize = 16 << 10;

/// A response body that counts its request as in progress until it is sent.
pub(super) struct CountedBody {
    body: Body,
    /// The part of a frame that was not passed on yet.
    rest: Bytes,
    held: Arc<HeldUntilSent>,
}

/// The permits that are kept until the last byte is sent.
struct HeldUntilSent {
    request: Arc<UnderWay>,
    _by_response: Option<HeldByResponse>,
}

/// A piece of the body.
struct Piece {
    bytes: Bytes,
    _unsent: UnsentPiece,
    _held: Arc<HeldUntilSent>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl CountedBody {
    /// The body of the response to this request.
    pub(super) fn new(body: Body, request: UnderWay, by_response: Option<HeldByResponse>) -> Self {
        let held = HeldUntilSent { request: Arc::new(request), _by_response: by_response };
        Self { body, rest: Bytes::new(), held: Arc::new(held) }
    }

    /// The next piece of the frame.
    fn piece(&mut self) -> Frame<Bytes> {
        let bytes = self.rest.split_to(PIECE_BYTES.min(self.rest.len()));
        let piece = Piece { bytes, _unsent: self.held.request.pass_on(), _held: Arc::clone(&self.held) };
        Frame::data(Bytes::from_owner(piece))
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.piece())));
        }
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => Poll::Ready(Some(Ok(match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.piece()
                }
                Err(trailers) => trailers,
            }))),
            other => other,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
