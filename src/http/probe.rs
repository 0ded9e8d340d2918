//! How the server sees a request of `claimsmith doctor`: which address it comes from, and what a proxy forwards. A request
//! that proves the encryption key is answered with it in a header; other requests learn nothing.

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use claimsmith_config::Network;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::encryption::{Cipher, EncryptionError, Purpose};
use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, SocketAddr};

/// The header of the request: a time in Unix milliseconds and its keyed hash, with a dot between.
pub(crate) const REQUEST: HeaderName = HeaderName::from_static("claimsmith-doctor");
/// The header of the response: [`SeenRequest`] as JSON in base64url.
pub(crate) const RESPONSE: HeaderName = HeaderName::from_static("claimsmith-doctor-saw");

/// What the keyed hash is bound to, besides its purpose.
const ROW: &str = "request";
/// How far the clocks of the command and the server may differ.
const MAX_AGE_MS: i64 = 10 * 60_000;
/// The most characters of a header that are answered.
const MAX_CHARS: usize = 200;

/// A request as the server sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeenRequest {
    /// The other end of the connection: the client, or the last proxy.
    pub(crate) peer: Option<IpAddr>,
    /// Whether the peer is among `server.trusted_proxies`.
    pub(crate) is_peer_trusted: bool,
    /// The address that the server takes for that of the client.
    pub(crate) client: Option<IpAddr>,
    /// The `Host` header, or the authority of HTTP/2.
    pub(crate) host: Option<String>,
    /// The `Forwarded` header (RFC 7239).
    pub(crate) forwarded: Option<String>,
    /// The `X-Forwarded-For` header.
    pub(crate) forwarded_for: Option<String>,
    /// The `X-Forwarded-Host` header.
    pub(crate) forwarded_host: Option<String>,
    /// The `X-Forwarded-Proto` header.
    pub(crate) forwarded_proto: Option<String>,
}

/// The value of [`REQUEST`] for a request that is sent now.
pub(crate) fn proof(cipher: &Cipher, now: i64) -> Result<String, EncryptionError> {
    let time = now.to_string();
    Ok(format!("{time}.{}", cipher.digest(Purpose::DoctorProbe, ROW, &time)?))
}

/// The value of [`RESPONSE`], if the request proves that it comes from the operator.
pub(super) fn answer(request: &Request, cipher: &Cipher, trusted: &[Network], now: i64) -> Option<HeaderValue> {
    let sent = request.headers().get(REQUEST)?.to_str().ok()?;
    let (time, digest) = sent.split_once('.')?;
    let is_recent = time.parse::<i64>().is_ok_and(|time| now.abs_diff(time) <= MAX_AGE_MS.unsigned_abs());
    if !is_recent || !cipher.is_digest(Purpose::DoctorProbe, ROW, time, digest) {
        return None;
    }
    let json = serde_json::to_vec(&seen(request, trusted)).ok()?;
    HeaderValue::from_str(&BASE64URL_NOPAD.encode(&json)).ok()
}

/// Reads the value of [`RESPONSE`].
pub(crate) fn read(value: &HeaderValue) -> Option<SeenRequest> {
    let json = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
    claimsmith_json::read(&json, claimsmith_json::INCOMING).ok()
}

fn seen(request: &Request, trusted: &[Network]) -> SeenRequest {
    let headers = request.headers();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let authority = request.uri().authority().map(|authority| shortened(authority.as_str()));
    SeenRequest {
        peer,
        is_peer_trusted: peer.is_some_and(|peer| trusted.iter().any(|network| network.contains(peer))),
        client: request.extensions().get::<RequestOrigin>().and_then(|origin| origin.ip),
        host: authority.or_else(|| all(headers, &header::HOST)),
        forwarded: all(headers, &header::FORWARDED),
        forwarded_for: all(headers, &HeaderName::from_static("x-forwarded-for")),
        forwarded_host: all(headers, &HeaderName::from_static("x-forwarded-host")),
        forwarded_proto: all(headers, &HeaderName::from_static("x-forwarded-proto")),
    }
}

/// All values of a header, with commas between.
fn all(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<_> = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    (!values.is_empty()).then(|| shortened(&values.join(", ")))
}

fn shortened(text: &str) -> String {
    text.chars().take(MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn only_a_recent_proof_of_the_key_is_answered() -> Result<(), Box<dyn std::error::Error>> {
        let cipher = Cipher::new([&[1; 32]])?;
        let now = 1_800_000_000_000;
        let answered = |proof: &str, now: i64| -> Result<Option<SeenRequest>, axum::http::Error> {
            let mut request = Request::builder().uri("/api/status").header("host", "id.example.com");
            request = request.header(REQUEST, proof).header("x-forwarded-for", "192.0.2.1");
            let mut request = request.body(Body::empty())?;
            request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 4711))));
            let trusted = ["10.0.0.0/8".parse::<Network>()].into_iter().flatten().collect::<Vec<_>>();
            Ok(answer(&request, &cipher, &trusted, now).as_ref().and_then(read))
        };
        let valid = proof(&cipher, now)?;
        let seen = answered(&valid, now)?.unwrap_or_default();
        assert_eq!((seen.peer, seen.is_peer_trusted), (Some([10, 0, 0, 1].into()), true));
        assert_eq!((seen.host.as_deref(), seen.forwarded_for.as_deref()), (Some("id.example.com"), Some("192.0.2.1")));
        assert!(answered(&valid, now + MAX_AGE_MS)?.is_some());
        assert_eq!(answered(&valid, now + MAX_AGE_MS + 1)?, None);
        assert_eq!(answered(&valid, now - MAX_AGE_MS - 1)?, None);
        let other = proof(&Cipher::new([&[2; 32]])?, now)?;
        let moved = valid.replacen("18", "19", 1);
        for refused in ["", ".", "x.y", &now.to_string(), &other, &moved] {
            assert_eq!(answered(refused, now)?, None, "{refused}");
        }
        Ok(())
    }
}
