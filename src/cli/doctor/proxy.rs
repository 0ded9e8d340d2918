//! What the server sees of a request through the base URL: whether the proxies in between pass on host, protocol and client
//! address, and whether the server trusts them as configured (`server.trusted_proxies`).

use super::report::{Finding, Status};
use crate::http::probe::{self, SeenRequest};
use claimsmith_config::BaseUrl;
use claimsmith_services::encryption::Cipher;
use reqwest::Client;
use url::Url;

const CHECK: &str = "proxy";

/// An address of documentation (RFC 5737), which no client has.
const MADE_UP: &str = "192.0.2.77";

pub(super) async fn check(client: &Client, base_url: &BaseUrl, cipher: anyhow::Result<Cipher>, now: i64) -> Finding {
    let seen = async {
        let cipher = cipher?;
        let plain = ask(client, base_url, &cipher, now, None).await?;
        anyhow::Ok((plain, ask(client, base_url, &cipher, now, Some(MADE_UP)).await?))
    };
    match seen.await {
        Ok((Some(plain), Some(forged))) => judge(base_url, &plain, &forged),
        Ok(_) => {
            let message = "The server does not say how it sees requests: it has another encryption key or version, or a \
                           proxy removes headers that it does not know.";
            Finding::new(CHECK, Status::Warning, message)
        }
        Err(error) => {
            let message = format!("The server could not be asked how it sees requests: {error:#}");
            Finding::new(CHECK, Status::Warning, message)
        }
    }
}

/// How the server sees a request that has an `X-Forwarded-For` of this command, or none.
async fn ask(
    client: &Client,
    base_url: &BaseUrl,
    cipher: &Cipher,
    now: i64,
    forwarded_for: Option<&str>,
) -> anyhow::Result<Option<SeenRequest>> {
    let mut request = client.get(format!("{base_url}/api/status")).header(probe::REQUEST, probe::proof(cipher, now)?);
    if let Some(address) = forwarded_for {
        request = request.header("x-forwarded-for", address);
    }
    let answer = request.send().await?;
    Ok(answer.headers().get(probe::RESPONSE).and_then(probe::read))
}

/// Of a request without forwarded headers of its own, and one that claims to be forwarded for a made-up address.
fn judge(base_url: &BaseUrl, plain: &SeenRequest, forged: &SeenRequest) -> Finding {
    let mut faults = Vec::new();
    let mut warnings = Vec::new();
    let peer = plain.peer.map(|peer| peer.to_string()).unwrap_or_default();
    let names_client = plain.forwarded.is_some() || plain.forwarded_for.is_some();
    let has_proxy = names_client || plain.forwarded_host.is_some() || plain.forwarded_proto.is_some();
    if has_proxy && !plain.is_peer_trusted {
        faults.push(format!(
            "the server does not trust the proxy {peer}, so that every client has its address, and shares its limits and \
             lock-outs: add it to server.trusted_proxies"
        ));
    }
    if plain.is_peer_trusted && !names_client {
        warnings.push(format!(
            "server.trusted_proxies has {peer}, and it sends neither Forwarded nor X-Forwarded-For: every client has its \
             address"
        ));
    }
    if !has_proxy && !plain.is_peer_trusted && base_url.as_str().starts_with("https:") {
        warnings.push(format!(
            "TLS ends before the server, at {peer}, which sends neither Forwarded nor X-Forwarded-For: every client has \
             its address"
        ));
    }
    if names_client
        && plain.is_peer_trusted
        && forged.forwarded.is_none()
        && forged.forwarded_for.as_deref() == Some(MADE_UP)
    {
        faults.push(
            "the proxy passes X-Forwarded-For on as clients send it, so that they choose their address: it has to add \
             or replace the address"
                .to_owned(),
        );
    }
    warnings.extend(of_host(base_url, plain));
    warnings.extend(of_protocol(base_url, plain));
    let status = match (faults.is_empty(), warnings.is_empty()) {
        (false, _) => Status::Fault,
        (true, false) => Status::Warning,
        (true, true) => Status::Ok,
    };
    let message = match status {
        Status::Fault | Status::Warning => "Requests reach the server otherwise than they should.".to_owned(),
        _ if has_proxy => format!("The proxy {peer} passes on the client, the host and the protocol."),
        _ => "Requests reach the server without a proxy.".to_owned(),
    };
    faults.append(&mut warnings);
    Finding::new(CHECK, status, message).with(faults)
}

