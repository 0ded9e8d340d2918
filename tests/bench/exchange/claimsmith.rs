//! Claimsmith in the benchmark: the release binary on a new database with demo data.

use crate::load::{self, Requests};
use crate::patches::{Patches, management_token};
use crate::process::Running;
use crate::{Args, Plugin, Server};
use anyhow::{Context, Result};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_domain::random;
use claimsmith_identity::bootstrap::report::{self, BootstrapReport};
use claimsmith_services::tokens;
use claimsmith_storage::issuing::subject_tokens::{self, SubjectToken};
use claimsmith_storage::{Db, Dialect};
use data_encoding::BASE64;
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time that a server gets to start.
const START: Duration = Duration::from_secs(60);
/// Lifetime of the subject tokens, longer than any measurement.
const LIFETIME_MS: i64 = 3_600_000;

/// The smallest component of its world, and what it does here instead of answering always the same: the subject
/// token's context, which is 24 bytes into the request, becomes the claims.
const COMPONENT: &str = include_str!("../../../sdk/runtime/tests/guests/claims.wat");
const BODY: &str = "(i32.const 64) ;; body";
const COPY_CONTEXT: &str = "(i32.store (i32.const 68) (i32.load offset=24 (local.get 0)))
    (i32.store (i32.const 72) (i32.load offset=28 (local.get 0)))
    (i32.const 64)";
const JAVASCRIPT: &str = "export const getCustomJwtClaims = async ({ context }) => {
  const { ticketId, reason } = context.grant?.subjectTokenContext ?? {};
  return { ticketId, reason };
};
";

/// A running server of ours.
pub(crate) struct Claimsmith {
    process: Running,
    /// The parameters that name the actor; empty without one.
    actor: String,
    /// Whether a machine's own tokens are measured instead of exchanges.
    asks_for_tokens: bool,
    report: BootstrapReport,
    address: SocketAddr,
    db: Db,
    _folder: TempDir,
}

impl Claimsmith {
    /// Starts one, and waits until it serves.
    pub(crate) async fn start(args: &Args, algorithm: &str, core: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let plugins = folder.path().join("plugins");
        std::fs::create_dir(&plugins)?;
        match args.plugin {
            Plugin::None => {}
            Plugin::Wasm => {
                std::fs::write(plugins.join("claims.wasm"), wat::parse_str(COMPONENT.replace(BODY, COPY_CONTEXT))?)?;
            }
            Plugin::Javascript => std::fs::write(plugins.join("claims.js"), JAVASCRIPT)?,
        }
        let database = match &args.database {
            Some(url) => new_postgres_database(url).await?,
            None => format!("sqlite://{}", folder.path().join("claimsmith.db").display()),
        };
        let key = BASE64.encode(&random::bytes::<32>()?);
        let command = || {
            let mut command = Command::new(&args.binary);
            command.args(["--demo", "--listen", "127.0.0.1:0", "--signing-algorithm", algorithm]);
            command.arg("--data-dir").arg(folder.path()).arg("--plugins-dir").arg(&plugins);
            command.env("CLAIMSMITH_DATABASE_URL", &database).env("CLAIMSMITH_ENCRYPTION_KEY", &key);
            command.current_dir(folder.path()).env("CLAIMSMITH_LOG_FILTER", "warn");
            command
        };
        let mut process = Running::start(core, &command())?;
        let (report, address) = ready(&mut process, folder.path()).await?;
        let actor = if args.actor { actor_parameters(command(), &report)? } else { String::new() };
        let db = Db::connect(&database, 2).await?;
        Ok(Self { process, actor, asks_for_tokens: args.token, report, address, db, _folder: folder })
    }
}

/// Records of one transaction.
const BATCH: i64 = 250_000;

impl Claimsmith {
    /// Changes another application so many times a second.
    pub(crate) async fn patches(&self, per_second: f64) -> Result<Patches> {
        Patches::start(self.address, &self.report, per_second).await
    }

