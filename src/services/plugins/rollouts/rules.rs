//! What the results of a rollout lead to: its rules, and its expiry.

use super::NOT_TRUSTED;
use super::results::RolloutResults;
use claimsmith_domain::documents::rollout::{AbortOver, DifferenceClass, RolloutMode, RolloutRules};

/// Limits are percentages of at least so many runs, so that the first runs alone decide nothing.
const MIN_RUNS: u64 = 20;
/// A 99th percentile of fewer runs says nothing.
const MIN_RUNS_OF_P99: u64 = 100;
/// The window of `pauseUnder` where no rule names one.
const WINDOW_MS: i64 = 3_600_000;
/// Why a rollout is paused while the breaker of its version is open.
const BREAKER_OPEN: &str = "breakerOpen";

/// A rollout, as far as rules decide on it.
#[derive(Clone, Copy, Debug)]
pub struct JudgedRollout<'a> {
    /// Its mode.
    pub mode: RolloutMode,
    /// Its rules, where they are in force.
    pub rules: Option<&'a RolloutRules>,
    /// How long it has been running without a pause, in milliseconds.
    pub running_ms: i64,
    /// Whether it has expired.
    pub is_expired: bool,
    /// Whether the breaker of its version is open or half-open, for everybody or for anybody. The calls that it spares
    /// are not counted as failures, so the counts alone do not say that the version works.
    pub is_breaker_open: bool,
}

/// What is to be done with a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolloutVerdict {
    /// It goes on.
    Continue,
    /// The version is activated.
    Promote,
    /// It is aborted, for this reason.
    Abort(&'static str),
    /// It is paused, for this reason.
    Pause(&'static str),
}

/// The verdict on a running rollout with these results.
#[must_use]
pub fn judge(rollout: &JudgedRollout<'_>, results: &RolloutResults) -> RolloutVerdict {
    if results.not_trusted > 0 {
        return RolloutVerdict::Pause(NOT_TRUSTED);
    }
    if results.load_failed > 0 {
        return RolloutVerdict::Pause("doesNotLoad");
    }
    let rules = rollout.rules.copied().unwrap_or_default();
    if let Some(reason) = rules.abort_over.and_then(|limits| exceeded(&limits, rollout.mode, results)) {
        return RolloutVerdict::Abort(reason);
    }
    let runs = runs(rollout.mode, results);
    let window = rules.promote_after.map_or(WINDOW_MS, |rule| i64::from(rule.minutes) * 60_000);
    let is_over = rollout.running_ms >= window;
    let is_due = rules.promote_after.is_some_and(|rule| is_over && runs >= u64::from(rule.runs));
    if is_due && !rollout.is_breaker_open {
        return RolloutVerdict::Promote;
    }
    let pause = |reason| RolloutVerdict::Pause(if rollout.is_breaker_open { BREAKER_OPEN } else { reason });
    let has_little = rules.pause_under.is_some_and(|rule| runs < u64::from(rule.runs));
    if has_little && (is_over || rollout.is_expired) {
        return pause("tooLittleTraffic");
    }
    if rollout.is_expired { pause("undecidedAtExpiry") } else { RolloutVerdict::Continue }
}

/// The runs of the version that count.
fn runs(mode: RolloutMode, results: &RolloutResults) -> u64 {
    match mode {
        RolloutMode::Shadow => results.compared(),
        RolloutMode::Canary => results.candidate.runs,
    }
}

/// The first limit that is exceeded.
fn exceeded(limits: &AbortOver, mode: RolloutMode, results: &RolloutResults) -> Option<&'static str> {
    let (active, candidate) = (&results.active, &results.candidate);
    let of_all = |count: u64| 100.0 * float(count) / float(runs(mode, results).max(MIN_RUNS));
    let usual = |count: u64| if active.runs == 0 { 0.0 } else { 100.0 * float(count) / float(active.runs) };
    let sum = |classes: &[DifferenceClass]| classes.iter().map(|class| results.count(*class)).sum::<u64>();
    let (different, denied, failed, before) = match mode {
        RolloutMode::Shadow => {
            let failures = [DifferenceClass::Failed, DifferenceClass::TimedOut, DifferenceClass::OverBudget];
            (
                of_all(sum(&[DifferenceClass::Different])),
                of_all(sum(&[DifferenceClass::DeniedInstead])),
                of_all(sum(&failures)),
                &results.baseline,
            )
        }
        RolloutMode::Canary => (
            0.0,
            of_all(candidate.denied) - usual(active.denied),
            of_all(candidate.failed) - usual(active.failed),
            active,
        ),
    };
    let slower = || {
        let are_enough = before.runs >= MIN_RUNS_OF_P99 && candidate.runs >= MIN_RUNS_OF_P99;
        let (before, after) = before.p99_us.zip(candidate.p99_us).filter(|_| are_enough)?;
        Some(100.0 * float(after) / float(before.max(1)) - 100.0)
    };
    let is_over = |value: f64, limit: Option<f64>| limit.is_some_and(|limit| value > limit);
    if is_over(different, limits.different) {
        Some("different")
    } else if is_over(denied, limits.denied) {
        Some("denied")
    } else if is_over(failed, limits.failed) {
        Some("failed")
    } else {
        slower().filter(|slower| is_over(*slower, limits.slower_p99)).map(|_| "slowerP99")
    }
}

