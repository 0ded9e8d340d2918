//! The child process of the compiler: limits itself, reads a job, compiles and tests the plugin, and writes a report.

use super::{
    cases,
    job::{CompileSettings, JobHeader, UploadedText},
    report::{Accepted, CompileReport, CompilerFailure, Finding},
    resource_limits, sandbox,
};
use claimsmith_harness::{Case, parse_cases};
use claimsmith_runtime::{Host, HostOptions, Manifest, Source};
use std::{
    io::{self, Read, Write},
    thread,
};
use tokio::sync::oneshot;

/// Reads a job from standard input and writes its report to standard output. Ends early when standard input is closed,
/// since the parent has stopped waiting.
pub fn run() -> io::Result<()> {
    resource_limits::prefer_oom_kill();
    let mut input = io::stdin().lock();
    let header = JobHeader::read(&mut input)?;
    if !header.urgent {
        resource_limits::lower_priority();
    }
    resource_limits::set(header.setting.memory, header.setting.timeout)?;
    let missing = sandbox::enter(header.setting.cache_dir.as_deref());
    let source = header.read_source(&mut input)?;
    drop(input);
    let gone = watch_parent()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let report = runtime.block_on(async {
        tokio::select! {
            report = compile(&header, &source) => Ok(report),
            _ = gone => Err(io::Error::new(io::ErrorKind::BrokenPipe, "the server process is gone")),
        }
    });
    // A compilation cannot be cancelled; it ends with the process.
    runtime.shutdown_background();
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, &CompileReport { missing, ..report? })?;
    output.flush()
}

/// Ends when standard input does. The parent keeps it open as long as it waits.
fn watch_parent() -> io::Result<oneshot::Receiver<()>> {
    let (here, gone) = oneshot::channel();
    let watch = move || {
        let _here = here;
        while io::stdin().read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
    };
    thread::Builder::new().name("parent-watch".to_owned()).spawn(watch)?;
    Ok(gone)
}

/// Checks everything, so that the report of an upload contains every problem.
async fn compile(header: &JobHeader, source: &Source) -> CompileReport {
    let mut findings = Vec::new();
    let manifest = read_manifest(header.manifest.as_ref(), &mut findings);
    let golden = read_cases(header.cases.as_ref(), &mut findings);
    let setting = &header.setting;
    let host = match Host::new(host_options(setting, header.metered)) {
        Ok(host) => host,
        Err(error) => {
            return CompileReport {
                failure: Some(CompilerFailure::Start(error.to_string())),
                ..CompileReport::of(findings)
            };
        }
    };
    let plugin = match host.load(source).await {
        Ok(plugin) => plugin,
        Err(error) => {
            findings.extend(Finding::of_load(&error));
            return CompileReport::of(findings);
        }
    };
    if let Some(document) = &header.manifest
        && let Err(error) = manifest.validate_for(plugin.kind(), &document.file)
    {
        findings.push(Finding::of_manifest(&error).located_in(&document.text));
    }
    let mut results = Vec::new();
    if let Some(document) = header.cases.as_ref().filter(|_| findings.is_empty()) {
        let limits = manifest.limits.over(plugin.kind(), &setting.limits, &setting.bounds);
        let outcome = cases::run(&plugin, &manifest, &limits, document, &golden).await;
        (findings, results) = (outcome.findings, outcome.results);
    }
    if findings.is_empty() && host.cache_use().write_failures > 0 {
        // The server would have to compile it itself, without a limit.
        return CompileReport { failure: Some(CompilerFailure::CacheUnwritable), ..CompileReport::of(findings) };
    }
    let facts = Accepted {
        kind: plugin.kind(),
        world: plugin.kind().world().to_owned(),
        imports: plugin.imports().to_vec(),
        digest: plugin.digest().to_owned(),
        wasm_size: plugin.component_size(),
        cases: golden.len(),
    };
    CompileReport { facts: Some(facts), cases: results, ..CompileReport::of(findings) }
}

/// The server's options, except for those that do not affect the compiled code: one call at a time, and one core.
fn host_options(setting: &CompileSettings, metered: bool) -> HostOptions {
    HostOptions {
        cache_dir: setting.cache_dir.clone(),
        concurrency: 1,
        queue: 0,
        max_memory: setting.bounds.memory,
        max_source: setting.max_source,
        parallel_compilation: false,
        metered,
    }
}

/// The default one if there is none, or an unreadable one.
fn read_manifest(document: Option<&UploadedText>, findings: &mut Vec<Finding>) -> Manifest {
    let Some(UploadedText { file, text }) = document else { return Manifest::default() };
    let is_json = file.rsplit_once('.').is_some_and(|(_, ending)| ending == "json");
    let parsed = if is_json { Manifest::parse_json(file, text) } else { Manifest::parse(file, text) };
    parsed.unwrap_or_else(|error| {
        findings.push(Finding::of_manifest(&error).located_in(text));
        Manifest::default()
    })
}

fn read_cases(document: Option<&UploadedText>, findings: &mut Vec<Finding>) -> Vec<Case> {
    let Some(UploadedText { file, text }) = document else { return Vec::new() };
    parse_cases(file, text.as_bytes()).unwrap_or_else(|error| {
        findings.push(Finding::of_cases(file, &error));
        Vec::new()
    })
}
