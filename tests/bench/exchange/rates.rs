//! Ordinary load: requests at a rate, and how they compare with those at full speed.

use crate::load::Measurement;
use crate::{Args, Server, measure_at, median, show};
use anyhow::Result;

/// Measures at each of the rates, ours and a peer's in turn, and prints a row for each.
pub(crate) async fn measure(
    args: &Args,
    ours: &mut impl Server,
    mut peer: Option<&mut impl Server>,
    (algorithm, plugin, database): (&str, &str, &str),
    connections: usize,
) -> Result<()> {
    for rate in &args.rate {
        let (mut of_ours, mut of_peer) = (Vec::new(), Vec::new());
        for _ in 0..args.repetitions {
            of_ours.push(measure_at(args, ours, connections, Some(*rate)).await?);
            if let Some(peer) = peer.as_deref_mut() {
                of_peer.push(measure_at(args, peer, connections, Some(*rate)).await?);
            }
        }
        show(ours.name(), algorithm, &format!("{plugin}, at {rate}/s"), database, connections, &of_ours);
        if let Some(peer) = &peer {
            let plugin = format!("worker thread, at {rate}/s");
            show(peer.name(), algorithm, &plugin, "memory", connections, &of_peer);
        }
        warn_if_slower(*rate, &of_ours);
    }
    Ok(())
}

/// A server that does not keep up is not measured at the rate.
fn warn_if_slower(rate: f64, runs: &[Measurement]) {
    let reached = median(runs.iter().map(Measurement::per_second).collect());
    if reached < rate * 0.95 {
        eprintln!("{reached:.0} a second instead of {rate}");
    }
}
