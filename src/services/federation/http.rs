//! The HTTP client of the protocol libraries: the server's own egress, with bounds on responses, which are checked
//! before a library parses them.

use super::failure::FederationFailure;
use crate::egress::{Budget, Egress, Excess, OutgoingRequest};
use claimsmith_runtime::json::{self, INCOMING};
use data_encoding::BASE64URL_NOPAD;
use openidconnect::http::{Response, header};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// Until the last byte of an answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
/// The most bytes of an answer: documents and key sets of large providers have some ten thousand.
const MAX_ANSWER_BYTES: usize = 256 * 1024;
/// The most bytes of an access token.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// Sends requests to upstreams.
#[derive(Clone)]
pub(super) struct UpstreamClient(Arc<Egress>);

/// A request that is under way.
type PendingRequest<'c> = Pin<Box<dyn Future<Output = Result<HttpResponse, FederationFailure>> + Send + 'c>>;

/// A future of a library, boxed as `Send`: the compiler does not infer that in the functions that await it.
pub(super) fn boxed<'f, T>(
    future: impl Future<Output = T> + Send + 'f,
) -> Pin<Box<dyn Future<Output = T> + Send + 'f>> {
    Box::pin(future)
}

impl<'c> AsyncHttpClient<'c> for UpstreamClient {
    type Error = FederationFailure;
    type Future = PendingRequest<'c>;

    fn call(&'c self, request: HttpRequest) -> PendingRequest<'c> {
        Box::pin(self.send(request))
    }
}

impl UpstreamClient {
    pub(super) fn new(egress: Arc<Egress>) -> Self {
        Self(egress)
    }

    /// Sends a request. Its response is JSON within bounds.
    pub(super) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, FederationFailure> {
        let (parts, body) = request.into_parts();
        let text = |value: &header::HeaderValue| value.to_str().map(str::to_owned).ok();
        let headers = parts.headers.iter().filter_map(|(name, value)| Some((name.to_string(), text(value)?)));
        let outgoing = OutgoingRequest {
            method: parts.method.to_string(),
            url: parts.uri.to_string(),
            headers: headers.collect(),
            body: (!body.is_empty()).then(|| body.into()),
        };
        let budget = Budget { time: REQUEST_TIMEOUT, response_bytes: MAX_ANSWER_BYTES, excess: Excess::Refused };
        let answer = self.0.send(outgoing, &budget).await?;
        check(answer.status, &answer.body)?;
        // Treated as JSON, independent of its `Content-Type`.
        Response::builder()
            .status(answer.status)
            .header(header::CONTENT_TYPE, "application/json")
            .body(answer.body)
            .map_err(|_| FederationFailure::Malformed("the status of an answer of the upstream is none"))
    }

    /// The JSON at a URL, requested with this access token.
    pub(super) async fn get(&self, url: &str, access_token: &str) -> Result<Value, FederationFailure> {
        let request = openidconnect::http::Request::builder()
            .uri(url)
            .header(header::ACCEPT, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {access_token}"))
            .body(Vec::new())
            .map_err(|_| FederationFailure::Malformed("the access token cannot be sent"))?;
        let answer = self.send(request).await?;
        if answer.status() != 200 {
            return Err(FederationFailure::Status(answer.status().as_u16()));
        }
        json::read(answer.body(), INCOMING).map_err(|_| FederationFailure::Malformed("the profile is not JSON"))
    }
}

/// Refuses what a library cannot handle: JSON beyond the bounds, in the response and in its tokens, and access tokens
/// that no header can carry.
fn check(status: u16, body: &[u8]) -> Result<(), FederationFailure> {
    let Ok(answer) = json::read::<Value>(body, INCOMING) else {
        return Err(if status == 200 {
            FederationFailure::Malformed("an answer of the upstream is not JSON")
        } else {
            FederationFailure::Status(status)
        });
    };
    if let Some(token) = answer.get("access_token") {
        let is_sendable = |token: &&str| {
            !token.is_empty()
                && token.len() <= MAX_TOKEN_BYTES
                && token.bytes().all(|byte| (b'!'..=b'~').contains(&byte))
        };
        token.as_str().filter(is_sendable).ok_or(FederationFailure::Malformed("the access token cannot be sent"))?;
    }
    if let Some(token) = answer.get("id_token").and_then(Value::as_str) {
        for part in token.split('.').take(2) {
            let bytes =
                BASE64URL_NOPAD.decode(part.as_bytes()).map_err(|_| FederationFailure::IdToken("it is not a JWT"))?;
            json::check(&bytes, INCOMING).map_err(|_| FederationFailure::IdToken("it is out of bounds"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_library_would_choke_on_is_refused_before() {
        let deep = BASE64URL_NOPAD.encode(format!("{}{}", "[".repeat(100), "]".repeat(100)).as_bytes());
        for (body, fits) in [
            (r#"{"access_token":"a"}"#.to_owned(), true),
            (r#"{"error":"invalid_grant"}"#.to_owned(), true),
            ("<html>".to_owned(), false),
            (String::new(), false),
            (r#"{"access_token":"a\nb"}"#.to_owned(), false),
            (r#"{"access_token":7}"#.to_owned(), false),
            (format!(r#"{{"id_token":"e30.{deep}.c2ln"}}"#), false),
            (r#"{"id_token":"e30.e30.c2ln"}"#.to_owned(), true),
            (r#"{"id_token":"{}.e30.c2ln"}"#.to_owned(), false),
            ("[".repeat(1000), false),
        ] {
            assert_eq!(check(200, body.as_bytes()).is_ok(), fits, "{body}");
        }
        assert!(matches!(check(502, b"<html>"), Err(FederationFailure::Status(502))));
    }
}