fn float(number: u64) -> f64 {
    // No rollout has more runs than a u32 can count.
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::results::SideResults;
    use super::*;
    use claimsmith_domain::documents::rollout::{PauseUnder, PromoteAfter};

    const MINUTE: i64 = 60_000;

    fn canary(runs: u64, denied: u64, failed: u64, p99_us: u64) -> RolloutResults {
        let side = |runs, denied, failed, p99_us| SideResults { runs, denied, failed, spared: 0, p50_us: None, p99_us };
        RolloutResults {
            active: side(1_000, 10, 0, Some(1_000)),
            candidate: side(runs, denied, failed, Some(p99_us)),
            ..RolloutResults::default()
        }
    }

    fn verdict(
        rules: Option<RolloutRules>,
        minutes: i64,
        is_expired: bool,
        results: &RolloutResults,
    ) -> RolloutVerdict {
        let rollout = JudgedRollout {
            mode: RolloutMode::Canary,
            rules: rules.as_ref(),
            running_ms: minutes * MINUTE,
            is_expired,
            is_breaker_open: false,
        };
        judge(&rollout, results)
    }

    #[test]
    fn rules_promote_no_version_whose_breaker_is_open() {
        let rules = RolloutRules {
            promote_after: Some(PromoteAfter { runs: 500, minutes: 60 }),
            abort_over: Some(AbortOver { failed: Some(10.0), ..AbortOver::default() }),
            pause_under: Some(PauseUnder { runs: 50 }),
        };
        let verdict = |is_breaker_open, minutes: i64, is_expired, results: &RolloutResults| {
            let (mode, running_ms) = (RolloutMode::Canary, minutes * MINUTE);
            let rollout = JudgedRollout { mode, rules: Some(&rules), running_ms, is_expired, is_breaker_open };
            judge(&rollout, results)
        };
        let due = canary(500, 0, 20, 1);
        assert_eq!(verdict(false, 60, false, &due), RolloutVerdict::Promote);
        assert_eq!(
            verdict(true, 60, false, &due),
            RolloutVerdict::Continue,
            "until it is closed, or the rollout expires"
        );
        assert_eq!(verdict(true, 60, true, &due), RolloutVerdict::Pause("breakerOpen"));
        // The calls that it spares are missing among the runs.
        assert_eq!(verdict(true, 60, false, &canary(49, 0, 0, 1)), RolloutVerdict::Pause("breakerOpen"));
        assert_eq!(verdict(true, 1, false, &canary(49, 0, 0, 1)), RolloutVerdict::Continue);
        assert_eq!(verdict(true, 1, false, &canary(500, 0, 51, 1)), RolloutVerdict::Abort("failed"));
        // They are no failures, however many there are.
        let mut spared = canary(500, 0, 20, 1);
        spared.candidate.spared = 10_000;
        assert_eq!(verdict(false, 60, false, &spared), RolloutVerdict::Promote);
    }

    #[test]
    fn without_rules_nothing_ends_but_by_its_expiry() {
        let results = canary(1_000_000, 900_000, 100_000, 1_000_000);
        assert_eq!(verdict(None, 1_000, false, &results), RolloutVerdict::Continue);
        assert_eq!(verdict(None, 1_000, true, &results), RolloutVerdict::Pause("undecidedAtExpiry"));
        let not_loaded = RolloutResults { load_failed: 1, ..results };
        assert_eq!(verdict(None, 1, false, &not_loaded), RolloutVerdict::Pause("doesNotLoad"));
        let not_trusted = RolloutResults { not_trusted: 1, ..not_loaded };
        assert_eq!(verdict(None, 1, false, &not_trusted), RolloutVerdict::Pause("notTrusted"));
    }

    #[test]
    fn a_version_is_promoted_after_its_runs_and_its_minutes() {
        let promote_after = Some(PromoteAfter { runs: 500, minutes: 60 });
        let rules =
            RolloutRules { promote_after, pause_under: Some(PauseUnder { runs: 50 }), ..RolloutRules::default() };
        for (runs, minutes, is_expired, expected) in [
            (500, 60, false, RolloutVerdict::Promote),
            (499, 60, false, RolloutVerdict::Continue),
            (500, 59, false, RolloutVerdict::Continue),
            (49, 59, false, RolloutVerdict::Continue),
            (49, 60, false, RolloutVerdict::Pause("tooLittleTraffic")),
            (49, 59, true, RolloutVerdict::Pause("tooLittleTraffic")),
            (499, 60, true, RolloutVerdict::Pause("undecidedAtExpiry")),
        ] {
            assert_eq!(verdict(Some(rules), minutes, is_expired, &canary(runs, 0, 0, 1)), expected, "{runs} {minutes}");
        }
    }

    #[test]
    fn a_rollout_is_aborted_above_its_limits_before_anything_else() {
        let limits = |denied, failed, slower_p99| {
            let abort_over = Some(AbortOver { different: None, denied, failed, slower_p99 });
            let promote_after = Some(PromoteAfter { runs: 1, minutes: 1 });
            Some(RolloutRules { promote_after, abort_over, pause_under: None })
        };
        let after = |rules, results: &RolloutResults| verdict(rules, 60, true, results);
        // The active version denies one percent as well.
        assert_eq!(after(limits(Some(5.0), None, None), &canary(100, 6, 0, 1)), RolloutVerdict::Promote);
        assert_eq!(after(limits(Some(5.0), None, None), &canary(100, 7, 0, 1)), RolloutVerdict::Abort("denied"));
        // Two of three are two of twenty.
        assert_eq!(after(limits(None, Some(10.0), None), &canary(3, 0, 2, 1)), RolloutVerdict::Promote);
        assert_eq!(after(limits(None, Some(10.0), None), &canary(3, 0, 3, 1)), RolloutVerdict::Abort("failed"));
        assert_eq!(after(limits(None, Some(0.0), None), &canary(1, 0, 1, 1)), RolloutVerdict::Abort("failed"));
        assert_eq!(after(limits(None, None, Some(50.0)), &canary(100, 0, 0, 1_500)), RolloutVerdict::Promote);
        assert_eq!(
            after(limits(None, None, Some(50.0)), &canary(100, 0, 0, 1_600)),
            RolloutVerdict::Abort("slowerP99")
        );
        assert_eq!(after(limits(None, None, Some(50.0)), &canary(99, 0, 0, 9_000)), RolloutVerdict::Promote);
    }

    #[test]
    fn a_shadow_is_judged_by_the_classes_of_its_answers() {
        let classes = [
            (DifferenceClass::Equal, 90),
            (DifferenceClass::Different, 4),
            (DifferenceClass::Noise, 4),
            (DifferenceClass::TimedOut, 2),
        ];
        let results = RolloutResults { classes: classes.into_iter().collect(), ..RolloutResults::default() };
        let verdict = |abort_over| {
            let rules = RolloutRules { abort_over: Some(abort_over), ..RolloutRules::default() };
            let mode = RolloutMode::Shadow;
            let (running_ms, is_expired, is_breaker_open) = (1, false, false);
            judge(&JudgedRollout { mode, rules: Some(&rules), running_ms, is_expired, is_breaker_open }, &results)
        };
        let different = |limit| AbortOver { different: Some(limit), ..AbortOver::default() };
        assert_eq!(verdict(different(4.0)), RolloutVerdict::Continue, "noise is no difference");
        assert_eq!(verdict(different(3.9)), RolloutVerdict::Abort("different"));
        assert_eq!(verdict(AbortOver { failed: Some(1.5), ..AbortOver::default() }), RolloutVerdict::Abort("failed"));
    }
}
