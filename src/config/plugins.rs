//! `[plugins]`: the plugin folder, and the limits of plugins.

use std::path::PathBuf;
use std::time::Duration;

use claimsmith_domain::plugin_signature::{TrustMode, TrustedKeys};
use serde::{Deserialize, Serialize};

use super::units::{kib, mib, millis, seconds};

/// The plugin folder and the limits. All sizes are bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PluginsConfig {
    /// The watched folder.
    pub dir: PathBuf,
    /// The folder of compiled plugins.
    pub cache_dir: PathBuf,
    /// Maximum time of one call.
    #[serde(rename = "deadline_ms", with = "millis")]
    pub deadline: Duration,
    /// Maximum linear memory of one call.
    #[serde(rename = "memory_mib", with = "mib")]
    pub memory: usize,
    /// Maximum output of one call.
    #[serde(rename = "output_kib", with = "kib")]
    pub output: usize,
    /// Total time of all plugins of one issuance.
    #[serde(rename = "budget_ms", with = "millis")]
    pub budget: Duration,
    /// Total size of the custom claims of one token.
    #[serde(rename = "claims_kib", with = "kib")]
    pub claims_size: usize,
    /// Concurrent calls; one plugin gets at most half of them.
    pub concurrency: usize,
    /// Maximum number of queued calls.
    pub queue: usize,
    /// The polling interval of the folder and the database.
    #[serde(rename = "poll_ms", with = "millis")]
    pub poll: Duration,
    /// Maximum size of one plugin file.
    #[serde(rename = "max_source_mib", with = "mib")]
    pub max_source: usize,
    /// Maximum memory of all processes that compile plugins, together.
    #[serde(with = "mib")]
    pub compile_memory: usize,
    /// Maximum time to compile and test one plugin.
    #[serde(with = "seconds")]
    pub compile_timeout: Duration,
    /// Maximum number of uploads that are queued for compilation.
    pub compile_queue: usize,
    /// Whether a version is promoted or activated only by another principal than the one that uploaded it.
    pub require_second_person: bool,
    /// Who may sign plugins, and what is done with others.
    pub trust: TrustConfig,
    /// The executable that compiles plugins, if it is not the running one: for a server inside another program, such as
    /// a test. No key sets it.
    #[serde(skip)]
    pub compiler: Option<PathBuf>,
}

/// `[plugins.trust]`: signatures of plugins.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrustConfig {
    /// What a missing or wrong signature means.
    pub mode: TrustMode,
    /// The same for files of the plugin folder; `None` means `mode`.
    pub folder: Option<TrustMode>,
    /// The same for uploads; `None` means `mode`.
    pub upload: Option<TrustMode>,
    /// The trusted keys.
    pub keys: TrustedKeys,
}

impl Default for PluginsConfig {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            dir: PathBuf::from("plugins"),
            cache_dir: PathBuf::from("data/cache"),
            deadline: Duration::from_secs(1),
            memory: 64 << 20,
            output: 16 << 10,
            budget: Duration::from_secs(2),
            claims_size: 16 << 10,
            // A call that waits for a host function frees its core for other calls, and one plugin gets at most half of
            // the calls.
            concurrency: (8 * cores).clamp(16, 4096),
            queue: 256,
            poll: Duration::from_secs(2),
            // The largest known useful guest, a Python one, has 18 MiB.
            max_source: 40 << 20,
            // A component of 40 MiB, all of it code, takes half of this; so does the stack that parses the largest
            // text. All mapped memory counts, touched or not.
            compile_memory: 2 << 30,
            compile_timeout: Duration::from_mins(1),
            compile_queue: 8,
            require_second_person: false,
            trust: TrustConfig::default(),
            compiler: None,
        }
    }
}
