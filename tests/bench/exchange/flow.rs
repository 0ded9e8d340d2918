//! The whole flow of an impersonation: a backend asks the Management API for a subject token, and an application exchanges
//! it. Both parts are measured by themselves, one after the other, and the flow is their sum.

use crate::Server as _;
use crate::claimsmith::Claimsmith;
use crate::load::Measurement;
use crate::{Args, drive, median, show};
use anyhow::{Context, Result};
use serde_json::Value;

/// Measures, and prints a row for the flow and one for each part.
pub(crate) async fn measure(
    args: &Args,
    ours: &Claimsmith,
    (algorithm, plugin, database): (&str, &str, &str),
    connections: usize,
) -> Result<()> {
    let (mut creations, mut exchanges) = (Vec::new(), Vec::new());
    for _ in 0..args.repetitions {
        let requests = ours.creations(args.exchanges).await?;
        let mut created = drive(args, ours.process_id(), requests, connections, None).await?;
        let answers = std::mem::take(&mut created.answers);
        let tokens = answers.iter().map(|answer| subject_token(answer)).collect::<Result<Vec<_>>>()?;
        creations.push(created);
        // An exchange is faster than a creation, so there is time for all of them.
        let requests = ours.exchanges(tokens)?;
        exchanges.push(drive(args, ours.process_id(), requests, connections, None).await?);
    }
    let both = |value: fn(&Measurement) -> f64| {
        median(creations.iter().zip(&exchanges).map(|(one, other)| value(one) + value(other)).collect())
    };
    println!(
        "| {} | {algorithm} | {plugin}, whole flow | {database} | {connections} | {:.0} | {:.2} | {:.2} | {:.0} | {} |",
        ours.name(),
        1.0 / both(|part| 1.0 / part.per_second()),
        both(|part| part.percentile_ms(0.5)),
        both(|part| part.percentile_ms(0.99)),
        both(Measurement::cpu_micros),
        creations.iter().chain(&exchanges).map(|run| run.refused).sum::<usize>(),
    );
    show(ours.name(), algorithm, "subject token", database, connections, &creations);
    show(ours.name(), algorithm, &format!("{plugin}, its exchange"), database, connections, &exchanges);
    Ok(())
}

/// The subject token of an answer.
fn subject_token(answer: &[u8]) -> Result<String> {
    let answer: Value = serde_json::from_slice(answer)?;
    Ok(answer["subjectToken"].as_str().context("an answer without a subject token")?.to_owned())
}
