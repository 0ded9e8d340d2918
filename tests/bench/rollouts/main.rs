//! What recordings, shadows and population runs of a plugin cost the tokens beside them, and how soon a token is answered
//! whose plugin hangs, once its circuit breaker is open. Token exchanges of many users call a plugin in JavaScript.
//!
//!     cargo bench --bench rollouts
//!     cargo bench --bench rollouts -- --only-population --population 100000
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench rollouts -- --repetitions 7 --seconds 8

// First the maximal rate is measured; then, in turns, a third of it alone, beside a recording of 100 calls a second, and
// beside shadows of 10 and 100 %; then the maximal rate alone and beside a shadow of 100 %; then a third of the maximal rate
// alone and beside a population run, and one whole run with that load beside it. Ratios are medians of the ratios within each
// turn. The CPU is that of the server, with what it does up to 1.5 s after the last response. The server is pinned to the
// first core and the load to the last.

mod beside;
mod breaker;
#[path = "../exchange/load.rs"]
#[expect(dead_code, reason = "the other benchmark uses all of it")]
mod load;
mod population;
#[path = "../exchange/process.rs"]
#[expect(dead_code, reason = "the other benchmark uses all of it")]
mod process;

use anyhow::{Context as _, Result, ensure};
use beside::Beside;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random;
use claimsmith_services::tokens;
use claimsmith_storage::Db;
use claimsmith_storage::issuing::subject_tokens::{self, SubjectToken};
use claimsmith_test_support::{Actor, Answer, Home, Kind, Process};
use clap::Parser;
use data_encoding::BASE64;
use load::{Measurement, Requests};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Users whose tokens are asked for, in turn.
const USERS: u32 = 100;
/// The share of the maximal rate that is ordinary load.
const ORDINARY: f64 = 1.0 / 3.0;
/// More than any server answers in a second.
const MAX_RATE: f64 = 6000.0;
/// Lifetime of the subject tokens, longer than any measurement.
const LIFETIME_MS: i64 = 3_600_000;
/// What follows a response is done by then, and counts are written.
const SETTLE: Duration = Duration::from_millis(1500);

const PLUGIN: &str = "/api/plugins/measured";
const FIRST: &str =
    "export const getCustomJwtClaims = ({ context }) => ({ plan: context.user?.customData?.plan ?? 'free' });";
const SECOND: &str = "export const getCustomJwtClaims = ({ context }) => \
                      ({ plan: context.user?.customData?.plan ?? 'free', seats: 10 });";

/// How to measure.
#[derive(Parser)]
struct Args {
    /// Turns of each kind.
    #[arg(long, default_value_t = 7)]
    repetitions: usize,
    /// Seconds of one measurement; a recording has at most 1000 calls, so at most 10.
    #[arg(long, default_value_t = 8.0)]
    seconds: f64,
    /// Keep-alive connections.
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Users of the population run; 0 leaves it out.
    #[arg(long, default_value_t = 100_000)]
    population: u32,
    /// Measure the population run alone.
    #[arg(long)]
    only_population: bool,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The server with its users.
struct Bench {
    args: Args,
    process: Process,
    db: Db,
    users: Vec<UserId>,
    home: Arc<Home>,
}

/// One measurement, and what became of what went on beside it.
struct Turn {
    measured: Measurement,
    beside: String,
}

fn main() -> Result<()> {
    let args = Args::parse();
    ensure!(args.seconds <= 10.0, "a recording has at most 1000 calls: measure for at most 10 seconds");
    let cores = process::cores();
    process::pin_self(cores.1)?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run(args, cores.0))
}

async fn run(args: Args, core: usize) -> Result<()> {
    let bench = Bench::start(args, core).await?;
    // Once unmeasured: caches fill, and the shadow's host starts.
    bench.measure(Beside::Shadow(100), None).await?;
    let mut rates = Vec::new();
    for _ in 0..bench.args.repetitions {
        rates.push(bench.measure(Beside::Nothing, None).await?.measured.per_second());
    }
    let maximal = median(rates);
    let ordinary = maximal * ORDINARY;
    println!("{:?}: {maximal:.0} tokens a second at most; ordinary load is {ordinary:.0}", bench.kind());
    println!("| beside | tokens/s | p50 ms | p99 ms | CPU µs | rate × | p99 × | CPU × | |");
    println!("|---|---|---|---|---|---|---|---|---|");
    if !bench.args.only_population {
        let besides = [Beside::Nothing, Beside::Recording, Beside::Shadow(10), Beside::Shadow(100)];
        bench.compare(&besides, Some(ordinary)).await?;
        bench.compare(&[Beside::Nothing, Beside::Shadow(100)], None).await?;
    }
    if bench.args.population > 0 {
        bench.fill().await?;
        bench.compare(&[Beside::Nothing, Beside::PopulationRun], Some(ordinary)).await?;
        bench.whole_run(ordinary).await?;
    }
    if bench.args.only_population {
        return Ok(());
    }
    bench.open_breaker().await
}

