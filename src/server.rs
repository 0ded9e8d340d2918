//! A server from its configuration to its listeners: migrate, set an empty database up, load the plugins, listen.

use crate::app::App;
use crate::bootstrap::{self, BootstrapReport};
use crate::clock::Clock;
use crate::config::Config;
use crate::deployments::{self, Seen};
use crate::egress::Egress;
use crate::lifecycle::Tasks;
use crate::plugins::{CompilerOptions, PluginHttp, Plugins, PluginsOptions};
use crate::storage::{self, Db};
use crate::{http, plugin_log, sweep, telemetry};
use anyhow::Context;
use axum::Router;
use axum::routing::get;
use claimsmith_runtime::{Limits, MAX_LIMITS};
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A server that listens.
pub struct Server {
    /// Its parts. The write queue ends, and [`Tasks::drain`] with it, when the last clone is dropped.
    pub app: App,
    /// The address it took.
    pub listen: SocketAddr,
    /// What was made at this start, if anything.
    pub report: Option<BootstrapReport>,
}

impl Server {
    /// Starts a server whose work runs as `tasks`; with `metrics`, a second listener serves them.
    pub async fn start(
        config: Config,
        clock: Clock,
        tasks: &Tasks,
        metrics: Option<PrometheusHandle>,
    ) -> anyhow::Result<Self> {
        let (app, report) = open(config, clock, tasks).await?;
        let listener = bind(app.config.server.listen).await?;
        let listen = listener.local_addr()?;
        bootstrap::update_listen(&app.config, listen)?;
        if let Some(metrics) = metrics {
            let listener = bind(app.config.server.metrics_listen).await?;
            tracing::info!(address = %listener.local_addr()?, "metrics");
            tasks.spawn("metrics upkeep", telemetry::keep_metrics(metrics.clone(), tasks.stopping()));
            let page = Router::new().route("/metrics", get(async move || metrics.render()));
            tasks.spawn("metrics", serve(listener, page, tasks.stopping()));
        }
        tasks.spawn("sweep", sweep::run(app.clone(), tasks.stopping()));
        Arc::clone(&app.delivery).start(tasks);
        tasks.spawn("http", serve(listener, http::router(app.clone()), tasks.stopping()));
        Ok(Self { app, listen, report })
    }
}

/// A server's parts without listeners, on a database that is up to date and set up.
pub async fn open(config: Config, clock: Clock, tasks: &Tasks) -> anyhow::Result<(App, Option<BootstrapReport>)> {
    let db = open_database(&config).await?;
    storage::migrate(&db).await.context("migration")?;
    let seal = Arc::new(bootstrap::seal_box(&config).context("encryption key")?);
    let report = bootstrap::run(&db, &seal, &config, clock.now_ms()).await?;
    let (stored, seen) = deployments::read(&mut db.read().await?, &seal, &Seen::default())
        .await
        .context("plugins in the database")?
        .context("the plugins in the database do not come to rest")?;
    let egress = Arc::new(Egress::new(&config.egress));
    let (log, lines) = mpsc::channel(plugin_log::QUEUE);
    tasks.spawn("plugin log", plugin_log::run(db.clone(), clock.clone(), lines, tasks.stopping()));
    let options = PluginsOptions { log: Some(log), ..plugin_options(&config, egress) };
    let plugins = Plugins::start(options, stored).await.context("plugins")?;
    let open = match config.webhooks.allow_private_targets {
        Some(open) => open,
        None => bootstrap::has_demo(&mut db.read().await?).await?,
    };
    let webhook_egress = Arc::new(if open { Egress::unguarded() } else { Egress::new(&config.egress) });
    Ok((App::new(config, clock, db, seal, (plugins, seen), webhook_egress, tasks), report))
}

/// Opens the configured database.
pub async fn open_database(config: &Config) -> anyhow::Result<Db> {
    let url = &config.database.url;
    let db = Db::connect(url.expose(), config.database.max_connections).await;
    db.with_context(|| format!("cannot open the database {url}"))
}

fn plugin_options(config: &Config, egress: Arc<Egress>) -> PluginsOptions {
    let settings = &config.plugins;
    PluginsOptions {
        folder: settings.dir.clone(),
        cache_dir: Some(settings.cache_dir.clone()),
        concurrency: settings.concurrency,
        queue: settings.queue,
        limits: Limits {
            deadline: settings.deadline,
            memory: settings.memory,
            output: settings.output,
            ..Limits::default()
        },
        max_limits: MAX_LIMITS,
        budget: settings.budget,
        claims_size: settings.claims_size,
        poll: settings.poll,
        max_source: settings.max_source,
        compiler: CompilerOptions {
            program: settings.compiler.clone().unwrap_or_else(CompilerOptions::own_program),
            memory: settings.compile_memory,
            timeout: settings.compile_timeout,
            queue: settings.compile_queue,
        },
        http: Some(Arc::new(PluginHttp::new(egress))),
        log: None,
    }
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

/// Answers requests until told to stop; those under way are finished.
async fn serve(listener: TcpListener, router: Router, stopping: CancellationToken) {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let served = axum::serve(listener, service).with_graceful_shutdown(stopping.cancelled_owned()).await;
    if let Err(error) = served {
        tracing::error!(%error, "the listener failed");
    }
}
