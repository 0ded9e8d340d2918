//! The cost of a hostile plugin for other applications (noisy neighbour): exchanges of an application with a harmless
//! plugin of its own, alone and beside calls of each plugin of `tests/hostile/plugins`.
//!
//!     cargo bench --bench neighbours
//!     cargo bench --bench neighbours -- spin memory --exchanges 2000 --rate 0
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench neighbours

use anyhow::{Context as _, Result};
use claimsmith_test_support::{Home, Kind, Process};
use clap::Parser;
use serde_json::Value;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// How long a plugin may take to be compiled.
const TIMEOUT: Duration = Duration::from_mins(2);

const NEIGHBOUR: &str = "export const getCustomJwtClaims = ({ context }) => ({ user: context.user?.id });";

/// A neighbour's median beside any plugin is at most so many times its own.
const MAX_RATIO: f64 = 2.0;

/// And its 99th percentile so many milliseconds.
const MAX_P99_MS: f64 = 20.0;

/// The first line of the table: the same load of a plugin that does no harm.
const HARMLESS: &str = "none: harmless";

/// Which, and how much.
#[derive(Parser)]
struct Args {
    /// Only plugins whose name begins so.
    names: Vec<String>,
    /// Exchanges of the neighbour that are measured each time: enough for a 99th percentile that no single pause decides.
    #[arg(long, default_value_t = 1000)]
    exchanges: usize,
    /// Clients of the hostile plugin's application. Each has one exchange under way at a time.
    #[arg(long, default_value_t = 8)]
    load: u32,
    /// Exchanges that they offer in a second, all together: the same for a plugin that fails at once as for one that
    /// works, so that the plugins are compared and not the rates of their answers. 0: as many as are answered, which
    /// alone keeps both cores busy.
    #[arg(long, default_value_t = 100)]
    rate: u32,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kind = Kind::of_environment();
    let home = Home::new(kind).await;
    let changes = [("CLAIMSMITH_LOG_FILTER", "off")];
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &changes).await.map_err(anyhow::Error::msg)?;
    let server = Arc::new(server);
    let plugins = home.plugins_dir();
    let only = |client: &str| format!("applications = [\"{client}\"]\n");
    std::fs::write(plugins.join("neighbour.toml"), only(&server.demo().spa_client_id))?;
    std::fs::write(plugins.join("neighbour.js"), NEIGHBOUR)?;
    until_known(&server, "neighbour").await?;
    measure(&server, args.exchanges).await;

    let (pause, rate) = match args.rate {
        0 => (None, "as many exchanges as are answered".to_owned()),
        rate => (Some(Duration::from_secs(1) * args.load / rate), format!("{rate} exchanges a second")),
    };
    println!(
        "{} exchanges of a neighbour beside {rate} of {} clients of a plugin, on {kind:?}",
        args.exchanges, args.load
    );
    println!("| plugin | state | alone p50 ms | beside p50 ms | beside p99 ms | hostile calls | MiB |");
    println!("|---|---|---|---|---|---|---|");
    let harmless = home.folder().join(format!("{HARMLESS}.js"));
    std::fs::write(&harmless, NEIGHBOUR)?;
    let (mut most_p50, mut most_p99) = ((0.0, String::new()), (0.0, String::new()));
    for path in iter::once(harmless).chain(corpus()?) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_wanted = |wanted: &String| name.starts_with(wanted.as_str()) || name == HARMLESS;
        if !args.names.is_empty() && !args.names.iter().any(is_wanted) {
            continue;
        }
        let (alone, _) = measure(&server, args.exchanges).await;
        let settings = std::fs::read_to_string(path.with_extension("toml")).unwrap_or_default();
        std::fs::write(plugins.join("hostile.toml"), only(&server.demo().web_client_id) + &settings)?;
        let text = std::fs::read_to_string(&path)?;
        let extension = path.extension().unwrap_or_default().to_string_lossy().replace("wat", "wasm");
        let file = plugins.join(format!("hostile.{extension}"));
        let bytes = if extension == "wasm" { wat::parse_str(&text)? } else { text.into_bytes() };
        std::fs::write(&file, bytes)?;
        let state = until_known(&server, "hostile").await?;

        let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let mut hostile = JoinSet::new();
        for _ in 0..args.load {
            hostile.spawn(exchange_until(Arc::clone(&server), Arc::clone(&stop), Arc::clone(&calls), pause));
        }
        let (p50, p99) = measure(&server, args.exchanges).await;
        stop.store(true, Ordering::Relaxed);
        hostile.join_all().await;
        let (calls, memory) = (calls.load(Ordering::Relaxed), server.resident_memory() >> 20);
        println!("| {name} | {state} | {alone:.1} | {p50:.1} | {p99:.1} | {calls} | {memory} |");
        if p50 / alone > most_p50.0 {
            most_p50 = (p50 / alone, name.clone());
        }
        if p99 > most_p99.0 {
            most_p99 = (p99, name);
        }
        std::fs::remove_file(&file)?;
        until_gone(&server, "hostile").await?;
    }
    let verdict = |is_met: bool| if is_met { "met" } else { "not met" };
    let ((ratio, slowest), (p99, longest)) = (most_p50, most_p99);
    let is_met = verdict(ratio <= MAX_RATIO);
    println!("p50 at most {MAX_RATIO:.0} times its own: {is_met}, {ratio:.2} times ({slowest})");
    let is_met = verdict(p99 <= MAX_P99_MS);
    println!("p99 at most {MAX_P99_MS:.0} ms: {is_met}, {p99:.1} ms ({longest})");
    Ok(())
}

