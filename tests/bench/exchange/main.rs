//! Token exchanges per second, latency and CPU of a real server over real HTTP, alone or beside a peer.
//!
//!     cargo bench --bench exchange
//!     cargo bench --bench exchange -- --plugin javascript --actor --database postgres://…/postgres
//!     cargo bench --bench exchange -- --algorithm ES384 --peer DIR
//!     cargo bench --bench exchange -- --flow --connections 64
//!     cargo bench --bench exchange -- --rate 100,500,1500 --token --connections 64 --repetitions 7 --seconds 10
//!     cargo bench --bench exchange -- --issued 10000000 --share 0.5 --seconds 60 --exchanges 400000 --repetitions 1
//!
//! `--flow` measures a subject token over the Management API with its exchange, `--token` a machine's own token (client
//! credentials), and `--rate` ordinary load: so many requests a second, evenly spread. The last one measures the tail: at
//! a part of the rate that the same server reached before, on a database that holds
//! many records; each latency counts from when its request was due.
//!
//! With `--patches 2` every measurement is repeated while another application is changed twice a second.
//!
//! Servers are pinned to the first core and the load to the last; on a shared machine believe the CPU per request and
//! the ratios of interleaved repetitions, not the requests per second. The CPU is the server process's own: that of a
//! PostgreSQL beside it is not in it.

mod claimsmith;
mod flow;
mod load;
mod patches;
mod peer;
mod process;
mod rates;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use load::{Measurement, Requests};
use std::path::PathBuf;
use std::time::Duration;

/// How to measure.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct Args {
    /// Database to measure on; without it an SQLite file in a temporary folder. On PostgreSQL the database
    /// `claimsmith_bench` is made, and dropped before the next run.
    #[arg(long, env = "TEST_DATABASE_URL")]
    database: Option<String>,
    /// Signing algorithms.
    #[arg(long, default_value = "ES256", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// The plugin that every exchange runs.
    #[arg(long, value_enum, default_value_t = Plugin::None)]
    plugin: Plugin,
    /// Shows an actor token in every exchange.
    #[arg(long)]
    actor: bool,
    /// Keep-alive connections.
    #[arg(long, default_value = "16,64", value_delimiter = ',')]
    connections: Vec<usize>,
    /// Seconds for one measurement.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Most exchanges of one measurement.
    #[arg(long, default_value_t = 40_000)]
    exchanges: usize,
    /// Measurements of each kind.
    #[arg(long, default_value_t = 3)]
    repetitions: usize,
    /// Records of tokens that the database holds before.
    #[arg(long, default_value_t = 0)]
    issued: i64,
    /// Measures a machine's own tokens instead of exchanges.
    #[arg(long, conflicts_with_all = ["peer", "flow", "actor"])]
    token: bool,
    /// Measures the whole flow: a subject token over the Management API, and its exchange.
    #[arg(long, conflicts_with_all = ["peer", "rate", "share", "patches"])]
    flow: bool,
    /// Measures at so many requests a second instead of as fast as the answers come.
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["share", "patches"])]
    rate: Vec<f64>,
    /// Asks once more, at this part of the rate that was reached.
    #[arg(long)]
    share: Option<f64>,
    /// Measures once more each time, while another application is changed so many times a second.
    #[arg(long)]
    patches: Option<f64>,
    /// Folder of a peer to measure between our own measurements: a `server.mjs` and its `package.json`.
    #[arg(long)]
    peer: Option<PathBuf>,
    /// Prints the server's process id and waits that many seconds before each measurement, for a profiler.
    #[arg(long, default_value_t = 0)]
    wait: u64,
    /// The server to measure, such as that of another version.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_claimsmith"))]
    binary: PathBuf,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A plugin of the benchmark.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Plugin {
    /// None.
    None,
    /// A small component that makes the subject token's context the claims.
    Wasm,
    /// JavaScript that copies two keys of the subject token's context.
    Javascript,
}

/// What is measured: a server that listens and can be asked for exchanges that it has not seen.
trait Server {
    /// A word for the table.
    fn name(&self) -> &'static str;
    /// The process whose CPU counts.
    fn process_id(&self) -> u32;
    /// At most `count` exchanges, each with a subject token of its own.
    async fn mint(&mut self, count: usize) -> Result<Requests>;
}

fn main() -> Result<()> {
    let args = Args::parse();
    let cores = process::cores();
    process::pin_self(cores.1)?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run(&args, cores.0))
}

