//! Whether uploads slow token requests: exchanges alone and during continuous uploads, in turns on one server.
//!
//!     cargo bench --bench uploads
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench uploads -- --rounds 5

use anyhow::Result;
use claimsmith_test_support::{Answer, Home, Kind, Process};
use clap::Parser;
use reqwest::{Method, header::CONTENT_TYPE};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How long and how much.
#[derive(Parser)]
struct Args {
    /// How often each is measured.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 15)]
    seconds: u64,
    /// Exchanges under way at any time.
    #[arg(long, default_value_t = 4)]
    load: usize,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kind = Kind::of_environment();
    let home = Home::new(kind).await;
    let cache = home.folder().join("cache");
    let changes = [("CLAIMSMITH_PLUGINS_CACHE_DIR", cache.to_str().unwrap_or_default())];
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &changes).await.map_err(anyhow::Error::msg)?;
    let server = Arc::new(server);
    println!("{kind:?}, {} exchanges under way", args.load);
    println!("| round | | exchanges/s | p50 ms | p99 ms | uploads |");
    println!("|---|---|---|---|---|---|");
    let mut number = 0;
    for round in 1..=args.rounds {
        for beside in [false, true] {
            let stop = Arc::new(AtomicBool::new(false));
            let mut clients = JoinSet::new();
            for _ in 0..args.load {
                clients.spawn(exchange_until(Arc::clone(&server), Arc::clone(&stop)));
            }
            let (began, before) = (Instant::now(), number);
            while began.elapsed() < Duration::from_secs(args.seconds) {
                if beside {
                    number += 1;
                    upload(&server, number).await;
                } else {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
            stop.store(true, Ordering::Relaxed);
            let mut times: Vec<Duration> = clients.join_all().await.into_iter().flatten().collect();
            times.sort();
            let rate = f64::from(u32::try_from(times.len())?) / began.elapsed().as_secs_f64();
            let at =
                |part: usize| times.get(times.len() * part / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
            let what = if beside { "beside uploads" } else { "alone" };
            println!("| {round} | {what} | {rate:.0} | {:.1} | {:.1} | {} |", at(50), at(99), number - before);
        }
    }
    Ok(())
}

/// The times of exchanges, each with a subject token of its own, which is not timed.
async fn exchange_until(server: Arc<Process>, stop: Arc<AtomicBool>) -> Vec<Duration> {
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let token = server.customer_token().await;
        let asked = Instant::now();
        server.exchange(&token).send().await.expect(200);
        times.push(asked.elapsed());
    }
    times
}

async fn upload(server: &Process, number: u32) {
    let source = format!("export const getCustomJwtClaims = async () => ({{ version: {number} }});");
    let request = server.management().await.request(Method::PUT, "/api/plugins/version");
    Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source)).await.expect(201);
}
