//! The parent's side: one compilation at a time, a short line before it, and plain words for every way it can end.

use super::{
    job::{Setting, Upload},
    process::{self, Ending},
    report::{Accepted, Failure, Finding, FindingKind, Report},
};
use crate::plugins::PluginsOptions;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::sync::Semaphore;

/// How uploads are compiled.
#[derive(Clone, Debug)]
pub struct CompilerOptions {
    /// The binary of the server, run as `compile-plugin`.
    pub program: PathBuf,
    /// Bytes of memory that it may use.
    pub memory: usize,
    /// Time that one upload may take.
    pub timeout: Duration,
    /// Uploads that wait; one more is [`CompileError::Busy`].
    pub queue: usize,
}

/// Turns uploads into verdicts. Cheap to clone; all clones share one line.
#[derive(Clone)]
pub struct Compiler(Arc<Inner>);

struct Inner {
    options: CompilerOptions,
    setting: Setting,
    line: Semaphore,
    turn: Semaphore,
}

/// Why an upload is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Too many wait already.
    #[error("too many plugins wait to be compiled already")]
    Busy,
    /// It was judged; everything that is wrong with it, at least one thing.
    #[error("{}", summary(.0))]
    Refused(Vec<Finding>),
    /// What was compiled could not be kept for the server, which does not compile what a stranger hands in.
    #[error("the folder of compiled plugins cannot be written; its disk may be full")]
    Unkept,
    /// It could not be judged, through no fault of its own. Not for the uploader.
    #[error("plugins cannot be compiled: {0}")]
    Unavailable(String),
}

impl Default for CompilerOptions {
    fn default() -> Self {
        Self { program: Self::own_program(), memory: 2 << 30, timeout: Duration::from_mins(1), queue: 8 }
    }
}

impl CompilerOptions {
    /// The program that runs now, also after its file was replaced by a newer one.
    #[must_use]
    pub fn own_program() -> PathBuf {
        let link = Path::new("/proc/self/exe");
        if link.exists() { link.to_owned() } else { std::env::current_exe().unwrap_or_else(|_| link.to_owned()) }
    }
}

impl Compiler {
    /// For a server with these options.
    #[must_use]
    pub fn new(options: &PluginsOptions) -> Self {
        let cache_dir = options.cache_dir.as_ref().map(|folder| std::path::absolute(folder).unwrap_or(folder.clone()));
        let compiler = options.compiler.clone();
        let setting = Setting {
            cache_dir,
            max_source: options.max_source,
            limits: options.limits,
            bounds: options.bounds(),
            memory: compiler.memory,
            timeout: compiler.timeout,
        };
        let places = compiler.queue.saturating_add(1).min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Inner { options: compiler, setting, line: Semaphore::new(places), turn: Semaphore::new(1) }))
    }

    /// Compiles, links, starts and tries an upload in a process of its own. When the future is dropped, so is the
    /// process.
    pub async fn compile(&self, upload: &Upload) -> Result<Accepted, CompileError> {
        self.compile_for(upload, false).await
    }

    /// The same for the engine of trials, which counts instructions.
    pub async fn compile_metered(&self, upload: &Upload) -> Result<Accepted, CompileError> {
        self.compile_for(upload, true).await
    }

    async fn compile_for(&self, upload: &Upload, metered: bool) -> Result<Accepted, CompileError> {
        let Inner { options, setting, line, turn } = &*self.0;
        let (size, limit) = (upload.bytes.len(), setting.max_source);
        if size > limit {
            let message = format!("the plugin has {size} bytes; at most {limit} are accepted");
            return refuse(FindingKind::TooLarge, message);
        }
        let _place = line.try_acquire().map_err(|_| CompileError::Busy)?;
        let _turn = turn.acquire().await.map_err(|error| unavailable(&error))?;
        let header = upload.header(setting, metered).map_err(|error| unavailable(&error))?;
        let ending = process::run(&options.program, &header, &upload.bytes, options.timeout).await;
        self.verdict(&upload.name, ending.map_err(|error| unavailable(&error))?)
    }

    fn verdict(&self, plugin: &str, ending: Ending) -> Result<Accepted, CompileError> {
        let options = &self.0.options;
        match ending {
            Ending::Report(bytes) => {
                let report: Report = serde_json::from_slice(&bytes).map_err(|error| unavailable(&error))?;
                match report {
                    Report { failure: Some(Failure::Start(error)), .. } => Err(CompileError::Unavailable(error)),
                    Report { failure: Some(Failure::Unkept), .. } => Err(CompileError::Unkept),
                    Report { accepted: Some(accepted), .. } => Ok(accepted),
                    Report { findings, .. } => Err(CompileError::Refused(findings)),
                }
            }
            Ending::TimedOut => {
                let seconds = options.timeout.as_secs_f32();
                refuse(FindingKind::Timeout, format!("it could not be compiled and tried within {seconds} s"))
            }
            Ending::OutOfMemory => {
                let limit = options.memory >> 20;
                refuse(FindingKind::Memory, format!("compiling and trying it needs more than {limit} MiB of memory"))
            }
            Ending::Killed(how) => {
                tracing::error!(plugin, how, "the compiler of plugins crashed");
                refuse(FindingKind::Crash, "the compiler crashed; the server's log says how".to_owned())
            }
            Ending::Failed(complaints) => Err(CompileError::Unavailable(complaints)),
        }
    }
}

fn refuse(kind: FindingKind, message: String) -> Result<Accepted, CompileError> {
    Err(CompileError::Refused(vec![Finding::new(kind, message)]))
}

fn unavailable(error: &dyn std::error::Error) -> CompileError {
    CompileError::Unavailable(error.to_string())
}

fn summary(findings: &[Finding]) -> String {
    findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("\n")
}
