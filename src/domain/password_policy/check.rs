//! The check of one password.

use super::issue::{Issue, UserInfo};
use super::{characters, common, restricted};
use crate::documents::password_policy::PasswordPolicy;

/// The issues of a password; empty if it is acceptable. `user` is the known data of its owner, if any. `is_breached`
/// tells whether the password is in a data breach.
#[must_use]
pub fn check(
    policy: &PasswordPolicy,
    password: &str,
    user: Option<&UserInfo>,
    is_breached: impl FnOnce(&str) -> bool,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    let (length, min, max) = (password.chars().count(), policy.min_length(), policy.max_length());
    if length > max {
        // A password that is too long is not checked further: it may have any length.
        return vec![Issue::TooLong(max)];
    }
    if length < min {
        issues.push(Issue::TooShort(min));
    }
    match characters::kinds(password) {
        None => issues.push(Issue::UnsupportedCharacters),
        Some(kinds) if kinds < policy.min_types() => issues.push(Issue::CharacterTypes(policy.min_types())),
        Some(_) => {}
    }
    if policy.rejects(|rejects| rejects.pwned) && (common::is_common(password) || is_breached(password)) {
        issues.push(Issue::Common);
    }
    issues.extend(restricted::issues(policy, password, user));
    issues
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::{Value, json};

    fn policy(json: Value) -> PasswordPolicy {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_default_policy_refuses_what_is_quickly_guessed() {
        use Issue::{
            CharacterTypes, Common, Repetition, Sequence, TooLong, TooShort, UnsupportedCharacters, UserInfo as Own,
        };
        let user = UserInfo {
            name: Some("Ada Lovelace"),
            username: Some("countess"),
            email: Some("ada.lovelace@example.com"),
            phone: Some("491701234567"),
        };
        for (password, issues) in [
            ("correct horse battery staple", vec![]),
            ("Tr0mb0ne-Weather", vec![]),
            ("ein ganz normaler Satz", vec![]),
            ("", vec![TooShort(8), CharacterTypes(1)]),
            ("Vq9!", vec![TooShort(8)]),
            (&"x9".repeat(129), vec![TooLong(256)]),
            ("tromb\u{7}newe", vec![UnsupportedCharacters]),
            ("aaaaaaaa", vec![Common, Repetition]),
            ("12345678", vec![Common, Sequence]),
            ("987654321", vec![Common, Sequence]),
            ("qwertzuiop", vec![Common, Sequence]),
            ("aaa123bbb", vec![Repetition, Sequence]),
            // Two additional characters are not enough, three are.
            ("4567890xy", vec![Sequence]),
            ("4567890xyp", vec![]),
            ("P@ssw0rd!", vec![Common]),
            ("ada.lovelace", vec![Own]),
            ("AdaLovelace1", vec![Own]),
            ("Countess17", vec![Own]),
            ("491701234567", vec![Sequence, Own]),
            ("lovelace-the-first", vec![]),
        ] {
            assert_eq!(check(&PasswordPolicy::default(), password, Some(&user), |_| false), issues, "{password}");
        }
        assert_eq!(check(&PasswordPolicy::default(), "AdaLovelace1", None, |_| false), []);
    }

    #[test]
    fn a_policy_asks_for_more_or_less() {
        for (given, password, issues) in [
            (json!({ "length": { "min": 3, "max": 4 } }), "vqx", vec![]),
            (json!({ "length": { "min": 3, "max": 8 } }), "vqxmtzwkb", vec![Issue::TooLong(8)]),
            (json!({ "characterTypes": { "min": 3 } }), "vqxmtzwkb", vec![Issue::CharacterTypes(3)]),
            (json!({ "characterTypes": { "min": 3 } }), "vqxmTzwk7", vec![]),
            (json!({ "rejects": { "pwned": false } }), "iloveyou", vec![]),
            (json!({ "rejects": { "pwned": false, "repetitionAndSequence": false } }), "12345678", vec![]),
            (json!({ "rejects": { "words": ["Acme", "Shop"] } }), "acmeshop42", vec![Issue::Words]),
            (json!({ "rejects": { "words": ["acme"] } }), "acme-trombone", vec![]),
        ] {
            assert_eq!(check(&policy(given.clone()), password, None, |_| false), issues, "{given} {password}");
        }
    }

    #[test]
    fn a_breached_password_is_as_bad_as_a_common_one() {
        let is_breached = |password: &str| password.starts_with("correct horse");
        for (given, password, issues) in [
            (json!({}), "correct horse battery staple", vec![Issue::Common]),
            (json!({}), "incorrect horse battery staple", vec![]),
            (json!({ "rejects": { "pwned": false } }), "correct horse battery staple", vec![]),
        ] {
            assert_eq!(check(&policy(given.clone()), password, None, is_breached), issues, "{given} {password}");
        }
        let never = |_: &str| -> bool { unreachable!("what is too long is not looked for") };
        assert_eq!(check(&PasswordPolicy::default(), &"x9".repeat(129), None, never), vec![Issue::TooLong(256)]);
    }
}