    /// Requests for subject tokens over the Management API, whose answers are kept.
    pub(crate) async fn creations(&self, count: usize) -> Result<Requests> {
        let demo = self.report.demo.as_ref().context("no demo data")?;
        let token = management_token(&reqwest::Client::new(), self.address, &self.report).await?;
        let context = json!({ "ticketId": "T-1", "reason": "help", "supportEngineerId": demo.engineer_user_id });
        Ok(Requests {
            address: self.address,
            path: "/api/subject-tokens",
            authorization: format!("Bearer {token}"),
            content_type: "application/json",
            form: json!({ "userId": demo.customer_user_id, "context": context }).to_string(),
            subject_tokens: vec![String::new(); count],
            success: "201",
            keeps_answers: true,
        })
    }

    /// Requests for a machine's own tokens (client credentials).
    pub(crate) fn tokens(&self, count: usize) -> Result<Requests> {
        let api = self.report.management_api.as_ref().context("no Management API")?;
        let credentials = BASE64.encode(format!("{}:{}", api.client_id, api.client_secret).as_bytes());
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", GrantType::ClientCredentials.as_str())
            .append_pair("resource", &api.resource)
            .append_pair("scope", "all")
            .finish();
        Ok(self.form_requests(&credentials, form, vec![String::new(); count]))
    }

    /// Exchanges of these subject tokens.
    pub(crate) fn exchanges(&self, subject_tokens: Vec<String>) -> Result<Requests> {
        let demo = self.report.demo.as_ref().context("no demo data")?;
        let credentials = BASE64.encode(format!("{}:{}", demo.web_client_id, demo.web_client_secret).as_bytes());
        let rest = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", GrantType::TokenExchange.as_str())
            .append_pair("subject_token_type", ACCESS_TOKEN_TYPE)
            .append_pair("resource", &demo.resource)
            .append_pair("scope", &demo.scopes[0])
            .append_pair("subject_token", "")
            .finish();
        Ok(self.form_requests(&credentials, format!("{}{rest}", self.actor), subject_tokens))
    }

    /// Requests to the token endpoint.
    fn form_requests(&self, credentials: &str, form: String, subject_tokens: Vec<String>) -> Requests {
        Requests {
            address: self.address,
            path: "/oidc/token",
            authorization: format!("Basic {credentials}"),
            content_type: load::FORM,
            form,
            subject_tokens,
            success: "200",
            keeps_answers: false,
        }
    }

    /// Puts records of this many tokens into the database, spread over its index as those of real tokens are.
    pub(crate) async fn fill(&self, count: i64) -> Result<()> {
        let began = Instant::now();
        let numbers = match self.db.dialect() {
            Dialect::Sqlite => FILL_SQLITE,
            Dialect::Postgres => FILL_POSTGRES,
        };
        for first in (0..count).step_by(usize::try_from(BATCH)?) {
            let mut tx = self.db.begin().await?;
            let last = (first + BATCH).min(count) - 1;
            let statement = tx.sql(numbers).bind(first).bind(last).bind(count).bind(Clock::system().now_ms());
            statement.execute().await?;
            tx.commit().await?;
        }
        if count > 0 {
            eprintln!("{count} records in {:.0} s", began.elapsed().as_secs_f64());
        }
        Ok(())
    }
}

/// In the order of the index, or it would take hours.
const FILL_SQLITE: &str = "WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < $2), \
     a(letters) AS (SELECT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') \
     INSERT INTO issuances (jti, user_id, application_id, resource, scope, exchanged, created_at, expires_at) \
     SELECT SUBSTR(letters, 1 + i * 62 / $3, 1) || SUBSTR(letters, 1 + i * 3844 / $3 % 62, 1) \
     || SUBSTR(letters, 1 + i * 238328 / $3 % 62, 1) || PRINTF('%018d', i), 'user' || PRINTF('%012d', i / 10), \
     'application-of-a-test', 'https://api.example.com', 'resource:read', TRUE, $4, $4 + 86400000 + i FROM n, a";
