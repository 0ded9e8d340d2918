//! For whom a breaker opens, by the calls of a window on all nodes.
//!
//! What fails for one user only is that user's; what fails for several users of an application is the application's; only
//! what fails for several applications and many users is everybody's. So the data of one user cannot switch a plugin off
//! for others.

use claimsmith_runtime::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Applications with failures from which on it opens for everybody; all, if there are fewer.
const CALLERS: usize = 3;
/// Users with failures from which on it opens for everybody; all, if there are fewer.
const SUBJECTS: usize = 20;
/// Users with failures from which on it opens for their application; all, if there are fewer.
const SUBJECTS_OF_CALLER: usize = 3;

/// Breakers of one plugin that are open for applications, and as many for users.
const MAX_OPEN: usize = 200;

/// Calls of one caller that are about one subject.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// The application or hook; empty if there is none.
    pub(crate) caller: String,
    /// A hash of the user; empty if they are about nobody, and for those that did not fail.
    pub(crate) subject: String,
    /// Those that failed.
    pub(crate) failures: u64,
    /// Those that did not.
    pub(crate) successes: u64,
}

/// For whom it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The application or hook; empty for all.
    pub(crate) caller: String,
    /// A hash of the user; empty for all.
    pub(crate) subject: String,
}

/// How many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Population {
    /// Applications.
    pub(crate) applications: usize,
    /// Users.
    pub(crate) users: usize,
    /// Webhooks.
    pub(crate) hooks: usize,
}

/// What it takes to open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    failures: u64,
    callers: usize,
    subjects: usize,
    subjects_of_caller: usize,
    /// Whether it opens for single users.
    for_subjects: bool,
}

impl Scope {
    /// For everybody.
    pub(crate) fn everybody() -> Self {
        Self { caller: String::new(), subject: String::new() }
    }

    /// `everybody`, `application` or `user`.
    pub(crate) fn name(&self) -> &'static str {
        match (self.caller.is_empty(), self.subject.is_empty()) {
            (true, true) => "everybody",
            (false, true) => "application",
            (_, false) => "user",
        }
    }

    /// Whether it holds for all of another one.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        (self.caller.is_empty() || self.caller == other.caller)
            && (self.subject.is_empty() || self.subject == other.subject)
    }
}

impl Thresholds {
    /// Those of a plugin of this kind, with so many failures in its settings, which name so many applications or hooks.
    pub(crate) fn new(kind: Kind, failures: u32, named: Option<usize>, there_are: Population) -> Self {
        let named = named.unwrap_or(usize::MAX);
        let (callers, subjects, subjects_of_caller) = match kind {
            Kind::Claims => (CALLERS.min(there_are.applications), there_are.users, there_are.users),
            // The subjects are deliveries.
            Kind::WebhookTransform => (CALLERS.min(there_are.hooks), usize::MAX, usize::MAX),
            // A message has no application.
            Kind::Message => (0, there_are.users, there_are.users),
        };
        Self {
            failures: u64::from(failures),
            callers: callers.min(named),
            subjects: SUBJECTS.min(subjects),
            subjects_of_caller: SUBJECTS_OF_CALLER.min(subjects_of_caller),
            for_subjects: kind == Kind::Claims,
        }
    }

    /// Whether so many calls failed: as many as the settings say, and at least half of all.
    fn are_met_by(&self, failures: u64, successes: u64) -> bool {
        failures >= self.failures && failures >= successes
    }
}

