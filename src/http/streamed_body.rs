//! The body of a response that is made while it is sent, as an export is: what it logs belongs to its request.

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tracing::Span;

/// Makes the body of the response in this span, unless it is made already.
pub(super) fn in_span(response: Response, span: Span) -> Response {
    let is_streamed = response.body().size_hint().exact().is_none();
    if is_streamed { response.map(|body| Body::new(InSpan { body, span })) } else { response }
}

struct InSpan {
    body: Body,
    span: Span,
}

impl HttpBody for InSpan {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Self { body, span } = &mut *self;
        let _entered = span.enter();
        Pin::new(body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
