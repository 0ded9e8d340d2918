//! Lists of very many users, and of the very many members of an organization: the latency of pages and of searches,
//! over real HTTP.
//!
//!     cargo bench --bench users
//!     TEST_DATABASE_URL=postgres://…/postgres cargo bench --bench users -- --users 100000
#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use anyhow::Result;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};
use claimsmith_storage::organizations::{members, roles};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Db, Dialect, organizations};
use claimsmith_test_support::{Actor, Home, Kind, Process, seed};
use clap::Parser;
use serde_json::json;
use std::time::Instant;

/// Users of one transaction.
const BATCH: usize = 5000;
/// Of so many members one has the role that is searched for.
const MEMBERS_PER_EDITOR: usize = 10;
const FIRST: [&str; 8] = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Margaret", "Ken"];
const LAST: [&str; 8] = ["Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Hamilton", "Thompson"];

/// How many users, and how often to ask.
#[derive(Parser)]
struct Args {
    /// Users to make.
    #[arg(long, default_value_t = 1_000_000)]
    users: u32,
    /// How many of them are members of the organization.
    #[arg(long, default_value_t = 100_000)]
    members: usize,
    /// Requests of each kind.
    #[arg(long, default_value_t = 200)]
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
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &[("CLAIMSMITH_LOG_FILTER", "info")]).await;
    let server = server.map_err(anyhow::Error::msg)?;
    let began = Instant::now();
    let db = home.db().await;
    let ids = fill(&db, args.users).await?;
    let (organization, role) = employ(&db, &ids[..args.members.min(ids.len())]).await?;
    if db.dialect() == Dialect::Postgres {
        // As autovacuum does a little later.
        db.read().await?.sql("ANALYZE").execute().await?;
    }
    println!("{kind:?}: {} users, {} members in {:.0} s", args.users, args.members, began.elapsed().as_secs_f64());
    println!("| request | found | p50 ms | p99 ms |");
    println!("|---|---|---|---|");
    let management = server.management().await;
    let one = args.users / 2;
    for query in [
        "page=1".to_owned(),
        "page=10".to_owned(),
        "page=1000".to_owned(),
        format!("page={}", args.users / 40),
        format!("page={}", args.users / 20),
        format!("search=user%5C_{one}%25"),
        format!("search=%25ser%5C_{one}%25"),
        format!("search=%25hopper+{}%25", one / 1000),
        "search=%25grace+hopper%25".to_owned(),
        "search=%25example.com%25".to_owned(),
        format!("search.username=USER%5C_{}%25", one / 100),
        format!("search.primaryEmail=user_{one}@example.com&mode=exact"),
        format!("search.name=grace+hopper+{}%25", one - one % 64 + 9),
        format!("search.primaryPhone=49{one}%25"),
        format!("search.username=user%5C_{}%25&search.name=ada%25&joint=and", one / 100),
    ] {
        measure(&management, "users", &query, args.requests).await;
    }
    for query in [
        "page=1".to_owned(),
        format!("page={}", args.members / 40),
        format!("page={}", args.members / 20),
        format!("q=user_{}", args.members / 2),
        format!("organizationRoleId={role}"),
        format!("organizationRoleId={role}&page={}", args.members / MEMBERS_PER_EDITOR / 20),
    ] {
        measure(&management, &format!("organizations/{organization}/users"), &query, args.requests).await;
    }
    Ok(())
}

/// Asks for one page again and again, and prints how long it took.
async fn measure(management: &Actor, list: &str, query: &str, requests: usize) {
    let mut times = Vec::with_capacity(requests);
    let mut found = String::new();
    for _ in 0..requests {
        let asked = Instant::now();
        let answer = management.get(&format!("/api/{list}?{query}")).await.expect(200);
        times.push(asked.elapsed());
        answer.header("total-number").unwrap_or_default().clone_into(&mut found);
    }
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
    println!("| `{list}?{query}` | {found} | {:.1} | {:.1} |", at(50), at(99));
}

/// Makes users as an import does, and answers their ids.
async fn fill(db: &Db, count: u32) -> Result<Vec<UserId>> {
    let numbers: Vec<u32> = (0..count).collect();
    let mut ids = Vec::with_capacity(numbers.len());
    for batch in numbers.chunks(BATCH) {
        let mut tx = db.begin().await?;
        for number in batch {
            let user = user(*number);
            users::insert(&mut tx, &user).await?;
            ids.push(user.id);
        }
        tx.commit().await?;
    }
    Ok(ids)
}

/// Makes them the members of an organization, every tenth with a role; answers the ids of both.
async fn employ(db: &Db, user_ids: &[UserId]) -> Result<(OrganizationId, OrganizationRoleId)> {
    let (organization, role) = (seed::new_organization(), seed::new_organization_role("editor"));
    let mut tx = db.begin().await?;
    organizations::insert(&mut tx, &organization).await?;
    roles::insert(&mut tx, &role).await?;
    tx.commit().await?;
    for batch in user_ids.chunks(BATCH) {
        let mut tx = db.begin().await?;
        members::add(&mut tx, &organization.id, batch).await?;
        let editors: Vec<UserId> = batch.iter().step_by(MEMBERS_PER_EDITOR).cloned().collect();
        members::add_roles_to_all(&mut tx, &organization.id, &editors, std::slice::from_ref(&role.id)).await?;
        tx.commit().await?;
    }
    Ok((organization.id, role.id))
}

fn user(number: u32) -> User {
    let pick = |names: [&'static str; 8], step: u32| names[usize::try_from(number / step % 8).unwrap()];
    User {
        username: Some(format!("user_{number}")),
        primary_email: Some(format!("user_{number}@example.com")),
        primary_phone: Some(format!("49{number}")),
        name: Some(format!("{} {} {number}", pick(FIRST, 1), pick(LAST, 8))),
        custom_data: claimsmith_storage::Json(json!({ "plan": number % 3 })),
        created_at: 1_700_000_000_000 + i64::from(number),
        ..seed::new_user()
    }
}