const FILL_POSTGRES: &str = "INSERT INTO issuances \
     (jti, user_id, application_id, resource, scope, exchanged, created_at, expires_at) \
     SELECT MD5(i::TEXT) || i, 'user' || i / 10, 'application-of-a-test', 'https://api.example.com', 'resource:read', \
     TRUE, $4, $4 + 86400000 + i FROM generate_series($1, $2) AS i WHERE $3 > 0";

impl Server for Claimsmith {
    fn name(&self) -> &'static str {
        "Claimsmith"
    }

    fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Past the Management API: asking for a subject token is measured by itself.
    async fn mint(&mut self, count: usize) -> Result<Requests> {
        self.process.check()?;
        if self.asks_for_tokens {
            return self.tokens(count);
        }
        let demo = self.report.demo.as_ref().context("no demo data")?;
        let now = Clock::system().now_ms();
        let mut subject_tokens = Vec::with_capacity(count);
        let mut tx = self.db.begin().await?;
        for _ in 0..count {
            let token = format!("sub_{}", random::secret(32)?);
            let context = json!({ "ticketId": "T-1", "reason": "help", "supportEngineerId": demo.engineer_user_id });
            let stored = SubjectToken {
                id: random::id_at(now)?.into(),
                hash: tokens::hash(&token),
                user_id: demo.customer_user_id.clone(),
                context: context.into(),
                creator_id: "bench".to_owned(),
                created_at: now,
                expires_at: now + LIFETIME_MS,
                consumed_at: None,
            };
            subject_tokens::insert(&mut tx, &stored).await?;
            subject_tokens.push(token);
        }
        tx.commit().await?;
        self.exchanges(subject_tokens)
    }
}

/// The parameters that show an access token of the demo's engineer, made by `claimsmith tokens mint`.
fn actor_parameters(mut command: Command, report: &BootstrapReport) -> Result<String> {
    let demo = report.demo.as_ref().context("no demo data")?;
    command.args(["tokens", "mint", "--user", &demo.engineer_user_id, "--client", &demo.web_client_id]);
    let output = command.output()?;
    anyhow::ensure!(output.status.success(), "no actor token: {}", String::from_utf8_lossy(&output.stderr));
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("actor_token", String::from_utf8(output.stdout)?.trim());
    form.append_pair("actor_token_type", ACCESS_TOKEN_TYPE);
    Ok(form.finish() + "&")
}

/// Waits for the report of a first start, and until the server says that it is ready.
async fn ready(process: &mut Running, folder: &Path) -> Result<(BootstrapReport, SocketAddr)> {
    let end = Instant::now() + START;
    let http = reqwest::Client::new();
    loop {
        process.check()?;
        let report = report::read(&report::path(folder));
        let address = report.as_ref().and_then(|report| report.listen.parse::<SocketAddr>().ok());
        if let (Some(report), Some(address)) = (report, address.filter(|address| address.port() != 0)) {
            let answer = http.get(format!("http://{address}/api/status")).send().await;
            if answer.is_ok_and(|answer| answer.status() == reqwest::StatusCode::NO_CONTENT) {
                return Ok((report, address));
            }
        }
        anyhow::ensure!(Instant::now() < end, "the server does not start");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Makes the database of the benchmark anew, beside the one that `url` names.
async fn new_postgres_database(url: &str) -> Result<String> {
    let server = Db::connect(url, 1).await?;
    let mut connection = server.read().await?;
    connection.sql("DROP DATABASE IF EXISTS claimsmith_bench WITH (FORCE)").execute().await?;
    connection.sql("CREATE DATABASE claimsmith_bench").execute().await?;
    drop(connection);
    server.close().await;
    let mut url = url::Url::parse(url)?;
    url.set_path("/claimsmith_bench");
    Ok(url.into())
}
