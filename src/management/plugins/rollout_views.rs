//! How a rollout is shown, with its results on all nodes.

use super::cost;
use claimsmith_api::plugin_rollouts::{
    RolloutClaim, RolloutClass, RolloutCost, RolloutResultsView, RolloutSide, RolloutView,
};
use claimsmith_domain::documents::rollout::{Audience, DifferenceClass};
use claimsmith_identity::rollouts as decisions;
use claimsmith_services::app::App;
use claimsmith_services::deployments::rollouts as changes;
use claimsmith_services::plugins::{RolloutResults, SideResults};
use claimsmith_storage::plugins::rollouts::Rollout;
use claimsmith_storage::plugins::versions;
use claimsmith_storage::{self as storage, Tx};

/// The rollout as it is shown.
pub(super) async fn view(app: &App, tx: &mut Tx, rollout: Rollout) -> storage::Result<RolloutView> {
    let results = decisions::results(tx, &rollout).await?;
    let rules = changes::rules(&rollout);
    let rules_in_force = rules.is_some() && decisions::are_rules_in_force(app, tx, &rollout).await?;
    let breaker_open = rollout.ended_at.is_none() && decisions::is_breaker_open(tx, &rollout).await?;
    let cost = cost_of(tx, &rollout).await?;
    let Audience { applications, organizations, users } = changes::audience(&rollout);
    Ok(RolloutView {
        version: rollout.version.to_string(),
        active_version: rollout.active_before.to_string(),
        mode: changes::mode(&rollout),
        state: changes::state(&rollout),
        plugin: rollout.plugin_name,
        reason: rollout.reason,
        share: u8::try_from(rollout.share).unwrap_or_default(),
        applications,
        organizations,
        users,
        rules,
        rules_by: rollout.rules_by,
        rules_in_force,
        breaker_open,
        started_by: rollout.started_by,
        started_at: rollout.started_at,
        expires: rollout.expires_at,
        ended_by: rollout.ended_by,
        ended_at: rollout.ended_at,
        cost,
        results: results_view(results),
    })
}

/// What the golden cases cost that both versions have, if both versions are still there.
async fn cost_of(tx: &mut Tx, rollout: &Rollout) -> storage::Result<Option<RolloutCost>> {
    let Some(candidate) = versions::find(tx, &rollout.plugin_name, rollout.version).await? else { return Ok(None) };
    let active = versions::find(tx, &rollout.plugin_name, rollout.active_before).await?;
    let counted = cost::counted(&candidate.facts.0);
    Ok(active.and_then(|active| cost::compare(&counted, candidate.cases.as_deref(), &active)).map(|cost| RolloutCost {
        cases: cost.cases,
        active: cost.before,
        candidate: cost.now,
    }))
}

fn results_view(results: RolloutResults) -> RolloutResultsView {
    let compared = results.compared();
    let class = |class: DifferenceClass| {
        let count = results.count(class);
        (count > 0).then(|| RolloutClass { class, count, share: percent(count, compared) })
    };
    RolloutResultsView {
        compared,
        classes: DifferenceClass::ALL.into_iter().filter_map(class).collect(),
        active: side_view(&results.active),
        candidate: side_view(&results.candidate),
        baseline: side_view(&results.baseline),
        slower: results.slower,
        dropped: results.dropped,
        http_refused: results.http_refused,
        claims: results
            .claims
            .into_iter()
            .map(|(name, claim)| RolloutClaim {
                name,
                added: claim.added,
                removed: claim.removed,
                changed: claim.changed,
                noise: claim.noise,
            })
            .collect(),
    }
}

fn side_view(side: &SideResults) -> RolloutSide {
    let SideResults { runs, denied, failed, spared, p50_us, p99_us } = *side;
    RolloutSide { runs, denied, failed, spared, p50_us, p99_us }
}

/// Rounded to one decimal.
fn percent(count: u64, all: u64) -> f64 {
    let all = all.max(1);
    let per_mille = count.saturating_mul(1_000).saturating_add(all / 2) / all;
    f64::from(u32::try_from(per_mille).unwrap_or(u32::MAX)) / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_as_the_example_of_the_api_says() {
        let shares = [(113, 118), (2, 3), (3, 3), (0, 0)].map(|(count, all)| (percent(count, all) * 10.0).round());
        assert_eq!(shares.map(|share| share.to_string()), ["958", "667", "1000", "0"]);
    }
}
