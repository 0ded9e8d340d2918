//! Webhook delivery: latency from commit to receiver when idle and under load, throughput of a backlog, the cost of a
//! transform, of many hooks and of a receiver that is down, and the memory of a million undelivered events.
//!
//!     cargo bench --bench webhooks
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench webhooks -- --backlog 5000 --waiting 10000
#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use anyhow::Result;
use claimsmith_domain::clock::Clock;
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::outbox::{NewDelivery, OutboxEvent};
use claimsmith_storage::{Db, Dialect};
use claimsmith_test_support::{Actor, Answer, Home, Kind, Process, Receiver};
use clap::Parser;
use reqwest::{Method, header};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Events of one transaction.
const BATCH: usize = 1000;
/// Changes of a user whose cost is measured.
const CHANGES: u32 = 500;
/// Nobody listens there.
const DOWN: &str = "http://127.0.0.1:9/hook";

/// How many events.
#[derive(Parser)]
struct Args {
    /// Events that happen one after the other.
    #[arg(long, default_value_t = 300)]
    single: usize,
    /// Events that happen as fast as eight clients can make them.
    #[arg(long, default_value_t = 4000)]
    many: usize,
    /// Events that wait when the receiver begins to take them.
    #[arg(long, default_value_t = 20_000)]
    backlog: usize,
    /// Events that nobody takes.
    #[arg(long, default_value_t = 1_000_000)]
    waiting: usize,
    /// Hooks beside a change.
    #[arg(long, default_value_t = 1000)]
    hooks: usize,
    /// Events for a receiver that is down.
    #[arg(long, default_value_t = 8000)]
    down: usize,
    /// How long that receiver is watched, in seconds.
    #[arg(long, default_value_t = 60)]
    down_seconds: u64,
    /// Deliveries at a time of the hooks that take a backlog.
    #[arg(long, default_value_t = 100)]
    max_concurrency: i64,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kind = Kind::of_environment();
    let home = Home::new(kind).await;
    let changes = [("CLAIMSMITH_LOG_FILTER", "warn"), ("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "16")];
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &changes).await.map_err(anyhow::Error::msg)?;
    println!("{kind:?}");
    println!("| what | events | result |");
    println!("|---|---|---|");
    alone(&server, args.single).await;
    together(&server, args.many).await;
    many_hooks(&server, args.hooks).await;
    down(&server, &home, args.down, Duration::from_secs(args.down_seconds)).await?;
    let plain = backlog(&server, &home, (args.backlog, args.max_concurrency), "plain").await?;
    println!("| out of a backlog | {} | {:.0} events/s |", args.backlog, plain);
    transform(&server).await;
    let transformed = backlog(&server, &home, (args.backlog, args.max_concurrency), "transformed").await?;
    let cost = 1e6 / transformed - 1e6 / plain;
    println!("| the same through `redact.js` | {} | {transformed:.0} events/s, {cost:.0} µs more each |", args.backlog);
    waiting(&server, &home, args.waiting).await
}

/// A hook that is told of roles, with the most that a hook may have under way.
async fn hook(management: &Actor, receiver: &Receiver, name: &str, paused: bool) -> String {
    hook_of(management, &receiver.url(), (name, "Role.Created"), 100, paused).await
}

async fn hook_of(management: &Actor, url: &str, (name, event): (&str, &str), at_once: i64, paused: bool) -> String {
    let body = json!({
        "name": name, "events": [event], "config": { "url": url }, "maxConcurrency": at_once, "paused": paused
    });
    management.post("/api/hooks", body).await.expect(201).text("id")
}

/// Creates a role, and answers its id and when that was acknowledged.
async fn role(management: &Actor, name: &str) -> (String, Instant) {
    let body = json!({ "name": name, "description": "for a benchmark", "type": "User" });
    let id = management.post("/api/roles", body).await.expect(200).text("id");
    (id, Instant::now())
}

async fn alone(server: &Process, count: usize) {
    let (management, receiver) = (server.management().await, Receiver::start().await);
    let hook_id = hook(&management, &receiver, "alone", false).await;
    let mut made = HashMap::new();
    for index in 0..count {
        let (id, at) = role(&management, &format!("alone {index}")).await;
        made.insert(id, at);
        receiver.wait(index + 1).await;
    }
    println!("| one after the other | {count} | {} |", delays(&receiver, &made));
    management.delete(&format!("/api/hooks/{hook_id}")).await.expect(204);
}

async fn together(server: &Process, count: usize) {
    let (management, receiver) = (Arc::new(server.management().await), Receiver::start().await);
    let hook_id = hook(&management, &receiver, "together", false).await;
    let began = Instant::now();
    let mut clients = JoinSet::new();
    for number in 0..8 {
        let management = Arc::clone(&management);
        clients.spawn(async move {
            let mut made = HashMap::new();
            for index in 0..count / 8 {
                let (id, at) = role(&management, &format!("together {number} {index}")).await;
                made.insert(id, at);
            }
            made
        });
    }
    let made: HashMap<String, Instant> = clients.join_all().await.into_iter().flatten().collect();
    receiver.wait(made.len()).await;
    let rate = f64::from(u32::try_from(made.len()).unwrap()) / began.elapsed().as_secs_f64();
    println!("| while they happen, {rate:.0} a second | {} | {} |", made.len(), delays(&receiver, &made));
    management.delete(&format!("/api/hooks/{hook_id}")).await.expect(204);
}

/// From the answer to whoever made the event to its arrival.
fn delays(receiver: &Receiver, made: &HashMap<String, Instant>) -> String {
    let all = receiver.received();
    let mut delays: Vec<Duration> = all
        .iter()
        .filter_map(|told| Some(told.at.saturating_duration_since(*made.get(told.json()["data"]["id"].as_str()?)?)))
        .collect();
    delays.sort();
    let at = |part: usize| delays[(delays.len() - 1) * part / 100].as_secs_f64() * 1e3;
    format!("p50 {:.1} ms, p99 {:.1} ms", at(50), at(99))
}

/// What a change of a user costs beside many hooks of another event, and how long an event for all of them takes.
async fn many_hooks(server: &Process, count: usize) {
    let management = server.management().await;
    let user_id = management.post("/api/users", json!({ "username": "beside_hooks" })).await.expect(200).text("id");
    let without = change_cost(server, &management, &user_id).await;
    let mut hooks = Vec::new();
    for number in 0..count {
        let name = format!("one of many {number}");
        hooks.push(hook_of(&management, DOWN, (&name, "Organization.Created"), 10, true).await);
    }
    let with = change_cost(server, &management, &user_id).await;
    println!("| a change of a user beside so many hooks | {count} | {with:.0} µs of CPU, {without:.0} without them |");
    let mut times = Vec::new();
    let began = server.cpu_seconds();
    for number in 0..20 {
        let asked = Instant::now();
        management.post("/api/organizations", json!({ "name": format!("told to many {number}") })).await.expect(201);
        times.push(asked.elapsed());
    }
    let cpu = (server.cpu_seconds() - began) * 1e3 / 20.0;
    times.sort();
    let median = times[times.len() / 2].as_secs_f64() * 1e3;
    println!("| an event for so many hooks | {count} | p50 {median:.1} ms, {cpu:.1} ms of CPU |");
    for hook_id in hooks {
        management.delete(&format!("/api/hooks/{hook_id}")).await.expect(204);
    }
}

/// CPU of a change of a user, in microseconds.
async fn change_cost(server: &Process, management: &Actor, user_id: &str) -> f64 {
    let began = server.cpu_seconds();
    for number in 0..CHANGES {
        management.patch(&format!("/api/users/{user_id}"), json!({ "name": format!("{number}") })).await.expect(200);
    }
    (server.cpu_seconds() - began) * 1e6 / f64::from(CHANGES)
}

#[derive(claimsmith_storage::Row)]
struct Attempts {
    attempts: i64,
}

/// CPU of the deliveries to a receiver that is down, for each attempt that was counted.
async fn down(server: &Process, home: &Home, count: usize, time: Duration) -> Result<()> {
    let management = server.management().await;
    let hook_id = hook_of(&management, DOWN, ("down", "Role.Created"), 50, true).await;
    let db = home.db().await;
    fill(&db, &hook_id, count).await?;
    let path = format!("/api/hooks/{hook_id}");
    let before = server.cpu_seconds();
    management.patch(&path, json!({ "paused": false })).await.expect(200);
    tokio::time::sleep(time).await;
    let cpu = server.cpu_seconds() - before;
    let mut tx = db.read().await?;
    let sum = "SELECT CAST(SUM(attempts) AS BIGINT) AS attempts FROM deliveries WHERE hook_id = $1";
    let attempts = tx.sql(sum).bind(hook_id.as_str()).one::<Attempts>().await?.attempts;
    let each = cpu * 1e6 / f64::from(u32::try_from(attempts)?);
    println!(
        "| for a receiver that is down, {attempts} attempts in {time:?} | {count} | {cpu:.2} s of CPU, {each:.0} µs each |"
    );
    management.delete(&path).await.expect(204);
    Ok(())
}

/// Events a second out of a backlog, with so many deliveries at a time.
async fn backlog(server: &Process, home: &Home, (count, at_once): (usize, i64), name: &str) -> Result<f64> {
    let (management, receiver) = (server.management().await, Receiver::start().await);
    let hook_id = hook_of(&management, &receiver.url(), (name, "Role.Created"), at_once, true).await;
    fill(&home.db().await, &hook_id, count).await?;
    let began = Instant::now();
    management.patch(&format!("/api/hooks/{hook_id}"), json!({ "paused": false })).await.expect(200);
    while receiver.count() < count {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let rate = f64::from(u32::try_from(count)?) / began.elapsed().as_secs_f64();
    management.delete(&format!("/api/hooks/{hook_id}")).await.expect(204);
    Ok(rate)
}

/// Uploads the default set's `redact.js` for the hook `transformed`.
async fn transform(server: &Process) {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/plugins/redact.js");
    let Ok(source) = std::fs::read_to_string(source) else { return };
    let management = server.management().await;
    let put = management.request(Method::PUT, "/api/plugins/redact-here?activate=false");
    Answer::of(put.header(header::CONTENT_TYPE, "text/javascript").body(source)).await.expect(201);
    management.patch("/api/plugins/redact-here", json!({ "hooks": ["transformed"] })).await.expect(200);
    management.post("/api/plugins/redact-here/versions/1/activate", Value::Null).await.expect(200);
}

async fn waiting(server: &Process, home: &Home, count: usize) -> Result<()> {
    let (management, receiver) = (server.management().await, Receiver::start().await);
    let before = server.resident_memory();
    let hook_id = hook(&management, &receiver, "waiting", true).await;
    fill(&home.db().await, &hook_id, count).await?;
    let path = format!("/api/hooks/{hook_id}");
    management.patch(&path, json!({ "paused": false })).await.expect(200);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let rate = f64::from(u32::try_from(receiver.count())?) / began.elapsed().as_secs_f64();
    let mib = |bytes: u64| bytes >> 20;
    println!(
        "| while so many wait | {count} | {rate:.0} events/s, memory {} MiB, before {} MiB |",
        mib(server.resident_memory()),
        mib(before)
    );
    management.patch(&path, json!({ "paused": true })).await.expect(200);
    Ok(())
}

/// Events that wait for a hook, as operations write them.
async fn fill(db: &Db, hook_id: &str, count: usize) -> Result<()> {
    let now = Clock::system().now_ms();
    let data = json!({
        "event": "Role.Created", "createdAt": "2026-11-21T10:36:46.123Z", "userAgent": "node", "path": "/roles",
        "method": "POST", "status": 200, "params": {}, "matchedRoute": "/roles",
        "data": { "tenantId": "default", "id": "p4x8k2m6t0a9", "name": "readers", "description": "ada@example.com" }
    });
    let payload = data.to_string();
    let mut made = 0;
    while made < count {
        let mut tx = db.begin().await?;
        for index in made..(made + BATCH).min(count) {
            let id = format!("{hook_id}{index}");
            let event = OutboxEvent {
                id: id.clone(),
                kind: "Role.Created".to_owned(),
                payload: payload.clone(),
                created_at: now,
            };
            let delivery = NewDelivery {
                id: format!("msg_{id}").into(),
                event_id: id,
                hook_id: hook_id.into(),
                entity: None,
                created_at: now,
            };
            hooks::outbox::append(&mut tx, &event, &[delivery]).await?;
        }
        tx.commit().await?;
        made = (made + BATCH).min(count);
    }
    if db.dialect() == Dialect::Postgres {
        // As autovacuum does a little later.
        db.read().await?.sql("ANALYZE").execute().await?;
    }
    Ok(())
}
