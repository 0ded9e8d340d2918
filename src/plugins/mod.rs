//! The plugins of a running server: what is in the folder, which versions serve, and what they add to a token.
//!
//! Knows no storage, HTTP or configuration: callers gather the context, ask, and write afterwards.
//!
//! Life of a version: the folder is scanned (`folder`), what changed is compiled and tried (`loader`), and one
//! atomic swap (`registry`) puts all that worked into service, generation + 1. An issuance (`claims`) looks at one
//! snapshot from its first plugin to its last and keeps it while it runs.
//!
//! What a plugin that does not load means:
//! - **It served before.** Its old version goes on serving, settings included, and the error is listed.
//! - **It appears while the server runs.** It is listed with its error and takes no part until it loads: what is issued
//!   is what was issued before, so a half-written file fails nobody's request.
//! - **It was there when the server started.** There is no earlier state to keep, and a token without a mandatory
//!   plugin must never be issued silently. So whatever the plugin applies to is refused until it loads, is disabled
//!   or is removed, unless its manifest says `on_error = "skip"`. An unreadable manifest counts as the default one.
//!   Callers never ask plugins about tokens for the Management API, so the operator is not locked out.

mod claims;
mod folder;
mod http;
mod loader;
mod log;
mod metrics;
mod options;
mod registry;
mod stamp;
mod status;
mod watcher;

pub use claims::{Claims, Issuance, Refusal, Run};
pub use claimsmith_runtime::TokenKind;
pub use http::PluginHttp;
pub use options::{PluginsOptions, StartError};
pub use status::{PluginStatus, State};

use claims::Rules;
use loader::Loader;
use registry::Registry;
use std::sync::Arc;
use watcher::Watcher;

/// The plugins of a server. Cheap to clone; the folder is watched until the last clone is dropped.
#[derive(Clone)]
pub struct Plugins(Arc<Inner>);

struct Inner {
    registry: Arc<Registry>,
    rules: Rules,
    watcher: Watcher,
}

impl Plugins {
    /// Starts the engine, loads everything that is in the folder, and goes on watching it.
    pub async fn start(options: PluginsOptions) -> Result<Self, StartError> {
        metrics::describe();
        let host = options.start_host().await?;
        let rules = Rules { budget: options.budget, claims_size: options.claims_size, http: options.http.clone() };
        let registry = Arc::new(Registry::default());
        let mut loader = Loader::new(host, Arc::clone(&registry), &options);
        // Watching begins before the first scan, so that no change falls between the two.
        let watch = watcher::Watch::new(options.folder.clone());
        loader.first_scan().await?;
        let watcher = Watcher::start(loader, watch, options.poll);
        Ok(Self(Arc::new(Inner { registry, rules, watcher })))
    }

    /// Whether any plugin is to be asked about such a token. Where none is, the caller need not build a context.
    #[must_use]
    pub fn applies(&self, kind: TokenKind, grant_type: &str, application: &str, resource: Option<&str>) -> bool {
        let snapshot = self.0.registry.snapshot();
        snapshot.entries.iter().any(|entry| entry.manifest.applies(kind, grant_type, application, resource))
    }

    /// Asks every plugin that applies, in order, and merges what they answer; a later one wins.
    pub async fn claims(&self, issuance: &Issuance<'_>) -> Result<Claims, Refusal> {
        claims::collect(&self.0.registry.snapshot(), &self.0.rules, issuance).await
    }

    /// All plugins that are known, in the order in which they run.
    #[must_use]
    pub fn list(&self) -> Vec<PluginStatus> {
        self.0.registry.snapshot().statuses.clone()
    }

    /// Whether changes of the folder are still being followed.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.0.watcher.is_running()
    }
}
