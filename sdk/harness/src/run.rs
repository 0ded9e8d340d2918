//! Loads plugins as the server does, runs their golden cases, and compares the answers with the expected ones.

use crate::{
    Requested, SentDelivery,
    case::{Case, CaseAnswer, load_cases},
    diff::diff,
    report::{CaseReport, PluginReport, Report},
};
use claimsmith_runtime::{
    Call, CallError, FilesError, Host, HostOptions, Kind, Limits, LoadError, MAX_LIMITS, Manifest, Plugin, PluginFiles,
    Profile, ProfileError, Source, StartError, read_file,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};

/// How a [`Harness`] is set up.
#[derive(Clone, Debug)]
pub struct HarnessOptions {
    /// Where compiled code is kept between runs; `None` compiles anew each time.
    pub cache_dir: Option<PathBuf>,
    /// What a call may use where the manifest does not say.
    pub limits: Limits,
    /// How far a manifest may raise that.
    pub max_limits: Limits,
    /// The largest source of a plugin, in bytes.
    pub max_source: usize,
    /// Whether instructions are counted: the same number for the same input, random bytes being the same then, too.
    pub metered: bool,
}

/// The server's plugin runtime, set up for tests.
pub struct Harness {
    host: Host,
    /// The one that counts instructions, for cases that bound them; made when the first one comes.
    counting: OnceLock<Host>,
    options: HarnessOptions,
}

impl Default for HarnessOptions {
    fn default() -> Self {
        Self {
            cache_dir: None,
            limits: Limits::default(),
            max_limits: MAX_LIMITS,
            max_source: 40 << 20,
            metered: false,
        }
    }
}

impl Harness {
    /// Sets up the engine. Blocking, some milliseconds.
    pub fn new(options: HarnessOptions) -> Result<Self, StartError> {
        let host = Host::new(host_options(&options, options.metered))?;
        Ok(Self { host, counting: OnceLock::new(), options })
    }

    /// The host that counts instructions.
    fn counting(&self) -> Result<&Host, StartError> {
        if self.options.metered {
            return Ok(&self.host);
        }
        if let Some(host) = self.counting.get() {
            return Ok(host);
        }
        let host = Host::new(host_options(&self.options, true))?;
        Ok(self.counting.get_or_init(|| host))
    }

    /// Runs the cases of every plugin of a folder.
    pub async fn run_folder(&self, folder: &Path) -> io::Result<Report> {
        let plugins = PluginFiles::scan(folder)?;
        let mut report = Report { plugins: Vec::new(), orphans: orphan_case_files(folder, &plugins)? };
        for files in &plugins {
            report.plugins.push(self.run_plugin(files).await);
        }
        Ok(report)
    }

    /// Runs the cases of the plugin whose source is this file.
    pub async fn run_file(&self, source: &Path) -> Result<PluginReport, FilesError> {
        Ok(self.run_plugin(&PluginFiles::at(source)?).await)
    }

    /// Runs the cases of one plugin.
    pub async fn run_plugin(&self, files: &PluginFiles) -> PluginReport {
        PluginReport { name: files.name().to_owned(), cases: self.try_plugin(files).await }
    }

    async fn try_plugin(&self, files: &PluginFiles) -> Result<Vec<CaseReport>, String> {
        let mut subject = self.open(files).await?;
        let cases = load_cases(&files.cases_path()).map_err(|error| error.to_string())?;
        let is_bounded = |case: &Case| case.instructions.or(subject.manifest.limits.instructions).is_some();
        if cases.iter().flatten().any(is_bounded) && !self.options.metered {
            let host = self.counting().map_err(|error| error.to_string())?;
            subject = self.open_on(host, files).await?;
        }
        let mut reports = Vec::new();
        for case in cases.iter().flatten() {
            reports.push(subject.run(case).await);
        }
        Ok(reports)
    }

    /// Loads a plugin with its settings; the error is for its author.
    pub async fn open(&self, files: &PluginFiles) -> Result<LoadedPlugin, String> {
        self.open_on(&self.host, files).await
    }