/// For whom it opens; nobody in most cases.
pub(crate) fn to_open(tallies: &[Tally], thresholds: &Thresholds) -> Vec<Scope> {
    let failed = || tallies.iter().filter(|tally| tally.failures > 0);
    let callers: BTreeSet<&str> = failed().map(|tally| tally.caller.as_str()).filter(|one| !one.is_empty()).collect();
    let subjects = count_subjects(failed());
    let (failures, successes) = sums(tallies.iter());
    if thresholds.are_met_by(failures, successes)
        && callers.len() >= thresholds.callers
        && subjects >= thresholds.subjects
    {
        return vec![Scope::everybody()];
    }
    let mut by_caller: BTreeMap<&str, Vec<&Tally>> = BTreeMap::new();
    for tally in tallies.iter().filter(|tally| !tally.caller.is_empty()) {
        by_caller.entry(&tally.caller).or_default().push(tally);
    }
    let mut scopes = Vec::new();
    for (caller, tallies) in by_caller {
        if is_of_caller(&tallies, thresholds) {
            scopes.push(Scope { caller: caller.to_owned(), subject: String::new() });
        } else if thresholds.for_subjects {
            let often = |tally: &&&Tally| !tally.subject.is_empty() && tally.failures >= thresholds.failures;
            let subjects = tallies.iter().filter(often);
            scopes.extend(subjects.map(|tally| Scope { caller: caller.to_owned(), subject: tally.subject.clone() }));
        }
    }
    scopes
}

/// Those for which there is room beside the ones of the plugin that are open. Those of users, of which a few people can
/// have many, take no room of applications.
pub(crate) fn with_room(scopes: Vec<Scope>, open: &[Scope]) -> Vec<Scope> {
    let is_of_user = |scope: &Scope| !scope.subject.is_empty();
    let of_users = open.iter().filter(|scope| is_of_user(scope)).count();
    let of_callers = open.iter().filter(|scope| !is_of_user(scope) && **scope != Scope::everybody()).count();
    let (users, mut kept): (Vec<Scope>, Vec<Scope>) = scopes.into_iter().partition(is_of_user);
    if !kept.contains(&Scope::everybody()) {
        kept.truncate(MAX_OPEN.saturating_sub(of_callers));
    }
    kept.extend(users.into_iter().take(MAX_OPEN.saturating_sub(of_users)));
    kept
}

/// Whether the plugin fails for a whole application. Calls that are about no user are about the application.
fn is_of_caller(tallies: &[&Tally], thresholds: &Thresholds) -> bool {
    let (failures, successes) = sums(tallies.iter().copied());
    let about_nobody: u64 = tallies.iter().filter(|tally| tally.subject.is_empty()).map(|tally| tally.failures).sum();
    let subjects = count_subjects(tallies.iter().copied().filter(|tally| tally.failures > 0));
    let concerns_enough = subjects >= thresholds.subjects_of_caller.max(1) || about_nobody >= thresholds.failures;
    thresholds.are_met_by(failures, successes) && concerns_enough
}

fn sums<'t>(tallies: impl Iterator<Item = &'t Tally>) -> (u64, u64) {
    tallies.fold((0, 0), |(failures, successes), tally| (failures + tally.failures, successes + tally.successes))
}

