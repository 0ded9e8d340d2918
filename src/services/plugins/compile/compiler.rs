//! The parent's side of the compiler: bounded memory, a bounded queue, and an error message for every way a compilation
//! can end. Uploads are compiled one at a time; the server's own plugins at once, as long as they share its memory.

use super::{
    job::{CompileSettings, Upload},
    process::{self, Ending},
    report::{Accepted, CheckedDraft, CompileReport, CompilerFailure, Finding, FindingKind},
};
use crate::plugins::PluginsOptions;
use claimsmith_runtime::{Host, HostOptions, Source, is_disk_full, json};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Once},
    thread,
    time::Duration,
};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

/// The least memory of a child that shares it with others, in bytes. What needs more is compiled alone.
const MIN_SHARE_BYTES: usize = 512 << 20;

/// How uploads are compiled.
#[derive(Clone, Debug)]
pub struct CompilerOptions {
    /// The binary of the server, run as `compile-plugin`.
    pub program: PathBuf,
    /// Bytes of memory that all of its processes may use together.
    pub memory: usize,
    /// Time that one upload may take.
    pub timeout: Duration,
    /// Uploads that wait; one more is [`CompileError::Busy`].
    pub queue: usize,
}

/// Compiles and tests uploads one at a time, and the server's own plugins beside each other. Cheap to clone; all clones
/// share one queue and its memory.
#[derive(Clone)]
pub struct Compiler(Arc<Inner>);