fn corpus() -> Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/plugins");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| ["js", "ts", "wat"].iter().any(|known| extension == *known)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The median and the 99th percentile of the neighbour's exchanges, in milliseconds.
async fn measure(server: &Process, count: usize) -> (f64, f64) {
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let exchange = server.exchange(&server.customer_token().await);
        let began = Instant::now();
        exchange.send().await.expect(200);
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    let at =
        |percent: usize| times.get((times.len() * percent / 100).min(times.len() - 1)).copied().unwrap_or_default();
    (at(50), at(99))
}

/// Exchanges by the application of the hostile plugin, one in each `pause` or as soon as the last is answered. One that
/// fails leaves its subject token as it is.
async fn exchange_until(server: Arc<Process>, stop: Arc<AtomicBool>, calls: Arc<AtomicU32>, pause: Option<Duration>) {
    let mut token = server.customer_token().await;
    let mut ticks = pause.map(tokio::time::interval);
    if let Some(ticks) = &mut ticks {
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    }
    while !stop.load(Ordering::Relaxed) {
        if let Some(ticks) = &mut ticks {
            ticks.tick().await;
        }
        let answer = server.exchange(&token).as_web().send().await;
        calls.fetch_add(1, Ordering::Relaxed);
        if answer.status == 200 {
            token = server.customer_token().await;
        }
    }
}

async fn plugin(server: &Process, name: &str) -> Option<Value> {
    let plugins = server.management().await.get("/api/plugins").await.expect(200).body;
    plugins.as_array()?.iter().find(|plugin| plugin["name"] == name).cloned()
}

/// Waits until it serves or was refused, and says which.
async fn until_known(server: &Process, name: &str) -> Result<String> {
    let end = Instant::now() + TIMEOUT;
    while Instant::now() < end {
        if let Some(plugin) = plugin(server, name).await
            && (plugin["state"] == "active" || plugin["lastError"].is_string())
        {
            return Ok(plugin["state"].as_str().unwrap_or_default().to_owned());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    None.with_context(|| format!("{name} was neither taken nor refused"))
}

async fn until_gone(server: &Process, name: &str) -> Result<()> {
    let end = Instant::now() + TIMEOUT;
    while plugin(server, name).await.is_some() {
        anyhow::ensure!(Instant::now() < end, "{name} does not go");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
