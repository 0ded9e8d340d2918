//! Reads request bodies up to a limit.

use axum::body::{Body, Bytes, HttpBody};
use futures_util::StreamExt;

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
        if size > limit {
            return None;
        }
        bytes.extend_from_slice(&chunk);
    }
    Some(bytes.into())
}
