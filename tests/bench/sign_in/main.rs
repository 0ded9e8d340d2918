//! What people cost: authorization with a live session, code exchange, refresh, userinfo, whole sign-ins, pages; and
//! what guessing passwords costs the token endpoint.
//!
//!     cargo bench --bench sign_in
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench sign_in -- --seconds 10
//!
//! ID tokens are signed with ES256; code exchange and refresh are measured with RS256, the default, too. The CPU is the
//! server process's own: that of a PostgreSQL beside it is not in it.

mod guesses;
mod measure;
mod person;

use anyhow::{Error, Result};
use claimsmith_test_support::{Home, Kind, Process};
use clap::Parser;
use measure::{Steps, measure};
use person::Person;
use std::sync::Arc;
use std::time::Duration;

/// How long and how much.
#[derive(Parser)]
struct Args {
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Requests under way at any time.
    #[arg(long, default_value_t = 8)]
    load: usize,
    /// The server to measure, such as that of another version.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_claimsmith"))]
    binary: String,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A server that believes what address a request says it comes from.
async fn start(binary: &str, home: &Home, changes: &[(&str, &str)]) -> Result<Arc<Process>> {
    // Digests as expensive as the default, unless the changes say otherwise.
    let always = [("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1"), ("CLAIMSMITH_PASSWORDS_DIGEST_MS", "")];
    let changes = [&always, changes].concat();
    let server = Process::start(binary, home, &changes).await;
    Ok(Arc::new(server.map_err(Error::msg)?))
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kind = Kind::of_environment();
    let time = Duration::from_secs(args.seconds);
    println!("{kind:?}, {} requests under way\n", args.load);
    println!("| step | per second | p50 ms | p99 ms | CPU µs |");
    println!("|---|---|---|---|---|");
    for (digest, milliseconds) in [("usual", ""), ("cheapest", "0")] {
        let home = Home::new(kind).await;
        let server = start(&args.binary, &home, &[("CLAIMSMITH_PASSWORDS_DIGEST_MS", milliseconds)]).await?;
        for algorithm in ["ES256", "RS256"] {
            let person = Person::new(&server, algorithm).await;
            for step in Steps::ALL {
                let name = match step {
                    Steps::SignIn if algorithm == "ES256" => format!("{}, {digest} digest", step.name()),
                    // The others compute no digest.
                    _ if !milliseconds.is_empty() => continue,
                    _ if step.signs_an_id_token() => format!("{}, {algorithm}", step.name()),
                    _ if algorithm == "ES256" => step.name().to_owned(),
                    // The algorithm makes no difference.
                    _ => continue,
                };
                println!("{}", measure(&server, &person, step, args.load, time).await?.row(&name));
            }
        }
    }
    guesses::beside_tokens(&args.binary, kind, time).await
}