/// A place in that queue, until it is dropped.
#[derive(Debug)]
pub struct QueuePlace(#[expect(dead_code, reason = "it is held")] OwnedSemaphorePermit);

struct Inner {
    options: CompilerOptions,
    setting: CompileSettings,
    /// The hosts that load the compiled plugins from the cache; the second one counts instructions.
    hosts: [OnceCell<Host>; 2],
    host_options: HostOptions,
    queue: Arc<Semaphore>,
    /// A permit for each share of the memory.
    shares: Semaphore,
    share_count: u32,
    warned: Once,
}

/// The memory of one compilation.
#[derive(Clone, Copy)]
enum Memory {
    /// A share: others are compiled at the same time.
    Share,
    /// All of it: nothing else is compiled meanwhile.
    All,
}

/// Where the compiled plugin goes.
#[derive(Clone, Copy)]
enum Output {
    /// To the cache.
    Cache,
    /// Into the memory of the server, until it is loaded.
    Memory,
}

/// Why a source of the server's own folder or store is not compiled.
#[derive(Clone, Debug)]
pub(crate) struct SourceRejection {
    /// For the operator.
    pub(crate) text: String,
    /// Whether a retry may succeed.
    pub(crate) again: bool,
}

/// Why an upload is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Too many wait already.
    #[error("too many plugins are waiting to be compiled already")]
    Busy,
    /// It is refused: everything that is wrong with it, at least one finding.
    #[error("{}", summary(.0))]
    Refused(Vec<Finding>),
    /// The compiled plugin could not be written to the cache. The server process itself never compiles uploads.
    #[error("the folder of compiled plugins cannot be written; its disk may be full")]
    CacheUnwritable,
    /// The compiler failed, and not because of the upload. The text is for the log, not for the uploader.
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
        Self::with(options, None)
    }

    /// For a server with these options and this host.
    pub(crate) fn for_host(options: &PluginsOptions, host: Host) -> Self {
        Self::with(options, Some(host))
    }

    fn with(options: &PluginsOptions, host: Option<Host>) -> Self {
        let compiler = options.compiler.clone();
        let setting = CompileSettings {
            // Each child has its own folder.
            cache_dir: None,
            max_source: options.max_source,
            limits: options.limits,
            bounds: options.bounds(),
            memory: compiler.memory,
            timeout: compiler.timeout,
        };
        let places = compiler.queue.saturating_add(1).min(Semaphore::MAX_PERMITS);
        let share_count = count_shares(compiler.memory);
        Self(Arc::new(Inner {
            options: compiler,
            setting,
            hosts: [OnceCell::new_with(host), OnceCell::new()],
            host_options: HostOptions { concurrency: 1, queue: 0, ..options.host_options() },
            queue: Arc::new(Semaphore::new(places)),
            shares: Semaphore::new(usize::try_from(share_count).unwrap_or(1)),
            share_count,
            warned: Once::new(),
        }))
    }

    /// Compiles, links, starts and tests an upload in a separate process, which is killed when the future is dropped.
    pub async fn compile(&self, upload: &Upload) -> Result<Accepted, CompileError> {
        self.compile_for(upload, false).await
    }

    /// The same for the engine of trials, which counts instructions.
    pub async fn compile_metered(&self, upload: &Upload) -> Result<Accepted, CompileError> {
        self.compile_for(upload, true).await
    }

    /// Compiles and tests a draft with the engine of trials, and returns all results.
    pub async fn check(&self, draft: &Upload) -> Result<CheckedDraft, CompileError> {
        let checked = async {
            self.check_size(draft)?;
            let _place = self.place()?;
            self.run(draft, true, false, Output::Cache, Memory::All).await
        };
        match checked.await {
            Err(CompileError::Refused(findings)) => Ok(CheckedDraft { findings, ..CheckedDraft::default() }),
            checked => checked,
        }
    }

    /// Takes a place in the queue for an upload that is not read yet, so that memory use is bounded.
    pub fn place(&self) -> Result<QueuePlace, CompileError> {
        let place = Arc::clone(&self.0.queue).try_acquire_owned();
        place.map(QueuePlace).map_err(|_| CompileError::Busy)
    }

    /// The same as [`Self::compile`], with a place that was taken before.
    pub async fn compile_at(&self, _place: QueuePlace, upload: &Upload) -> Result<Accepted, CompileError> {
        self.check_size(upload)?;
        self.run(upload, false, false, Output::Cache, Memory::All).await.and_then(accepted)
    }

    async fn compile_for(&self, upload: &Upload, metered: bool) -> Result<Accepted, CompileError> {
        self.check_size(upload)?;
        let _place = self.place()?;
        self.run(upload, metered, false, Output::Cache, Memory::All).await.and_then(accepted)
    }

    fn check_size(&self, upload: &Upload) -> Result<(), CompileError> {
        let (size, limit) = (upload.source.bytes().len(), self.0.setting.max_source);
        if size > limit {
            let message = format!("the plugin has {size} bytes; at most {limit} are accepted");
            return refuse(FindingKind::TooLarge, message);
        }
        Ok(())
    }

    /// Compiles a plugin of the server's own folder or store into its host's cache, or if that cannot be written, into
    /// memory: the server process itself compiles nothing. Waits in the queue without a limit. What does not fit into its
    /// share of the memory is compiled again, alone.
    /// `urgent`: everything else waits for it.
    pub(crate) async fn compile_own(&self, source: &Source, urgent: bool) -> Result<(), SourceRejection> {
        let upload = Upload { source: source.clone(), manifest: None, cases: None };
        let rejected = |text: String, again| Err(SourceRejection { text, again });
        let mut compiled = self.run(&upload, false, urgent, Output::Cache, Memory::Share).await;
        if self.0.share_count > 1 && may_need_more_memory(&compiled) {
            compiled = self.run(&upload, false, urgent, Output::Cache, Memory::All).await;
        }
        if let Err(CompileError::CacheUnwritable) = compiled {
            compiled = self.run(&upload, false, urgent, Output::Memory, Memory::All).await;
        }
        match compiled.and_then(accepted) {
            Ok(_) => Ok(()),
            Err(CompileError::Refused(findings)) => {
                rejected(findings.iter().map(Finding::text).collect::<Vec<_>>().join("\n"), false)
            }
            Err(error @ (CompileError::Busy | CompileError::CacheUnwritable | CompileError::Unavailable(_))) => {
                rejected(error.to_string(), true)
            }
        }
    }

    async fn run(
        &self,
        upload: &Upload,
        metered: bool,
        urgent: bool,
        output: Output,
        memory: Memory,
    ) -> Result<CheckedDraft, CompileError> {
        let Inner { options, setting, shares, share_count, .. } = &*self.0;
        let wanted = match memory {
            Memory::Share => 1,
            Memory::All => *share_count,
        };
        let _held = shares.acquire_many(wanted).await.map_err(|error| unavailable(&error))?;
        let memory = options.memory / usize::try_from(share_count / wanted).unwrap_or(1).max(1);
        let host = self.host(metered).await?;
        let source = &upload.source;
        let workplace = match output {
            Output::Cache => host.work_directory(source).await,
            Output::Memory => host.temporary_work_directory(source).await,
        };
        let workplace = workplace.map_err(|error| cache_unwritable(&error))?;
        let setting = CompileSettings { cache_dir: Some(workplace.path().to_owned()), memory, ..setting.clone() };
        let header = upload.header(&setting, metered, urgent).map_err(|error| unavailable(&error))?;
        let ending = process::run(&options.program, &header, source.bytes(), options.timeout).await;
        let checked = self.result_of(&source.name, ending.map_err(|error| unavailable(&error))?)?;
        if checked.findings.is_empty() {
            let taken = match output {
                Output::Cache => host.import_compiled(&workplace, source).await,
                Output::Memory => host.hold_compiled(&workplace, source).await,
            };
            taken.map_err(|error| cache_unwritable(&error))?;
        }
        Ok(checked)
    }

    async fn host(&self, metered: bool) -> Result<&Host, CompileError> {
        let options = HostOptions { metered, ..self.0.host_options.clone() };
        let start = async || {
            let started = tokio::task::spawn_blocking(move || Host::new(options)).await;
            started.map_err(|error| unavailable(&error))?.map_err(|error| unavailable(&error))
        };
        self.0.hosts[usize::from(metered)].get_or_try_init(start).await
    }

    /// Warns once about the parts of the sandbox that the system does not offer.
    fn warn_once(&self, missing: &[String]) {
        if !missing.is_empty() {
            let without = missing.join("; ");
            self.0
                .warned
                .call_once(|| tracing::warn!(without, "the system offers no full sandbox for the plugin compiler"));
        }
    }

    fn result_of(&self, plugin: &str, ending: Ending) -> Result<CheckedDraft, CompileError> {
        let options = &self.0.options;
        match ending {
            Ending::Report(bytes) => {
                let report: CompileReport = json::read(&bytes, json::STORED).map_err(|error| unavailable(&error))?;
                self.warn_once(&report.missing);
                match report {
                    CompileReport { failure: Some(CompilerFailure::Start(error)), .. } => {
                        Err(CompileError::Unavailable(error))
                    }
                    CompileReport { failure: Some(CompilerFailure::CacheUnwritable), .. } => {
                        Err(CompileError::CacheUnwritable)
                    }
                    CompileReport { facts, findings, cases, .. } => Ok(CheckedDraft { facts, findings, cases }),
                }
            }
            Ending::TimedOut => {
                let seconds = options.timeout.as_secs_f32();
                refuse(FindingKind::Timeout, format!("it could not be compiled and tested within {seconds} s"))
            }
            Ending::OutOfMemory => {
                let limit = options.memory >> 20;
                refuse(FindingKind::Memory, format!("compiling and testing it needs more than {limit} MiB of memory"))
            }
            Ending::Killed(how) => {
                tracing::error!(plugin, how, "the plugin compiler crashed");
                refuse(FindingKind::Crash, "the compiler crashed; see the server's log".to_owned())
            }
            Ending::Failed(complaints) => Err(CompileError::Unavailable(complaints)),
        }
    }
}

