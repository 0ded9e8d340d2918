//! `claimsmith plugin run --profile`: calls a plugin again and again, and writes where it spends its time, for
//! Firefox's profiler.

use crate::terminal::print_error;
use anyhow::Context as _;
use claimsmith_harness::{Case, CaseReport, LoadedPlugin};
use claimsmith_runtime::{Language, PluginFiles, names_functions};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long it is called. The stack is sampled each millisecond, in which most plugins have answered.
const PROFILE_TIME: Duration = Duration::from_secs(2);

/// Writes the profile, and answers the report of the first call.
pub(super) async fn run(
    subject: &LoadedPlugin,
    files: &PluginFiles,
    case: &Case,
    file: &Path,
) -> anyhow::Result<CaseReport> {
    let (subject, profile) = subject.profiled()?;
    let started = Instant::now();
    let report = subject.run(case).await;
    let mut calls = 1;
    while started.elapsed() < PROFILE_TIME {
        subject.run(case).await;
        calls += 1;
    }
    let samples = profile.samples();
    fs::write(file, profile.finish()?).with_context(|| format!("{} cannot be written", file.display()))?;
    let shown = file.display();
    print_error(&format!("{shown}: {samples} samples of {calls} calls; open it at https://profiler.firefox.com"));
    if let Some(note) = note(files)? {
        print_error(note);
    }
    Ok(report)
}

/// What to know about the functions that it shows.
fn note(files: &PluginFiles) -> anyhow::Result<Option<&'static str>> {
    let (source, language) = files.source()?;
    Ok(match language {
        Language::JavaScript | Language::TypeScript => Some(
            "The functions in it are those of the JavaScript interpreter; those of the plugin are data to it, and not \
             shown.",
        ),
        Language::Wasm => {
            let bytes = fs::read(source).with_context(|| format!("{} cannot be read", source.display()))?;
            let text = "The component has no names of functions, so that they are shown by number: build it without \
                        stripping names.";
            (!names_functions(&bytes)).then_some(text)
        }
    })
}
