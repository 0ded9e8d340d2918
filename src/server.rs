//! Starts a server: takes its address, runs migrations, sets an empty database up, and listens. The plugins are loaded
//! meanwhile and afterwards.

use crate::default_plugins;
use crate::http;
use crate::http::host::{self, Hosts};
use crate::serving::{self, ConnectionLimits};
use anyhow::Context;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use claimsmith_config::telemetry;
use claimsmith_config::{Config, TrustConfig};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::disposable_domains::DisposableDomains;
use claimsmith_domain::plugin_signature::TrustMode;
use claimsmith_domain::random::Random;
use claimsmith_identity::bootstrap::{self, BootstrapReport};
use claimsmith_identity::{backchannel_logout, heartbeat, population_runs, retention, rollouts};
use claimsmith_runtime::{Limits, MAX_LIMITS, check_cache, is_disk_full};
use claimsmith_services::app::App;
use claimsmith_services::deployments;
use claimsmith_services::egress::Egress;
use claimsmith_services::encryption::Cipher;
use claimsmith_services::passwords::Passwords;
use claimsmith_services::passwords::breached::BreachedPasswords;
use claimsmith_services::plugins::trust::PluginTrust;
use claimsmith_services::plugins::{CompilerOptions, PluginHttp, Plugins, PluginsOptions};
use claimsmith_services::supervisor::Tasks;
use claimsmith_storage::{self as storage, Db};
use metrics_exporter_prometheus::PrometheusHandle;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// Connections that wait to be accepted, as of tokio and std.
const BACKLOG: u32 = 1024;

/// Maximum open connections to the metrics listener.
const MAX_METRICS_CONNECTIONS: usize = 32;

/// A running server.
pub struct Server {
    /// The shared parts. The write queue ends, and [`Tasks::drain`] with it, when the last clone is dropped.
    pub app: App,
    /// The address that it listens on.
    pub listen: SocketAddr,
    /// What was created at this start, if anything.
    pub report: Option<BootstrapReport>,
}

impl Server {
    /// Starts a server whose background work runs as `tasks`; with `metrics`, a second listener serves them. It answers as
    /// soon as the database is there; its plugins are loaded meanwhile (see [`Self::loaded`]).
    pub async fn start(
        config: Config,
        (clock, random): (Clock, Random),
        tasks: &Tasks,
        metrics: Option<PrometheusHandle>,
    ) -> anyhow::Result<Self> {
        tracing::debug!(listen = %config.server.listen, "starting");
        // An address that is in use is said before anything is written.
        let socket = reserve(config.server.listen)?;
        let metrics = match metrics {
            Some(metrics) => Some((reserve(config.server.metrics_listen)?, metrics)),
            None => None,
        };
        let (app, report) = open(config, (clock, random), tasks).await?;
        let server = Self::listen((app, socket), report, tasks, metrics).await?;
        // Not of a server for a command: those of its database belong to the server beside it.
        tasks.spawn("population runs", population_runs::run(server.app.clone(), tasks.stopping()));
        bootstrap::update_addresses(&server.app.config, server.listen)?;
        Ok(server)
    }

    /// Waits until all plugins have loaded or were refused.
    ///
    /// # Errors
    /// The plugins in the database cannot be read.
    pub async fn loaded(&self) -> anyhow::Result<()> {
        loaded(&self.app).await
    }

    /// Serves the data of another server for a moment, without changing what is built in.
    pub async fn start_for_command(
        config: Config,
        (clock, random): (Clock, Random),
        tasks: &Tasks,
    ) -> anyhow::Result<Self> {
        let app = open_for_command(config, (clock, random), tasks).await?;
        let has_demo = bootstrap::has_demo(&mut app.db.read().await?).await?;
        bootstrap::refuse_public_demo(has_demo, &app.config)?;
        let socket = reserve(app.config.server.listen)?;
        Self::listen((app, socket), None, tasks, None).await
    }

    async fn listen(
        (app, socket): (App, Reserved),
        report: Option<BootstrapReport>,
        tasks: &Tasks,
        metrics: Option<(Reserved, PrometheusHandle)>,
    ) -> anyhow::Result<Self> {
        let listener = socket.listen()?;
        let listen = listener.local_addr()?;
        let has_demo = bootstrap::has_demo(&mut app.db.read().await?).await?;
        let settings = &app.config.server;
        let hosts = Hosts::of(settings.base_url.as_str(), has_demo);
        if let Some((socket, metrics)) = metrics {
            let listener = socket.listen()?;
            tracing::info!(address = %listener.local_addr()?, "metrics");
            tasks.spawn("metrics upkeep", telemetry::keep_metrics(metrics.clone(), tasks.stopping()));
            let page = Router::new()
                .route("/metrics", get(async move || metrics.render()))
                .layer(from_fn_with_state(hosts.clone(), host::check));
            let limits = ConnectionLimits::with(settings, MAX_METRICS_CONNECTIONS, MAX_METRICS_CONNECTIONS);
            tasks.spawn("metrics", serving::serve(listener, page, limits, tasks.stopping()));
        }
        tasks.spawn("heartbeat", heartbeat::run(app.clone(), tasks.stopping()));
        tasks.spawn("retention", retention::run(app.clone(), tasks.stopping()));
        tasks.spawn("rollouts", rollouts::run(app.clone(), tasks.stopping()));
        backchannel_logout::start(&app, tasks);
        tasks.spawn("start of deliveries", start_deliveries(app.clone(), tasks.clone()));
        let (router, limits) = (http::router(app.clone(), hosts), ConnectionLimits::of(settings));
        tasks.spawn("http", serving::serve(listener, router, limits, tasks.stopping()));
        Ok(Self { app, listen, report })
    }
}

