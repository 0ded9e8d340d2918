//! `claimsmith doctor`: checks the data and the way from clients to the server. It finds and repairs unreadable documents,
//! and tries the base URL, the headers of the proxy, the certificate and the clock. Each check has a file.

mod base_url;
mod certificate;
mod clock;
mod documents;
mod proxy;
mod report;
mod signatures;

use crate::server::open_database;
use anyhow::Context;
use base_url::Reached;
use claimsmith_config::{BaseUrl, Config, ConfigError};
use claimsmith_domain::clock::Clock;
use claimsmith_identity::bootstrap;
use claimsmith_services::encryption::Cipher;
use claimsmith_storage::{self as storage, Db};
use report::{Finding, Status};
use reqwest::redirect::Policy;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;
use url::Url;

/// The most time for one request.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
pub(super) struct DoctorArgs {
    /// Empty what cannot be read, and keep what was there in a file of the data folder; implies --offline.
    #[arg(long)]
    repair: bool,
    /// Check only the data, without requests to the server, which may be stopped.
    #[arg(long)]
    offline: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(config: Config, args: &DoctorArgs) -> ExitCode {
    let findings = match examine(config, args).await {
        Ok(findings) => findings,
        Err(error) => vec![Finding::new("database", Status::Fault, format!("{error:#}"))],
    };
    report::print(&findings, args.json)
}

async fn examine(mut config: Config, args: &DoctorArgs) -> anyhow::Result<Vec<Finding>> {
    let db = open_database(&config).await?;
    storage::migrate(&db).await.context("migration")?;
    let other_server = match bootstrap::served::follow(&db, &mut config).await {
        Ok(()) => None,
        Err(bootstrap::Error::OtherServer(refused)) => Some(refused),
        Err(error) => return Err(error.into()),
    };
    let mut findings = vec![documents::check(&config, &db, args.repair).await?, documents::check_audiences(&db).await?];
    findings.extend(signatures::check(&config, &db).await?);
    findings.extend(other_server.as_ref().map(of_other_server));
    if !args.offline && !args.repair {
        findings.extend(check_network(&config, &db).await?);
    }
    db.close().await;
    Ok(findings)
}

/// The configuration that the doctor is given is not that of the server, which the other checks then ask.
fn of_other_server(refused: &ConfigError) -> Finding {
    let details = refused.problems().iter().map(ToString::to_string).collect();
    let message = "This configuration is not that of the running server.";
    Finding::new("settings", Status::Fault, message).with(details)
}

async fn check_network(config: &Config, db: &Db) -> anyhow::Result<Vec<Finding>> {
    let base_url = &config.server.base_url;
    let mut client = reqwest::Client::builder().timeout(TIMEOUT).redirect(Policy::none()).tls_info(true);
    if let Some(name) = below_localhost(base_url) {
        client = client.resolve(&name, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    }
    let client = match client.build() {
        Ok(client) => client,
        // A machine without certificates of CAs.
        Err(error) => {
            let message = format!("No request can be sent: {:#}", anyhow::Error::new(error));
            return Ok(vec![Finding::new("base URL", Status::Fault, message)]);
        }
    };
    let reached = base_url::reach(&client, base_url).await;
    let now = Clock::system().now_ms();
    let proxy = match &reached {
        Ok(Reached { status: 200, .. }) => proxy::check(&client, base_url, cipher(config), now).await,
        _ => Finding::new("proxy", Status::Skipped, "The server cannot be reached."),
    };
    Ok(vec![
        base_url::judge(base_url, &reached),
        certificate::judge(base_url, &reached, now),
        proxy,
        clock::check(db, base_url, &reached).await?,
    ])
}

/// A name below `localhost`, which browsers resolve by themselves (RFC 6761 section 6.3), and few systems do.
fn below_localhost(base_url: &BaseUrl) -> Option<String> {
    let url = Url::parse(base_url.as_str()).ok()?;
    url.host_str().filter(|host| host.ends_with(".localhost")).map(str::to_owned)
}

/// The cipher of the server, whose key is not created here.
fn cipher(config: &Config) -> anyhow::Result<Cipher> {
    let is_here = config.encryption.key.is_some()
        || !config.database.url.is_embedded()
        || bootstrap::has_key_file(&config.data_dir);
    anyhow::ensure!(is_here, "the data folder has no encryption.key");
    Ok(bootstrap::cipher(config)?)
}