    async fn open_on(&self, host: &Host, files: &PluginFiles) -> Result<LoadedPlugin, String> {
        let manifest = files.manifest().map_err(|error| error.to_string())?;
        let (path, language) = files.source().map_err(|error| error.to_string())?;
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = read_file(path, self.options.max_source).map_err(|error| format!("{shown} {error}"))?;
        let source = Source::new(files.name(), language, bytes);
        let plugin = host.load(&source).await.map_err(|error: LoadError| error.to_string())?;
        manifest.validate_for(plugin.kind(), &files.manifest_name()).map_err(|error| error.to_string())?;
        let limits = manifest.limits.over(plugin.kind(), &self.options.limits, &self.options.max_limits);
        Ok(LoadedPlugin { plugin, manifest, limits })
    }
}

fn host_options(options: &HarnessOptions, metered: bool) -> HostOptions {
    HostOptions {
        cache_dir: options.cache_dir.clone(),
        concurrency: 1,
        queue: 1,
        max_memory: options.max_limits.memory.max(options.limits.memory),
        max_source: options.max_source,
        parallel_compilation: true,
        metered,
    }
}

/// A loaded plugin with its settings.
pub struct LoadedPlugin {
    /// The plugin.
    pub plugin: Arc<Plugin>,
    /// Its settings.
    pub manifest: Manifest,
    /// What a call of it may use.
    pub limits: Limits,
}

impl LoadedPlugin {
    /// The same plugin, whose calls are sampled, and their profile.
    pub fn profiled(&self) -> Result<(Self, Profile), ProfileError> {
        let (plugin, profile) = self.plugin.profiled()?;
        Ok((Self { plugin: Arc::new(plugin), manifest: self.manifest.clone(), limits: self.limits }, profile))
    }

    /// Runs one case.
    pub async fn run(&self, case: &Case) -> CaseReport {
        run_case(&self.plugin, &self.manifest, &self.limits, case).await
    }
}

/// Runs one case on a plugin that was loaded elsewhere, within `limits`.
pub async fn run_case(plugin: &Plugin, manifest: &Manifest, limits: &Limits, case: &Case) -> CaseReport {
    if let Err(error) = case.input.check(plugin.kind()) {
        return not_run(case, error.to_string());
    }
    let mut report = match plugin.kind() {
        Kind::Claims => match case.request(manifest) {
            Ok(request) => {
                report(case, plugin.get_custom_jwt_claims(&request, limits).await, "claim", CaseAnswer::Claims)
            }
            Err(text) => not_run(case, text),
        },
        Kind::WebhookTransform => {
            let call = plugin.transform(&case.delivery(manifest), limits).await;
            let expected = if let CaseAnswer::Sent(sent) = &case.expected { Some(sent) } else { None };
            report(case, call, "header", |transformed| match SentDelivery::of(transformed, expected) {
                Ok(sent) => CaseAnswer::Sent(sent),
                Err(reason) => CaseAnswer::Dropped(reason),
            })
        }
        Kind::Message => {
            let call = plugin.compose(&case.message(manifest), limits).await;
            let expected = if let CaseAnswer::Request(request) = &case.expected { Some(request) } else { None };
            report(case, call, "header", |request| CaseAnswer::Request(Requested::of(request, expected)))
        }
    };
    if let Some(most) = case.instructions.or(manifest.limits.instructions)
        && let Some(executed) = report.instructions.filter(|executed| *executed > most)
    {
        report.problems.push(format!("it executed {executed} instructions; at most {most} are allowed"));
    }
    report
}

/// A case that does not fit the plugin.
fn not_run(case: &Case, text: String) -> CaseReport {
    CaseReport {
        name: case.name.clone(),
        expected: case.expected.clone(),
        actual: CaseAnswer::Failed(text.clone()),
        problems: vec![text],
        outcome: "failed",
        dropped: Vec::new(),
        logs: Vec::new(),
        duration: Duration::ZERO,
        peak_memory: 0,
        instructions: None,
    }
}

/// `what` names what the plugin may have tried to set and cannot: claims or headers.
fn report<A>(case: &Case, call: Call<A>, what: &str, answer: impl FnOnce(A) -> CaseAnswer) -> CaseReport {
    let reserved = |name: &String| format!("the {what} `{name}` is reserved and was dropped: no plugin can set it");
    let mut problems: Vec<_> = call.dropped.iter().map(reserved).collect();
    let outcome = call.result.as_ref().map_or_else(CallError::outcome, |_| "ok");
    let result = call.result.map(answer);
    problems.extend(problem(&case.expected, &result));
    let actual = match result {
        Ok(answer) => answer,
        Err(CallError::Denied(message)) => CaseAnswer::Denied(message),
        Err(error) => CaseAnswer::Failed(error.to_string()),
    };
    CaseReport {
        name: case.name.clone(),
        expected: case.expected.clone(),
        actual,
        problems,
        outcome,
        dropped: call.dropped,
        logs: call.logs,
        duration: call.duration,
        peak_memory: call.peak_memory,
        instructions: call.instructions,
    }
}

