//! An administrator beside the load: changes another application so many times a second, over the Management API.

use anyhow::{Context, Result};
use claimsmith_identity::bootstrap::report::BootstrapReport;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Changes under way, until they are stopped.
pub(crate) struct Patches {
    task: JoinHandle<Result<Vec<f64>>>,
    stop: CancellationToken,
}

impl Patches {
    /// Begins to change an application that takes no part in the load.
    pub(crate) async fn start(address: SocketAddr, report: &BootstrapReport, per_second: f64) -> Result<Self> {
        let demo = report.demo.as_ref().context("no demo data")?;
        let http = reqwest::Client::new();
        let token = management_token(&http, address, report).await?;
        let url = format!("http://{address}/api/applications/{}", demo.spa_client_id);
        let stop = CancellationToken::new();
        let task = tokio::spawn(patch(http, url, token, Duration::from_secs_f64(1.0 / per_second), stop.clone()));
        Ok(Self { task, stop })
    }

    /// Ends them, and answers how long each took: milliseconds, sorted.
    pub(crate) async fn end(self) -> Result<Vec<f64>> {
        self.stop.cancel();
        let mut times = self.task.await??;
        times.sort_by(f64::total_cmp);
        Ok(times)
    }
}

/// A token for all of the Management API.
pub(crate) async fn management_token(
    http: &reqwest::Client,
    address: SocketAddr,
    report: &BootstrapReport,
) -> Result<String> {
    let api = report.management_api.as_ref().context("no Management API")?;
    let form = [("grant_type", "client_credentials"), ("resource", &*api.resource), ("scope", "all")];
    let request = http.post(format!("http://{address}/oidc/token")).form(&form);
    let answer = request.basic_auth(&api.client_id, Some(&api.client_secret)).send().await?.error_for_status()?;
    let answer: Value = serde_json::from_slice(&answer.bytes().await?)?;
    Ok(answer["access_token"].as_str().context("no token")?.to_owned())
}

async fn patch(
    http: reqwest::Client,
    url: String,
    token: String,
    interval: Duration,
    stop: CancellationToken,
) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    let mut ticks = tokio::time::interval(interval);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let body = json!({ "customData": { "change": times.len() } }).to_string();
        let began = Instant::now();
        let request = http.patch(&url).bearer_auth(&token).header("content-type", "application/json").body(body);
        request.send().await?.error_for_status()?.bytes().await?;
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(times)
}