fn of_host(base_url: &BaseUrl, seen: &SeenRequest) -> Vec<String> {
    let own = host(base_url.as_str());
    let scheme = base_url.as_str().split(':').next().unwrap_or_default();
    let sent = [("Host", &seen.host), ("X-Forwarded-Host", &seen.forwarded_host)];
    let differs = |name: &str, sent: &Option<String>| {
        let sent = sent.as_deref()?;
        // Of several values, the first one is that of the client.
        let first = sent.split(',').next().unwrap_or_default().trim();
        (host(&format!("{scheme}://{first}")) != own)
            .then(|| format!("{name} is {sent}, not that of {base_url}: the proxy has to pass it on"))
    };
    sent.into_iter().filter_map(|(name, sent)| differs(name, sent)).collect()
}

fn of_protocol(base_url: &BaseUrl, seen: &SeenRequest) -> Option<String> {
    let own = base_url.as_str().split(':').next().unwrap_or_default();
    let standard = seen.forwarded.as_deref().and_then(|forwarded| {
        let pairs = forwarded.split([',', ';']).filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("proto")).map(|(_, value)| value.trim_matches('"'))
    });
    let (name, value) = match (standard, seen.forwarded_proto.as_deref()) {
        (Some(value), _) => ("proto of Forwarded", value),
        (None, Some(value)) => ("X-Forwarded-Proto", value),
        (None, None) => return None,
    };
    let first = value.split(',').next().unwrap_or_default().trim();
    (!first.eq_ignore_ascii_case(own)).then(|| format!("{name} is {value}, and {base_url} is {own}"))
}

/// The host name or address; proxies often leave the port out.
fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through_proxy(is_peer_trusted: bool) -> SeenRequest {
        SeenRequest {
            peer: Some([10, 0, 0, 1].into()),
            is_peer_trusted,
            client: Some([203, 0, 113, 9].into()),
            host: Some("id.example.com".to_owned()),
            forwarded_for: Some("203.0.113.9".to_owned()),
            forwarded_host: Some("id.example.com:443".to_owned()),
            forwarded_proto: Some("https".to_owned()),
            ..SeenRequest::default()
        }
    }

    fn expect(url: &str, (plain, forged): (&SeenRequest, &SeenRequest), expected: (Status, &[&str])) {
        let Ok(base_url) = url.parse() else { unreachable!("{url}") };
        let finding = judge(&base_url, plain, forged);
        assert_eq!((finding.status, finding.details.len()), (expected.0, expected.1.len()), "{finding:?}");
        for (detail, part) in finding.details.iter().zip(expected.1) {
            assert!(detail.contains(part), "{finding:?}");
        }
    }

    #[test]
    fn a_proxy_passes_on_what_is_configured() {
        let url = "https://id.example.com";
        let good = through_proxy(true);
        let appended = SeenRequest { forwarded_for: Some(format!("{MADE_UP}, 203.0.113.9")), ..good.clone() };
        expect(url, (&good, &appended), (Status::Ok, &[]));
        let passed_on = SeenRequest { forwarded_for: Some(MADE_UP.to_owned()), ..good.clone() };
        expect(url, (&good, &passed_on), (Status::Fault, &["they choose their address"]));
        let unknown = through_proxy(false);
        expect(url, (&unknown, &unknown), (Status::Fault, &["does not trust the proxy 10.0.0.1"]));
        let plain = SeenRequest { forwarded_for: None, ..good.clone() };
        expect(url, (&plain, &plain), (Status::Warning, &["neither Forwarded nor X-Forwarded-For"]));
        let inner = SeenRequest {
            host: Some("127.0.0.1:3001".to_owned()),
            forwarded_host: None,
            forwarded_proto: Some("http".to_owned()),
            ..good
        };
        expect(url, (&inner, &appended), (Status::Warning, &["Host is 127.0.0.1:3001", "X-Forwarded-Proto is http"]));
        let standard = SeenRequest {
            forwarded: Some("for=203.0.113.9;proto=http".to_owned()),
            forwarded_for: None,
            forwarded_proto: None,
            ..appended
        };
        expect(url, (&standard, &standard), (Status::Warning, &["proto of Forwarded is http"]));
    }

    #[test]
    fn without_a_proxy_there_is_nothing_to_trust() {
        let direct = SeenRequest {
            peer: Some([127, 0, 0, 1].into()),
            host: Some("localhost:3001".to_owned()),
            ..SeenRequest::default()
        };
        let forged = SeenRequest { forwarded_for: Some(MADE_UP.to_owned()), ..direct.clone() };
        expect("http://localhost:3001", (&direct, &forged), (Status::Ok, &[]));
        let of_tls = SeenRequest { host: Some("id.example.com".to_owned()), ..direct };
        expect("https://id.example.com", (&of_tls, &forged), (Status::Warning, &["TLS ends before the server"]));
    }
}