fn problem(expected: &CaseAnswer, result: &Result<CaseAnswer, CallError>) -> Option<String> {
    match (expected, result) {
        (CaseAnswer::Claims(expected), Ok(CaseAnswer::Claims(actual))) => {
            (expected != actual).then(|| format!("other claims (- expected, + actual):\n{}", diff(expected, actual)))
        }
        (CaseAnswer::Sent(expected), Ok(CaseAnswer::Sent(actual))) => {
            let (expected, actual) = (members(&expected.normalized()), members(actual));
            (expected != actual)
                .then(|| format!("another delivery (- expected, + actual):\n{}", diff(&expected, &actual)))
        }
        (CaseAnswer::Request(expected), Ok(CaseAnswer::Request(actual))) => {
            let (expected, actual) = (members(&expected.normalized()), members(actual));
            (expected != actual)
                .then(|| format!("another request (- expected, + actual):\n{}", diff(&expected, &actual)))
        }
        (CaseAnswer::Dropped(expected), Ok(CaseAnswer::Dropped(actual))) => (expected != actual).then(|| {
            format!("dropped for another reason:\n- {}\n+ {}", escaped_lines(expected), escaped_lines(actual))
        }),
        (CaseAnswer::Denied(expected), Err(CallError::Denied(actual))) => (expected != actual)
            .then(|| format!("another denial:\n- {}\n+ {}", escaped_lines(expected), escaped_lines(actual))),
        (CaseAnswer::Failed(part), Err(error)) if !matches!(error, CallError::Denied(_)) => {
            let text = error.to_string();
            (!text.contains(part)).then(|| format!("another failure, without {part:?}:\n{text}"))
        }
        (expected, actual) => Some(format!("expected {}, but {}", wanted(expected), got(actual))),
    }
}

fn members(answer: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(answer) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

fn escaped_lines(text: &str) -> String {
    text.replace('\n', "\\n")
}

fn wanted(expected: &CaseAnswer) -> String {
    match expected {
        CaseAnswer::Claims(_) => "claims".to_owned(),
        CaseAnswer::Sent(_) => "a delivery that is sent".to_owned(),
        CaseAnswer::Dropped(reason) => format!("a delivery that is dropped ({reason:?})"),
        CaseAnswer::Request(_) => "a request".to_owned(),
        CaseAnswer::Denied(message) => format!("a denial ({message:?})"),
        CaseAnswer::Failed(part) => format!("a failure ({part:?})"),
    }
}

fn got(actual: &Result<CaseAnswer, CallError>) -> String {
    match actual {
        Ok(CaseAnswer::Claims(claims)) => {
            let claims = Value::Object(claims.clone());
            format!("the plugin answered claims:\n{claims:#}")
        }
        Ok(CaseAnswer::Sent(sent)) => format!("the delivery is sent:\n{:#}", Value::Object(members(sent))),
        Ok(CaseAnswer::Dropped(reason)) => format!("the delivery is dropped: {reason}"),
        Ok(CaseAnswer::Request(request)) => format!("the request is:\n{:#}", Value::Object(members(request))),
        Err(CallError::Denied(message)) | Ok(CaseAnswer::Denied(message)) => {
            format!("the plugin denied access: {message}")
        }
        Ok(CaseAnswer::Failed(text)) => format!("the plugin failed:\n{text}"),
        Err(error) => format!("the plugin failed ({}):\n{error}", error.outcome()),
    }
}

/// Files of cases that belong to no plugin of the folder.
fn orphan_case_files(folder: &Path, plugins: &[PluginFiles]) -> io::Result<Vec<String>> {
    let mut orphans = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(plugin) = name.strip_suffix(".cases.json")
            && !name.starts_with('.')
            && !plugins.iter().any(|files| files.name() == plugin)
        {
            orphans.push(name);
        }
    }
    orphans.sort();
    Ok(orphans)
}