/// Opens a server without listeners, on a migrated and initialized database.
pub async fn open(
    config: Config,
    (clock, random): (Clock, Random),
    tasks: &Tasks,
) -> anyhow::Result<(App, Option<BootstrapReport>)> {
    // Errors in the operator's files are reported before anything is written.
    let chosen = chosen(&config).await?;
    let db = open_database(&config).await?;
    storage::migrate(&db).await.context("migration")?;
    let cipher = Arc::new(bootstrap::cipher(&config).context("encryption key")?);
    // Only for an embedded database: all nodes of a PostgreSQL need the same plugins. Before the database is set up, so that
    // a start that was killed in between is made up for by the next one.
    if config.database.url.is_embedded() && !bootstrap::is_set_up(&mut db.read().await?).await? {
        default_plugins::write_if_absent(&config.plugins.dir);
    }
    let report = bootstrap::run(&db, &cipher, &config, clock.now_ms()).await?;
    Ok((assemble(config, (clock, random), (db, cipher), chosen, tasks).await?, report))
}

/// Opens a server without listeners for a command, on a database that a server has set up. The command's configuration
/// follows that server's, and nothing that is built in is changed.
pub async fn open_for_command(
    mut config: Config,
    (clock, random): (Clock, Random),
    tasks: &Tasks,
) -> anyhow::Result<App> {
    let chosen = chosen(&config).await?;
    let db = open_served_database(&mut config).await?;
    if !bootstrap::is_set_up(&mut db.read().await?).await? {
        return Err(bootstrap::Error::NotSetUp.into());
    }
    let cipher = Arc::new(bootstrap::cipher(&config).context("encryption key")?);
    let app = assemble(config, (clock, random), (db, cipher), chosen, tasks).await?;
    loaded(&app).await?;
    Ok(app)
}

async fn loaded(app: &App) -> anyhow::Result<()> {
    app.deployments.catch_up().await.context("plugins in the database")?;
    app.plugins.settled().await;
    Ok(())
}

/// Deliveries and messages begin when the server is ready: none is sent without its plugin because the server has just
/// started, and none fails for it.
async fn start_deliveries(app: App, tasks: Tasks) {
    if tasks.stopping().run_until_cancelled(app.plugins.until_ready()).await.is_some() {
        Arc::clone(&app.delivery).start(&tasks);
        app.messages.start(&tasks);
    }
}

/// Opens and migrates the database for a command, whose configuration follows that of the database's server.
///
/// # Errors
/// Also a [`claimsmith_config::ConfigError`] if the configuration names another server.
pub async fn open_served_database(config: &mut Config) -> anyhow::Result<Db> {
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    match bootstrap::served::follow(&db, config).await {
        Ok(()) => Ok(db),
        Err(bootstrap::Error::OtherServer(refused)) => Err(refused.into()),
        Err(error) => Err(error.into()),
    }
}

/// What the operator's files say.
type Chosen = (Passwords, DisposableDomains);

async fn chosen(config: &Config) -> anyhow::Result<Chosen> {
    Ok((passwords(config).await?, disposable_domains(config)?))
}

async fn assemble(
    config: Config,
    (clock, random): (Clock, Random),
    (db, cipher): (Db, Arc<Cipher>),
    chosen: Chosen,
    tasks: &Tasks,
) -> anyhow::Result<App> {
    let egress = Arc::new(Egress::new(&config.egress));
    let (log, lines) = mpsc::channel(deployments::log::QUEUE_CAPACITY);
    tasks.spawn("plugin log", deployments::log::run(db.clone(), clock.clone(), lines, tasks.stopping()));
    let cache_dir = cache_folder(&config.plugins.cache_dir, tasks);
    let trust = plugin_trust(&config, clock.clone());
    let base = plugin_options(&config, Arc::clone(&egress), (trust, clock.clone()));
    let options = PluginsOptions { log: Some(log), cache_dir, ..base };
    let plugins = Plugins::begin(options).await.context("plugins")?;
    let open = match config.webhooks.allow_private_targets {
        Some(open) => open,
        None => bootstrap::has_demo(&mut db.read().await?).await?,
    };
    let webhook_egress = Arc::new(if open { Egress::unguarded() } else { Egress::new(&config.egress) });
    let egress = (egress, webhook_egress);
    Ok(App::new(config, (clock, random), (db, cipher), chosen, plugins, egress, tasks))
}

