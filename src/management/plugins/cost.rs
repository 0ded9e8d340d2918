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

/// What is to be said of a version with these cases that costs more than twice the active one on those that are the same.
pub(super) fn warning(instructions: &Instructions, cases: Option<&str>, active: &Version) -> Option<String> {
    let (own, other) = (inputs(cases?)?, inputs(active.cases.as_deref()?)?);
    let before = counted(&active.facts.0);
    let (mut same, mut now, mut then) = (0_u64, 0_u64, 0_u64);
    for (name, input) in own {
        if let (Some(new), Some(old)) = (instructions.get(&name), before.get(&name))
            && other.get(&name) == Some(&input)
        {
            (same, now, then) = (same + 1, now.saturating_add(*new), then.saturating_add(*old));
        }
    }
    (same > 0 && now > then.saturating_mul(MOST_TIMES)).then(|| {
        format!(
            "it costs more than {MOST_TIMES} times as much as the active version {}: {now} instructions in place of \
             {then} on {same} golden cases that both have",
            active.id
        )
    })
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
        let text = told(2001, 200, &same).unwrap_or_default();
        assert!(text.contains("version 3: 2201 instructions in place of 1100 on 2 golden cases"), "{text}");
        let other = json!({ "token": { "scope": "a" } });
        assert_eq!(told(9000, 200, &other), None);
        assert!(told(9000, 201, &other).is_some_and(|text| text.contains("201 instructions in place of 100 on 1")));
        assert_eq!(warning(&Instructions::new(), Some("{"), &active), None);
        assert_eq!(warning(&Instructions::new(), None, &active), None);
    }
}
