//! Compares two answers as replays do (`claimsmith_harness`): whether they are equal, and by which members they differ.
//! Shadows know more classes of differences, and their noise is whole members.

use claimsmith_domain::documents::rollout::DifferenceClass;
use claimsmith_harness::{Change, ClaimChange, Class, Ending, Noise};
use claimsmith_runtime::{CallError, Transformed};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What a call answered: claims, or what became of a delivery, by name.
pub(in crate::plugins) type Outcome = Result<Map<String, Value>, CallError>;

/// How an answer differs from that of the active version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::plugins) struct Comparison {
    /// The class.
    pub(in crate::plugins) class: DifferenceClass,
    /// Members that it has in addition.
    pub(in crate::plugins) added: Vec<String>,
    /// Members that it lacks.
    pub(in crate::plugins) removed: Vec<String>,
    /// Members with another value.
    pub(in crate::plugins) changed: Vec<String>,
}

impl Comparison {
    pub(super) fn of(class: DifferenceClass) -> Self {
        Self { class, added: Vec::new(), removed: Vec::new(), changed: Vec::new() }
    }

    /// All members that differ.
    pub(in crate::plugins) fn members(&self) -> impl Iterator<Item = &String> {
        self.added.iter().chain(&self.removed).chain(&self.changed)
    }

    /// The same without members that differ by themselves; noise if nothing else differs.
    pub(in crate::plugins) fn without(self, noise: &BTreeSet<String>) -> Self {
        if self.class != DifferenceClass::Different || !self.members().any(|member| noise.contains(member)) {
            return self;
        }
        if self.members().all(|member| noise.contains(member)) {
            return Self { class: DifferenceClass::Noise, ..self };
        }
        let real = |members: Vec<String>| members.into_iter().filter(|member| !noise.contains(member)).collect();
        let Self { class, added, removed, changed } = self;
        Self { class, added: real(added), removed: real(removed), changed: real(changed) }
    }
}

/// How the answer of a candidate differs from the active version's.
pub(in crate::plugins) fn compare(active: &Outcome, candidate: &Outcome) -> Comparison {
    let found = claimsmith_harness::compare(&ending(active), &ending(candidate), &Noise::new());
    let mut comparison = Comparison::of(match (found.class, active, candidate) {
        (Class::Equal, ..) => DifferenceClass::Equal,
        (Class::DeniedInstead, ..) => DifferenceClass::DeniedInstead,
        (Class::AllowedInstead, Err(CallError::Denied(_)), _) => DifferenceClass::AllowedInstead,
        // An answer in place of a failure is only another answer.
        (Class::Different | Class::AllowedInstead, ..) => DifferenceClass::Different,
        (Class::TimedOut, ..) => DifferenceClass::TimedOut,
        (Class::Failed, _, Err(CallError::OutOfMemory(_))) => DifferenceClass::OverBudget,
        (Class::Failed, ..) => DifferenceClass::Failed,
    });
    for ClaimChange { claim, change, .. } in found.changes {
        match change {
            Change::Added => comparison.added.push(claim),
            Change::Removed => comparison.removed.push(claim),
            Change::Changed => comparison.changed.push(claim),
        }
    }
    comparison
}

/// An answer as replays compare it.
fn ending(outcome: &Outcome) -> Ending {
    let (answer, message) = match outcome {
        Ok(members) => (Some(Value::Object(members.clone())), None),
        Err(CallError::Denied(message)) => (None, Some(message.clone())),
        Err(_) => (None, None),
    };
    let outcome = outcome.as_ref().map_or_else(CallError::outcome, |_| "ok").to_owned();
    Ending { outcome, answer, message }
}

