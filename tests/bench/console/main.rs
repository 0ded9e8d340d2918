//! Every list and chart of the Management API, and the screens of the console, beside very many users, audit log entries,
//! tokens and impersonations: how long each takes, over real HTTP, and how many bytes a screen sends. Fails if a median is
//! over 50 ms.
//!
//!     cargo bench --bench console
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench console -- --amount 100000
#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

mod fill;
mod lists;

use anyhow::{Context, Result, ensure};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{Db, Dialect, roles};
use claimsmith_test_support::{Browser, CONSOLE_PASSWORD, Home, Kind, Process};
use clap::Parser;
use fill::Filled;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, COOKIE};
use serde_json::json;
use std::time::{Duration, Instant};

/// What an answer may take, and what a screen may send.
const MAX_TIME: Duration = Duration::from_millis(50);
const MAX_BYTES: usize = 60_000;
/// The server counts entries after five minutes, at an interval of one.
const COUNTED_AFTER_MS: i64 = 600_000;
/// The cookie of a session over http.
const SESSION: &str = "claimsmith-console";
/// A user name, and one that nobody else's begins with.
const ADMINISTRATOR: &str = "root_of_the_console";

/// How much there is, and how often to ask.
#[derive(Parser)]
struct Args {
    /// Users, entries of the audit log, tokens and impersonations to make, of each as many.
    #[arg(long, default_value_t = 1_000_000)]
    amount: u32,
    /// Organizations, applications and webhooks to make, of each as many; and deliveries.
    #[arg(long, default_value_t = 2000)]
    others: usize,
    /// Requests of each list and screen.
    #[arg(long, default_value_t = 20)]
    requests: usize,
    /// What `cargo bench` says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kind = Kind::of_environment();
    let home = Home::new(kind).await;
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/plugins"))? {
        let file = file?.path();
        std::fs::copy(&file, home.plugins_dir().join(file.file_name().context("a file has a name")?))?;
    }
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &[("CLAIMSMITH_LOG_FILTER", "warn")]).await;
    let server = server.map_err(anyhow::Error::msg)?;
    let (began, db) = (Instant::now(), home.db().await);
    let filled = fill::all(&server, &db, &args).await?;
    settle(&db).await?;
    println!("{kind:?}: {} of each in {:.0} s\n", args.amount, began.elapsed().as_secs_f64());
    let mut over = lists::measure(&server, &filled, &args).await?;
    println!("\n| screen | median ms | slowest ms | bytes | |");
    println!("|---|---|---|---|---|");
    let session = sign_in(&server, &db).await?;
    for (name, path) in screens(&filled, args.amount) {
        let (mut times, mut bytes) = (Vec::new(), 0);
        for _ in 0..args.requests {
            let (time, length) = ask(&server, &session, &path).await?;
            times.push(time);
            bytes = bytes.max(length);
        }
        let (times, verdict) = judged(times);
        println!("| {name} | {times} | {bytes} | {} |", if bytes > MAX_BYTES { "too long" } else { verdict });
        if verdict != WITHIN || bytes > MAX_BYTES {
            over.push(name.to_owned());
        }
    }
    let assets = assets(&server, &session).await?;
    println!("| what the first page loads besides, once | | | {assets} | |");
    ensure!(over.is_empty(), "over the goal: {}", over.join(", "));
    Ok(())
}

/// What a table says of an answer in time.
const WITHIN: &str = "within";

/// The median and the slowest of these times, as two columns, and whether the median is within the goal.
fn judged(mut times: Vec<Duration>) -> (String, &'static str) {
    times.sort();
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let verdict = if median <= MAX_TIME { WITHIN } else { "over" };
    (format!("{:.1} | {:.1}", milliseconds(median), milliseconds(slowest)), verdict)
}

/// Lets the server count what was written past it, as an upgrade does, and the database gather its statistics.
async fn settle(db: &Db) -> Result<()> {
    let mut tx = db.begin().await?;
    for statement in [
        "DELETE FROM log_counts",
        "DELETE FROM active_day_counts",
        "DELETE FROM active_days",
        "UPDATE totals SET value = 0 WHERE name IN ('logs_counted_until', 'uses_counted_until')",
    ] {
        tx.sql(statement).execute().await?;
    }
    tx.commit().await?;
    let until = Clock::system().now_ms() - COUNTED_AFTER_MS;
    while is_uncounted(db, until).await? {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    if db.dialect() == Dialect::Postgres {
        // As autovacuum does a little later.
        for statement in ["VACUUM logs", "VACUUM issuances", "VACUUM users", "VACUUM active_days", "ANALYZE"] {
            db.read().await?.sql(statement).execute().await?;
        }
    }
    Ok(())
}

#[derive(claimsmith_storage::Row)]
struct Uncounted {
    kinds: i64,
}

/// Whether there are entries or uses from before this time that the server has not counted.
async fn is_uncounted(db: &Db, until: i64) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS kinds FROM totals t WHERE (t.name = 'logs_counted_until' AND EXISTS (\
         SELECT 1 FROM logs l WHERE substr(l.key, 1, 12) <> 'TriggerHook.' AND l.created_at >= t.value \
         AND l.created_at < $1)) OR (t.name = 'uses_counted_until' AND EXISTS (\
         SELECT 1 FROM issuances i WHERE i.user_id IS NOT NULL AND i.created_at >= t.value AND i.created_at < $1))";
    Ok(db.read().await?.sql(sql).bind(until).one::<Uncounted>().await?.kinds > 0)
}

