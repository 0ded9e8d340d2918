//! A public document ready to be sent: its headers and its bytes, plain and compressed, which all responses share.

use super::{Changes, PublicDocument};
use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use claimsmith_oidc::discovery::PUBLIC_DOCUMENT_LIFETIME;
use claimsmith_services::byte_budget::SharedBytes;
use claimsmith_web::conditional::{self, elements};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Maximum delay in which a node shows changes of another node or a command; its own changes are shown at once. Under
/// any load, a document is generated at most four times a second.
const MAX_AGE: Duration = Duration::from_millis(250);
/// Smaller documents gain nothing by compression.
const MIN_COMPRESSED_BYTES: usize = 256;
/// Headers that belong to one response only, or are set anew.
const OF_ONE_RESPONSE: [HeaderName; 5] = [
    header::CONTENT_LENGTH,
    header::VARY,
    header::ETAG,
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
];

/// The state of the database that a document is generated from: what this process had committed, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct MadeFrom {
    pub commits: u64,
    /// By the server's clock, Unix milliseconds: keys are published and removed by it.
    pub at: i64,
    /// The same moment, by a monotonic clock.
    pub instant: Instant,
}

/// A document ready to be sent.
#[derive(Debug)]
pub(super) struct PublicCopy {
    headers: HeaderMap,
    tag: HeaderValue,
    plain: Bytes,
    gzip: Option<Bytes>,
    made_from: MadeFrom,
}

impl PublicCopy {
    /// The copy of a response with this body.
    pub(super) fn of(
        document: &PublicDocument,
        mut headers: HeaderMap,
        plain: Bytes,
        made_from: MadeFrom,
    ) -> Result<Self, header::InvalidHeaderValue> {
        for name in OF_ONE_RESPONSE {
            headers.remove(name);
        }
        let tag = conditional::tag_of(&plain)?;
        let lifetime = HeaderValue::try_from(format!("public, max-age={}", PUBLIC_DOCUMENT_LIFETIME.as_secs()))?;
        headers.entry(header::CACHE_CONTROL).or_insert(lifetime);
        let varies = if document.by_language { "accept-encoding, accept-language" } else { "accept-encoding" };
        headers.insert(header::VARY, HeaderValue::from_static(varies));
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let gzip = if is_compressible(&headers) { compressed(&plain) } else { None };
        Ok(Self { headers, tag, plain, gzip, made_from })
    }

    /// Whether a copy generated `now` would have the same content.
    pub(super) fn is_fresh(&self, document: &PublicDocument, now: MadeFrom) -> bool {
        let age = now.instant.saturating_duration_since(self.made_from.instant);
        let set_by = now.at.abs_diff(self.made_from.at);
        document.changes == Changes::Never
            || (self.made_from.commits == now.commits && age < MAX_AGE && u128::from(set_by) < MAX_AGE.as_millis())
    }

    /// Whether a client that cached it at its creation may still use it.
    pub(super) fn may_be_cached(&self, now: MadeFrom) -> bool {
        now.instant.saturating_duration_since(self.made_from.instant) < PUBLIC_DOCUMENT_LIFETIME
    }

    /// Its approximate size in memory.
    pub(super) fn size(&self) -> usize {
        self.plain.len() + self.gzip.as_ref().map_or(0, Bytes::len)
    }

    /// The response to a request with this method and these headers.
    pub(super) fn answer(&self, method: &Method, asked: &HeaderMap) -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(SharedBytes);
        response.headers_mut().clone_from(&self.headers);
        response.headers_mut().insert(header::ETAG, self.tag.clone());
        if conditional::is_known(asked, &self.tag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response.headers_mut().remove(header::CONTENT_TYPE);
            return response;
        }
        let bytes = match &self.gzip {
            Some(gzip) if takes_gzip(asked) => {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                gzip
            }
            _ => &self.plain,
        };
        if *method == Method::HEAD {
            response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        } else {
            *response.body_mut() = Body::from(bytes.clone());
        }
        response
    }
}

/// Whether the client accepts gzip, with a weight other than zero.
fn takes_gzip(headers: &HeaderMap) -> bool {
    elements(headers, &header::ACCEPT_ENCODING).any(|element| {
        let (coding, parameters) = element.split_once(';').unwrap_or((element, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        coding.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

fn is_compressible(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/") || ["json", "javascript", "svg"].iter().any(|part| kind.contains(part))
}

/// The compressed bytes, if they are fewer.
fn compressed(plain: &[u8]) -> Option<Bytes> {
    if plain.len() < MIN_COMPRESSED_BYTES {
        return None;
    }
    // Compressed once for many responses, so at the best level.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).ok()?;
    let bytes = encoder.finish().ok()?;
    (bytes.len() < plain.len()).then(|| bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (accepted, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000", false),
            ("gzip;q=nonsense", false),
            ("br", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(takes_gzip(&headers), takes, "{accepted}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
