//! A run over all users as the API shows it.

use claimsmith_api::population_runs::{
    PopulationClaim, PopulationClass, PopulationDurations, PopulationResults, PopulationRunState, PopulationRunView,
    RunHttp, RunTokenKind,
};
use claimsmith_identity::population_runs::{RunOptions, tally};
use claimsmith_services::plugins::population::{PopulationTally, RunDurations};
use claimsmith_storage::plugins::population_runs::PopulationRun;
use claimsmith_web::extract::management::Caller;

/// The run, with what was found as far as it can be read.
pub(super) fn view(management: &Caller, run: PopulationRun) -> PopulationRunView {
    let tally = tally(&management.app, &run);
    let tally = tally.inspect_err(|error| tracing::warn!(run = run.id, %error, "the results of a run cannot be read"));
    let options: RunOptions = serde_json::from_value(run.options.0).unwrap_or_default();
    PopulationRunView {
        id: run.id,
        plugin: run.plugin_name,
        version: run.version.to_string(),
        against: run.against.map(|version| version.to_string()),
        application: run.application_id,
        grant_type: options.grant_type,
        token_kind: if options.id_token { RunTokenKind::IdToken } else { RunTokenKind::AccessToken },
        resource: options.resource,
        scope: options.scope,
        http: options.http_per_second.map(|per_second| RunHttp { per_second }),
        with_secrets: options.with_secrets,
        state: PopulationRunState::parse(&run.state).unwrap_or(PopulationRunState::Failed),
        problem: run.problem,
        users: run.wanted,
        total: run.total,
        visited: run.visited,
        compared: run.compared,
        skipped: run.skipped,
        http_sent: run.http_sent,
        http_refused: run.http_refused,
        results: tally.ok().map(|tally| results(&tally)),
        differences: run.recorded,
        dropped: run.dropped,
        bytes: run.bytes,
        created_by: run.created_by,
        created_at: run.created_at,
        ended_at: run.ended_at,
        expires_at: run.expires_at,
    }
}

fn results(tally: &PopulationTally) -> PopulationResults {
    let class = |(class, count, share): (&str, u64, f64)| PopulationClass {
        class: class.to_owned(),
        count,
        share: (share * 1000.0).round() / 10.0,
    };
    let claims = tally.claims().into_iter().map(|claim| PopulationClaim {
        name: claim.name,
        added: claim.added,
        removed: claim.removed,
        changed: claim.changed,
        noise: claim.noise,
    });
    PopulationResults {
        classes: tally.classes().map(class).collect(),
        claims: claims.collect(),
        other_claims: tally.other_claims(),
        noisy: tally.noisy(),
        candidate: durations(tally.of_candidate()),
        against: durations(tally.of_against()),
    }
}

fn durations(RunDurations { p50_us, p99_us }: RunDurations) -> PopulationDurations {
    PopulationDurations { p50_us, p99_us }
}
