//! The copies of public documents. The first request for a document generates it, concurrent ones wait for that.
//! Generating documents and sending large ones is limited per address.

use super::PublicDocument;
use super::copy::{MadeFrom, PublicCopy};
use crate::http::family::Family;
use crate::http::timeouts;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use claimsmith_domain::language;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::token_bucket::Rate;
use claimsmith_oidc::discovery::PUBLIC_DOCUMENT_LIFETIME;
use claimsmith_services::address_rate_limit::AddressRateLimit;
use claimsmith_services::app::App;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// Maximum memory of copies that depend on the request. Phrases take about 60 KiB per language.
const MAX_VARIED_BYTES: u64 = 16 << 20;
/// Maximum bytes of a document that is kept; larger ones are generated for each request.
const MAX_DOCUMENT_BYTES: usize = 4 << 20;
/// Maximum bytes of the key of a variant. Documents with a longer key are not kept.
const MAX_KEY_BYTES: usize = 1024;
/// Rate limit per address of generating documents that depend on the request. They are generated anew after each
/// commit; an address beyond the limit gets the older copy, for as long as its own cache may have kept it. The other
/// documents, such as the keys, are always current.
const MADE: Rate = Rate::new(20, 300);
/// Minimum bytes of a large response: writing it takes longer than answering a small request.
const LARGE_BYTES: u64 = 64 << 10;
/// Rate limit per address of large responses, in parts of `LARGE_BYTES`: enough for the API description and its pages,
/// and the pictures of a list of users, for everyone in an office.
const LARGE: Rate = Rate::new(400, 2000);

/// Headers that do not affect a document, or that are handled for its copy.
const NOT_PASSED_ON: [HeaderName; 7] = [
    header::ACCEPT_ENCODING,
    header::AUTHORIZATION,
    header::COOKIE,
    header::IF_MODIFIED_SINCE,
    header::IF_NONE_MATCH,
    header::ORIGIN,
    header::RANGE,
];

/// The copies of a server.
pub(crate) struct PublicDocuments {
    app: App,
    /// Documents without variants, by path. They are never evicted.
    single: Cache<String, Arc<PublicCopy>>,
    /// The others, by path, parameters and language.
    varied: Cache<String, Arc<PublicCopy>, ByBytes>,
    made: AddressRateLimit,
    large: AddressRateLimit,
}

/// A request for a document: everything that its response depends on.
struct Asked {
    method: Method,
    headers: HeaderMap,
    address: Option<IpAddr>,
    family: Family,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, Arc<PublicCopy>> for ByBytes {
    fn weight(&self, key: &String, copy: &Arc<PublicCopy>) -> u64 {
        (MAX_KEY_BYTES + key.len() + copy.size()) as u64
    }
}

impl PublicDocuments {
    /// An empty cache.
    pub(crate) fn new(app: App) -> Self {
        let varied = Cache::with_weighter(512, MAX_VARIED_BYTES, ByBytes);
        let single = Cache::new(4 * super::ALL.len());
        Self { app, single, varied, made: AddressRateLimit::new(MADE), large: AddressRateLimit::new(LARGE) }
    }

    /// Answers a request for a document.
    pub(crate) async fn answer(&self, document: &'static PublicDocument, request: Request, next: Next) -> Response {
        if request.method() == Method::OPTIONS {
            return preflight(request.headers());
        }
        let asked = Asked {
            method: request.method().clone(),
            headers: request.headers().clone(),
            address: request.extensions().get::<RequestOrigin>().and_then(|origin| origin.ip),
            family: Family::of(request.uri().path(), request.headers()),
        };
        let (request, key) = without_the_client(document, request);
        if key.len() > MAX_KEY_BYTES {
            return match self.make(document, &asked, request, next).await {
                Ok(copy) => self.send(&copy, &asked),
                Err(response) => response,
            };
        }
        let now = self.made_from();
        let is_old = |copy: &Arc<PublicCopy>| !copy.is_fresh(document, now);
        let copy = if document.is_single() {
            self.single.remove_if(&key, is_old);
            self.single.get_or_insert_async(&key, self.make(document, &asked, request, next)).await
        } else {
            let older = self.varied.peek(&key).filter(|copy| copy.may_be_cached(now));
            self.varied.remove_if(&key, is_old);
            let made = async {
                if self.made.admits(asked.address, now.at) {
                    return self.make(document, &asked, request, next).await;
                }
                older.ok_or_else(|| readable(asked.family.too_often()))
            };
            self.varied.get_or_insert_async(&key, made).await
        };
        match copy {
            Ok(copy) => self.send(&copy, &asked),
            Err(response) => response,
        }
    }

