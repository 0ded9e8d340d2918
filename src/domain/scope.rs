//! Scopes: their syntax, and which requested scopes are granted.

use std::collections::BTreeSet;

/// The scopes in a scope parameter. `None` if it contains a character that RFC 6749 section 3.3 does not allow.
#[must_use]
pub fn words(scope: &str) -> Option<Vec<&str>> {
    let allowed = |byte: u8| matches!(byte, 0x20 | 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    scope.bytes().all(allowed).then(|| scope.split(' ').filter(|word| !word.is_empty()).collect())
}

/// Whether `scope` contains `word` as a whole word.
#[must_use]
pub fn contains(scope: &str, word: &str) -> bool {
    scope.split(' ').any(|held| held == word)
}

/// The granted scopes: the requested ones that the subject has, without duplicates, in the requested order.
#[must_use]
pub fn grant(requested: &[&str], held: &BTreeSet<String>) -> String {
    let mut granted: Vec<&str> = Vec::new();
    for word in requested {
        if held.contains(*word) && !granted.contains(word) {
            granted.push(word);
        }
    }
    granted.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_what_is_asked_for_and_held() {
        let held = BTreeSet::from(["resource:read".to_owned(), "resource:write".to_owned()]);
        for (requested, granted) in [
            ("", ""),
            ("resource:read", "resource:read"),
            ("openid profile resource:read", "resource:read"),
            ("resource:write resource:read resource:write", "resource:write resource:read"),
            ("resource.read", ""),
        ] {
            assert_eq!(grant(&words(requested).unwrap_or_default(), &held), granted, "{requested}");
        }
    }

    #[test]
    fn refuses_characters_outside_the_grammar() {
        for bad in ["a\"b", "a\\b", "a\nb", "é", "a\u{0}"] {
            assert_eq!(words(bad), None, "{bad:?}");
        }
        assert!(contains("openid profile", "openid"));
        assert!(!contains("not-openid openid2", "openid"));
    }
}