/// Opens the configured database.
pub async fn open_database(config: &Config) -> anyhow::Result<Db> {
    let url = &config.database.url;
    let db = Db::connect(url.expose(), config.database.max_connections).await;
    db.with_context(|| format!("cannot open the database {url}"))
}

/// The password hasher, which refuses breached passwords if the operator has a list of them.
async fn passwords(config: &Config) -> anyhow::Result<Passwords> {
    let passwords = Passwords::new(config.passwords.digest);
    let Some(path) = config.passwords.breached_file.clone() else { return Ok(passwords) };
    let name = path.display().to_string();
    // Reads gigabytes, and computes their checksum.
    let loaded = spawn_blocking(move || BreachedPasswords::load(&path)).await?;
    let breached = loaded.with_context(|| format!("the breached passwords (passwords.breached_file), {name}"))?;
    tracing::info!(passwords = breached.summary().entries, "breached passwords are refused");
    Ok(passwords.with_breached(breached))
}

/// Reads the operator's list of disposable email domains, if there is one.
fn disposable_domains(config: &Config) -> anyhow::Result<DisposableDomains> {
    let Some(path) = &config.emails.disposable_domains_file else { return Ok(DisposableDomains::default()) };
    let name = || format!("the disposable domains (emails.disposable_domains_file), {}", path.display());
    let text = std::fs::read_to_string(path).with_context(name)?;
    let domains = DisposableDomains::parse(&text)
        .map_err(|line| anyhow::anyhow!("line {line} is no domain"))
        .with_context(name)?;
    tracing::info!(domains = domains.len(), "addresses of disposable domains can be refused");
    Ok(domains)
}

fn plugin_options(config: &Config, egress: Arc<Egress>, (trust, clock): (PluginTrust, Clock)) -> PluginsOptions {
    let settings = &config.plugins;
    PluginsOptions {
        folder: settings.dir.clone(),
        cache_dir: None,
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
        trust,
        clock,
    }
}

/// Who may sign plugins.
pub(crate) fn plugin_trust(config: &Config, clock: Clock) -> PluginTrust {
    let TrustConfig { mode, folder, upload, keys } = &config.plugins.trust;
    let modes = (folder.unwrap_or(*mode), upload.unwrap_or(*mode));
    if keys.is_empty() && (modes.0 == TrustMode::Require || modes.1 == TrustMode::Require) {
        tracing::warn!("plugins must be signed (plugins.trust), and no key is trusted: none of those is loaded");
    }
    PluginTrust::new(keys.clone(), modes, clock)
}

/// The folder of compiled plugins: a temporary one where the configured one cannot be written, since they can be compiled
/// again at any time. None if there is no room for that either.
fn cache_folder(configured: &Path, tasks: &Tasks) -> Option<PathBuf> {
    let error = match check_cache(configured) {
        Err(error) if !is_disk_full(&error) => error,
        _ => return Some(configured.to_owned()),
    };
    let shown = configured.display();
    let Ok(folder) = TempDir::new().and_then(|folder| check_cache(folder.path()).map(|()| folder)) else {
        tracing::warn!(
            "the cache folder {shown} (plugins.cache_dir) cannot be written: {error}; nothing that is compiled is kept, \
             and uploads are refused"
        );
        return None;
    };
    tracing::warn!(
        "the cache folder {shown} (plugins.cache_dir) cannot be written: {error}; compiled plugins are kept in a \
         temporary folder until the server ends"
    );
    let (path, stopping) = (folder.path().to_owned(), tasks.stopping());
    tasks.spawn("temporary cache", async move {
        stopping.cancelled().await;
        drop(folder);
    });
    Some(path)
}

/// An address that is this process's, but does not answer yet: until the database is there, connections are refused, and do
/// not wait.
struct Reserved {
    address: SocketAddr,
    socket: TcpSocket,
}

fn reserve(address: SocketAddr) -> anyhow::Result<Reserved> {
    let reserved = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // As for any listener of tokio: connections of a process that has ended do not keep the address.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok::<_, io::Error>(socket)
    };
    let socket = reserved().with_context(|| format!("cannot listen on {address}"))?;
    Ok(Reserved { address, socket })
}

impl Reserved {
    fn listen(self) -> anyhow::Result<TcpListener> {
        let Self { address, socket } = self;
        socket.listen(BACKLOG).with_context(|| format!("cannot listen on {address}"))
    }
}
