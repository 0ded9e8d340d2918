//! A list of the API that comes in pages of JSON lines, as one file.

use crate::caller::Caller;
use crate::failure::Failure;
use axum::body::Body;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;

/// The most requests for one file.
const MAX_PAGES: usize = 2000;
/// Lines per request.
const PAGE_SIZE: usize = 100;

/// All lines at this path of the API, as a download.
pub(super) async fn download(caller: &Caller, path: &str, disposition: &'static str) -> Result<Response, Failure> {
    let mut response = Response::new(Body::from(pages(caller, path).await?.concat()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    Ok(response)
}

/// The pages, one after the other.
async fn pages(caller: &Caller, path: &str) -> Result<Vec<bytes::Bytes>, Failure> {
    let mut found = Vec::new();
    let mut next = Some(0);
    while let Some(after) = next.filter(|_| found.len() < MAX_PAGES) {
        let page = format!("{path}?page_size={PAGE_SIZE}&after={after}");
        let answer = caller.send(Method::GET, &page, None, &[]).await?;
        let link = answer.headers().get(header::LINK).and_then(|link| link.to_str().ok()).and_then(after_of);
        found.push(caller.bytes(answer).await?);
        next = link;
    }
    Ok(found)
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
