//! `claimsmith demo`: a walkthrough of an impersonation against a running server, or one started for it. It prints each
//! request and answer, the decoded token, and what to edit next.

use super::demo_output::{DemoClient, chapter, short, show_token, text};
use super::health;
use crate::server::{self, Server};
use anyhow::Context;
use axum::http::StatusCode;
use claimsmith_cli::terminal::print_line;
use claimsmith_config::Config;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_domain::random::Random;
use claimsmith_identity::bootstrap::{self, DemoReport, ManagementReport};
use claimsmith_services::app::App;
use claimsmith_services::supervisor::Tasks;
use claimsmith_services::tokens::operator::{self, MintRequest};
use serde_json::json;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How long a server that has just started may load its plugins: longer than compiling one may take.
const MAX_WAIT: Duration = Duration::from_mins(2);
/// How often it is asked whether it is ready.
const READINESS_INTERVAL: Duration = Duration::from_millis(200);

#[derive(clap::Args)]
pub(super) struct DemoArgs {
    /// The ticket number that goes into the token.
    #[arg(long, default_value = "TICKET-4711")]
    ticket: String,
}

pub(super) async fn run(config: Config, args: DemoArgs) -> anyhow::Result<()> {
    let tasks = Tasks::default();
    let (app, address) = find_or_start(config, &tasks).await?;
    let path = bootstrap::report::path(&app.config.data_dir);
    let report = bootstrap::report::read(&path);
    let report = report.with_context(|| format!("{} is missing: was this database set up here?", path.display()))?;
    let (Some(management), Some(demo)) = (report.management_api, report.demo) else {
        anyhow::bail!("this database has no demo data: start the server with --demo on an empty database");
    };
    let result = tell(&app, &address, &management, &demo, &args.ticket).await;
    let (grace, db) = (app.config.server.shutdown_grace, app.db.clone());
    drop(app);
    tasks.drain(grace).await?;
    db.close().await;
    result
}

/// The parts for the operator's steps of the demo, and the address of a running server.
async fn find_or_start(mut config: Config, tasks: &Tasks) -> anyhow::Result<(App, String)> {
    let db = server::open_served_database(&mut config).await?;
    let is_set_up = bootstrap::is_set_up(&mut db.read().await?).await?;
    db.close().await;
    let system = (Clock::system(), Random::system());
    let report = bootstrap::report::read(&bootstrap::report::path(&config.data_dir)).filter(|_| is_set_up);
    if let Some(report) = report {
        let listen = report.listen.parse().unwrap_or(config.server.listen);
        let address = format!("http://{}", health::connectable(listen));
        if is_ready(&address).await? {
            print_line(&format!("A server answers at {address}."));
            return Ok((server::open_for_command(config, system, tasks).await?, address));
        }
    }
    let server = if is_set_up {
        Server::start_for_command(config, system, tasks).await?
    } else {
        Server::start(config, system, tasks, None).await?
    };
    server.loaded().await?;
    let address = format!("http://{}", health::connectable(server.listen));
    print_line(&format!("No server was running, so one was started for this demo at {address}."));
    Ok((server.app, address))
}

/// Whether a server answers there. One that has just started is waited for.
async fn is_ready(address: &str) -> anyhow::Result<bool> {
    let wait = async {
        loop {
            match reqwest::get(format!("{address}/api/status")).await {
                Ok(answer) if answer.status() == StatusCode::SERVICE_UNAVAILABLE => sleep(READINESS_INTERVAL).await,
                answer => return answer.is_ok_and(|answer| answer.status().is_success()),
            }
        }
    };
    timeout(MAX_WAIT, wait).await.with_context(|| format!("the server at {address} does not become ready"))
}

async fn tell(
    app: &App,
    address: &str,
    management: &ManagementReport,
    demo: &DemoReport,
    ticket: &str,
) -> anyhow::Result<()> {
    let client = DemoClient::new(address);
    chapter("1. The integrator's backend gets a token for the Management API");
    let answer = client
        .form(
            "/oidc/token",
            Some((&management.client_id, &management.client_secret)),
            &[
                ("grant_type", GrantType::ClientCredentials.as_str()),
                ("resource", &app.config.tokens.management_resource),
                ("scope", "all"),
            ],
        )
        .await?;
    let backend = text(&answer, "access_token")?;

    chapter("2. It asks for a subject token: Erin wants to act as Casey, and says why");
    let context =
        json!({ "ticketId": ticket, "reason": "Invoice does not load", "supportEngineerId": demo.engineer_user_id });
    let body = json!({ "userId": demo.customer_user_id, "context": context });
    let answer = client.json("/api/subject-tokens", &backend, &body).await?;
    let subject_token = text(&answer, "subjectToken")?;

    chapter("3. Erin's own access token (claimsmith tokens mint; one day, her sign-in)");
    let request = MintRequest {
        user_id: demo.engineer_user_id.clone(),
        client_id: demo.spa_client_id.clone(),
        scope: "openid".to_owned(),
        resource: None,
    };
    let now = app.clock.now_ms();
    let actor = operator::mint(&app.db, &app.authorizations, &app.issuer, &app.config, request, now).await?;
    print_line(&format!("    {}", short(&actor.access_token)));

    chapter("4. Erin's application exchanges the subject token");
    let parameters = [
        ("grant_type", GrantType::TokenExchange.as_str()),
        ("client_id", &demo.spa_client_id),
        ("subject_token", &subject_token),
        ("subject_token_type", ACCESS_TOKEN_TYPE),
        ("actor_token", &actor.access_token),
        ("actor_token_type", ACCESS_TOKEN_TYPE),
        ("resource", &demo.resource),
        ("scope", "resource:read"),
    ];
    let answer = client.form("/oidc/token", None, &parameters).await?;
    let token = text(&answer, "access_token")?;

    chapter("5. What the token says: Casey is the subject, Erin acts, and plugins added the rest");
    show_token(&token)?;

    chapter("6. The subject token cannot be used again");
    client.form_refused("/oidc/token", &parameters).await?;

    chapter("Next");
    let folder = app.config.plugins.dir.display();
    print_line(&format!(
        "    Edit {folder}/impersonation.js while a server runs (claimsmith serve), then run this demo again:"
    ));
    print_line("    the next token changes, without a restart. New plugins are new files in that folder.");
    Ok(())
}
