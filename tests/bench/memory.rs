//! How soon a server answers and is ready, and how much memory it holds: idle, with plugins, and after load.
//!
//!     cargo bench --bench memory
//!     cargo bench --bench memory -- --idle-minutes 10 --binary OLD --binary target/release/claimsmith

use anyhow::{Context as _, Result, ensure};
use claimsmith_test_support::{Api, Home, Kind};
use clap::Parser;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// How long a start may take.
const MAX_START: Duration = Duration::from_mins(5);

/// What to measure, and for how long.
#[derive(Parser)]
struct Args {
    /// A server to measure, in turns with others; without any, the one that was built here.
    #[arg(long)]
    binary: Vec<PathBuf>,
    /// How often each case is measured.
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// Plugins of the case with many.
    #[arg(long, default_value_t = 100)]
    plugins: usize,
    /// Seconds after a start before memory counts as idle.
    #[arg(long, default_value_t = 15)]
    settle_seconds: u64,
    /// Seconds of exchanges with one JavaScript plugin; 0 leaves the case out.
    #[arg(long, default_value_t = 60)]
    load_seconds: u64,
    /// Exchanges under way at any time.
    #[arg(long, default_value_t = 32)]
    load: usize,
    /// Minutes without a request after the load; memory is read after each.
    #[arg(long, default_value_t = 0)]
    idle_minutes: u64,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = Args::parse();
    if args.binary.is_empty() {
        args.binary.push(env!("CARGO_BIN_EXE_claimsmith").into());
    }
    let kind = Kind::of_environment();
    println!("{kind:?}; times in ms from the start of the process, memory in MiB");
    println!("| binary | case | connects | answers | ready | resident | proportional | anonymous |");
    println!("|---|---|---|---|---|---|---|---|");
    for _ in 0..args.rounds {
        for binary in &args.binary {
            for plugins in [0, 1, args.plugins] {
                measure_start(binary, kind, plugins, &args).await?;
            }
        }
    }
    if args.load_seconds > 0 {
        for binary in &args.binary {
            measure_load(binary, kind, &args).await?;
        }
    }
    Ok(())
}

/// Starts on a machine that has compiled nothing yet, and again with what the first start has left.
async fn measure_start(binary: &Path, kind: Kind, plugins: usize, args: &Args) -> Result<()> {
    let home = Home::after_first_start(kind).await;
    put_plugins(&home, plugins)?;
    for state in ["new", "known"] {
        let started = Started::of(binary, &home).await?;
        sleep(Duration::from_secs(args.settle_seconds)).await;
        started.print(binary, &format!("{plugins} plugins, {state}"))?;
        started.stop().await?;
    }
    Ok(())
}

