//! What the database keeps of circuit breakers, and the same as the plugins have it.

use crate::plugins::breaker::{BreakerPlace, FailureCounts, OpenState, Population, Scope, Tally};
use claimsmith_storage::plugins::breakers::{self, Count, Counted, OpenBreaker, Place};

pub(super) fn row_of(place: &BreakerPlace) -> Place {
    Place {
        plugin: place.plugin.to_string(),
        digest: place.digest.to_string(),
        caller: place.caller.clone(),
        subject: place.subject.clone(),
    }
}

pub(super) fn state_of(row: OpenBreaker) -> OpenState {
    let (plugin, digest) = (row.plugin.into(), row.digest.into());
    let place = BreakerPlace { plugin, digest, caller: row.caller, subject: row.subject };
    OpenState::new(place, (row.outcome, row.error), (row.opened_at, row.probe_at), (row.probes, row.probe_until))
}

pub(super) fn scope_of(row: &OpenBreaker) -> Scope {
    Scope { caller: row.caller.clone(), subject: row.subject.clone() }
}

pub(super) fn scope_of_tally(tally: &Tally) -> Scope {
    Scope { caller: tally.caller.clone(), subject: tally.subject.clone() }
}

/// The rows of what was counted: failures by user, other calls by application.
pub(super) fn rows_of(counts: &FailureCounts) -> Vec<Count> {
    let place = |caller: &str, subject: &str| Place {
        plugin: counts.plugin.to_string(),
        digest: counts.digest.to_string(),
        caller: caller.to_owned(),
        subject: subject.to_owned(),
    };
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let failures = counts.failures.iter().map(|((caller, subject), count)| Count {
        place: place(caller, subject),
        failures: number(*count),
        successes: 0,
    });
    let mut rows: Vec<Count> = failures.collect();
    for (caller, count) in &counts.successes {
        // An application whose calls about nobody fail has a row already.
        let known = rows.iter().position(|row| row.place.caller == *caller && row.place.subject.is_empty());
        if let Some(row) = known.and_then(|known| rows.get_mut(known)) {
            row.successes = number(*count);
        } else {
            rows.push(Count { place: place(caller, ""), failures: 0, successes: number(*count) });
        }
    }
    rows
}

pub(super) fn tally_of(row: Counted) -> Tally {
    let number = |count: i64| u64::try_from(count).unwrap_or_default();
    let (failures, successes) = (number(row.failures), number(row.successes));
    Tally { caller: row.caller, subject: row.subject, failures, successes }
}

pub(super) fn population(counted: breakers::Population) -> Population {
    let number = |count: i64| usize::try_from(count).unwrap_or_default();
    Population {
        applications: number(counted.applications),
        users: number(counted.users),
        hooks: number(counted.hooks),
    }
}
