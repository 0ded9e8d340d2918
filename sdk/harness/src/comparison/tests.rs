//! What is equal, what differs where, and what is noise.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::{Change, Class, Ending, Noise, compare, noise};
use serde_json::{Value, json};

fn ok(answer: Value) -> Ending {
    Ending { outcome: "ok".to_owned(), answer: Some(answer), message: None }
}

fn ended(outcome: &str, message: &str) -> Ending {
    Ending { outcome: outcome.to_owned(), answer: None, message: Some(message.to_owned()) }
}

fn class(expected: &Ending, actual: &Ending) -> Class {
    compare(expected, actual, &Noise::new()).class
}

#[test]
fn values_are_compared_and_not_their_texts() {
    let table = [
        (json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), Class::Equal),
        (json!({ "a": 1 }), json!({ "a": 1.0 }), Class::Equal),
        (json!({ "a": 0.5 }), json!({ "a": 5e-1 }), Class::Equal),
        (json!({ "a": 1 }), json!({ "a": "1" }), Class::Different),
        (json!({ "a": null }), json!({}), Class::Different),
        (json!({ "a": [1, 2] }), json!({ "a": [2, 1] }), Class::Different),
        // One double, two numbers.
        (json!({ "a": 9_007_199_254_740_993_u64 }), json!({ "a": 9_007_199_254_740_992.0 }), Class::Different),
        (json!({ "a": u64::MAX }), json!({ "a": u64::MAX - 1 }), Class::Different),
        (json!({}), Value::Null, Class::Equal),
        (json!([1]), json!([1]), Class::Equal),
        (json!([1]), json!({ "a": 1 }), Class::Different),
    ];
    for (before, after, expected) in table {
        assert_eq!(class(&ok(before.clone()), &ok(after.clone())), expected, "{before} and {after}");
    }
}

#[test]
fn a_difference_names_the_claims_and_the_places() {
    let before = ok(json!({ "plan": "free", "gone": 1, "same": {}, "deep": { "a/b": [{ "x": 1 }, 2], "c": 3 } }));
    let after = ok(json!({ "plan": "pro", "new": 1, "same": {}, "deep": { "a/b": [{ "x": 9 }, 2], "c": 3 } }));
    let found = compare(&before, &after, &Noise::new());
    let changes: Vec<_> =
        found.changes.iter().map(|change| (change.claim.as_str(), change.change, change.paths.join(" "))).collect();
    let expected = [
        ("deep", Change::Changed, "/deep/a~1b/0/x".to_owned()),
        ("gone", Change::Removed, "/gone".to_owned()),
        ("new", Change::Added, "/new".to_owned()),
        ("plan", Change::Changed, "/plan".to_owned()),
    ];
    assert_eq!((found.class, changes.as_slice()), (Class::Different, expected.as_slice()));
    let many = |from: u32| ok(json!({ "list": (from..from + 100).collect::<Vec<_>>() }));
    assert_eq!(compare(&many(0), &many(1000), &Noise::new()).changes[0].paths.len(), 20);
}

#[test]
fn every_pair_of_endings_has_a_class() {
    let (answer, denied) = (ok(json!({})), ended("denied", "No."));
    let (failed, late) = (ended("failed", "a.js:1"), ended("timed_out", "1 s"));
    let table = [
        (&denied, &denied, Class::Equal),
        (&denied, &ended("denied", "Never."), Class::Different),
        (&answer, &denied, Class::DeniedInstead),
        (&failed, &denied, Class::DeniedInstead),
        (&denied, &answer, Class::AllowedInstead),
        (&late, &answer, Class::AllowedInstead),
        (&failed, &ended("failed", "a.js:2"), Class::Equal),
        (&failed, &ended("trapped", "unreachable"), Class::Failed),
        (&answer, &failed, Class::Failed),
        (&late, &failed, Class::Failed),
        (&late, &late, Class::Equal),
        (&answer, &late, Class::TimedOut),
        (&denied, &late, Class::TimedOut),
        (&failed, &late, Class::TimedOut),
    ];
    for (expected, actual, is) in table {
        assert_eq!(class(expected, actual), is, "{expected:?} and {actual:?}");
    }
}

#[test]
fn noise_hides_what_varies_and_nothing_else() {
    let at = |time: u32, plan: &str| ok(json!({ "meta": { "at": time, "plan": plan }, "id": [time, 1] }));
    let noisy = noise(&at(1, "free"), &at(2, "free"));
    assert_eq!(noisy.iter().collect::<Vec<_>>(), ["/id/0", "/meta/at"]);
    let found = compare(&at(7, "free"), &at(8, "free"), &noisy);
    assert_eq!((found.class, found.noise), (Class::Equal, noisy.clone()));
    let found = compare(&at(7, "free"), &at(8, "pro"), &noisy);
    assert_eq!((found.class, found.changes[0].paths.join(" ")), (Class::Different, "/meta/plan".to_owned()));
    // A list that lost an item is more than its noise; a claim that has the beginning of its name is another claim.
    let shorter = ok(json!({ "meta": { "at": 9, "plan": "free" }, "id": [1] }));
    assert_eq!(compare(&at(7, "free"), &shorter, &noisy).class, Class::Different);
    let found = compare(&ok(json!({ "ab": 1 })), &ok(json!({ "ab": 2 })), &["/a".to_owned()].into());
    assert_eq!(found.class, Class::Different);
}

#[test]
fn a_decision_that_varies_is_noise_and_a_failure_is_not() {
    let (answer, denied) = (ok(json!({})), ended("denied", "No."));
    let whole: Noise = [String::new()].into();
    assert_eq!(noise(&answer, &denied), whole);
    assert_eq!(noise(&ended("denied", "at 1"), &ended("denied", "at 2")), whole);
    assert!(noise(&denied, &denied).is_empty() && noise(&answer, &ended("timed_out", "")).is_empty());
    let found = compare(&answer, &denied, &whole);
    assert_eq!((found.class, found.noise), (Class::Equal, whole.clone()));
    assert_eq!(compare(&answer, &ended("failed", ""), &whole).class, Class::Failed);
}

#[test]
fn a_recorded_ending_is_read() {
    let read: Ending =
        serde_json::from_value(json!({ "outcome": "denied", "answer": null, "message": "No." })).unwrap();
    assert_eq!(read, ended("denied", "No."));
    assert!(serde_json::from_value::<Ending>(json!({ "answer": {} })).is_err());
}
