//! `[plugins]`: the plugin folder, and the limits of plugins.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::{kib, mib, millis, seconds};

/// The plugin folder and the limits. All sizes are bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PluginsConfig {
    /// Folder that is watched.
    pub dir: PathBuf,
    /// The folder of compiled plugins.
    pub cache_dir: PathBuf,
    /// Time that one call may take.
    #[serde(rename = "deadline_ms", with = "millis")]
    pub deadline: Duration,
    /// Linear memory of one call.
    #[serde(rename = "memory_mib", with = "mib")]
    pub memory: usize,
    /// Answer of one call.
    #[serde(rename = "output_kib", with = "kib")]
    pub output: usize,
    /// Time that all plugins of one issuance share.
    #[serde(rename = "budget_ms", with = "millis")]
    pub budget: Duration,
    /// All custom claims of one token together.
    #[serde(rename = "claims_kib", with = "kib")]
    pub claims_size: usize,
    /// Calls that run at once; one plugin has at most half of them.
    pub concurrency: usize,
    /// Calls that wait for their turn.
    pub queue: usize,
    /// The polling interval of the folder and the database.
    #[serde(rename = "poll_ms", with = "millis")]
    pub poll: Duration,
    /// One plugin file.
    #[serde(rename = "max_source_mib", with = "mib")]
    pub max_source: usize,
    /// Memory of the process that compiles an uploaded plugin.
    #[serde(with = "mib")]
    pub compile_memory: usize,
    /// Time that compiling and trying one may take.
    #[serde(with = "seconds")]
    pub compile_timeout: Duration,
    /// Uploads that wait for their turn to be compiled.
    pub compile_queue: usize,
    /// The program that compiles, where it is not the one that runs: for servers inside another program, such as a
    /// test. No key sets it.
    #[serde(skip)]
    pub compiler: Option<PathBuf>,
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
            // A call that waits for a host function leaves its core to others, and one plugin has at most half of them.
            concurrency: (8 * cores).clamp(16, 4096),
            queue: 256,
            poll: Duration::from_secs(2),
            // The largest guest that is known to be useful, a Python one, has 18 MiB.
            max_source: 40 << 20,
            // A component of 40 MiB, all of it code, takes half of this; so does the stack on which the largest text is
            // parsed. Counted is what is mapped, touched or not.
            compile_memory: 2 << 30,
            compile_timeout: Duration::from_mins(1),
            compile_queue: 8,
            compiler: None,
        }
    }
}