async fn run(args: &Args, core: usize) -> Result<()> {
    println!("| server | algorithm | plugin | database | connections | rps | p50 ms | p99 ms | CPU µs | refused |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for algorithm in &args.algorithm {
        let mut ours = claimsmith::Claimsmith::start(args, algorithm, core).await?;
        let mut peer = match &args.peer {
            Some(folder) => Some(peer::Peer::start(folder, algorithm, core).await?),
            None => None,
        };
        ours.fill(args.issued).await?;
        // Once unmeasured: caches fill, the plugin and the peer's code are compiled.
        measure(args, &mut ours, 16).await?;
        if let Some(peer) = &mut peer {
            measure(args, peer, 16).await?;
        }
        let actor = if args.actor { " + actor" } else { "" };
        let plugin = format!("{:?}{actor}", args.plugin).to_lowercase();
        let plugin = if args.token { format!("{plugin}, client credentials") } else { plugin };
        let database = if args.database.is_some() { "PostgreSQL" } else { "SQLite" };
        let about = (algorithm.as_str(), plugin.as_str(), database);
        for connections in &args.connections {
            if args.flow {
                flow::measure(args, &ours, about, *connections).await?;
                continue;
            }
            if !args.rate.is_empty() {
                rates::measure(args, &mut ours, peer.as_mut(), about, *connections).await?;
                continue;
            }
            let (mut of_ours, mut of_peer) = (Vec::new(), Vec::new());
            let mut beside_patches = (Vec::new(), Vec::new());
            for _ in 0..args.repetitions {
                of_ours.push(measure(args, &mut ours, *connections).await?);
                if let Some(per_second) = args.patches {
                    // Before the changes begin: minting holds SQLite's writer.
                    let requests = ours.mint(args.exchanges).await?;
                    let patches = ours.patches(per_second).await?;
                    beside_patches.0.push(drive(args, ours.process_id(), requests, *connections, None).await?);
                    beside_patches.1.extend(patches.end().await?);
                }
                if let Some(peer) = &mut peer {
                    of_peer.push(measure(args, peer, *connections).await?);
                }
            }
            show(ours.name(), algorithm, &plugin, database, *connections, &of_ours);
            if let Some(per_second) = args.patches {
                let (runs, mut times) = beside_patches;
                show(
                    ours.name(),
                    algorithm,
                    &format!("{plugin}, {per_second} changes/s"),
                    database,
                    *connections,
                    &runs,
                );
                show_patches(&of_ours, &runs, &mut times);
            }
            if let Some(share) = args.share {
                let rate = median(of_ours.iter().map(Measurement::per_second).collect()) * share;
                let paced = measure_at(args, &mut ours, *connections, Some(rate)).await?;
                println!(
                    "at {rate:.0} a second, {} records: p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, most {:.2} ms",
                    args.issued,
                    paced.percentile_ms(0.5),
                    paced.percentile_ms(0.99),
                    paced.percentile_ms(0.999),
                    paced.most_ms(),
                );
            }
            if let Some(peer) = &peer {
                show(peer.name(), algorithm, "worker thread", "memory", *connections, &of_peer);
                show_ratios(&of_ours, &of_peer);
            }
        }
    }
    Ok(())
}

async fn measure(args: &Args, server: &mut impl Server, connections: usize) -> Result<Measurement> {
    measure_at(args, server, connections, None).await
}

/// At so many a second, or as fast as the answers come.
async fn measure_at(
    args: &Args,
    server: &mut impl Server,
    connections: usize,
    rate: Option<f64>,
) -> Result<Measurement> {
    let requests = server.mint(enough(args, rate)).await?;
    drive(args, server.process_id(), requests, connections, rate).await
}

/// The number of requests of one measurement.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
fn enough(args: &Args, rate: Option<f64>) -> usize {
    rate.map_or(args.exchanges, |rate| args.exchanges.min((rate * args.seconds).ceil() as usize))
}

async fn drive(
    args: &Args,
    process_id: u32,
    requests: Requests,
    connections: usize,
    rate: Option<f64>,
) -> Result<Measurement> {
    if args.wait > 0 {
        eprintln!("process {process_id} is measured in {} s", args.wait);
        tokio::time::sleep(Duration::from_secs(args.wait)).await;
    }
    let before = process::cpu_seconds(process_id)?;
    let mut measurement = load::drive(requests, connections, Duration::from_secs_f64(args.seconds), rate).await?;
    measurement.cpu_seconds = process::cpu_seconds(process_id)? - before;
    Ok(measurement)
}

/// One row: the median of each column.
fn show(name: &str, algorithm: &str, plugin: &str, database: &str, connections: usize, runs: &[Measurement]) {
    let column = |value: fn(&Measurement) -> f64| median(runs.iter().map(value).collect());
    println!(
        "| {name} | {algorithm} | {plugin} | {database} | {connections} | {:.0} | {:.2} | {:.2} | {:.0} | {} |",
        column(Measurement::per_second),
        column(|run| run.percentile_ms(0.5)),
        column(|run| run.percentile_ms(0.99)),
        column(Measurement::cpu_micros),
        runs.iter().map(|run| run.refused).sum::<usize>(),
    );
    if let Some(body) = runs.iter().find_map(|run| run.refusal.as_deref()) {
        eprintln!("refused: {body}");
    }
}

/// What the changes cost the exchanges, and the exchanges the changes.
fn show_patches(quiet: &[Measurement], beside: &[Measurement], times: &mut [f64]) {
    let kept =
        median(quiet.iter().zip(beside).map(|(quiet, beside)| beside.per_second() / quiet.per_second()).collect());
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(f64::NAN);
    println!(
        "beside changes {:.0} % of the quiet rate; {} changes: p50 {:.1} ms, p99 {:.1} ms",
        kept * 100.0,
        times.len(),
        at(50),
        at(99)
    );
}

/// How many times better than the peer, by medians of the repetitions' own ratios.
fn show_ratios(ours: &[Measurement], peers: &[Measurement]) {
    let ratio = |value: fn(&Measurement, &Measurement) -> f64| {
        median(ours.iter().zip(peers).map(|(ours, peer)| value(ours, peer)).collect())
    };
    println!(
        "| ratio | | | | | {:.1}× | {:.1}× | {:.1}× | {:.1}× | |",
        ratio(|ours, peer| ours.per_second() / peer.per_second()),
        ratio(|ours, peer| peer.percentile_ms(0.5) / ours.percentile_ms(0.5)),
        ratio(|ours, peer| peer.percentile_ms(0.99) / ours.percentile_ms(0.99)),
        ratio(|ours, peer| peer.cpu_micros() / ours.cpu_micros()),
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
