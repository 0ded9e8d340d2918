//! Whether guessing passwords slows the token endpoint: tokens at a fixed rate, alone and beside 200 wrong passwords a
//! second, each from another address and for another user.

use crate::measure::Measured;
use crate::person::Person;
use crate::start;
use anyhow::Result;
use claimsmith_test_support::{Answer, Browser, Home, Kind, Process};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Wrong passwords a second.
const GUESSES: f64 = 200.0;
/// Browsers that guess in turns.
const BROWSERS: usize = 200;
/// Tokens a second.
const TOKENS: f64 = 100.0;

/// Measures both in turns.
pub(crate) async fn beside_tokens(binary: &str, kind: Kind, time: Duration) -> Result<()> {
    let home = Home::new(kind).await;
    // Without the limit in all, which would end them soon.
    let server = start(binary, &home, &[("CLAIMSMITH_MAX_FAILED_SIGN_INS_PER_MINUTE", "1000000")]).await?;
    let person = Arc::new(Person::new(&server, "ES256").await);
    println!("\n| tokens, {TOKENS} a second | per second | p50 ms | p99 ms | CPU µs | guesses |");
    println!("|---|---|---|---|---|---|");
    for round in 1..=3 {
        for beside in [false, true] {
            // The pages are there before: to open them is no part of a guess.
            let pages = if beside { pages(&server, &person).await? } else { Vec::new() };
            let guessing = beside.then(|| tokio::spawn(guess(server.clone(), person.clone(), pages, time)));
            let measured = tokens(&server, time).await?;
            let answers = match guessing {
                Some(guessing) => format!("{:?}", guessing.await??),
                None => String::new(),
            };
            let name = if beside { "beside guesses" } else { "alone" };
            println!("{} {answers} |", measured.row(&format!("{round}, {name}")));
        }
    }
    Ok(())
}

/// Client credentials at a fixed rate; each latency counts from when its request was due.
async fn tokens(server: &Arc<Process>, time: Duration) -> Result<Measured> {
    let (began, cpu) = (Instant::now(), server.cpu_seconds());
    let mut clients = JoinSet::new();
    for due in dues(began, TOKENS, time) {
        let server = server.clone();
        clients.spawn(async move {
            tokio::time::sleep_until(due.into()).await;
            server.client_credentials().send().await.expect(200);
            due.elapsed()
        });
    }
    let times = clients.join_all().await;
    Ok(Measured::of(times, began.elapsed(), server.cpu_seconds() - cpu))
}

/// Browsers that are at the page for signing in.
async fn pages(server: &Process, person: &Person) -> Result<Vec<(Browser, Answer)>> {
    let mut pages = Vec::with_capacity(BROWSERS);
    while pages.len() < BROWSERS {
        pages.push(person.arrive(server).await?);
    }
    Ok(pages)
}

/// Wrong passwords at a fixed rate; answers how often each status came.
async fn guess(
    server: Arc<Process>,
    person: Arc<Person>,
    pages: Vec<(Browser, Answer)>,
    time: Duration,
) -> Result<BTreeMap<u16, usize>> {
    let (pages, mut guesses) = (Arc::new(pages), JoinSet::new());
    for (number, due) in dues(Instant::now(), GUESSES, time).enumerate() {
        let (server, person, pages) = (server.clone(), person.clone(), pages.clone());
        guesses.spawn(async move {
            tokio::time::sleep_until(due.into()).await;
            let (browser, page) = &pages[number % pages.len()];
            let who = format!("nobody{number}");
            person.fill_in(&server, (browser, page), (&who, "a wrong password")).await
        });
    }
    let mut statuses = BTreeMap::new();
    for answer in guesses.join_all().await {
        *statuses.entry(answer?.status).or_default() += 1;
    }
    Ok(statuses)
}

/// When each request of a fixed rate is due.
fn dues(began: Instant, rate: f64, time: Duration) -> impl Iterator<Item = Instant> {
    let due = move |number: u32| Duration::from_secs_f64(f64::from(number) / rate);
    (0..).map(due).take_while(move |due| *due < time).map(move |due| began + due)
}