/// Exchanges, and then nothing.
async fn measure_load(binary: &Path, kind: Kind, args: &Args) -> Result<()> {
    let home = Home::after_first_start(kind).await;
    put_plugins(&home, 1)?;
    let started = Started::of(binary, &home).await?;
    let (stop, count) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let mut clients = JoinSet::new();
    for _ in 0..args.load {
        let (api, stop, count) = (started.api.clone(), Arc::clone(&stop), Arc::clone(&count));
        clients.spawn(async move {
            let management = api.management().await;
            while !stop.load(Ordering::Relaxed) {
                let body = serde_json::json!({ "userId": api.demo().customer_user_id });
                let token = management.post("/api/subject-tokens", body).await.expect(201).text("subjectToken");
                api.exchange(&token).send().await.expect(200);
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    sleep(Duration::from_secs(args.load_seconds)).await;
    started.print(binary, "under load")?;
    stop.store(true, Ordering::Relaxed);
    while let Some(ended) = clients.join_next().await {
        ended?;
    }
    started.print(binary, &format!("after {} exchanges", count.load(Ordering::Relaxed)))?;
    for minute in 1..=args.idle_minutes {
        sleep(Duration::from_mins(1)).await;
        started.print(binary, &format!("idle for {minute} min"))?;
    }
    started.stop().await
}

/// Scripts that differ, so that each is compiled.
fn put_plugins(home: &Home, count: usize) -> Result<()> {
    for number in 0..count {
        let source = format!("export const getCustomJwtClaims = ({{ token }}) => ({{ claim_{number}: token.jti }});\n");
        fs::write(home.plugins_dir().join(format!("plugin-{number:03}.js")), source)?;
    }
    Ok(())
}

/// A server, and how long each part of its start took.
struct Started {
    child: Child,
    api: Api,
    connects: Duration,
    answers: Duration,
    ready: Duration,
}

impl Started {
    async fn of(binary: &Path, home: &Home) -> Result<Self> {
        let listen = free_address()?;
        let (text, cache) = (listen.to_string(), home.folder().join("cache"));
        let changes = [
            ("CLAIMSMITH_LISTEN", text.as_str()),
            ("CLAIMSMITH_METRICS_LISTEN", "127.0.0.1:0"),
            ("CLAIMSMITH_PLUGINS_CACHE_DIR", cache.to_str().context("the folder's name is not UTF-8")?),
            ("CLAIMSMITH_LOG_FILTER", "error"),
        ];
        let mut command = Command::new(binary);
        command.arg("serve").env_clear().envs(home.environment(&changes)).current_dir(home.folder());
        let began = Instant::now();
        let mut child = command.stdout(Stdio::null()).kill_on_drop(true).spawn()?;
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build()?;
        let (mut connects, mut answers) = (None, None);
        let ready = loop {
            ensure!(began.elapsed() < MAX_START, "it does not become ready");
            ensure!(child.try_wait()?.is_none(), "it has ended");
            if connects.is_none() {
                if tokio::net::TcpStream::connect(listen).await.is_err() {
                    sleep(Duration::from_millis(1)).await;
                    continue;
                }
                connects = Some(began.elapsed());
            }
            if let Ok(answer) = http.get(format!("http://{listen}/api/status")).send().await {
                answers = answers.or(Some(began.elapsed()));
                if answer.status().as_u16() == 204 {
                    break began.elapsed();
                }
            }
            sleep(Duration::from_millis(2)).await;
        };
        let report = home.report(&home.data_dir()).context("no bootstrap report")?;
        let (connects, answers) = (connects.unwrap_or(ready), answers.unwrap_or(ready));
        Ok(Self { child, api: Api::new(listen, report), connects, answers, ready })
    }

    /// One line of the table.
    fn print(&self, binary: &Path, case: &str) -> Result<()> {
        let id = self.child.id().context("it has ended")?;
        let folder = PathBuf::from(format!("/proc/{id}"));
        let (status, rollup) = (folder.join("status"), folder.join("smaps_rollup"));
        let (resident, anonymous) = (mebibytes(&status, "VmRSS:")?, mebibytes(&status, "RssAnon:")?);
        let proportional = mebibytes(&rollup, "Pss:")?;
        let [connects, answers, ready] = [self.connects, self.answers, self.ready].map(|time| time.as_millis());
        let binary = binary.display();
        println!(
            "| {binary} | {case} | {connects} | {answers} | {ready} | {resident} | {proportional} | {anonymous} |"
        );
        Ok(())
    }

    async fn stop(mut self) -> Result<()> {
        let id = self.child.id().context("it has ended")?.to_string();
        ensure!(Command::new("kill").args(["-TERM", &id]).status().await?.success(), "it cannot be stopped");
        ensure!(self.child.wait().await?.success(), "it did not end well");
        Ok(())
    }
}

/// A field of a file of `/proc` that is in kB.
fn mebibytes(file: &Path, field: &str) -> Result<u64> {
    let text = fs::read_to_string(file)?;
    let value = text.lines().find_map(|line| line.strip_prefix(field)).context("no such field")?;
    Ok(value.trim().trim_end_matches(" kB").parse::<u64>()? >> 10)
}

/// An address that nobody uses at the moment.
fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
