//! Loads plugins as the server does, and compares what they answer with what is expected.

use crate::{
    case::{Answer, Case, load_cases},
    diff::diff,
    report::{CaseReport, PluginReport, Report},
};
use claimsmith_runtime::{
    Call, CallError, FilesError, Host, HostOptions, Limits, LoadError, MAX_LIMITS, Manifest, Plugin, PluginFiles,
    Source, StartError, read_file,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
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
}

/// The server's runtime at a desk.
pub struct Harness {
    host: Host,
    options: HarnessOptions,
}

impl Default for HarnessOptions {
    fn default() -> Self {
        Self { cache_dir: None, limits: Limits::default(), max_limits: MAX_LIMITS, max_source: 40 << 20 }
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
            metered: false,
        })?;
        Ok(Self { host, options })
    }

    /// Runs the cases of every plugin of a folder.
    pub async fn run_folder(&self, folder: &Path) -> io::Result<Report> {
        let plugins = PluginFiles::scan(folder)?;
        let mut report = Report { plugins: Vec::new(), strays: stray_cases(folder, &plugins)? };
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
        let manifest = files.manifest().map_err(|error| error.to_string())?;
        let (path, language) = files.source().map_err(|error| error.to_string())?;
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = read_file(path, self.options.max_source).map_err(|error| format!("{shown} {error}"))?;
        let source = Source { name: files.name().to_owned(), language, bytes };
        let plugin = self.host.load(&source).await.map_err(|error: LoadError| error.to_string())?;
        let cases = load_cases(&files.cases_path()).map_err(|error| error.to_string())?;
        let mut reports = Vec::new();
        for case in cases.iter().flatten() {
            reports.push(self.run_case(&plugin, &manifest, case).await);
        }
        Ok(reports)
    }

    /// Asks the plugin and compares.
    pub async fn run_case(&self, plugin: &Plugin, manifest: &Manifest, case: &Case) -> CaseReport {
        let limits = manifest.limits.over(&self.options.limits, &self.options.max_limits);
        run_case(plugin, manifest, &limits, case).await
    }
}

/// Asks a plugin that was loaded elsewhere, within `limits`, and compares.
pub async fn run_case(plugin: &Plugin, manifest: &Manifest, limits: &Limits, case: &Case) -> CaseReport {
    let call = plugin.get_custom_jwt_claims(&case.request(manifest), limits).await;
    let problems = problems_of(&case.expected, &call);
    let actual = match call.result {
        Ok(claims) => Answer::Claims(claims),
        Err(CallError::Denied(message)) => Answer::Denied(message),
        Err(error) => Answer::Failed(error.to_string()),
    };
    CaseReport {
        name: case.name.clone(),
        expected: case.expected.clone(),
        actual,
        problems,
        logs: call.logs,
        duration: call.duration,
    }
}

fn problems_of(expected: &Answer, call: &Call) -> Vec<String> {
    let mut problems: Vec<_> = call
        .dropped
        .iter()
        .map(|name| format!("the claim `{name}` is reserved and was dropped: no plugin can set it"))
        .collect();
    let problem = match (expected, &call.result) {
        (Answer::Claims(expected), Ok(actual)) => {
            (expected != actual).then(|| format!("other claims (- expected, + actual):\n{}", diff(expected, actual)))
        }
        (Answer::Denied(expected), Err(CallError::Denied(actual))) => (expected != actual)
            .then(|| format!("another denial:\n- {}\n+ {}", escaped_lines(expected), escaped_lines(actual))),
        (Answer::Failed(part), Err(error)) if !matches!(error, CallError::Denied(_)) => {
            let text = error.to_string();
            (!text.contains(part)).then(|| format!("another failure, without {part:?}:\n{text}"))
        }
        (expected, actual) => Some(format!("expected {}, but {}", wanted(expected), got(actual))),
    };
    problems.extend(problem);
    problems
}

fn escaped_lines(text: &str) -> String {
    text.replace('\n', "\\n")
}

fn wanted(expected: &Answer) -> String {
    match expected {
        Answer::Claims(_) => "claims".to_owned(),
        Answer::Denied(message) => format!("a denial ({message:?})"),
        Answer::Failed(part) => format!("a failure ({part:?})"),
    }
}

fn got(actual: &Result<serde_json::Map<String, serde_json::Value>, CallError>) -> String {
    match actual {
        Ok(claims) => {
            let claims = serde_json::Value::Object(claims.clone());
            format!("the plugin answered claims:\n{claims:#}")
        }
        Err(CallError::Denied(message)) => format!("the plugin denied access: {message}"),
        Err(error) => format!("the plugin failed ({}):\n{error}", error.outcome()),
    }
}

/// Files of cases that belong to none of the plugins.
fn stray_cases(folder: &Path, plugins: &[PluginFiles]) -> io::Result<Vec<String>> {
    let mut strays = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(plugin) = name.strip_suffix(".cases.json")
            && !name.starts_with('.')
            && !plugins.iter().any(|files| files.name() == plugin)
        {
            strays.push(name);
        }
    }
    strays.sort();
    Ok(strays)
}
