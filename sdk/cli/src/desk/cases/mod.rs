//! `claimsmith plugin test`: runs golden cases on the server's own runtime, and prints each result. Needs no server, no
//! configuration and no network.

mod coverage;
mod junit;
mod random_inputs;
mod update;

use super::build;
use super::project::{BUILD_FILE, Project};
use super::watch::ChangeWatcher;
use crate::case_args::CaseArgs;
use crate::remote::Usage;
use crate::terminal::{print_error, print_failure, printable};
use anyhow::Context as _;
use claimsmith_harness::{CaseReport, Harness, PluginReport, Report};
use claimsmith_runtime::PluginFiles;
use std::fmt::Write as _;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the cases of plugin files and of folders of them. Success is that everything loads and passes; an error is for
/// what could not be tried at all, such as a path that does not exist.
pub(crate) async fn run(paths: &[PathBuf], args: &CaseArgs) -> anyhow::Result<ExitCode> {
    let harness = super::harness(false).await?;
    if !args.watch {
        let passed = run_once(&harness, paths, args).await?;
        return Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let [path] = paths else { return Err(Usage::new("--watch is for one plugin or one folder").into()) };
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let mut changes = ChangeWatcher::of(folder)?;
    loop {
        changes.begin(Project::at(path).map(|project| project.outputs()).unwrap_or_default());
        if let Err(error) = run_once(&harness, paths, args).await {
            let _ = print_failure(&error);
        }
        changes.end();
        print_error("waiting for a change …");
        if !changes.next().await {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

async fn run_once(harness: &Harness, paths: &[PathBuf], args: &CaseArgs) -> anyhow::Result<bool> {
    let (mut whole, mut passed_random) = (Report::default(), true);
    for path in paths {
        let mut report = run_path(harness, path, &mut stdout()).await?;
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
        for plugin in &mut report.plugins {
            let cases = folder.join(format!("{}.cases.json", plugin.name));
            if args.update {
                update::update(&cases, plugin)?;
            }
            if args.coverage {
                coverage::print(&cases, plugin, &mut stdout())?;
            }
        }
        if let Some(count) = args.random {
            let seed = args.seed.unwrap_or_else(new_seed);
            for files in plugins_at(path)? {
                passed_random &= random_inputs::ask(harness, &files, count, seed, &mut stdout()).await?;
            }
        }
        whole.plugins.extend(report.plugins);
        whole.orphans.extend(report.orphans);
    }
    print_summary(&whole, &mut stdout())?;
    if let Some(file) = &args.junit {
        junit::write(&whole, file)?;
    }
    Ok(passed_random && whole.passed() && !whole.plugins.is_empty())
}

/// A new seed each time; it is printed, so that a failure can be reproduced.
fn new_seed() -> u64 {
    fastrand::u32(..).into()
}

/// Whether a path is a folder of plugins whose sources are the plugins, rather than one plugin.
fn is_collection(path: &Path) -> bool {
    path.is_dir() && !path.join(BUILD_FILE).is_file()
}

fn plugins_at(path: &Path) -> anyhow::Result<Vec<PluginFiles>> {
    if is_collection(path) {
        return PluginFiles::scan(path).with_context(|| format!("{} cannot be listed", path.display()));
    }
    Ok(vec![Project::at(path)?.files()?])
}

/// Runs the cases of one plugin or folder, and prints each result to `out`.
pub(super) async fn run_path(harness: &Harness, path: &Path, out: &mut (dyn Write + Send)) -> anyhow::Result<Report> {
    std::fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let report = if is_collection(path) {
        harness.run_folder(path).await.with_context(|| format!("{} cannot be listed", path.display()))?
    } else {
        let project = Project::at(path)?;
        build::if_needed(&project)?;
        Report { plugins: vec![harness.run_plugin(&project.files()?).await], orphans: Vec::new() }
    };
    for plugin in &report.plugins {
        print_plugin(plugin, out)?;
    }
    for orphan in &report.orphans {
        writeln!(out, "FAIL      {orphan} belongs to no plugin in {}", path.display())?;
    }
    Ok(report)
}

fn print_plugin(plugin: &PluginReport, out: &mut dyn Write) -> io::Result<()> {
    let name = &plugin.name;
    match &plugin.cases {
        Err(error) => {
            writeln!(out, "FAIL      {name}: cannot be tested")?;
            write!(out, "{}", indented(error))
        }
        Ok(cases) if cases.is_empty() => {
            writeln!(out, "NO CASES  {name}: it loads, and there are no golden cases to run")
        }
        Ok(cases) => cases.iter().try_for_each(|case| print_case(name, case, out)),
    }
}

pub(super) fn print_case(plugin: &str, case: &CaseReport, out: &mut dyn Write) -> io::Result<()> {
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

fn print_summary(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let cases: Vec<_> = report.plugins.iter().filter_map(|plugin| plugin.cases.as_ref().ok()).collect();
    let all = cases.iter().map(|cases| cases.len()).sum::<usize>();
    let passed = cases.iter().flat_map(|cases| cases.iter()).filter(|case| case.passed()).count();
    let broken = report.plugins.len() - cases.len();
    let without = cases.iter().filter(|cases| cases.is_empty()).count();
    write!(out, "\nplugins: {}; cases: {all}, {passed} passed, {} failed", report.plugins.len(), all - passed)?;
    let others = [
        (broken, "cannot be tested"),
        (without, "without cases"),
        (report.orphans.len(), "case files without a plugin"),
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
