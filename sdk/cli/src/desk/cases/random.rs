//! `--random`: inputs that nobody thought of. Whatever a plugin is asked, it must not trap, set reserved names or take more
//! than it may.

use crate::terminal::printable;
use claimsmith_harness::{Harness, Inputs, case_of, fault};
use claimsmith_runtime::PluginFiles;
use std::io::Write;

/// Asks a plugin so many made-up questions. Answers whether it stood them all; the first that it did not is told.
pub(super) async fn ask(
    harness: &Harness,
    files: &PluginFiles,
    count: u32,
    seed: u64,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<bool> {
    let subject = harness.open(files).await.map_err(anyhow::Error::msg)?;
    let inputs = Inputs::new(subject.plugin.kind(), seed)?;
    for (number, input) in (1..=count).zip(inputs) {
        let report = subject.run(&case_of(input.clone())?).await;
        if let Some(problem) = fault(&report) {
            writeln!(out, "FAIL      {}: made-up input {number} of seed {seed}", files.name())?;
            for line in problem.lines() {
                writeln!(out, "            {}", printable(line))?;
            }
            writeln!(out, "            {input}")?;
            return Ok(false);
        }
    }
    writeln!(out, "RANDOM    {}: {count} made-up inputs of seed {seed}", files.name())?;
    Ok(true)
}
