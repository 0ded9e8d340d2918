//! `claimsmith plugin check`: what a server finds when the plugin is deployed, found here: its world and contract, size,
//! settings and what it asks for, its golden cases, the claims that they give, and what a call costs.

use super::{Project, TargetArgs, build, cases, harness};
use crate::terminal::{print_line, printable};
use crate::view;
use claimsmith_harness::{CaseAnswer, CaseReport, HarnessOptions, LoadedPlugin, load_cases};
use claimsmith_runtime::{HttpCapability, Kind, Manifest, PluginFiles, contract_version};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::stdout;
use std::process::ExitCode;

const HTTP: &str = "claimsmith:plugin/http";
const CACHE: &str = "claimsmith:plugin/cache";

/// Success is that nothing is wrong and every golden case passes.
pub(super) async fn run(args: &TargetArgs, as_json: bool) -> anyhow::Result<ExitCode> {
    let project = Project::at(&args.path)?;
    build::if_needed(&project)?;
    let files = project.files()?;
    let size = std::fs::metadata(files.source()?.0)?.len();
    // Metered, so that instructions are counted.
    let subject = harness(true).await?.open(&files).await.map_err(anyhow::Error::msg)?;
    let mut reports = Vec::new();
    for case in load_cases(&files.cases_path())?.iter().flatten() {
        reports.push(subject.run(case).await);
    }
    let problems = problems(&subject, &reports, size);
    let mut fields = fields(&subject, &files, size);
    fields["claims"] = json!(claims(&reports));
    fields["cases"] = json!(reports.iter().map(of_case).collect::<Vec<_>>());
    fields["cost"] = cost(&reports);
    fields["problems"] = json!(problems);
    if as_json {
        print_line(&fields.to_string());
    } else {
        print(&fields, files.name(), &reports)?;
        for problem in &problems {
            print_line(&format!("FAIL      {}", printable(problem)));
        }
    }
    let is_fine = problems.is_empty() && reports.iter().all(CaseReport::passed);
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What it is, and what its settings ask for.
fn fields(subject: &LoadedPlugin, files: &PluginFiles, size: u64) -> Value {
    let (plugin, manifest) = (&subject.plugin, &subject.manifest);
    let Manifest { environment, secrets, events, .. } = manifest;
    let http = manifest.capabilities.http.as_ref();
    let hosts: Vec<String> = http.into_iter().flat_map(|http| &http.hosts).map(ToString::to_string).collect();
    let kind = plugin.kind();
    json!({
        "name": files.name(), "world": kind.world(), "contract": contract_version(), "export": kind.export(),
        "digest": plugin.digest(), "size": size, "componentSize": plugin.component_size(), "imports": plugin.imports(),
        "enabled": manifest.enabled, "order": manifest.order,
        "tokens": (kind == Kind::Claims).then(|| manifest.token_kinds()),
        "events": (kind == Kind::WebhookTransform).then(|| events.clone().unwrap_or_else(|| vec!["*".to_owned()])),
        "onError": (kind != Kind::Message).then(|| manifest.on_error(kind)), "http": hosts,
        "methods": http.map(|http| &http.methods), "filledHeaders": http.map(filled_headers),
        "cache": manifest.capabilities.cache,
        "secrets": secrets.keys().collect::<Vec<_>>(), "variables": environment.keys().collect::<Vec<_>>(),
    })
}

/// The headers that the server fills in with secrets; null where there are none.
fn filled_headers(http: &HttpCapability) -> Value {
    if http.headers.is_empty() { Value::Null } else { json!(http.headers) }
}

/// The names of the claims that its golden cases give.
fn claims(reports: &[CaseReport]) -> BTreeSet<&str> {
    reports
        .iter()
        .filter_map(|report| match &report.actual {
            CaseAnswer::Claims(claims) => Some(claims.keys().map(String::as_str)),
            _ => None,
        })
        .flatten()
        .collect()
}

fn of_case(report: &CaseReport) -> Value {
    json!({
        "name": report.name, "passed": report.passed(), "outcome": report.outcome, "problems": report.problems,
        "durationMs": millis(report), "peakMemory": report.peak_memory, "instructions": report.instructions,
    })
}

/// The most that a case takes; null without cases.
fn cost(reports: &[CaseReport]) -> Value {
    if reports.is_empty() {
        return Value::Null;
    }
    json!({
        "durationMs": reports.iter().map(millis).fold(0.0, f64::max),
        "peakMemory": reports.iter().map(|report| report.peak_memory).max(),
        "instructions": reports.iter().filter_map(|report| report.instructions).max(),
    })
}

fn millis(report: &CaseReport) -> f64 {
    (report.duration.as_secs_f64() * 1e6).round() / 1e3
}

fn print(fields: &Value, name: &str, reports: &[CaseReport]) -> anyhow::Result<()> {
    let names = [
        "name",
        "world",
        "contract",
        "export",
        "claims",
        "digest",
        "size",
        "componentSize",
        "imports",
        "enabled",
        "order",
        "tokens",
        "events",
        "onError",
        "http",
        "methods",
        "filledHeaders",
        "cache",
        "secrets",
        "variables",
    ];
    let is_shown = |name: &&str| fields.get(*name).is_some_and(|value| !value.is_null());
    let mut lines: Vec<(&str, String)> =
        names.into_iter().filter(is_shown).map(|name| (name, view::text(fields, &format!("/{name}")))).collect();
    let passed = reports.iter().filter(|report| report.passed()).count();
    let failed = reports.len() - passed;
    lines.push((
        "cases",
        if reports.is_empty() { "none".to_owned() } else { format!("{passed} passed, {failed} failed") },
    ));
    if let Some(cost) = fields.get("cost").filter(|cost| !cost.is_null()) {
        let text = |pointer: &str| view::text(cost, pointer);
        let kib = cost["peakMemory"].as_u64().unwrap_or_default().div_ceil(1024);
        let (time, instructions) = (text("/durationMs"), text("/instructions"));
        lines.push(("cost", format!("at most {time} ms, {kib} KiB, {instructions} instructions")));
    }
    print_line(&view::pairs(&lines));
    if !reports.is_empty() {
        print_line("");
        reports.iter().try_for_each(|report| cases::print_case(name, report, &mut stdout()))?;
    }
    Ok(())
}

fn problems(subject: &LoadedPlugin, reports: &[CaseReport], size: u64) -> Vec<String> {
    let mut problems = Vec::new();
    let most = HarnessOptions::default().max_source;
    if usize::try_from(size).is_ok_and(|size| size > most) {
        problems.push(format!("it has {size} bytes; a server accepts {most} by default (plugins.max_source_mib)"));
    }
    let imports = |interface: &str| subject.plugin.imports().iter().any(|import| import == interface);
    let declares_http = subject.manifest.capabilities.http.is_some();
    let declares_cache = subject.manifest.capabilities.cache.is_some();
    let is_script = subject.plugin.component_size() as u64 != size;
    match subject.plugin.kind() {
        Kind::Claims if !is_script => {
            for (name, interface, is_declared) in [("http", HTTP, declares_http), ("cache", CACHE, declares_cache)] {
                if is_declared && !imports(interface) {
                    let text = format!("[capabilities.{name}] is declared, but the plugin does not import {interface}");
                    problems.push(text);
                }
            }
        }
        Kind::Message if !declares_http => {
            problems.push("[capabilities.http] declares no host, so no message can be sent".to_owned());
        }
        Kind::Claims | Kind::WebhookTransform | Kind::Message => {}
    }
    let reserved: BTreeSet<_> = reports.iter().flat_map(|report| &report.dropped).collect();
    problems
        .extend(reserved.into_iter().map(|name| format!("it sets `{name}`, which is reserved and will be dropped")));
    problems
}
