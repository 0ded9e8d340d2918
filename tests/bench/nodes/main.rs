//! How soon a plugin change through one node is active on all: three server processes on one PostgreSQL, in turn
//! uploads, activations and patches, each through the next node. Measured is the time from the answer to the change
//! until every node has issued a token that shows it, once with PostgreSQL's notifications and once with all of them
//! lost.
//!
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench nodes
//!     cargo bench --bench nodes -- --changes 120 --poll-ms 500

use anyhow::{Context, Result, ensure};
use claimsmith_test_support::{Actor, Answer, Home, Kind, PostgresProxy, Process};
use clap::Parser;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The names of the nodes' folders.
const NODES: [&str; 3] = ["one", "two", "three"];
/// A change that takes longer than this is lost.
const TIMEOUT: Duration = Duration::from_mins(2);

/// How to measure.
#[derive(Parser)]
struct Args {
    /// Changes of each measurement.
    #[arg(long, default_value_t = 60)]
    changes: usize,
    /// How often each node looks by itself, in milliseconds; default as the server's.
    #[arg(long)]
    poll_ms: Option<u64>,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A node with its way to the database, and a caller of its Management API.
struct Node {
    process: Process,
    management: Actor,
    wire: PostgresProxy,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    ensure!(std::env::var_os("TEST_DATABASE_URL").is_some(), "TEST_DATABASE_URL names the PostgreSQL server");
    println!("| notifications | changes | p50 ms | p99 ms | max ms |");
    println!("|---|---|---|---|---|");
    for lost in [false, true] {
        let home = Home::new(Kind::Postgres).await;
        let nodes = start(&home, &args).await?;
        for node in nodes.iter().filter(|_| lost) {
            node.wire.lose_notifications();
        }
        show(if lost { "lost" } else { "heard" }, &measure(&nodes, args.changes).await?);
    }
    Ok(())
}

async fn start(home: &Home, args: &Args) -> Result<Vec<Node>> {
    let mut nodes = Vec::new();
    for name in NODES {
        let wire = home.proxy().await;
        let (url, poll) = (wire.url(), args.poll_ms.map(|poll| poll.to_string()).unwrap_or_default());
        // Nodes share the database and the encryption key, and no folder.
        let (folder, plugins) = (home.folder().join(name), home.folder().join(format!("{name}-plugins")));
        std::fs::create_dir_all(&plugins)?;
        let changes = [
            ("CLAIMSMITH_DATA_DIR", folder.to_str().context("a path that is no text")?),
            ("CLAIMSMITH_PLUGINS_CACHE_DIR", ""),
            ("CLAIMSMITH_PLUGINS_DIR", plugins.to_str().context("a path that is no text")?),
            ("CLAIMSMITH_DATABASE_URL", &url),
            ("CLAIMSMITH_PLUGINS_POLL_MS", &poll),
            ("CLAIMSMITH_LOG_FILTER", "warn"),
        ];
        let process = Process::start(env!("CARGO_BIN_EXE_claimsmith"), home, &changes).await;
        let process = process.map_err(anyhow::Error::msg)?;
        let management = process.management().await;
        nodes.push(Node { process, management, wire });
    }
    Ok(nodes)
}

/// Makes the changes one after the other, and answers how long each took to serve everywhere.
async fn measure(nodes: &[Node], changes: usize) -> Result<Vec<Duration>> {
    // The second version waits until it is activated; from then on the two take turns.
    upload(&nodes[0], "first", true, 0).await;
    upload(&nodes[0], "second", false, 0).await;
    until_all_serve(nodes, "first", "0").await?;
    let (mut active, mut number, mut times) = ("first", 0, Vec::with_capacity(changes));
    for change in 1..=changes {
        let node = &nodes[change % nodes.len()];
        match change % 3 {
            0 => {
                number = change;
                active = other(active);
                upload(node, active, true, number).await;
            }
            1 => {
                active = other(active);
                // The oldest versions are these two.
                let version = if active == "first" { 1 } else { 2 };
                let path = format!("/api/plugins/bench/versions/{version}/activate");
                node.management.post(&path, Value::Null).await.expect(200);
            }
            _ => {
                number = change;
                let body = json!({ "environment": { "NUMBER": number.to_string() } });
                node.management.patch("/api/plugins/bench", body).await.expect(200);
            }
        }
        let answered = Instant::now();
        until_all_serve(nodes, active, &number.to_string()).await?;
        times.push(answered.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

fn other(version: &str) -> &'static str {
    if version == "first" { "second" } else { "first" }
}

/// Uploads one of two sources, with a number among its variables: what a change costs is not the compiler's time.
async fn upload(node: &Node, version: &str, activate: bool, number: usize) {
    let source = format!(
        "export const getCustomJwtClaims = ({{ environmentVariables }}) =>
           ({{ version: {version:?}, number: environmentVariables.NUMBER }});"
    );
    let part = |name: &str, file: &str, text: &str| {
        format!("--f\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n{text}\r\n")
    };
    let manifest = format!("[environment]\nNUMBER = \"{number}\"\n");
    let form = part("source", "bench.js", &source) + &part("manifest", "bench.toml", &manifest) + "--f--\r\n";
    let path = format!("/api/plugins/bench?activate={activate}");
    let request = node.management.request(Method::PUT, &path);
    Answer::of(request.header(CONTENT_TYPE, "multipart/form-data; boundary=f").body(form)).await.expect(201);
}

async fn until_all_serve(nodes: &[Node], version: &str, number: &str) -> Result<()> {
    let all = futures_util::future::try_join_all(nodes.iter().map(|node| until_it_serves(node, version, number)));
    tokio::time::timeout(TIMEOUT, all).await.with_context(|| format!("{version} {number} is not served"))??;
    Ok(())
}

async fn until_it_serves(node: &Node, version: &str, number: &str) -> Result<()> {
    let api = &node.process;
    let body = json!({ "userId": api.demo().customer_user_id, "context": {} });
    loop {
        let subject_token = node.management.post("/api/subject-tokens", body.clone()).await.expect(201);
        let token = api.exchange(&subject_token.text("subjectToken")).access_token().await;
        let claims = claims(&token)?;
        if claims["version"] == version && claims["number"] == number {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// What stands in a token; who signed it is not the question here.
fn claims(token: &str) -> Result<Value> {
    let payload = token.split('.').nth(1).context("the token is no JWT")?;
    Ok(serde_json::from_slice(&data_encoding::BASE64URL_NOPAD.decode(payload.as_bytes())?)?)
}

fn show(notifications: &str, times: &[Duration]) {
    let at = |share: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an index of a short list"
        )]
        let index = (times.len() as f64 * share) as usize;
        times.get(index.min(times.len().saturating_sub(1))).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    };
    println!("| {notifications} | {} | {:.0} | {:.0} | {:.0} |", times.len(), at(0.5), at(0.99), at(1.0));
}