fn count_subjects<'t>(tallies: impl Iterator<Item = &'t Tally>) -> usize {
    tallies.map(|tally| tally.subject.as_str()).filter(|one| !one.is_empty()).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: Population = Population { applications: 100, users: 100, hooks: 100 };

    /// Failures of so many users of an application, and the calls beside them.
    fn of(caller: &str, users: u64, each: u64, successes: u64) -> Vec<Tally> {
        let tally =
            |subject: String, failures, successes| Tally { caller: caller.into(), subject, failures, successes };
        let failed = (0..users).map(|user| tally(format!("{caller}-{user}"), each, 0));
        failed.chain((successes > 0).then(|| tally(String::new(), 0, successes))).collect()
    }

    fn opened(tallies: &[Vec<Tally>], there_are: Population, named: Option<usize>) -> Vec<String> {
        let thresholds = Thresholds::new(Kind::Claims, 10, named, there_are);
        let scopes = to_open(&tallies.concat(), &thresholds);
        scopes.iter().map(|scope| format!("{} {}{}", scope.name(), scope.caller, scope.subject)).collect()
    }

    #[test]
    fn what_fails_for_few_opens_for_those_only() {
        let nobody: [String; 0] = [];
        for (tallies, expected) in [
            // Too few failures.
            (vec![of("a", 3, 3, 0)], vec![]),
            // One user, however often.
            (vec![of("a", 1, 9, 0)], vec![]),
            (vec![of("a", 1, 1_000, 0), of("b", 0, 0, 5)], vec!["user aa-0"]),
            // Several users of one application.
            (vec![of("a", 4, 3, 12), of("b", 0, 0, 5)], vec!["application a"]),
            // Most calls of it work.
            (vec![of("a", 4, 3, 13)], vec![]),
            // Two applications, and three with few users.
            (vec![of("a", 30, 1, 0), of("b", 30, 1, 0)], vec!["application a", "application b"]),
            (vec![of("a", 6, 5, 0), of("b", 6, 5, 0), of("c", 7, 1, 0)], vec!["application a", "application b"]),
            // Everybody.
            (vec![of("a", 7, 1, 0), of("b", 7, 1, 0), of("c", 6, 1, 20)], vec!["everybody "]),
            // Most calls work.
            (vec![of("a", 7, 1, 0), of("b", 7, 1, 0), of("c", 6, 1, 21)], vec![]),
        ] {
            let opened = opened(&tallies, MANY, None);
            assert_eq!(opened, expected, "{tallies:?}");
        }
        assert_eq!(opened(&[], MANY, None), nobody);
    }

    #[test]
    fn breakers_of_users_take_no_room_of_applications() {
        let scope = |caller: &str, subject: String| Scope { caller: caller.to_owned(), subject };
        let users = |count: usize| (0..count).map(|user| scope("a", user.to_string())).collect::<Vec<_>>();
        let application = || scope("b", String::new());
        let all = users(MAX_OPEN);
        assert_eq!(with_room([vec![application()], users(3)].concat(), &all), [application()]);
        assert_eq!(with_room(vec![Scope::everybody()], &all), [Scope::everybody()]);
        assert_eq!(with_room(users(MAX_OPEN + 5), &[application()]).len(), MAX_OPEN);
        let applications: Vec<_> = (0..MAX_OPEN).map(|one| scope(&one.to_string(), String::new())).collect();
        assert_eq!(with_room([vec![application()], users(1)].concat(), &applications), users(1));
    }

    #[test]
    fn where_there_are_fewer_all_of_them_count() {
        let two_applications = Population { applications: 2, ..MANY };
        let two_users = Population { users: 2, ..MANY };
        assert_eq!(opened(&[of("a", 10, 1, 0), of("b", 10, 1, 0)], two_applications, None), ["everybody "]);
        assert_eq!(opened(&[of("a", 20, 1, 0)], two_applications, Some(1)), ["everybody "], "it names one");
        assert_eq!(opened(&[of("a", 2, 9, 0)], two_users, None), ["application a"]);
        assert_eq!(opened(&[of("a", 1, 9, 0), of("b", 1, 9, 0), of("c", 1, 1, 0)], two_users, None), ["everybody "]);
    }

    #[test]
    fn a_call_about_nobody_is_about_its_application() {
        let about_nobody = |failures| Tally { caller: "a".into(), subject: String::new(), failures, successes: 0 };
        assert_eq!(opened(&[vec![about_nobody(9)]], MANY, None), [""; 0]);
        assert_eq!(opened(&[vec![about_nobody(10)]], MANY, None), ["application a"]);
    }

    #[test]
    fn transforms_count_hooks_and_messages_count_recipients() {
        let all = |kind| Thresholds::new(kind, 10, None, MANY);
        let (transform, message) = (all(Kind::WebhookTransform), all(Kind::Message));
        // A delivery that fails again and again switches nothing off.
        assert_eq!(to_open(&of("hook", 1, 1_000, 0), &transform), []);
        assert_eq!(to_open(&of("hook", 3, 4, 0), &transform)[0].name(), "application");
        assert_eq!(to_open(&of("", 19, 1, 0), &message), []);
        assert_eq!(to_open(&of("", 20, 1, 0), &message), [Scope::everybody()]);
    }
}
