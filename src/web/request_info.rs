//! Facts about a request before authentication: its id, and its client address.
//!
//! The id is taken from `x-request-id` if it is well formed, and generated otherwise; it is in the response's header
//! and in every log line of the request. The client address is that of the connection, or the one that a trusted proxy
//! forwards.

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use claimsmith_config::Network;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random;
use std::net::{IpAddr, SocketAddr};

/// The header of the id, both ways.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// The same in responses, by the name that clients of the reference API look for.
pub const REFERENCE_HEADER: HeaderName = HeaderName::from_static("logto-core-request-id");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The most characters of a user agent that are kept.
const MAX_USER_AGENT_CHARS: usize = 256;

/// Determines the [`RequestOrigin`] of a request, for the handlers. Returns the id, for the header of the response.
pub fn assign(
    request: &mut Request,
    trusted_proxies: &[Network],
    country_header: Option<&HeaderName>,
) -> Option<HeaderValue> {
    let sent = text(request.headers(), &HEADER).filter(|id| is_well_formed(id));
    let id = match sent {
        Some(id) => id.to_owned(),
        None => random::id(16).unwrap_or_default(),
    };
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let answered = HeaderValue::from_str(&id).ok();
    let origin = RequestOrigin {
        request_id: Some(id),
        ip: peer.map(|peer| client_address(peer, request.headers(), trusted_proxies)),
        user_agent: text(request.headers(), &header::USER_AGENT)
            .map(|agent| agent.chars().take(MAX_USER_AGENT_CHARS).collect()),
        country: peer.zip(country_header).and_then(|(peer, name)| {
            let is_trusted = trusted_proxies.iter().any(|network| network.contains(peer));
            text(request.headers(), name).filter(|_| is_trusted).and_then(country_of)
        }),
        route: None,
    };
    request.extensions_mut().insert(origin);
    answered
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A code of two letters (ISO 3166-1 alpha-2); proxies write other values, and `XX`, where they do not know it.
fn country_of(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()) && code != "XX";
    is_code.then_some(code)
}

/// Short, and nothing that could break out of a log line.
fn is_well_formed(id: &str) -> bool {
    (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// Walks from the peer outwards while the hop is a trusted proxy; what an untrusted hop claims is not believed.
#[must_use]
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut address = peer;
    for hop in forwarded_for(headers).into_iter().rev() {
        if !is_trusted(address) {
            break;
        }
        let Some(hop) = hop else { break };
        address = hop;
    }
    address
}

/// The addresses of `Forwarded` (RFC 7239) or else `X-Forwarded-For`, first hop first; `None` for one that is hidden.
fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let all = |name: &HeaderName| {
        let values: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
        values.join(",")
    };
    let standard = all(&header::FORWARDED);
    if !standard.is_empty() {
        let node = |element: &str| {
            let pair = element.split(';').filter_map(|pair| pair.trim().split_once('='));
            let value = pair.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("for")).map(|(_, value)| value)?;
            parse_node(value.trim_matches('"'))
        };
        return standard.split(',').map(node).collect();
    }
    let convention = all(&FORWARDED_FOR);
    if convention.is_empty() { Vec::new() } else { convention.split(',').map(|node| parse_node(node.trim())).collect() }
}

/// An address with or without a port; IPv6 in brackets when it has one.
fn parse_node(node: &str) -> Option<IpAddr> {
    let bare = node.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(address, _)| address);
    bare.unwrap_or(node).parse().ok().or_else(|| node.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_a_code_of_two_letters() {
        for (text, country) in
            [("NZ", Some("NZ")), (" nz ", Some("NZ")), ("XX", None), ("T1", None), ("NZL", None), ("", None)]
        {
            assert_eq!(country_of(text).as_deref(), country, "{text:?}");
        }
    }

    #[test]
    fn believes_trusted_proxies_alone() -> Result<(), Box<dyn std::error::Error>> {
        let trusted: Vec<Network> = vec!["10.0.0.0/8".parse()?];
        let cases = [
            ("1.2.3.4", "x-forwarded-for", "9.9.9.9", "1.2.3.4"),
            ("10.0.0.1", "x-forwarded-for", "9.9.9.9", "9.9.9.9"),
            ("10.0.0.1", "x-forwarded-for", "8.8.8.8, 9.9.9.9, 10.0.0.2", "9.9.9.9"),
            ("10.0.0.1", "x-forwarded-for", "nonsense", "10.0.0.1"),
            ("10.0.0.1", "forwarded", "for=9.9.9.9;proto=https", "9.9.9.9"),
            ("10.0.0.1", "forwarded", "for=\"[2001:db8::1]:4711\"", "2001:db8::1"),
            ("10.0.0.1", "forwarded", "for=unknown", "10.0.0.1"),
        ];
        for (peer, name, value, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            assert_eq!(client_address(peer.parse()?, &headers, &trusted), expected.parse::<IpAddr>()?, "{value}");
        }
        Ok(())
    }
}
