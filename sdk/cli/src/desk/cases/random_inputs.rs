//! `--random`: runs a plugin on random inputs. On any input it must not trap, set reserved names or exceed a limit.

use crate::terminal::printable;
use claimsmith_harness::{Harness, RandomInputs, case_of, fault};
use claimsmith_runtime::PluginFiles;
use std::io::Write;

/// Runs a plugin on so many random inputs. Returns whether it passed all; the first failure is printed.
pub(super) async fn ask(
    harness: &Harness,
    files: &PluginFiles,
    count: u32,
    seed: u64,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<bool> {
    let subject = harness.open(files).await.map_err(anyhow::Error::msg)?;
    let inputs = RandomInputs::new(subject.plugin.kind(), seed)?;
    for (number, input) in (1..=count).zip(inputs) {
        let report = subject.run(&case_of(input.clone())?).await;
        if let Some(problem) = fault(&report) {
            writeln!(out, "FAIL      {}: random input {number} of seed {seed}", files.name())?;
            for line in problem.lines() {
                writeln!(out, "            {}", printable(line))?;
            }
            writeln!(out, "            {input}")?;
            return Ok(false);
        }
    }
    writeln!(out, "RANDOM    {}: {count} random inputs of seed {seed}", files.name())?;
    Ok(true)
}
