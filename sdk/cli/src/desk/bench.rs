//! `claimsmith plugin bench`: measures the cost of a call: time, memory, and instructions, whose count is
//! deterministic.

use super::{Project, TargetArgs, build, harness, inputs};
use crate::terminal::{print_line, printable};
use crate::view;
use anyhow::Context as _;
use claimsmith_harness::{Case, LoadedPlugin, load_cases};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Calls that are not measured, so that caches are warm.
const WARM_UP_CALLS: u32 = 20;

#[derive(clap::Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Inputs to measure [default: the golden cases]
    #[arg(long, value_name = "FILE|-")]
    inputs: Option<PathBuf>,
    /// Calls of each
    #[arg(long, value_name = "NUMBER", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    calls: u32,
}

/// The cost of calls with one input.
struct Cost {
    name: String,
    outcome: &'static str,
    p50: Duration,
    p99: Duration,
    peak_memory: usize,
    instructions: Option<u64>,
}

pub(super) async fn run(args: &BenchArgs, as_json: bool) -> anyhow::Result<()> {
    let project = Project::at(&args.target.path)?;
    build::if_needed(&project)?;
    let files = project.files()?;
    let cases = match &args.inputs {
        Some(file) => inputs::read(file)?,
        None => load_cases(&files.cases_path())?.filter(|cases| !cases.is_empty()).with_context(|| {
            format!("{} contains no golden cases: name a file with --inputs", files.cases_path().display())
        })?,
    };
    let open = async |metered| harness(metered).await?.open(&files).await.map_err(anyhow::Error::msg);
    let (subject, metered) = (open(false).await?, open(true).await?);
    let mut costs = Vec::with_capacity(cases.len());
    for case in &cases {
        costs.push(measure(&subject, &metered, case, args.calls).await);
    }
    print_line(&if as_json { as_json_text(&costs) } else { as_table(&costs) });
    Ok(())
}

async fn measure(subject: &LoadedPlugin, metered: &LoadedPlugin, case: &Case, calls: u32) -> Cost {
    for _ in 0..WARM_UP_CALLS {
        subject.run(case).await;
    }
    let mut times = Vec::new();
    for _ in 0..calls {
        times.push(subject.run(case).await.duration);
    }
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
    let counted = metered.run(case).await;
    Cost {
        name: case.name.clone(),
        outcome: counted.outcome,
        p50: at(50),
        p99: at(99),
        peak_memory: counted.peak_memory,
        instructions: counted.instructions,
    }
}

fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}

fn as_table(costs: &[Cost]) -> String {
    let rows: Vec<Vec<String>> = costs
        .iter()
        .map(|cost| {
            let instructions = cost.instructions.map_or_else(String::new, |count| count.to_string());
            let memory = format!("{} KiB", cost.peak_memory.div_ceil(1024));
            let (p50, p99) = (micros(cost.p50).to_string(), micros(cost.p99).to_string());
            vec![printable(&cost.name), cost.outcome.to_owned(), p50, p99, memory, instructions]
        })
        .collect();
    view::table(&["INPUT", "OUTCOME", "P50 µs", "P99 µs", "MEMORY", "INSTRUCTIONS"], &rows)
}

fn as_json_text(costs: &[Cost]) -> String {
    let rows: Vec<_> = costs
        .iter()
        .map(|cost| {
            json!({
                "name": cost.name, "outcome": cost.outcome, "p50Us": micros(cost.p50), "p99Us": micros(cost.p99),
                "peakMemory": cost.peak_memory, "instructions": cost.instructions,
            })
        })
        .collect();
    json!(rows).to_string()
}