/// What became of a delivery, by name. A body of JSON is compared as such.
pub(in crate::plugins) fn members_of(answer: &Transformed, event: &str) -> Map<String, Value> {
    let answer = match answer {
        Transformed::Drop(reason) => json!({ "action": "drop", "reason": reason }),
        Transformed::Send { body, headers, path } => {
            let body = body.as_deref().unwrap_or(event);
            let body = claimsmith_runtime::json::read(body, claimsmith_runtime::json::STORED)
                .unwrap_or_else(|_| Value::from(body));
            let headers: Map<String, Value> =
                headers.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
            json!({ "action": "send", "body": body, "headers": headers, "path": path })
        }
    };
    match answer {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[expect(clippy::unnecessary_wraps, reason = "it is one of several outcomes")]
    fn claims(value: Value) -> Outcome {
        match value {
            Value::Object(claims) => Ok(claims),
            _ => Ok(Map::new()),
        }
    }

    #[test]
    fn answers_are_compared_as_json_values() {
        let before = claims(json!({ "plan": "gold", "level": 1, "roles": ["a", "b"], "deep": { "x": 1, "y": [2.0] } }));
        let same = claims(json!({ "deep": { "y": [2], "x": 1.0 }, "roles": ["a", "b"], "level": 1.0, "plan": "gold" }));
        assert_eq!(compare(&before, &same), Comparison::of(DifferenceClass::Equal));
        // One double, two numbers.
        let [one, other] = [9_007_199_254_740_992_u64, 9_007_199_254_740_993].map(|id| claims(json!({ "id": id })));
        assert_eq!(compare(&one, &other).changed, ["id"]);
        let after = claims(json!({ "plan": "silver", "level": 1, "roles": ["b", "a"], "tier": 1 }));
        let expected = Comparison {
            class: DifferenceClass::Different,
            added: vec!["tier".to_owned()],
            removed: vec!["deep".to_owned()],
            changed: vec!["plan".to_owned(), "roles".to_owned()],
        };
        assert_eq!(compare(&before, &after), expected);
        // They are the same double.
        let number = |id: u64| claims(json!({ "id": id }));
        let of_neighbors = compare(&number(9_007_199_254_740_992), &number(9_007_199_254_740_993));
        assert_eq!((of_neighbors.class, of_neighbors.changed), (DifferenceClass::Different, vec!["id".to_owned()]));
    }

    #[test]
    fn every_pair_of_outcomes_has_a_class() {
        let denied = |text: &str| Outcome::Err(CallError::Denied(text.to_owned()));
        let ok = || claims(json!({ "plan": "gold" }));
        let failed = || Outcome::Err(CallError::Failed("no".to_owned()));
        let late = || Outcome::Err(CallError::TimedOut(Duration::from_secs(1)));
        for (active, candidate, class) in [
            (ok(), denied("no"), DifferenceClass::DeniedInstead),
            (failed(), denied("no"), DifferenceClass::DeniedInstead),
            (denied("no"), ok(), DifferenceClass::AllowedInstead),
            (denied("no"), denied("no"), DifferenceClass::Equal),
            (denied("no"), denied("never"), DifferenceClass::Different),
            (ok(), failed(), DifferenceClass::Failed),
            (denied("no"), failed(), DifferenceClass::Failed),
            (failed(), failed(), DifferenceClass::Equal),
            (failed(), late(), DifferenceClass::TimedOut),
            (failed(), ok(), DifferenceClass::Different),
            (ok(), late(), DifferenceClass::TimedOut),
            (ok(), Err(CallError::OutOfMemory(1)), DifferenceClass::OverBudget),
            (ok(), Err(CallError::BadOutput("it".to_owned())), DifferenceClass::Failed),
        ] {
            assert_eq!(compare(&active, &candidate).class, class, "{active:?} {candidate:?}");
        }
    }

    #[test]
    fn members_that_differ_by_themselves_are_noise() {
        let noise: BTreeSet<String> = ["now".to_owned()].into();
        let before = claims(json!({ "now": 1, "plan": "gold" }));
        let only_noise = compare(&before, &claims(json!({ "now": 2, "plan": "gold" })));
        assert_eq!(only_noise.without(&noise).class, DifferenceClass::Noise);
        let both = compare(&before, &claims(json!({ "now": 2, "plan": "silver" }))).without(&noise);
        assert_eq!((both.class, both.changed), (DifferenceClass::Different, vec!["plan".to_owned()]));
        assert_eq!(compare(&before, &before).without(&noise).class, DifferenceClass::Equal);
    }

    #[test]
    fn deliveries_are_compared_by_what_is_sent() {
        let send = |body: Option<&str>| Transformed::Send {
            body: body.map(str::to_owned),
            headers: vec![("x-a".to_owned(), "1".to_owned())],
            path: None,
        };
        let event = r#"{"a":1,"b":2}"#;
        let unchanged = Ok(members_of(&send(None), event));
        let reordered = Ok(members_of(&send(Some(r#"{ "b": 2, "a": 1 }"#)), event));
        assert_eq!(compare(&unchanged, &reordered).class, DifferenceClass::Equal);
        let dropped = Ok(members_of(&Transformed::Drop("none".to_owned()), event));
        assert!(compare(&unchanged, &dropped).changed.contains(&"action".to_owned()));
    }
}
