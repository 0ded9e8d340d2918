//! What a version costs beside the active one: the instructions of the golden cases that both have.

use claimsmith_json::{self as json, STORED};
use claimsmith_storage::plugins::versions::Version;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How many times as much as the active version another one may cost before somebody has to agree.
const MOST_TIMES: u64 = 2;

/// Members of a case that its call does not depend on.
const NOT_INPUT: [&str; 2] = ["expected", "instructions"];

/// The instructions of cases, by name.
pub(super) type Instructions = BTreeMap<String, u64>;

/// The instructions of a version's cases, as they were counted when it was uploaded.
pub(super) fn counted(facts: &Value) -> Instructions {
    let cases = facts.pointer("/instructions/cases").and_then(Value::as_array);
    let of = |case: &Value| Some((case.get("name")?.as_str()?.to_owned(), case.get("instructions")?.as_u64()?));
    cases.into_iter().flatten().filter_map(of).collect()
}

/// The instructions of the cases that two versions have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ComparedCost {
    /// How many cases.
    pub(super) cases: u64,
    /// Of the active version.
    pub(super) before: u64,
    /// Of the other one.
    pub(super) now: u64,
}

/// The cost of a version with these cases beside the active one, on those that are the same; `None` without any.
pub(super) fn compare(instructions: &Instructions, cases: Option<&str>, active: &Version) -> Option<ComparedCost> {
    let (own, other) = (inputs(cases?)?, inputs(active.cases.as_deref()?)?);
    let counted = counted(&active.facts.0);
    let mut cost = ComparedCost::default();
    for (name, input) in own {
        if let (Some(new), Some(old)) = (instructions.get(&name), counted.get(&name))
            && other.get(&name) == Some(&input)
        {
            cost.cases += 1;
            cost.now = cost.now.saturating_add(*new);
            cost.before = cost.before.saturating_add(*old);
        }
    }
    (cost.cases > 0).then_some(cost)
}

/// What is to be said of a version with these cases that costs more than twice the active one on those that are the same.
pub(super) fn warning(instructions: &Instructions, cases: Option<&str>, active: &Version) -> Option<String> {
    let ComparedCost { cases: same, before, now } = compare(instructions, cases, active)?;
    (now > before.saturating_mul(MOST_TIMES)).then(|| {
        format!(
            "it costs more than {MOST_TIMES} times as much as the active version {}: {now} instructions in place of \
             {before} on {same} golden cases that both have",
            active.id
        )
    })
}

/// The same of a stored version, as its facts say.
pub(super) fn warning_of(version: &Version, active: &Version) -> Option<String> {
    warning(&counted(&version.facts.0), version.cases.as_deref(), active)
}

/// What each case gives to its call, by name. None if it is no list of cases.
fn inputs(cases: &str) -> Option<BTreeMap<String, Map<String, Value>>> {
    let cases: Vec<Map<String, Value>> = json::read(cases, STORED).ok()?;
    let of = |mut case: Map<String, Value>| {
        let name = case.get("name")?.as_str()?.to_owned();
        case.retain(|member, _| !NOT_INPUT.contains(&member.as_str()));
        Some((name, case))
    };
    Some(cases.into_iter().filter_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_storage::Json;
    use serde_json::json;

    fn cases(input: &Value) -> String {
        json!([
            { "name": "a", "input": input, "expected": { "claims": {} } },
            { "name": "b", "input": {}, "expected": { "claims": {} } },
        ])
        .to_string()
    }

    fn version(a: u64, b: u64) -> Version {
        let counted = json!([{ "name": "a", "instructions": a }, { "name": "b", "instructions": b }]);
        Version {
            plugin_name: "ticket".to_owned(),
            id: 3,
            digest: String::new(),
            language: "javascript".to_owned(),
            size: 1,
            facts: Json(json!({ "kind": "claims", "instructions": { "total": a + b, "cases": counted } })),
            http: None,
            cases: Some(cases(&json!({ "token": {} }))),
            signer: None,
            created_by: "test".to_owned(),
            label: None,
            note: None,
            created_at: 1,
        }
    }

    #[test]
    fn only_cases_that_are_the_same_are_compared() {
        let active = version(1000, 100);
        let told = |a: u64, b: u64, input: &Value| {
            let own = [("a".to_owned(), a), ("b".to_owned(), b)].into();
            warning(&own, Some(&cases(input)), &active)
        };
        let same = json!({ "token": {} });
        assert_eq!(told(2000, 200, &same), None);
        assert_eq!(warning_of(&version(2000, 200), &active), None);
        assert!(warning_of(&version(9000, 200), &active).is_some());
        let text = told(2001, 200, &same).unwrap_or_default();
        assert!(text.contains("version 3: 2201 instructions in place of 1100 on 2 golden cases"), "{text}");
        let other = json!({ "token": { "scope": "a" } });
        assert_eq!(told(9000, 200, &other), None);
        assert!(told(9000, 201, &other).is_some_and(|text| text.contains("201 instructions in place of 100 on 1")));
        assert_eq!(warning(&Instructions::new(), Some("{"), &active), None);
        assert_eq!(warning(&Instructions::new(), None, &active), None);
    }
}
