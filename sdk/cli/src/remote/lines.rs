//! Lines of JSON that are downloaded page by page: the samples of a recording, and the differences of a run.

use super::{RECORDINGS, Remote, Usage};
use anyhow::{Context as _, ensure};
use reqwest::{RequestBuilder, header};
use std::time::Duration;

/// Nobody else reads the file: what was redacted is still about people.
pub(super) const PRIVATE: u32 = 0o600;
/// How long a page may take.
const PAGE_TIMEOUT: Duration = Duration::from_mins(5);

/// Checks an id, which is a part of a path here; `what` it is the id of.
pub(super) fn check_id(id: &str, what: &str) -> Result<(), Usage> {
    let is_id = !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_id { Ok(()) } else { Err(Usage::new(format!("{id:?} is not the id of a {what}"))) }
}

/// Asks for a page of at most so many bytes. Returns it, and whether it is the last one.
pub(super) async fn page(
    remote: &Remote,
    request: RequestBuilder,
    most: usize,
    broke: &'static str,
) -> anyhow::Result<(Vec<u8>, bool)> {
    let request = request.header(header::ACCEPT, "application/x-ndjson").timeout(PAGE_TIMEOUT);
    let mut response = remote.open(RECORDINGS, request).await?;
    let links = response.headers().get_all(header::LINK);
    let is_last = !links.iter().any(|link| link.to_str().is_ok_and(|link| link.contains("rel=\"next\"")));
    let mut page = Vec::new();
    while let Some(chunk) = response.chunk().await.context(broke)? {
        page.extend_from_slice(&chunk);
        ensure!(page.len() <= most, "the server sends more than {most} bytes at once");
    }
    Ok((page, is_last))
}

#[cfg(test)]
mod tests {
    use super::check_id;

    #[test]
    fn an_id_is_no_path() {
        assert!(check_id("q3v8k1znw2pd", "run").is_ok());
        for id in ["", "../a", "a/b", "a-b", "."] {
            assert!(check_id(id, "run").is_err(), "{id}");
        }
    }
}
