//! The plugins of a running server: plugins of the folder and of the database, their active versions, and their calls
//! for tokens, webhook deliveries and messages to users.
//!
//! This module does not depend on storage, HTTP or configuration: callers read the context first, call plugins, and
//! write afterwards.
//!
//! Life of a version: the folder is scanned (`folder`), changed plugins are compiled in a child process (`compile`,
//! `compilations`) and tried (`admission`), and one atomic swap (`publication`, `registry`) activates all that worked
//! and increments the generation. An issuance (`claims`) and a delivery (`transforms`) use one snapshot of the registry
//! for all their plugins; a message (`messages`) has one plugin, which its connector names. An upload is compiled and
//! tested by `compile` before it is stored.
//!
//! At the server's start (`starting`), what is in the cache is loaded first; the rest is compiled beside each other, what is
//! mandatory first. The server is ready once every mandatory plugin has loaded or was refused. Until then, a token that
//! any plugin applies to is refused for the moment (503), and no delivery is begun: nothing goes without a plugin because
//! the server has just started. A claims plugin with `on_error = "skip"` that is still missing then is skipped.
//!
//! A version that keeps failing is not called for a while (`breaker`): each call is decided by `turn`, which may let the
//! previous version answer (`standby`).
//!
//! A version in a rollout stands beside the active one (`rollouts`): it answers a share of the calls, or repeats them without
//! an effect.
//!
//! If a plugin does not load:
//! - **An older version is active.** It stays active with its settings, and the error is listed.
//! - **It is new, and the server is running.** It is listed with its error and is not called until it loads: tokens are
//!   issued as before, so a half-written file fails no request.
//! - **The server is starting.** There is no older version, and a token must never be issued silently without a
//!   mandatory plugin. So the tokens that the plugin applies to are refused until it loads, is disabled or is removed,
//!   unless its manifest says `on_error = "skip"`. An unreadable manifest counts as the default one. Plugins are never
//!   called for tokens of the Management API, so the operator is not locked out. Deliveries that a webhook transform
//!   applies to wait, or are handled as its `on_error` says. If neither settings nor source show which kind of plugin
//!   it is, both rules apply.

mod admission;
mod affinity;
pub(crate) mod breaker;
mod byte_queue;
mod claims;
mod compilations;
pub mod compile;
mod counted;
mod folder;
mod hidden;
mod http;
mod ids;
mod leaks;
mod loader;
mod log;
mod log_budget;
mod merging;
mod messages;
mod metrics;
mod observed;
mod options;
mod outgoing;
mod plugin_state;
pub mod population;
mod preview;
mod publication;
mod recent_calls;
mod recipients;
pub(crate) mod recordings;
mod registry;
mod rollouts;
mod stamp;
mod standby;
mod starting;
mod statistics;
mod status;
mod step;
mod stored;
mod tape;
mod transforms;
mod trial;
pub mod trust;
mod turn;
mod watcher;

pub use claims::{Claims, ClaimsRefusal, PluginIssuance, Run};
pub use claimsmith_domain::documents::plugin::{Origin, State, Statistics, StatusLimits};
pub use claimsmith_runtime::{MessageRequest, TokenKind, below};
pub use compile::{Compiler, CompilerOptions};
pub use folder::FolderFiles;
pub use http::PluginHttp;
pub use log::PluginLine;
pub use messages::ComposeFailure;
pub use options::{PluginsOptions, PluginsStartError};
pub use outgoing::Message;
pub use preview::{ClaimsPreview, Skipped};
pub use recent_calls::{FailedCall, VersionCalls};
pub use recordings::RecordingOptions;
pub use rollouts::{
    ClaimResults, DifferenceSample, JudgedRollout, MAX_SAMPLES, RolloutPlan, RolloutResults, RolloutVerdict,
    SHADOW_LOG_SUFFIX, SideResults, TakenRollout, judge,
};
pub(crate) use standby::{PreviousVersion, WantedStandby};
pub use status::PluginStatus;
pub use step::{Effect, Step};
pub use stored::{ActiveVersion, StoredChange, StoredPlugin};
pub use transforms::{Action, Transform, TransformFailure, Transformed};
pub(crate) use trial::LoadedTrial;
pub use trial::{Trial, TrialError, TrialOutcome};

