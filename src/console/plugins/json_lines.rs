//! A list of the API that comes in pages of JSON lines, as one file. It is read page by page while it is sent, so that no
//! file is held in memory.

use crate::caller::Caller;
use crate::failure::Failure;
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use std::io;

/// Lines per request, each of which is in the audit log.
const PAGE_SIZE: usize = 100;

/// A list that is being sent.
struct LineReader {
    caller: Caller,
    /// The path of the list in the API.
    path: String,
    /// The rest of the present page; none after its end.
    page: Option<BodyDataStream>,
    /// The number that the next page begins after; none after the last one.
    next: Option<i64>,
}

/// All lines at this path of the API, as a download.
pub(super) async fn download(caller: &Caller, path: &str, disposition: &'static str) -> Result<Response, Failure> {
    let mut reader = LineReader { caller: caller.clone(), path: path.to_owned(), page: None, next: None };
    // Before the response starts, so that a refusal is shown as a page instead of a broken file.
    reader.open(0).await?;
    let mut response = Response::new(Body::from_stream(stream::try_unfold(reader, advance)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    Ok(response)
}

impl LineReader {
    /// Requests the page that begins after this number.
    async fn open(&mut self, after: i64) -> Result<(), Failure> {
        let page = format!("{}?page_size={PAGE_SIZE}&after={after}", self.path);
        let answer = self.caller.send(Method::GET, &page, None, &[]).await?;
        let link = answer.headers().get(header::LINK).and_then(|link| link.to_str().ok());
        // Numbers only grow, so the file ends.
        self.next = link.and_then(after_of).filter(|next| *next > after);
        self.page = Some(answer.into_body().into_data_stream());
        Ok(())
    }
}

/// The next piece of the file, of the present page or of the one after it.
async fn advance(mut reader: LineReader) -> Result<Option<(Bytes, LineReader)>, io::Error> {
    loop {
        if let Some(page) = &mut reader.page {
            let piece = page.next().await;
            if let Some(piece) = piece {
                // An error aborts the connection, so that a truncated file is not mistaken for a complete one.
                return Ok(Some((piece.map_err(io::Error::other)?, reader)));
            }
            reader.page = None;
        }
        let Some(after) = reader.next.take() else { return Ok(None) };
        reader.open(after).await.map_err(|_| io::Error::other("the list could not be read on"))?;
    }
}

/// The number that the link to the next page begins after.
fn after_of(link: &str) -> Option<i64> {
    let (_, rest) = link.split_once("after=")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..digits)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_says_where_the_next_page_begins() {
        assert_eq!(after_of("<https://x/samples?after=100&page_size=100>; rel=\"next\""), Some(100));
        assert_eq!(after_of("<https://x/samples>; rel=\"next\""), None);
    }
}
