//! `claimsmith health`: asks the server of this machine whether it is ready, for health checks of containers.

use anyhow::Context as _;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use claimsmith_cli::terminal::{print_error, print_line};
use claimsmith_config::{Config, ConfigError, ValueSource};
use claimsmith_identity::bootstrap::report;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;
use tokio::time::timeout;

/// Less than the interval of a usual health check.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The largest reason that is read, in bytes.
const MAX_REASON_BYTES: usize = 64 << 10;

/// Exits with 0 if the server answers that it is ready, and with 1 otherwise.
pub(super) async fn run(config: Result<Config, ConfigError>) -> ExitCode {
    match checked(config).await {
        Ok(address) => {
            print_line(&format!("The server at {address} is ready."));
            ExitCode::SUCCESS
        }
        Err(error) => {
            print_error(&format!("claimsmith: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn checked(config: Result<Config, ConfigError>) -> anyhow::Result<SocketAddr> {
    let address = address(&config?)?;
    // Neither TLS, whose roots an image may lack, nor a proxy of the environment.
    let client = Client::builder(TokioExecutor::new()).build_http();
    let request = Request::get(format!("http://{address}/api/status")).body(Body::empty())?;
    let asked = async {
        let answer = client.request(request).await?;
        let status = answer.status();
        let body = to_bytes(Body::new(answer.into_body()), MAX_REASON_BYTES).await;
        anyhow::Ok((status, body.unwrap_or_default()))
    };
    let answer = timeout(TIMEOUT, asked).await;
    let answer = answer.with_context(|| format!("the server at {address} does not answer in time"))?;
    let (status, body) = answer.with_context(|| format!("no server answers at {address}"))?;
    let reason = reason(&body).unwrap_or_default();
    anyhow::ensure!(status.is_success(), "the server at {address} is not ready ({status}){reason}");
    Ok(address)
}

/// What the server says of it, after a colon.
fn reason(body: &[u8]) -> Option<String> {
    let answer: Value = claimsmith_json::read(body, claimsmith_json::INCOMING).ok()?;
    Some(format!(": {}", answer.get("message")?.as_str()?))
}

/// The configured address. If none is configured, or its port is chosen at the start: that of the last start.
fn address(config: &Config) -> anyhow::Result<SocketAddr> {
    let listen = config.server.listen;
    let is_given = !matches!(config.source("server.listen"), ValueSource::Default);
    if is_given && listen.port() != 0 {
        return Ok(connectable(listen));
    }
    let report = report::read(&report::path(&config.data_dir));
    let last = report.and_then(|report| report.listen.parse().ok()).or((listen.port() != 0).then_some(listen));
    last.map(connectable).ok_or_else(|| anyhow::anyhow!("no server was started here yet"))
}

/// An address to connect to: a server that listens on all addresses of this machine is on its loopback address too.
pub(super) fn connectable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen {
        SocketAddr::V4(address) if address.ip().is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(address) if address.ip().is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        _ => listen.ip(),
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::connectable;
    use std::net::AddrParseError;

    #[test]
    fn an_address_of_all_interfaces_is_reached_at_the_loopback() -> Result<(), AddrParseError> {
        for (listen, expected) in [
            ("0.0.0.0:3001", "127.0.0.1:3001"),
            ("[::]:3001", "[::1]:3001"),
            ("10.0.0.7:80", "10.0.0.7:80"),
            ("127.0.0.1:3001", "127.0.0.1:3001"),
        ] {
            assert_eq!(connectable(listen.parse()?), expected.parse()?, "{listen}");
        }
        Ok(())
    }
}