use admission::Admission;
use breaker::Breakers;
use claims::{CallBudget, CallObserver};
use claimsmith_runtime::{HostOptions, Kind, Limits};
use loader::{Loader, Retries};
use observed::Observers;
use recordings::Recorder;
use registry::{Registry, RegistryEntry, Stage};
use rollouts::Rollouts;
use standby::Standbys;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use std::{fs, io, mem};
use tokio::sync::{Notify, watch};
use trial::MeteredHost;
use trust::PluginTrust;
use turn::Guard;
use watcher::Watcher;

/// The plugins of a server. Cheap to clone; the folder is watched until the last clone is dropped.
#[derive(Clone)]
pub struct Plugins(Arc<Inner>);

struct Inner {
    registry: Arc<Registry>,
    rules: CallBudget,
    /// Loads previous versions.
    admission: Admission,
    compiler: Compiler,
    trials: MeteredHost,
    /// The options of the host for test calls.
    metered: HostOptions,
    /// The default limits of a call, and the highest ones that settings may set.
    limits: (Limits, Limits),
    /// The plugin folder, and how large a file of it may be.
    folder: (PathBuf, usize),
    watcher: Watcher,
    /// Notified when a plugin of the store is compiled.
    store_compiled: Arc<Notify>,
    store_retries: Retries,
    /// Told when the store has changed.
    store_changes: watch::Sender<()>,
    trust: PluginTrust,
}

impl Plugins {
    /// Starts the engine and loads all plugins of the store and the folder: for commands and tests. A server does not wait
    /// ([`Self::begin`]).
    pub async fn start(options: PluginsOptions, store: Vec<StoredPlugin>) -> Result<Self, PluginsStartError> {
        let plugins = Self::begin(options).await?;
        plugins.deliver(store).await;
        plugins.settled().await;
        Ok(plugins)
    }

    /// Starts the engine and watches the folder. The plugins are loaded when those of the store are delivered for the first
    /// time ([`Self::deliver`]); until then it is not known which tokens wait for them, so all do.
    pub async fn begin(options: PluginsOptions) -> Result<Self, PluginsStartError> {
        metrics::describe();
        check_folder(&options.folder)?;
        let host = options.start_host().await?;
        let shadows = HostOptions { concurrency: 1, queue: 4, parallel_compilation: false, ..options.host_options() };
        let rollouts = Arc::new(Rollouts::start(shadows));
        let rules = CallBudget {
            budget: options.budget,
            claims_size: options.claims_size,
            http: options.http.clone(),
            log: options.log.clone(),
            guard: Guard { breakers: Breakers::new(options.clock.clone()), standbys: Standbys::default() },
            observers: Observers::default(),
            rollouts: Arc::clone(&rollouts),
        };
        let compiler = Compiler::for_host(&options, host.clone());
        let metered = HostOptions { metered: true, concurrency: 2, queue: 16, ..options.host_options() };
        let limits = (options.limits, options.bounds());
        let folder = (options.folder.clone(), options.max_source);
        let registry = Arc::new(Registry::default());
        let admission = Admission::new(host.clone(), &options, Arc::clone(rollouts.tally()));
        let counted = (Arc::clone(&registry), Arc::clone(rollouts.tally()));
        let loader = Loader::new((host, compiler.clone()), counted, &options);
        // Watching begins before the first scan, so that no change falls between the two.
        let watch = watcher::Watch::new(options.folder.clone());
        let (store_compiled, store_retries) = (loader.compiled(Origin::Store), loader.store_retries());
        let watcher = Watcher::start(loader, watch, options.poll);
        Ok(Self(Arc::new(Inner {
            registry,
            rules,
            admission,
            compiler,
            trials: MeteredHost::default(),
            metered,
            limits,
            folder,
            watcher,
            store_compiled,
            store_retries,
            store_changes: watch::Sender::new(()),
            trust: options.trust,
        })))
    }

