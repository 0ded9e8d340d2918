//! Whether the base URL leads to this server: it answers with its own issuer, by https unless it is a loopback address.

use super::report::{Finding, Status};
use claimsmith_config::BaseUrl;
use claimsmith_domain::clock::Clock;
use reqwest::tls::TlsInfo;
use reqwest::{Client, header};
use serde_json::Value;

const CHECK: &str = "base URL";
/// Maximum bytes of an answer. The document of this server has a few thousand.
const MAX_BODY_BYTES: usize = 65_536;

/// The response to a request for the configuration document of OpenID Connect.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// The status code.
    pub(super) status: u16,
    /// Where a redirect leads to.
    pub(super) location: Option<String>,
    /// The member `issuer` of the document.
    pub(super) issuer: Option<String>,
    /// The certificate of the other end, DER.
    pub(super) certificate: Option<Vec<u8>>,
    /// The `Date` header in Unix milliseconds; it has whole seconds.
    pub(super) date: Option<i64>,
    /// The time here when the response began, Unix milliseconds.
    pub(super) received_at: i64,
}

/// Requests the configuration document at the base URL. The error is the reason that there is no response.
pub(super) async fn reach(client: &Client, base_url: &BaseUrl) -> Result<Reached, String> {
    let url = format!("{}/.well-known/openid-configuration", base_url.issuer());
    let mut answer = client.get(url).send().await.map_err(causes)?;
    let received_at = Clock::system().now_ms();
    let text = |name: header::HeaderName| answer.headers().get(name)?.to_str().ok().map(str::to_owned);
    let date = text(header::DATE).and_then(|date| clock_of(&date));
    let certificate = answer.extensions().get::<TlsInfo>().and_then(TlsInfo::peer_certificate).map(<[u8]>::to_vec);
    let (status, location) = (answer.status().as_u16(), text(header::LOCATION));
    // The client's timeout includes the body.
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(causes)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BODY_BYTES {
            return Err(format!("the answer has more than {MAX_BODY_BYTES} bytes"));
        }
    }
    let document: Option<Value> = serde_json::from_slice(&body).ok();
    let issuer = document.as_ref().and_then(|document| document.get("issuer")?.as_str()).map(str::to_owned);
    Ok(Reached { status, location, issuer, certificate, date, received_at })
}

/// A failed request with all its causes, which name TLS and DNS errors.
fn causes(error: reqwest::Error) -> String {
    format!("{:#}", anyhow::Error::new(error))
}

/// A date of HTTP in Unix milliseconds.
fn clock_of(date: &str) -> Option<i64> {
    let time = httpdate::parse_http_date(date).ok()?;
    i64::try_from(time.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis()).ok()
}

pub(super) fn judge(base_url: &BaseUrl, reached: &Result<Reached, String>) -> Finding {
    let fault = |message: String| Finding::new(CHECK, Status::Fault, message);
    let issuer = base_url.issuer();
    match reached {
        Err(error) => fault(format!("{base_url} cannot be reached: {error}")),
        Ok(Reached { status: 300..400, location, .. }) => {
            let location = location.as_deref().unwrap_or("another URL");
            fault(format!("{base_url} redirects to {location}: set server.base_url to the URL without redirects"))
        }
        Ok(Reached { status, .. }) if *status != 200 => fault(format!(
            "{base_url} answers with status {status}: it does not lead to this server, or the server is not ready"
        )),
        Ok(Reached { issuer: None, .. }) => fault(format!("{base_url} leads to something that is not this server")),
        Ok(Reached { issuer: Some(found), .. }) if *found != issuer => fault(format!(
            "{base_url} leads to a server with the issuer {found}, not {issuer}: check server.base_url and the proxy"
        )),
        Ok(_) if !base_url.as_str().starts_with("https:") && !base_url.is_loopback() => fault(format!(
            "{base_url} is not https: passwords and tokens can be read on the way, and browsers offer no passkeys"
        )),
        Ok(_) => Finding::new(CHECK, Status::Ok, format!("{base_url} leads to this server.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_has_to_lead_to_the_server() -> Result<(), String> {
        let reached = |status: u16, issuer: &str| {
            let issuer = Some(issuer.to_owned()).filter(|issuer| !issuer.is_empty());
            Ok(Reached { status, issuer, location: Some("https://b.test/".to_owned()), ..Reached::default() })
        };
        let table = [
            ("https://a.test", reached(200, "https://a.test/oidc"), Status::Ok, "leads to this server"),
            ("http://localhost:3001", reached(200, "http://localhost:3001/oidc"), Status::Ok, "leads to this server"),
            ("http://a.test", reached(200, "http://a.test/oidc"), Status::Fault, "is not https"),
            ("https://a.test", reached(200, "https://c.test/oidc"), Status::Fault, "the issuer https://c.test/oidc"),
            ("https://a.test", reached(200, ""), Status::Fault, "is not this server"),
            ("https://a.test", reached(502, ""), Status::Fault, "status 502"),
            ("http://a.test", reached(301, ""), Status::Fault, "redirects to https://b.test/"),
            ("https://a.test", Err("no route".to_owned()), Status::Fault, "cannot be reached: no route"),
        ];
        for (url, reached, status, message) in table {
            let finding = judge(&url.parse()?, &reached);
            assert_eq!(finding.status, status, "{finding:?}");
            assert!(finding.message.contains(message), "{finding:?}");
        }
        Ok(())
    }
}
