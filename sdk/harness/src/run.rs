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
    sync::Arc,
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
        let host = Host::new(HostOptions {
            cache_dir: options.cache_dir.clone(),
            concurrency: 1,
            queue: 1,
            max_memory: options.max_limits.memory.max(options.limits.memory),
            max_source: options.max_source,
            parallel_compilation: true,
            metered: options.metered,
        })?;
        Ok(Self { host, options })
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
        let subject = self.open(files).await?;
        let cases = load_cases(&files.cases_path()).map_err(|error| error.to_string())?;
        let mut reports = Vec::new();
        for case in cases.iter().flatten() {
            reports.push(subject.run(case).await);
        }
        Ok(reports)
    }

    /// Loads a plugin with its settings; the error is for its author.
    pub async fn open(&self, files: &PluginFiles) -> Result<LoadedPlugin, String> {
        let manifest = files.manifest().map_err(|error| error.to_string())?;
        let (path, language) = files.source().map_err(|error| error.to_string())?;
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = read_file(path, self.options.max_source).map_err(|error| format!("{shown} {error}"))?;
        let source = Source::new(files.name(), language, bytes);
        let plugin = self.host.load(&source).await.map_err(|error: LoadError| error.to_string())?;
        manifest.validate_for(plugin.kind(), &files.manifest_name()).map_err(|error| error.to_string())?;
        let limits = manifest.limits.over(plugin.kind(), &self.options.limits, &self.options.max_limits);
        Ok(LoadedPlugin { plugin, manifest, limits })
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
        let text = error.to_string();
        return CaseReport {
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
        };
    }
    match plugin.kind() {
        Kind::Claims => {
            let call = plugin.get_custom_jwt_claims(&case.request(manifest), limits).await;
            report(case, call, "claim", CaseAnswer::Claims)
        }
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
