//! The options of the plugins of a server.

use super::{compile::CompilerOptions, log::PluginLine, trust::PluginTrust};
use claimsmith_domain::clock::Clock;
use claimsmith_runtime::{Host, HostOptions, HttpSender, Limits, MAX_LIMITS};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tokio::sync::mpsc;

/// How [`super::Plugins`] are set up. Sizes are bytes.
#[derive(Clone, Debug)]
pub struct PluginsOptions {
    /// The folder with the plugins. It need not exist yet.
    pub folder: PathBuf,
    /// Where compiled code is kept between starts.
    pub cache_dir: Option<PathBuf>,
    /// Calls that run at once; one plugin has at most half of them.
    pub concurrency: usize,
    /// Calls that wait in the queue.
    pub queue: usize,
    /// The default limits of a call.
    pub limits: Limits,
    /// The highest limits that a manifest may set.
    pub max_limits: Limits,
    /// Time that all plugins of one issuance share, and all transforms of one webhook delivery.
    pub budget: Duration,
    /// The JSON of all claims of one issuance together.
    pub claims_size: usize,
    /// The polling interval of the folder.
    pub poll: Duration,
    /// The largest source of a plugin.
    pub max_source: usize,
    /// How uploads are compiled.
    pub compiler: CompilerOptions,
    /// The client for HTTP requests of plugins; without it they cannot send any.
    pub http: Option<Arc<dyn HttpSender>>,
    /// The queue of the plugin log; without it lines go to the server's log only.
    pub log: Option<mpsc::Sender<PluginLine>>,
    /// Who may sign plugins.
    pub trust: PluginTrust,
    /// The time of circuit breakers.
    pub clock: Clock,
}

/// The reason that plugins cannot start at all.
#[derive(Debug, thiserror::Error)]
pub enum PluginsStartError {
    /// The engine did not start.
    #[error(transparent)]
    Engine(#[from] claimsmith_runtime::StartError),
    /// The folder exists but cannot be listed, so it is not known which plugins are mandatory.
    #[error("the plugin folder {folder} cannot be read: {source}", folder = folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl PluginsOptions {
    /// The defaults for this folder.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            cache_dir: None,
            concurrency: 8,
            queue: 256,
            limits: Limits::default(),
            max_limits: MAX_LIMITS,
            budget: Duration::from_secs(2),
            claims_size: 16 << 10,
            poll: Duration::from_secs(2),
            max_source: 40 << 20,
            compiler: CompilerOptions::default(),
            http: None,
            log: None,
            trust: PluginTrust::default(),
            clock: Clock::system(),
        }
    }

    /// The upper bounds, never below the defaults. No call outlasts the budget, so a deadline may be as long.
    pub(super) fn bounds(&self) -> Limits {
        let (limits, max) = (&self.limits, &self.max_limits);
        Limits {
            deadline: max.deadline.max(limits.deadline).max(self.budget),
            memory: max.memory.max(limits.memory),
            output: max.output.max(limits.output),
            log: max.log.max(limits.log),
        }
    }

    pub(super) fn host_options(&self) -> HostOptions {
        HostOptions {
            cache_dir: self.cache_dir.clone(),
            concurrency: self.concurrency,
            queue: self.queue,
            max_memory: self.bounds().memory,
            max_source: self.max_source,
            parallel_compilation: true,
            metered: false,
        }
    }

    pub(super) async fn start_host(&self) -> Result<Host, PluginsStartError> {
        let options = self.host_options();
        let host = tokio::task::spawn_blocking(move || Host::new(options)).await;
        Ok(host.map_err(|error| claimsmith_runtime::StartError(error.to_string()))??)
    }
}
