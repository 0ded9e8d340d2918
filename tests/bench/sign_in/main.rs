//! What people cost: authorization with a live session, code exchange, refresh, userinfo, whole sign-ins, pages; and
//! what guessing passwords costs the token endpoint.
//!
//!     cargo bench --bench sign_in
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench sign_in -- --seconds 10
//!
//! The CPU is the server process's own: that of a PostgreSQL beside it is not in it.

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
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A server that believes what address a request says it comes from.
async fn start(home: &Home, changes: &[(&str, &str)]) -> Result<Arc<Process>> {
    // Digests as expensive as the default, unless the changes say otherwise.
    let always = [("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1"), ("CLAIMSMITH_PASSWORDS_DIGEST_MS", "")];
    let changes = [&always, changes].concat();
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), home, &changes).await;
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
        let server = start(&home, &[("CLAIMSMITH_PASSWORDS_DIGEST_MS", milliseconds)]).await?;
        let person = Person::new(&server).await;
        for step in Steps::ALL {
            // All others compute no digest.
            if milliseconds.is_empty() || step == Steps::SignIn {
                let name = if step == Steps::SignIn {
                    format!("{}, {digest} digest", step.name())
                } else {
                    step.name().to_owned()
                };
                println!("{}", measure(&server, &person, step, args.load, time).await?.row(&name));
            }
        }
    }
    guesses::beside_tokens(kind, time).await
}