/// The screens, by what people do there.
fn screens(filled: &Filled, users: u32) -> Vec<(&'static str, String)> {
    let one = users / 2;
    let Filled { user, organization, application, role, hook, .. } = filled;
    let (users_of, hooks) = (format!("/console/users/{user}"), "/console/webhooks/hooks");
    let named = [
        ("overview", "/console"),
        ("overview of 30 days", "/console?range=30d"),
        ("users", "/console/users"),
        ("organizations", "/console/organizations"),
        ("organization template", "/console/organizations/template"),
        ("applications", "/console/applications"),
        ("API resources", "/console/resources"),
        ("roles", "/console/roles"),
        ("scopes against roles", "/console/roles/matrix"),
        ("plugins", "/console/plugins"),
        ("examples of plugins", "/console/plugins/examples"),
        ("a plugin's workbench", "/console/plugins/impersonation"),
        ("webhooks", "/console/webhooks"),
        ("impersonations", "/console/impersonations"),
        ("all impersonations", "/console/impersonations?state=all"),
        ("impersonations of a ticket", "/console/impersonations?ticket=TICKET-7"),
        ("audit log", "/console/logs"),
        ("audit log, a key", "/console/logs?q=ExchangeTokenBy"),
        ("audit log, keys that few have", "/console/logs?q=Management.User.*"),
        ("audit log, many keys", "/console/logs?q=Management.*"),
        ("audit log, a ticket", "/console/logs?ticket=TICKET-7"),
        ("audit log, failures", "/console/logs?result=Error"),
        ("administrators", "/console/administrators"),
        ("signing keys", "/console/keys"),
        ("settings", "/console/settings"),
        ("sign-in experience", "/console/sign-in-experience"),
        ("connectors", "/console/connectors"),
    ];
    let mut all: Vec<_> = named.map(|(name, path)| (name, path.to_owned())).into();
    all.extend([
        ("users, the page in the middle", format!("/console/users?page={}", users / 40)),
        ("users, a user name begins so", format!("/console/users?q=user_{}", one / 100)),
        ("users, an e-mail address", format!("/console/users?q=user_{one}%40example.com")),
        ("users, a name that every 64th has", "/console/users?q=grace+hopper".to_owned()),
        ("users, a name begins so", format!("/console/users?q=grace+hopper+{}", (one - one % 64 + 9) / 100)),
        ("users, nobody", "/console/users?q=nobody+at+all".to_owned()),
        ("users, a part of a name", "/console/users?in=anywhere&q=hopper+500".to_owned()),
        ("users, a part of all addresses", "/console/users?in=anywhere&q=example.com".to_owned()),
        ("users, suspended", "/console/users?suspended=true".to_owned()),
        ("a user's profile", users_of.clone()),
        ("a user's roles and organizations", format!("{users_of}/access")),
        ("a user's sign-in", format!("{users_of}/security")),
        ("a user's sessions", format!("{users_of}/sessions")),
        ("a user's activity", format!("{users_of}/activity")),
        ("impersonating a user", format!("{users_of}/impersonate")),
        ("an organization", format!("/console/organizations/{organization}")),
        ("an organization's members", format!("/console/organizations/{organization}/members")),
        ("who can become a member", format!("/console/organizations/{organization}/members/add")),
        ("an application", format!("/console/applications/{application}")),
        ("an application's code to paste", format!("/console/applications/{application}/guide")),
        (
            "an application's token preview",
            format!("/console/applications/{application}/token-preview?user={user}&run=1"),
        ),
        ("a role", format!("/console/roles/{role}")),
        ("who holds a role", format!("/console/roles/{role}/holders")),
        ("who can get a role", format!("/console/roles/{role}/assign")),
        ("a webhook", format!("{hooks}/{hook}")),
        ("a webhook's deliveries", format!("{hooks}/{hook}/deliveries")),
        ("audit log, a user", format!("/console/logs?person={user}")),
        ("audit log, an application", format!("/console/logs?application={application}")),
        ("search, a user name", format!("/console/search?q=user_{one}")),
        ("search, a word that nothing has", "/console/search?q=nothing+of+the+kind".to_owned()),
    ]);
    all
}

/// An administrator; answers the session.
async fn sign_in(server: &Process, db: &Db) -> Result<String> {
    let user = json!({ "username": ADMINISTRATOR, "password": CONSOLE_PASSWORD });
    let id = UserId::from(server.management().await.post("/api/users", user).await.expect(200).text("id"));
    let mut tx = db.begin().await?;
    revisions::bump(&mut tx, Changed::All).await?;
    roles::assign_to_user(&mut tx, &id, &RoleId::from(ConsoleRole::Admin.role_id())).await?;
    tx.commit().await?;
    let browser = Browser::new(server);
    browser.sign_in_at("/console", ADMINISTRATOR, CONSOLE_PASSWORD).await.expect(200);
    browser.cookie(SESSION).context("no session")
}

/// Asks for a page as a browser does; answers how long it took, and its bytes as they came.
async fn ask(server: &Process, session: &str, path: &str) -> Result<(Duration, usize)> {
    let request = server.http.get(server.url(path)).header(ACCEPT, "text/html").header(ACCEPT_ENCODING, "gzip");
    let asked = Instant::now();
    let answer = request.header(COOKIE, format!("{SESSION}={session}")).send().await?;
    let status = answer.status();
    let body = answer.bytes().await?;
    ensure!(status == 200, "{path}: {status}");
    Ok((asked.elapsed(), body.len()))
}

/// The bytes of the style sheets and scripts of the first page.
async fn assets(server: &Process, session: &str) -> Result<usize> {
    let request = server.http.get(server.url("/console")).header(COOKIE, format!("{SESSION}={session}"));
    let page = request.send().await?.text().await?;
    let mut bytes = 0;
    for part in page.split('"').filter(|part| part.starts_with("/console/assets/")) {
        bytes += ask(server, session, part).await?.1;
    }
    Ok(bytes)
}
