//! Checks the `Host` header of a request: it is present and well formed, and with demo data it is one of the server's
//! own names.
//!
//! Demo data has known credentials. With DNS rebinding, a web page whose host name resolves to this machine could send
//! requests to the server; they have that host name in the `Host` header, so they are refused.

use super::family::Family;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{Version, header};
use axum::middleware::Next;
use axum::response::Response;
use claimsmith_domain::api_code::ApiCode;
use std::net::IpAddr;
use std::sync::Arc;
use url::Url;

/// The host names that the server answers for.
#[derive(Clone, Debug)]
pub enum Hosts {
    /// Every host name.
    Any,
    /// Loopback names and addresses, and this one, if any.
    Own(Option<Arc<str>>),
}

impl Hosts {
    /// The hosts of a server with this base URL, whose database has demo data or not.
    #[must_use]
    pub fn of(base_url: &str, has_demo: bool) -> Self {
        if !has_demo {
            return Self::Any;
        }
        let url = Url::parse(base_url).ok();
        Self::Own(url.and_then(|url| url.host_str().map(|host| host.trim_matches(['[', ']']).into())))
    }

    /// Whether the server has demo data.
    #[must_use]
    pub fn are_of_demo(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    fn have(&self, host: &str) -> bool {
        let Self::Own(own) = self else { return true };
        let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
        let is_loopback = host == "localhost"
            || host.ends_with(".localhost")
            || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
        is_loopback || own.as_deref() == Some(&*host)
    }
}

/// The refusal of a request whose host is missing, repeated, or not one of the server's names.
pub(super) fn refusal(hosts: &Hosts, request: &Request) -> Option<Response> {
    let family = || Family::of(request.uri().path(), request.headers());
    match host(request) {
        Ok(host) if hosts.have(&host) => None,
        Ok(_) => {
            let message = "A server with demo data accepts only loopback names and the host of its base URL.";
            Some(family().refuse(ApiCode::RequestUnknownHost, message))
        }
        Err(message) => Some(family().refuse(ApiCode::RequestInvalidHost, message)),
    }
}

/// Refuses such requests, as a layer: for a router without the middleware of every request.
pub async fn check(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    match refusal(&hosts, &request) {
        None => next.run(request).await,
        Some(refusal) => refusal,
    }
}

/// The host that the request is for, without port (RFC 9112 section 3.2, RFC 9113 section 8.3.1).
fn host(request: &Request) -> Result<String, &'static str> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let (first, second) = (named.next(), named.next());
    if second.is_some() {
        return Err("The Host header is given more than once.");
    }
    let first = first.map(|value| {
        let text = value.to_str().ok().filter(|text| !text.contains('@'));
        text.and_then(|text| text.parse::<Authority>().ok()).ok_or("The Host header is malformed.")
    });
    let named = first.transpose()?;
    match request.uri().authority().or(named.as_ref()) {
        Some(authority) => Ok(authority.host().to_owned()),
        // HTTP/1.0 does not require the header.
        None if request.version() < Version::HTTP_11 => Ok("localhost".to_owned()),
        None => Err("The Host header is missing."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demo_data_is_shown_under_the_servers_own_names_alone() {
        let hosts = Hosts::of("https://id.example.com/tenant", true);
        for own in
            ["localhost", "LOCALHOST", "a.localhost", "localhost.", "127.0.0.1", "127.9.9.9", "[::1]", "id.example.com"]
        {
            assert!(hosts.have(own), "{own}");
        }
        for other in ["evil.example", "192.0.2.1", "localhost.evil.example", "[2001:db8::1]", "example.com", ""] {
            assert!(!hosts.have(other), "{other}");
        }
        assert!(Hosts::of("https://id.example.com", false).have("evil.example"));
    }

    #[test]
    fn a_request_is_for_one_host() -> Result<(), axum::http::Error> {
        let named = |hosts: &[&str]| {
            let request = hosts.iter().fold(Request::builder().uri("/"), |request, host| request.header("host", *host));
            request.body(axum::body::Body::empty()).map(|request| host(&request))
        };
        assert_eq!(named(&["id.test:3001"])?, Ok("id.test".to_owned()));
        assert_eq!(named(&["[::1]:3001"])?, Ok("[::1]".to_owned()));
        for bad in [&["a.test", "a.test"][..], &[], &[""], &["a b"], &["user@a.test"], &["a.test/path"]] {
            assert!(named(bad)?.is_err(), "{bad:?}");
        }
        Ok(())
    }
}
