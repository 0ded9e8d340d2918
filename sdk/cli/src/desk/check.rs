//! `claimsmith plugin check`: the checks that a server makes when a plugin is deployed, run locally: its world,
//! imports, size and settings, and reserved claims that its golden cases set.

use super::{Project, TargetArgs, build, harness};
use crate::terminal::{print_line, printable};
use crate::view;
use claimsmith_harness::{HarnessOptions, LoadedPlugin, load_cases};
use claimsmith_runtime::{Kind, PluginFiles};
use serde_json::json;
use std::collections::BTreeSet;
use std::process::ExitCode;

const HTTP: &str = "claimsmith:plugin/http";

/// Success is that nothing is wrong.
pub(super) async fn run(args: &TargetArgs, as_json: bool) -> anyhow::Result<ExitCode> {
    let project = Project::at(&args.path)?;
    build::if_needed(&project)?;
    let files = project.files()?;
    let size = std::fs::metadata(files.source()?.0)?.len();
    let subject = harness(false).await?.open(&files).await.map_err(anyhow::Error::msg)?;
    let problems = problems(&subject, &files, size).await?;
    let asks = subject.manifest.capabilities.http.as_ref();
    let hosts: Vec<String> = asks.into_iter().flat_map(|http| &http.hosts).map(ToString::to_string).collect();
    let fields = json!({
        "name": files.name(), "world": subject.plugin.kind().world(), "digest": subject.plugin.digest(), "size": size,
        "componentSize": subject.plugin.component_size(), "imports": subject.plugin.imports(), "http": hosts,
        "problems": problems,
    });
    if as_json {
        print_line(&fields.to_string());
    } else {
        let names = ["name", "world", "digest", "size", "componentSize", "imports", "http"];
        print_line(&view::pairs(&names.map(|name| (name, view::text(&fields, &format!("/{name}"))))));
        for problem in &problems {
            print_line(&format!("FAIL      {}", printable(problem)));
        }
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn problems(subject: &LoadedPlugin, files: &PluginFiles, size: u64) -> anyhow::Result<Vec<String>> {
    let mut problems = Vec::new();
    let most = HarnessOptions::default().max_source;
    if usize::try_from(size).is_ok_and(|size| size > most) {
        problems.push(format!("it has {size} bytes; a server accepts {most} by default (plugins.max_source_mib)"));
    }
    let imports_http = subject.plugin.imports().iter().any(|import| import == HTTP);
    let declares_http = subject.manifest.capabilities.http.is_some();
    let is_script = subject.plugin.component_size() as u64 != size;
    match subject.plugin.kind() {
        Kind::Claims if !is_script && declares_http && !imports_http => {
            problems.push(format!("[capabilities.http] is declared, but the plugin does not import {HTTP}"));
        }
        Kind::Message if !declares_http => {
            problems.push("[capabilities.http] declares no host, so no message can be sent".to_owned());
        }
        Kind::Claims | Kind::WebhookTransform | Kind::Message => {}
    }
    let mut reserved = BTreeSet::new();
    for case in load_cases(&files.cases_path())?.iter().flatten() {
        reserved.extend(subject.run(case).await.dropped);
    }
    problems
        .extend(reserved.into_iter().map(|name| format!("it sets `{name}`, which is reserved and will be dropped")));
    Ok(problems)
}
