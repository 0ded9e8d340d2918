//! `claimsmith plugin test`: golden cases on the server's own runtime, told case by case. Needs no server, no
//! configuration and no network.

use super::terminal::printable;
use anyhow::Context as _;
use claimsmith_harness::{CaseReport, Harness, HarnessOptions, PluginReport, Report};
use std::{
    fmt::Write as _,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Runs the cases of plugin files and of folders of them, and tells of each on `out`. Answers whether everything loads
/// and passes; an error is for what could not be tried at all, such as a path that does not exist.
pub(super) async fn run(paths: &[PathBuf], out: &mut (dyn Write + Send)) -> anyhow::Result<bool> {
    let harness = tokio::task::spawn_blocking(|| Harness::new(HarnessOptions::default())).await??;
    let mut whole = Report::default();
    for path in paths {
        let report = run_path(&harness, path).await?;
        for plugin in &report.plugins {
            tell_plugin(plugin, out)?;
        }
        for stray in &report.strays {
            writeln!(out, "FAIL      {stray} belongs to no plugin in {}", path.display())?;
        }
        whole.plugins.extend(report.plugins);
        whole.strays.extend(report.strays);
    }
    tell_summary(&whole, out)?;
    Ok(whole.passed() && !whole.plugins.is_empty())
}

async fn run_path(harness: &Harness, path: &Path) -> anyhow::Result<Report> {
    let meta = std::fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    if meta.is_dir() {
        harness.run_folder(path).await.with_context(|| format!("{} cannot be listed", path.display()))
    } else {
        let plugin = harness.run_file(path).await?;
        Ok(Report { plugins: vec![plugin], strays: Vec::new() })
    }
}

fn tell_plugin(plugin: &PluginReport, out: &mut dyn Write) -> io::Result<()> {
    let name = &plugin.name;
    match &plugin.cases {
        Err(error) => {
            writeln!(out, "FAIL      {name}: cannot be tested")?;
            write!(out, "{}", indented(error))
        }
        Ok(cases) if cases.is_empty() => writeln!(out, "NO CASES  {name}: it loads, and nothing says what it must do"),
        Ok(cases) => cases.iter().try_for_each(|case| tell_case(name, case, out)),
    }
}

fn tell_case(plugin: &str, case: &CaseReport, out: &mut dyn Write) -> io::Result<()> {
    let word = if case.passed() { "PASS" } else { "FAIL" };
    writeln!(out, "{word}      {plugin}: {}", printable(&case.name))?;
    for problem in &case.problems {
        write!(out, "{}", indented(problem))?;
    }
    if !case.passed() {
        for line in &case.logs {
            let level = format!("{:?}", line.level).to_lowercase();
            write!(out, "{}", indented(&format!("log, {level}: {}", line.message)))?;
        }
    }
    Ok(())
}

fn tell_summary(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let cases: Vec<_> = report.plugins.iter().filter_map(|plugin| plugin.cases.as_ref().ok()).collect();
    let all = cases.iter().map(|cases| cases.len()).sum::<usize>();
    let passed = cases.iter().flat_map(|cases| cases.iter()).filter(|case| case.passed()).count();
    let broken = report.plugins.len() - cases.len();
    let without = cases.iter().filter(|cases| cases.is_empty()).count();
    write!(out, "\nplugins: {}; cases: {all}, {passed} passed, {} failed", report.plugins.len(), all - passed)?;
    let others = [
        (broken, "cannot be tested"),
        (without, "without cases"),
        (report.strays.len(), "case files without a plugin"),
    ];
    for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
        write!(out, "; {count} {what}")?;
    }
    writeln!(out)
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |mut all, line| {
        // Writing to a string cannot fail.
        let _ = writeln!(all, "            {}", printable(line));
        all
    })
}
