//! Reads request bodies up to a limit.

use axum::body::{Body, Bytes, HttpBody};
use futures_util::StreamExt;

/// Bytes beyond the limit that are read and discarded, since many clients read the response only after they have sent
/// the body. If a client sends more than this, the connection is closed.
const MAX_DISCARDED_BYTES: usize = 64 << 20;

/// Reads and discards a body whose response is already known, so that the client can read the response.
pub async fn throw_away(body: Body) {
    read(body, 0).await;
}

/// A body of at most `limit` bytes; none when it is larger, or breaks off.
pub async fn read(body: Body, limit: usize) -> Option<Bytes> {
    // A vector that grows is copied, and its old memory stays with the allocator for a while. What is reserved takes
    // memory only when it is written to.
    let announced = body.size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let mut bytes = Vec::with_capacity(announced.filter(|size| *size <= limit).unwrap_or(0));
    let (mut chunks, mut size) = (body.into_data_stream(), 0_usize);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.ok()?;
        size = size.saturating_add(chunk.len());
        if size <= limit {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
        }
        if size > limit.saturating_add(MAX_DISCARDED_BYTES) {
            return None;
        }
    }
    (size <= limit).then(|| bytes.into())
}
