//! Hot reload under load, for hours: no failed request, and no growth of memory.
//!
//!     cargo bench --bench hot_swap
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench hot_swap -- --reloads 200 --uploads 20

use anyhow::{Result, ensure};
use claimsmith_test_support::{Home, HotSwap, Kind, Process};
use clap::Parser;
use std::sync::Arc;

/// Most that memory may grow after the warm-up.
const GROWTH: f64 = 1.05;

/// How much to change.
#[derive(Parser)]
struct Args {
    /// Files of the folder that change, components and JavaScript in turn.
    #[arg(long, default_value_t = 2000)]
    reloads: u32,
    /// Versions that are uploaded meanwhile.
    #[arg(long, default_value_t = 200)]
    uploads: u32,
    /// Reloads after which the memory is what it is compared with at the end.
    #[arg(long, default_value_t = 100)]
    warm_up: u32,
    /// Exchanges under way at any time.
    #[arg(long, default_value_t = 8)]
    load: usize,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Args { reloads, uploads, warm_up, load, .. } = Args::parse();
    let kind = Kind::of_environment();
    let home = Home::new(kind).await;
    // A cache of its own: the one of the tests knows some of these plugins already.
    let cache = home.folder().join("cache");
    let changes =
        [("CLAIMSMITH_PLUGINS_CACHE_DIR", cache.to_str().unwrap_or_default()), ("CLAIMSMITH_LOG_FILTER", "info")];
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &changes).await;
    let server = Arc::new(server.map_err(anyhow::Error::msg)?);
    let swapped = HotSwap { reloads, uploads, warm_up, load }.run(&server, &home).await;

    let mebibytes = |bytes: u64| bytes >> 20;
    println!("database:  {kind:?}");
    println!("changes:   {reloads} reloads and {uploads} uploads in {:.0} s", swapped.elapsed.as_secs_f64());
    println!("exchanges: {} meanwhile, {} failed", swapped.exchanges, swapped.failures.len());
    println!(
        "memory:    {} MiB after {warm_up} reloads, {} MiB at the end ({:.3} times)",
        mebibytes(swapped.memory_before),
        mebibytes(swapped.memory_after),
        swapped.growth(),
    );
    for failure in &swapped.failures {
        println!("failed:    {failure}");
    }
    ensure!(swapped.failures.is_empty(), "requests failed");
    ensure!(swapped.growth() <= GROWTH, "memory grew by more than 5 %");
    Ok(())
}