/// How many compilations share this memory: one for each core, as long as each has enough of it.
fn count_shares(memory: usize) -> u32 {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    u32::try_from((memory / MIN_SHARE_BYTES).clamp(1, cores)).unwrap_or(1)
}

/// Whether a compilation ended as one does whose memory is not enough: refused, crashed or without a report.
fn may_need_more_memory(compiled: &Result<CheckedDraft, CompileError>) -> bool {
    let is_such = |finding: &Finding| matches!(finding.kind, FindingKind::Memory | FindingKind::Crash);
    match compiled {
        Ok(checked) => checked.findings.iter().any(is_such),
        Err(CompileError::Refused(findings)) => findings.iter().any(is_such),
        Err(CompileError::Unavailable(_)) => true,
        Err(CompileError::Busy | CompileError::CacheUnwritable) => false,
    }
}

/// The facts about it, unless there are findings.
fn accepted(checked: CheckedDraft) -> Result<Accepted, CompileError> {
    match checked {
        CheckedDraft { facts: Some(facts), findings, .. } if findings.is_empty() => Ok(facts),
        CheckedDraft { findings, .. } => Err(CompileError::Refused(findings)),
    }
}

fn refuse<T>(kind: FindingKind, message: String) -> Result<T, CompileError> {
    Err(CompileError::Refused(vec![Finding::new(kind, message)]))
}

fn cache_unwritable(error: &io::Error) -> CompileError {
    if is_disk_full(error) { CompileError::CacheUnwritable } else { unavailable(error) }
}

fn unavailable(error: &dyn std::error::Error) -> CompileError {
    CompileError::Unavailable(error.to_string())
}

fn summary(findings: &[Finding]) -> String {
    findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("\n")
}