    /// Whether any plugin applies to such a token, or may. If none does, the caller need not build a context.
    #[must_use]
    pub fn applies(&self, kind: TokenKind, grant_type: &str, application: &str, resource: Option<&str>) -> bool {
        let snapshot = self.0.registry.snapshot();
        let applies = |entry: &RegistryEntry| entry.applies_to_token(kind, grant_type, application, resource);
        snapshot.withholds(applies) || snapshot.entries.iter().any(|entry| applies(entry))
    }

    /// The recent usual duration of all plugins that apply to such a token, in total.
    #[must_use]
    pub fn usual_duration(
        &self,
        kind: TokenKind,
        grant_type: &str,
        application: &str,
        resource: Option<&str>,
    ) -> Duration {
        let snapshot = self.0.registry.snapshot();
        let applying =
            snapshot.entries.iter().filter(|entry| entry.applies_to_token(kind, grant_type, application, resource));
        applying.map(|entry| entry.statistics.usual_duration()).sum()
    }

    /// Calls every plugin that applies, in order, and merges their claims; a later one wins.
    pub async fn claims(&self, issuance: &PluginIssuance<'_>) -> Result<Claims, ClaimsRefusal> {
        claims::collect(&self.0.registry.snapshot(), &self.0.rules, issuance, CallObserver::Server).await
    }

    /// Whether any transform applies to such a delivery.
    #[must_use]
    pub fn transforms(&self, event: &str, hook_id: &str, hook_name: &str) -> bool {
        let snapshot = self.0.registry.snapshot();
        snapshot.entries.iter().any(|entry| transforms::applies(entry, event, hook_id, hook_name))
    }

    /// Calls every transform that applies to a delivery, in order, within the time budget, which does not include the
    /// time in the queue.
    pub async fn transform(&self, delivery: &Transform<'_>) -> Result<Transformed, TransformFailure> {
        transforms::run_all(&self.0.registry.snapshot(), &self.0.rules, delivery).await
    }

    /// Has the plugin of this name compose the request that sends a message.
    pub async fn compose(&self, plugin: &str, message: &Message<'_>) -> Result<MessageRequest, ComposeFailure> {
        messages::compose(&self.0.registry.snapshot(), &self.0.rules, plugin, message).await
    }

    /// All known plugins, in the order in which they run.
    #[must_use]
    pub fn list(&self) -> Vec<PluginStatus> {
        let snapshot = self.0.registry.snapshot();
        let counted = snapshot.statuses.iter().zip(&snapshot.counters);
        let guard = &self.0.rules.guard;
        let told = counted.map(|(status, counters)| {
            let breaker = guard.breakers.status(&status.name, status.digest.as_deref());
            let entry = snapshot.entries.iter().find(|entry| entry.name == status.name);
            let breaker = match entry {
                Some(entry) => guard.standbys.tell(entry, breaker),
                None => breaker,
            };
            PluginStatus { statistics: counters.read(), breaker, ..status.clone() }
        });
        told.collect()
    }

    /// One of them, without its statistics and its breaker.
    pub(crate) fn find(&self, name: &str) -> Option<PluginStatus> {
        let snapshot = self.0.registry.snapshot();
        snapshot.statuses.iter().find(|status| *status.name == *name).cloned()
    }

    /// The circuit breakers.
    pub(crate) fn breakers(&self) -> &Breakers {
        &self.0.rules.guard.breakers
    }