    /// The response with a copy, if the rate limit of its address permits this size.
    fn send(&self, copy: &PublicCopy, asked: &Asked) -> Response {
        let response = copy.answer(&asked.method, &asked.headers);
        let parts = response.body().size_hint().lower() / LARGE_BYTES;
        let parts = i64::try_from(parts).unwrap_or(i64::MAX);
        if parts > 0 && !self.large.admits_many(asked.address, parts, self.app.clock.now_ms()) {
            return readable(asked.family.too_often());
        }
        response
    }

    fn made_from(&self) -> MadeFrom {
        MadeFrom { commits: self.app.db.commits(), at: self.app.clock.now_ms(), instant: Instant::now() }
    }

    /// Generates a copy. Other responses, such as refusals, are passed on and not kept.
    async fn make(
        &self,
        document: &'static PublicDocument,
        asked: &Asked,
        request: Request,
        next: Next,
    ) -> Result<Arc<PublicCopy>, Response> {
        let made_from = self.made_from();
        let response = timeouts::survive(request, next).await;
        let is_small = response.body().size_hint().exact().is_none_or(|size| size <= MAX_DOCUMENT_BYTES as u64);
        let is_personal = response.headers().contains_key(header::SET_COOKIE);
        if response.status() != StatusCode::OK || is_personal || !is_small {
            return Err(readable(response));
        }
        let (head, body) = response.into_parts();
        let Ok(plain) = to_bytes(body, MAX_DOCUMENT_BYTES).await else { return Err(readable(asked.family.failed())) };
        let copied =
            tokio::task::spawn_blocking(move || PublicCopy::of(document, head.headers, plain, made_from)).await;
        match copied {
            Ok(Ok(copy)) => Ok(Arc::new(copy)),
            _ => Err(readable(asked.family.failed())),
        }
    }
}

/// A request for the document itself: without the client's identity and cache state. Beside it, the key of everything
/// that the content depends on.
fn without_the_client(document: &PublicDocument, request: Request) -> (Request, String) {
    let (mut parts, _) = request.into_parts();
    parts.method = Method::GET;
    for name in NOT_PASSED_ON {
        parts.headers.remove(name);
    }
    let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let relevant = pairs.filter(|(name, _)| document.parameters.contains(&&**name));
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(relevant).finish();
    let mut key = parts.uri.path().to_owned();
    if !query.is_empty() {
        key = format!("{key}?{query}");
    }
    if let Ok(uri) = key.parse::<Uri>() {
        parts.uri = uri;
    }
    if document.by_language {
        let accepted = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        // The order of languages is all that matters.
        let languages = language::accepted(accepted.unwrap_or_default()).join(",").to_ascii_lowercase();
        key = format!("{key} {languages}");
        if let Ok(languages) = HeaderValue::try_from(languages) {
            parts.headers.insert(header::ACCEPT_LANGUAGE, languages);
        }
    } else {
        parts.headers.remove(header::ACCEPT_LANGUAGE);
    }
    (Request::from_parts(parts, Body::empty()), key)
}

/// Answers a preflight: every origin may read, without credentials, and with the headers that it asks for
/// ([`claimsmith_web::cors::bound_preflight`]).
fn preflight(asked: &HeaderMap) -> Response {
    let allowed = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET,HEAD"),
        (header::VARY, "access-control-request-headers"),
    ];
    let mut headers: HeaderMap =
        allowed.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from(10 * PUBLIC_DOCUMENT_LIFETIME.as_secs()));
    headers.into_response()
}

/// Allows every origin to read a refusal, too.
fn readable(mut response: Response) -> Response {
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}