impl Bench {
    async fn start(args: Args, core: usize) -> Result<Self> {
        let home = Home::new(Kind::of_environment()).await;
        let words = ["taskset", "-c", &core.to_string(), env!("CARGO_BIN_EXE_claimsmith")].map(str::to_owned);
        let changes = [("CLAIMSMITH_LOG_FILTER", "warn"), ("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "")];
        let process = Process::start_by(&words, &home, &changes).await.map_err(anyhow::Error::msg)?;
        let management = process.management().await;
        let mut users = Vec::new();
        for number in 0..USERS {
            let user = json!({ "username": format!("user_{number}"), "customData": { "plan": "team" } });
            users.push(UserId::from(management.post("/api/users", user).await.expect(200).text("id")));
        }
        upload(&management, PLUGIN, FIRST).await;
        upload(&management, &format!("{PLUGIN}?activate=false"), SECOND).await;
        let db = home.db().await;
        Ok(Self { args, process, db, users, home })
    }

    fn kind(&self) -> Kind {
        self.home.kind()
    }

    /// Measures each kind in turns, and prints a row for each, compared with the first.
    async fn compare(&self, besides: &[Beside], rate: Option<f64>) -> Result<()> {
        let mut turns: Vec<Vec<Turn>> = besides.iter().map(|_| Vec::new()).collect();
        for _ in 0..self.args.repetitions {
            for (beside, turns) in besides.iter().zip(&mut turns) {
                turns.push(self.measure(*beside, rate).await?);
            }
        }
        let Some(quiet) = turns.first() else { return Ok(()) };
        for (beside, own) in besides.iter().zip(&turns) {
            let column =
                |value: fn(&Measurement) -> f64| median(own.iter().map(|turn| value(&turn.measured)).collect());
            let ratio = |value: fn(&Measurement) -> f64| {
                let pairs = own.iter().zip(quiet);
                median(pairs.map(|(turn, quiet)| value(&turn.measured) / value(&quiet.measured)).collect())
            };
            println!(
                "| {} | {:.0} | {:.2} | {:.2} | {:.0} | {:.2} | {:.2} | {:.2} | {} |",
                beside.name(rate),
                column(Measurement::per_second),
                column(|measured| measured.percentile_ms(0.5)),
                column(|measured| measured.percentile_ms(0.99)),
                column(Measurement::cpu_micros),
                ratio(Measurement::per_second),
                ratio(|measured| measured.percentile_ms(0.99)),
                ratio(Measurement::cpu_micros),
                own.last().map(|turn| turn.beside.as_str()).unwrap_or_default(),
            );
        }
        Ok(())
    }

    /// Asks for tokens, as fast as they come or at a rate.
    async fn measure(&self, beside: Beside, rate: Option<f64>) -> Result<Turn> {
        let requests = self.mint(enough(rate.unwrap_or(MAX_RATE), self.args.seconds)).await?;
        let path = self.begin(beside, rate).await;
        let before = process::cpu_seconds(self.process.id())?;
        let time = Duration::from_secs_f64(self.args.seconds);
        let mut measured = load::drive(requests, self.args.connections, time, rate).await?;
        tokio::time::sleep(SETTLE).await;
        measured.cpu_seconds = process::cpu_seconds(self.process.id())? - before;
        ensure!(measured.refused == 0, "refused: {:?}", measured.refusal);
        let beside = match path {
            Some(path) => self.end(beside, &path).await,
            None => String::new(),
        };
        Ok(Turn { measured, beside })
    }

    /// Exchanges of subject tokens of all users in turn. Past the Management API: asking for them is not measured.
    async fn mint(&self, count: usize) -> Result<Requests> {
        let now = Clock::system().now_ms();
        let mut subject_tokens = Vec::with_capacity(count);
        let mut tx = self.db.begin().await?;
        for user in self.users.iter().cycle().take(count) {
            let token = format!("sub_{}", random::secret(32)?);
            let stored = SubjectToken {
                id: random::id_at(now)?.into(),
                hash: tokens::hash(&token),
                user_id: user.clone(),
                context: json!({}).into(),
                creator_id: "bench".to_owned(),
                created_at: now,
                expires_at: now + LIFETIME_MS,
                consumed_at: None,
            };
            subject_tokens::insert(&mut tx, &stored).await?;
            subject_tokens.push(token);
        }
        tx.commit().await?;
        let demo = self.process.demo();
        let credentials = BASE64.encode(format!("{}:{}", demo.web_client_id, demo.web_client_secret).as_bytes());
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", GrantType::TokenExchange.as_str())
            .append_pair("subject_token_type", ACCESS_TOKEN_TYPE)
            .append_pair("resource", &demo.resource)
            .append_pair("scope", demo.scopes.first().context("the demo's API has no scope")?)
            .append_pair("subject_token", "")
            .finish();
        let address: SocketAddr = self.process.origin.trim_start_matches("http://").parse()?;
        Ok(Requests {
            address,
            path: "/oidc/token",
            authorization: format!("Basic {credentials}"),
            content_type: load::FORM,
            form,
            subject_tokens,
            success: "200",
            keeps_answers: false,
        })
    }
}

async fn upload(management: &Actor, path: &str, source: &'static str) {
    let request = management.request(Method::PUT, path).header(CONTENT_TYPE, "text/javascript");
    Answer::of(request.body(source)).await.expect(201);
}

/// The number of requests of one measurement.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
fn enough(rate: f64, seconds: f64) -> usize {
    (rate * seconds).ceil() as usize
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