    /// The maximum number of transforms of one delivery.
    #[must_use]
    pub fn count_transforms(&self) -> u32 {
        let snapshot = self.0.registry.snapshot();
        let transforms = snapshot.entries.iter().filter(|entry| entry.may_be(Kind::WebhookTransform));
        u32::try_from(transforms.count()).unwrap_or(u32::MAX)
    }

    /// Loads the plugins of the store in one atomic swap, and returns when they are active; at the start, when it is known
    /// which there are. Returns the names of plugins that failed for a temporary reason: the caller must deliver them
    /// again.
    pub async fn deliver(&self, store: Vec<StoredPlugin>) -> Vec<String> {
        let entries = store.into_iter().map(Into::into).collect();
        self.0.watcher.deliver(entries).await
    }

    /// Waits until a plugin of the store is compiled that was not when it was delivered. It becomes active once it is
    /// delivered again, so that its follower need not wait for the next poll.
    pub async fn store_compiled(&self) {
        self.0.store_compiled.notified().await;
    }

    /// Takes the names of plugins of the store that failed for a temporary reason after they were delivered: they, too, must
    /// be delivered again.
    #[must_use]
    pub fn take_store_retries(&self) -> Vec<String> {
        mem::take(&mut *self.0.store_retries.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells those who wait for it that the store has changed.
    pub(crate) fn store_changed(&self) {
        self.0.store_changes.send_replace(());
    }

    /// For those who follow what is changed together with plugins: they need not ask the database all the time.
    #[must_use]
    pub fn store_changes(&self) -> watch::Receiver<()> {
        self.0.store_changes.subscribe()
    }

    /// The recordings of this node.
    pub(crate) fn recorder(&self) -> &Recorder {
        &self.0.rules.observers.recorder
    }

    /// Why calls of this plugin are not recorded, or the members that its settings let a recording keep. `None` if this
    /// node serves no such plugin.
    #[must_use]
    pub fn recordable(&self, name: &str) -> Option<Result<Vec<String>, &'static str>> {
        let snapshot = self.0.registry.snapshot();
        let entry = snapshot.entries.iter().find(|entry| *entry.name == *name)?;
        Some(match entry.kind {
            Some(Kind::Message) => {
                Err("it composes messages: calls of claims plugins and webhook transforms are recorded")
            }
            _ if entry.version.is_none() => Err("no version of it is active"),
            _ => Ok(entry.manifest.recording.keep.clone()),
        })
    }

    /// The compiler of uploads, for this server's engine and cache.
    #[must_use]
    pub fn compiler(&self) -> &Compiler {
        &self.0.compiler
    }

    /// Who may sign plugins.
    #[must_use]
    pub fn trust(&self) -> &PluginTrust {
        &self.0.trust
    }

    /// Whether every mandatory plugin has loaded or was refused since the start, and the folder is still being watched.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.0.watcher.is_running() && self.0.registry.snapshot().stage >= Stage::Ready
    }

    /// How many mandatory plugins have neither loaded nor been refused since the start; `None` as long as it is not known
    /// which there are.
    #[must_use]
    pub fn count_missing(&self) -> Option<usize> {
        let snapshot = self.0.registry.snapshot();
        let missing = snapshot.entries.iter().filter(|entry| entry.loading && entry.is_mandatory());
        (snapshot.stage != Stage::Unknown).then(|| missing.count())
    }

    /// Waits until every mandatory plugin has loaded or was refused.
    pub async fn until_ready(&self) {
        self.0.registry.until(Stage::Ready).await;
    }

    /// Waits until every plugin has loaded or was refused.
    pub async fn settled(&self) {
        self.0.registry.until(Stage::Settled).await;
    }
}

/// Where it is not known which plugins are mandatory, nothing starts.
fn check_folder(folder: &Path) -> Result<(), PluginsStartError> {
    match fs::read_dir(folder) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(PluginsStartError::Folder { folder: folder.to_owned(), source })
        }
        _ => Ok(()),
    }
}
