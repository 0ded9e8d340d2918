//! A population run: a version that answers something else for everybody, over many users.

use super::{Bench, PLUGIN, enough, load, median, process};
use anyhow::{Result, ensure};
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Dialect, Json};
use claimsmith_test_support::{seed, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Users of one transaction.
const BATCH: usize = 5000;
/// The run of 100,000 users is to end within 5 minutes; one that takes this long is lost.
const TIMEOUT: Duration = Duration::from_mins(30);

impl Bench {
    /// Creates the users as an import does, past the API.
    pub(crate) async fn fill(&self) -> Result<()> {
        let began = Instant::now();
        let numbers: Vec<u32> = (0..self.args.population).collect();
        for batch in numbers.chunks(BATCH) {
            let mut tx = self.db.begin().await?;
            for number in batch {
                users::insert(&mut tx, &user(*number)).await?;
            }
            tx.commit().await?;
        }
        if self.db.dialect() == Dialect::Postgres {
            // As autovacuum does a little later.
            self.db.read().await?.sql("ANALYZE").execute().await?;
        }
        println!("\n{} users created in {:.0} s", self.args.population, began.elapsed().as_secs_f64());
        println!("| beside | tokens/s | p50 ms | p99 ms | CPU µs | rate × | p99 × | CPU × | |");
        println!("|---|---|---|---|---|---|---|---|---|");
        Ok(())
    }

    /// Starts a run over all users, and answers its path once the run has passed the first of them: its versions are
    /// loaded by then.
    pub(crate) async fn begin_run(&self) -> String {
        let management = self.process.management().await;
        let demo = self.process.demo();
        let runs = format!("{PLUGIN}/population-runs");
        let body = json!({
            "version": "2", "application": demo.web_client_id, "grantType": GrantType::TokenExchange.as_str(),
            "resource": demo.resource, "scope": demo.scopes.first()
        });
        let id = management.post(&runs, body).await.expect(201).text("id");
        let path = format!("{runs}/{id}");
        until("the first users of the run", async || {
            let run = management.get(&path).await.expect(200);
            (run["visited"].as_i64() > Some(0)).then_some(())
        })
        .await;
        path
    }

    /// How long a run over all users takes beside tokens at a rate, and how long these take.
    pub(crate) async fn whole_run(&self, rate: f64) -> Result<()> {
        let began = Instant::now();
        let cpu_before = process::cpu_seconds(self.process.id())?;
        let path = self.begin_run().await;
        let (mut p50, mut p99) = (Vec::new(), Vec::new());
        let run = loop {
            ensure!(began.elapsed() < TIMEOUT, "the run does not end");
            let requests = self.mint(enough(rate, self.args.seconds)).await?;
            let time = Duration::from_secs_f64(self.args.seconds);
            let measured = load::drive(requests, self.args.connections, time, Some(rate)).await?;
            ensure!(measured.refused == 0, "refused: {:?}", measured.refusal);
            p50.push(measured.percentile_ms(0.5));
            p99.push(measured.percentile_ms(0.99));
            let run = self.process.management().await.get(&path).await.expect(200).body;
            if run["state"] != "running" {
                break run;
            }
        };
        let cpu_seconds = process::cpu_seconds(self.process.id())? - cpu_before;
        ensure!(run["state"] == "complete", "the run has ended otherwise: {run}");
        println!(
            "\na whole run over {} users beside a third of the maximal rate: {:.1} s, and {cpu_seconds:.1} s of CPU for the \
             run and {} times {} s of tokens; tokens: p50 {:.2} ms, p99 {:.2} ms",
            run["users"],
            seconds(&run),
            p99.len(),
            self.args.seconds,
            median(p50),
            median(p99),
        );
        println!(
            "compared {}, skipped {}, differences kept {}, dropped {}; classes: {}",
            run["compared"], run["skipped"], run["differences"], run["dropped"], run["results"]["classes"]
        );
        Ok(())
    }
}

/// How long a run took that has ended.
fn seconds(run: &Value) -> f64 {
    let at = |member: &str| run[member].as_f64().unwrap_or(f64::NAN);
    (at("endedAt") - at("createdAt")) / 1000.0
}

fn user(number: u32) -> User {
    let plan = if number.is_multiple_of(3) { "team" } else { "free" };
    User {
        username: Some(format!("population_{number}")),
        primary_email: Some(format!("population_{number}@example.com")),
        custom_data: Json(json!({ "plan": plan })),
        created_at: 1_700_000_000_000 + i64::from(number),
        ..seed::new_user()
    }
}
