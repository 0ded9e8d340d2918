//! Search parameters of the Management API, built from a single search box.

use crate::caller::segment;

/// Maximum number of searched characters; the API accepts 256, and an escaped character takes two.
const MAX_CHARACTERS: usize = 100;

/// Adds a search over all fields to the path of a list: by prefix, which uses an index and scales to a million rows, or
/// anywhere in a value.
pub(crate) fn searched(path: &str, text: &str, anywhere: bool) -> String {
    let text = text.trim();
    if text.is_empty() {
        return path.to_owned();
    }
    let joint = if path.contains('?') { '&' } else { '?' };
    let before = if anywhere { "%" } else { "" };
    format!("{path}{joint}search={}", segment(&format!("{before}{}%", literal(&number(text)))))
}

/// Normalizes a phone number to the stored form, digits only; returns other texts unchanged.
fn number(text: &str) -> String {
    let is_number = text.starts_with('+')
        && text.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '+' | ' ' | '-' | '(' | ')' | '/' | '.'));
    if is_number { text.chars().filter(char::is_ascii_digit).collect() } else { text.to_owned() }
}

/// Escapes a text for a `LIKE` pattern.
fn literal(text: &str) -> String {
    let mut pattern = String::new();
    for sign in text.chars().take(MAX_CHARACTERS) {
        if matches!(sign, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(sign);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_searched_for_as_it_is() {
        for (typed, anywhere, path) in [
            ("", false, "/api/users"),
            (" ada ", false, "/api/users?search=ada%25"),
            ("ada", true, "/api/users?search=%25ada%25"),
            ("50%_\\", false, "/api/users?search=50%5C%25%5C_%5C%5C%25"),
            ("+49 (151) 123-4", false, "/api/users?search=491511234%25"),
            ("2-3", false, "/api/users?search=2-3%25"),
        ] {
            assert_eq!(searched("/api/users", typed, anywhere), path, "{typed}");
        }
        assert_eq!(searched("/api/users?excludeRoleId=r", "a", false), "/api/users?excludeRoleId=r&search=a%25");
    }
}
